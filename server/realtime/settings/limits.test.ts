import { expect, onTestFinished, test, vi } from "vitest";
import {
  makePush,
  openClient,
  startRealtime,
  type BareClient,
} from "../../../testing/servers/realtime.ts";
import { DEFAULT_LIMITS } from "./limits.ts";
import { parseRealtimeSettings, settingName } from "./settings.ts";
import { startsServers } from "./start-bed.case.ts";

const TOPIC = "realtime:canvas-room";

const start = startsServers();

async function refusal(client: BareClient, topic: string): Promise<string> {
  const { status, response } = await client.reply(client.push(topic, "phx_join", {}));
  return status === "ok" ? "ok" : response.reason;
}

test("SRV-2 a setting that is wrong or unknown is named, and the server does not start", async () => {
  expect(settingName("messagesPerSecond")).toBe("REALTIME_MESSAGES_PER_SECOND");
  const wrong = parseRealtimeSettings({
    REALTIME_PAYLOAD_BYTES: "much",
    REALTIME_IDLE_SECONDS: "0",
    REALTIME_NONSENSE: "1",
    REALTIME_QUEUE_BITES: "1",
    OTHER: "x",
  });
  expect(wrong.ok).toBe(false);
  const problems = wrong.ok ? [] : wrong.problems;
  expect(problems.length).toBe(4);
  expect(problems[0]).toMatch(
    /^REALTIME_PAYLOAD_BYTES "much" is not a whole number; expected a whole number from 1000 to 100000000 \(bytes of one broadcast's payload\)$/,
  );
  expect(problems[1]).toMatch(/^REALTIME_IDLE_SECONDS "0" is out of range; expected/);
  expect(problems[2]).toMatch(
    /^REALTIME_NONSENSE is unknown; expected one of REALTIME_CONNECTIONS, /,
  );
  expect(problems[3]).toBe("REALTIME_QUEUE_BITES is unknown; expected REALTIME_QUEUE_BYTES");
  await expect(startRealtime({ env: { REALTIME_IDLE_SECONDS: "x" } })).rejects.toThrow(
    /REALTIME_IDLE_SECONDS/,
  );
  expect(parseRealtimeSettings({ REALTIME_FRAME_BYTES: "2000" }).ok).toBe(false);
  const good = parseRealtimeSettings({
    REALTIME_PAYLOAD_BYTES: "2000",
    REALTIME_DROPPABLE_EVENTS: "a, b",
  });
  expect(good.ok && good.settings.limits).toEqual({ ...DEFAULT_LIMITS, payloadBytes: 2000 });
  expect(good.ok && [...good.settings.droppableEvents]).toEqual(["a", "b"]);
  const old = parseRealtimeSettings({ REALTIME_ROOM_MEMBERS: "7" });
  expect(old.ok && old.settings.limits.topicMembers).toBe(7);
  const none = parseRealtimeSettings({ REALTIME_DROPPABLE_EVENTS: "none" });
  expect(none.ok && none.settings.droppableEvents.size).toBe(0);
});

test("RT-19 connections are limited in all, of one address and per second, with 429", async () => {
  const perAddress = await start({ REALTIME_CONNECTIONS_PER_ADDRESS: "1" });
  const first = await openClient(perAddress);
  await expect(openClient(perAddress)).rejects.toThrow("429");
  first.close();
  await first.closed;
  await expect
    .poll(async () => (await openClient(perAddress).catch(() => null)) !== null)
    .toBe(true);
  const inAll = await start({ REALTIME_CONNECTIONS: "1" });
  await openClient(inAll);
  await expect(openClient(inAll)).rejects.toThrow("429");
  const slow = await start(
    { REALTIME_CONNECTS_BURST: "1", REALTIME_CONNECTS_PER_SECOND: "1" },
    () => 1_800_000_000_000,
  );
  await openClient(slow);
  await expect(openClient(slow)).rejects.toThrow("429");
});

test("RT-19 channels, joins and members of a topic are limited, with the code in the reply", async () => {
  const server = await start(
    {
      REALTIME_CHANNELS_PER_CONNECTION: "2",
      REALTIME_JOINS_BURST: "4",
      REALTIME_TOPIC_MEMBERS: "1",
    },
    () => 1_800_000_000_000,
  );
  const client = await openClient(server);
  const other = await openClient(server);
  expect(await refusal(client, "realtime:a")).toBe("ok");
  expect(await refusal(client, "realtime:b")).toBe("ok");
  expect(await refusal(client, "realtime:c")).toBe("ChannelRateLimitReached: Too many channels");
  expect(await refusal(other, "realtime:a")).toBe(
    "ConnectionRateLimitReached: Too many connected users",
  );
  expect(await refusal(client, "realtime:a")).toBe("ok");
  expect(await refusal(client, "realtime:a")).toBe(
    "ClientJoinRateLimitReached: Too many joins per second",
  );
});

test("RT-21 a payload beyond the limit is refused with a reply and reaches no client", async () => {
  const server = await start({ REALTIME_PAYLOAD_BYTES: "1000" });
  for (const vsn of [1, 2] as const) {
    const client = await openClient(server, { vsn });
    const other = await openClient(server);
    await other.join(TOPIC);
    const joinRef = await client.join(TOPIC, { broadcast: { ack: true } });
    const tooLarge = { status: "error", response: { reason: "Payload size exceeds the limit" } };
    const push = (size: number) =>
      client.push(TOPIC, "broadcast", { event: "e", payload: "x".repeat(size - 2) }, joinRef);
    expect(await client.reply(push(1001))).toEqual(tooLarge);
    if (vsn === 2) {
      client.send(
        makePush({ topic: TOPIC, event: "e", joinRef, ref: "b", payload: "x".repeat(1001) }),
      );
      expect(await client.reply("b")).toEqual(tooLarge);
    }
    expect(await client.reply(push(1000))).toEqual({ status: "ok", response: {} });
    await other.settled();
    expect(other.frames.filter((frame) => frame.event === "broadcast").length).toBe(1);
    for (const one of [client, other]) one.close();
  }
});

test("RT-21 a drawing of 10 MB reaches the others; a larger one is refused with the canvas's limit, up to 16 MB", async () => {
  const server = await start({});
  const other = await openClient(server);
  // There is one in each topic: a second large one in a topic would wait (RT-21).
  for (const topic of [TOPIC, "realtime:large-1", "realtime:large-2"]) await other.join(topic);
  const update = (bytes: number): string => {
    const around = '{"json":{"objects":[""]},"clientId":"c"}'.length;
    return `{"json":{"objects":["${"x".repeat(bytes - around)}"]},"clientId":"c"}`;
  };
  for (const vsn of [1, 2] as const) {
    const client = await openClient(server, { vsn });
    const topic = `realtime:large-${vsn}`;
    const joinRef = await client.join(topic);
    const push = (text: string): void =>
      client.send(
        vsn === 2
          ? makePush({ topic, event: "canvas-update", joinRef, ref: "b", payload: text })
          : `{"topic":"${topic}","event":"broadcast","payload":{"type":"broadcast","event":"canvas-update","payload":${text}},"ref":"b","join_ref":"${joinRef}"}`,
      );
    push(update(10_485_760 + 40));
    const frame = await other.next((one) => one.event === "broadcast");
    expect(frame.payload.payload.json.objects[0].length).toBeGreaterThan(10_485_000);
    push(update(16_000_000));
    expect(await client.reply("b")).toEqual({
      status: "error",
      response: {
        reason: "canvas_json_size_check: Canvas data too large (15.26MB). Maximum is 10MB.",
      },
    });
    push(update(17_000_000));
    expect((await client.closed).code).toBe(1009);
  }
  const posted = async (bytes: number): Promise<[number, string]> => {
    const url = `${server.origin}/realtime/v1/api/broadcast/canvas-room/events/canvas-update`;
    const headers = { apikey: server.keys.anonKey, "content-type": "application/json" };
    const answer = await fetch(url, { method: "POST", headers, body: update(bytes) });
    return [answer.status, await answer.text()];
  };
  expect(await posted(10_485_800)).toEqual([202, ""]);
  await other.next((one) => one.event === "broadcast");
  const [status, text] = await posted(16_000_000);
  expect([status, text.includes("canvas_json_size_check")]).toEqual([422, true]);
  await other.settled();
  expect(other.frames.filter((one) => one.event === "broadcast").length).toBe(3);
  other.close();
}, 30_000);

test("RT-22 too many messages stop the channel with the reason; a new channel works", async () => {
  let now = 1_800_000_000_000;
  const server = await start({ REALTIME_MESSAGES_BURST: "10" }, () => now);
  for (const vsn of [1, 2] as const) {
    const client = await openClient(server, { vsn });
    const other = await openClient(server, { vsn });
    await other.join(TOPIC);
    const joinRef = await client.join(TOPIC);
    for (let n = 0; n < 12; n++)
      client.push(TOPIC, "broadcast", { event: "e", payload: n }, joinRef);
    const system = await client.next((frame) => frame.event === "system");
    expect(system).toMatchObject({
      topic: TOPIC,
      joinRef,
      ref: null,
      payload: {
        extension: "system",
        status: "error",
        message: "Too many messages per second",
        channel: "canvas-room",
      },
    });
    const close = await client.next((frame) => frame.event === "phx_close");
    expect(close).toEqual({ topic: TOPIC, event: "phx_close", payload: {}, ref: joinRef, joinRef });
    now += 60_000;
    await client.join(TOPIC);
    await other.settled();
    expect(other.frames.filter((frame) => frame.event === "broadcast").length).toBe(9);
    for (const one of [client, other]) one.close();
  }
});

test("RT-22 a flood of bad frames, or of bytes, closes the connection with the reason", async () => {
  const server = await start(
    { REALTIME_FAULTS_BURST: "10", REALTIME_BYTES_BURST: "10000" },
    () => 1_800_000_000_000,
  );
  const rude = await openClient(server);
  for (let n = 0; n < 11; n++) rude.send("rubbish");
  expect(await rude.closed).toEqual({
    code: 1008,
    reason: "Too many malformed or unexpected frames",
  });
  const greedy = await openClient(server);
  for (let n = 0; n < 6; n++) greedy.push("phoenix", "heartbeat", "x".repeat(2000));
  expect(await greedy.closed).toEqual({ code: 1008, reason: "Too many bytes per second" });
});

test.each(["ping", "pong"] as const)(
  "RT-22 a flood of empty %ss closes the connection with the reason, and cuts a client that goes on",
  async (kind) => {
    const server = await start({ REALTIME_MESSAGES_BURST: "10" }, () => 1_800_000_000_000);
    const rude = await openClient(server);
    for (let n = 0; n < 9; n++) rude.socket[kind]();
    await rude.settled();
    rude.socket[kind]();
    expect(await rude.closed).toEqual({
      code: 1008,
      reason: "Too many malformed or unexpected frames",
    });
    const ruder = await openClient(server);
    // Its reply to the close frame is late, so that it can go on.
    ruder.socket.pause();
    const cut = new Promise((resolve) => ruder.socket.once("close", resolve));
    for (let n = 0; n < 100; n++) ruder.socket[kind]();
    await expect.poll(() => server.app.realtimeStats().connections).toBe(0);
    ruder.socket.terminate();
    await cut;
  },
);

test("RT-15 presences are limited in size, calls and keys, with the reason in the reply", async () => {
  const server = await start(
    {
      REALTIME_PRESENCE_BYTES: "100",
      REALTIME_PRESENCE_CALLS_BURST: "2",
      REALTIME_PRESENCE_KEYS: "1",
    },
    () => 1_800_000_000_000,
  );
  const client = await openClient(server);
  const other = await openClient(server);
  const joinRef = await client.join(TOPIC, { presence: { key: "a" } });
  const otherRef = await other.join(TOPIC, { presence: { key: "b" } });
  const track = async (one: BareClient, ref: string, payload: object): Promise<string> => {
    const message = { type: "presence", event: "track", payload };
    const { status, response } = await one.reply(one.push(TOPIC, "presence", message, ref));
    return status === "ok" ? "ok" : response.reason;
  };
  expect(await track(client, joinRef, { text: "x".repeat(100) })).toBe(
    "Presence track payload is too large",
  );
  expect(await track(client, joinRef, { n: 1 })).toBe("ok");
  expect(await track(other, otherRef, { n: 1 })).toBe("Too many presences in this channel");
  expect(await track(client, joinRef, { n: 2 })).toBe("ok");
  expect(await track(client, joinRef, { n: 3 })).toBe("Too many presence calls");
  expect(await track(client, joinRef, { n: 2 })).toBe("ok");
  // A key that leaves no longer counts, even before the others are notified of it.
  client.push(TOPIC, "phx_leave", {}, joinRef);
  await client.settled();
  const third = await openClient(server);
  const thirdRef = await third.join(TOPIC, { presence: { key: "c" } });
  expect(await track(third, thirdRef, { n: 1 })).toBe("ok");
  expect(await track(other, otherRef, { n: 1 })).toBe("Too many presences in this channel");
});

test("RT-1 a socket that is silent for 60 s is closed, one with heartbeats is not", async () => {
  const begun = 1_800_000_000_000;
  let passed = 0;
  vi.spyOn(performance, "now").mockImplementation(() => passed);
  onTestFinished(() => void vi.restoreAllMocks());
  const server = await start({}, () => begun + passed);
  const silent = await openClient(server);
  const alive = await openClient(server);
  const witness = await openClient(server);
  await silent.settled();
  for (let step = 0; step < 4; step++) {
    const access_token = await server.token("authenticated", 20);
    await witness.join(`${TOPIC}-${step}`, {}, { access_token });
    await alive.settled();
    passed += 25_000;
    // Idle connections and expired tokens are searched for together.
    await witness.next((frame) => frame.event === "phx_close");
  }
  expect(await silent.closed).toEqual({ code: 1000, reason: "Idle for too long" });
  await alive.settled();
});

test("RT-1 a clock that leaps closes no socket as idle", async () => {
  let now = 1_800_000_000_000;
  const server = await start({}, () => now);
  const silent = await openClient(server);
  const witness = await openClient(server);
  // The first search notes what has arrived.
  for (let step = 0; step < 2; step++) {
    const access_token = await server.token("authenticated", 20);
    await witness.join(TOPIC, {}, { access_token });
    now += 3_600_000;
    await witness.next((frame) => frame.event === "phx_close");
  }
  await silent.settled();
});
