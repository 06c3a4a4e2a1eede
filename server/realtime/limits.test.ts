import { afterEach, expect, test } from "vitest";
import { makePush, openClient, startRealtime } from "../../testing/realtime.ts";
import type { BareClient, RealtimeServer } from "../../testing/realtime.ts";
import { DEFAULT_LIMITS, fullBucket, take } from "./limits.ts";
import { parseRealtimeSettings, settingName } from "./settings.ts";

const servers: RealtimeServer[] = [];
const start = async (
  env: Record<string, string>,
  clock?: () => number,
): Promise<RealtimeServer> => {
  const server = await startRealtime({ env, ...(clock === undefined ? {} : { clock }) });
  servers.push(server);
  return server;
};
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

const room = "realtime:canvas-room";

async function refusal(client: BareClient, topic: string): Promise<string> {
  const { status, response } = await client.reply(client.push(topic, "phx_join", {}));
  return status === "ok" ? "ok" : response.reason;
}

test("RT-18 a setting that is wrong or unknown is named, and the server does not start", async () => {
  expect(settingName("messagesPerSecond")).toBe("REALTIME_MESSAGES_PER_SECOND");
  const wrong = parseRealtimeSettings({
    REALTIME_PAYLOAD_BYTES: "much",
    REALTIME_IDLE_SECONDS: "0",
    REALTIME_NONSENSE: "1",
    OTHER: "x",
  });
  expect(wrong.ok).toBe(false);
  const problems = wrong.ok ? [] : wrong.problems;
  expect(problems.length).toBe(3);
  expect(problems[0]).toMatch(
    /^REALTIME_PAYLOAD_BYTES "much" is not valid; expected a whole number/,
  );
  expect(problems[1]).toMatch(/^REALTIME_IDLE_SECONDS "0" is not valid/);
  expect(problems[2]).toMatch(/^REALTIME_NONSENSE is unknown/);
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
  const none = parseRealtimeSettings({ REALTIME_DROPPABLE_EVENTS: "none" });
  expect(none.ok && none.settings.droppableEvents.size).toBe(0);
});

test("a bucket gives its burst at once and then its rate; a clock that goes back gives nothing", () => {
  const rate = { perSecond: 10, burst: 3 };
  const bucket = fullBucket(rate, 0);
  const taken = (now: number) => take(bucket, rate, now);
  expect([taken(0), taken(0), taken(0), taken(0)]).toEqual([true, true, true, false]);
  expect([taken(50), taken(100), taken(100)]).toEqual([false, true, false]);
  expect([taken(-5000), taken(-5000)]).toEqual([false, false]);
  expect(taken(60_000) && taken(60_000) && taken(60_000) && !taken(60_000)).toBe(true);
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

test("behind a trusted proxy the address is the one that the proxy saw", async () => {
  const { clientAddress } = await import("./handshake.ts");
  expect(clientAddress("10.0.0.1", "1.1.1.1, 2.2.2.2", 0)).toBe("10.0.0.1");
  expect(clientAddress("10.0.0.1", "1.1.1.1, 2.2.2.2", 1)).toBe("2.2.2.2");
  expect(clientAddress("10.0.0.1", ["1.1.1.1", "2.2.2.2"], 2)).toBe("1.1.1.1");
  expect(clientAddress("10.0.0.1", undefined, 1)).toBe("10.0.0.1");
  expect(clientAddress(undefined, " , ", 1)).toBe("");
});

test("RT-20 channels, joins and members of a room are limited, with the code in the reply", async () => {
  const server = await start(
    {
      REALTIME_CHANNELS_PER_CONNECTION: "2",
      REALTIME_JOINS_BURST: "4",
      REALTIME_ROOM_MEMBERS: "1",
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

test("RT-21 a payload beyond the limit is refused with a reply and reaches nobody", async () => {
  const server = await start({ REALTIME_PAYLOAD_BYTES: "1000" });
  for (const vsn of [1, 2] as const) {
    const client = await openClient(server, { vsn });
    const other = await openClient(server);
    await other.join(room);
    const joinRef = await client.join(room, { broadcast: { ack: true } });
    const tooLarge = { status: "error", response: { reason: "Payload size exceeds the limit" } };
    const push = (size: number) =>
      client.push(room, "broadcast", { event: "e", payload: "x".repeat(size - 2) }, joinRef);
    expect(await client.reply(push(1001))).toEqual(tooLarge);
    if (vsn === 2) {
      client.send(
        makePush({ topic: room, event: "e", joinRef, ref: "b", payload: "x".repeat(1001) }),
      );
      expect(await client.reply("b")).toEqual(tooLarge);
    }
    expect(await client.reply(push(1000))).toEqual({ status: "ok", response: {} });
    await other.settled();
    expect(other.frames.filter((frame) => frame.event === "broadcast").length).toBe(1);
    for (const one of [client, other]) one.close();
  }
});

test("RT-22 too many messages stop the channel with the reason; a new channel works", async () => {
  let now = 1_800_000_000_000;
  const server = await start({ REALTIME_MESSAGES_BURST: "10" }, () => now);
  for (const vsn of [1, 2] as const) {
    const client = await openClient(server, { vsn });
    const other = await openClient(server, { vsn });
    await other.join(room);
    const joinRef = await client.join(room);
    for (let n = 0; n < 12; n++)
      client.push(room, "broadcast", { event: "e", payload: n }, joinRef);
    const system = await client.next((frame) => frame.event === "system");
    expect(system).toMatchObject({
      topic: room,
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
    expect(close).toEqual({ topic: room, event: "phx_close", payload: {}, ref: joinRef, joinRef });
    now += 60_000;
    await client.join(room);
    await other.settled();
    expect(other.frames.filter((frame) => frame.event === "broadcast").length).toBe(9);
    for (const one of [client, other]) one.close();
  }
});

test("RT-23 a flood of bad frames, or of bytes, closes the connection with the reason", async () => {
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

test("RT-24 presences are limited in size, calls and keys, with the reason in the reply", async () => {
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
  const joinRef = await client.join(room, { presence: { key: "a" } });
  const otherRef = await other.join(room, { presence: { key: "b" } });
  const track = async (one: BareClient, ref: string, payload: object): Promise<string> => {
    const message = { type: "presence", event: "track", payload };
    const { status, response } = await one.reply(one.push(room, "presence", message, ref));
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
});

test("RT-25 a socket that is silent for 60 s is closed, one with heartbeats is not", async () => {
  let now = 1_800_000_000_000;
  const server = await start({}, () => now);
  const silent = await openClient(server);
  const alive = await openClient(server);
  await silent.settled();
  for (let step = 0; step < 4; step++) {
    now += 25_000;
    if (alive.socket.readyState !== alive.socket.OPEN) break;
    await alive.settled();
    // The sweep comes once a second.
    await new Promise((resolve) => setTimeout(resolve, 1_100));
  }
  expect(await silent.closed).toEqual({ code: 1000, reason: "Idle for too long" });
  await alive.settled();
});

test("RT-26 a channel stops when its token expires, and when it is given a bad one", async () => {
  let now = 1_800_000_000_000;
  const server = await start({}, () => now);
  const stopped = async (client: BareClient): Promise<string> => {
    const system = await client.next((frame) => frame.event === "system");
    await client.next((frame) => frame.event === "phx_close");
    return system.payload.message;
  };
  const client = await openClient(server);
  const joinRef = await client.join(
    room,
    {},
    { access_token: await server.token("authenticated", 60) },
  );
  for (const access_token of [null, "sb_x", undefined, 5, await server.token("authenticated", 60)])
    client.push(room, "access_token", { access_token }, joinRef);
  await client.settled();
  expect(client.frames.some((frame) => frame.event === "system")).toBe(false);
  client.push(room, "access_token", { access_token: await server.token("anon", 100) }, joinRef);
  await client.settled();
  now += 61_000;
  await client.settled();
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  expect(client.frames.some((frame) => frame.event === "system")).toBe(false);
  now += 40_000;
  await client.settled();
  expect(await stopped(client)).toBe("Token has expired");
  const again = await client.join(room);
  client.push(room, "access_token", { access_token: "nonsense" }, again);
  expect(await stopped(client)).toBe("The token provided is not a valid JWT");
});

test("RT-27 private channels are for signed-in users and the service key, apart from public ones", async () => {
  const server = await start({});
  const inside = await openClient(server);
  const service = await openClient(server, { apikey: server.keys.serviceKey });
  const outside = await openClient(server);
  const config = { private: true };
  const access_token = await server.token("authenticated");
  const joinRef = await inside.join(room, config, { access_token });
  const serviceRef = await service.join(room, config);
  await outside.join(room);
  service.push(room, "broadcast", { event: "secret", payload: {} }, serviceRef);
  await inside.next((frame) => frame.event === "broadcast");
  await outside.settled();
  expect(outside.frames.some((frame) => frame.event === "broadcast")).toBe(false);
  inside.push(room, "access_token", { access_token: server.keys.anonKey }, joinRef);
  const system = await inside.next((frame) => frame.event === "system");
  expect(system.payload.message).toBe(
    "You do not have permissions to read from this Channel topic",
  );
});

test("what comes while a token is checked keeps its order", async () => {
  const server = await start({});
  const client = await openClient(server);
  const other = await openClient(server);
  await other.join(room);
  const access_token = await server.token("authenticated");
  client.send(["1", "1", room, "phx_join", { access_token }]);
  for (let n = 0; n < 20; n++)
    client.send(makePush({ topic: room, event: "e", joinRef: "1", payload: String(n) }));
  await client.settled();
  const numbers = () =>
    other.frames
      .filter((frame) => frame.event === "broadcast")
      .map((frame) => frame.payload.payload);
  await expect.poll(() => numbers().length).toBe(20);
  expect(numbers()).toEqual(Array.from({ length: 20 }, (_, n) => n));
});
