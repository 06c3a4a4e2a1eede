import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  makePush,
  openClient,
  startRealtime,
  type RealtimeServer,
} from "../../testing/servers/realtime.ts";

let server: RealtimeServer;
beforeAll(async () => {
  server = await startRealtime();
});
afterAll(() => server.stop());

const VERSIONS = [1, 2] as const;
const TOPIC = "realtime:canvas-room";

describe.each(VERSIONS)("vsn %d.0.0", (vsn) => {
  test("RT-1 a heartbeat gets a reply", async () => {
    const client = await openClient(server, { vsn });
    const ref = client.push("phoenix", "heartbeat", {});
    expect(await client.reply(ref)).toEqual({ status: "ok", response: {} });
    expect(client.frames[0]).toEqual({
      topic: "phoenix",
      event: "phx_reply",
      payload: { status: "ok", response: {} },
      ref,
      joinRef: null,
    });
    client.close();
  });

  test("RT-2 a join gets a reply with its bindings, then the presence state", async () => {
    const client = await openClient(server, { vsn });
    const bindings = [
      { event: "*", schema: "public", table: "canvas_state" },
      { event: "INSERT", schema: "public", filter: "id=eq.1" },
    ];
    const ref = client.push(`${TOPIC}-${vsn}`, "phx_join", {
      config: { presence: { enabled: "true" }, postgres_changes: bindings },
    });
    await client.settled();
    expect(client.frames.slice(0, 2)).toEqual([
      {
        topic: `${TOPIC}-${vsn}`,
        event: "phx_reply",
        ref,
        joinRef: ref,
        payload: {
          status: "ok",
          response: { postgres_changes: bindings.map((one, id) => ({ id: id + 1, ...one })) },
        },
      },
      { topic: `${TOPIC}-${vsn}`, event: "presence_state", ref: null, joinRef: ref, payload: {} },
    ]);
    client.close();
  });

  test("RT-2 no presence state where presence is not enabled", async () => {
    const client = await openClient(server, { vsn });
    await client.join(TOPIC, { presence: { enabled: false } });
    await client.settled();
    expect(client.frames.map((frame) => frame.event)).toEqual(["phx_reply", "phx_reply"]);
    client.close();
  });

  test("RT-3 a second join of a topic first closes the old channel", async () => {
    const client = await openClient(server, { vsn });
    const first = await client.join(TOPIC);
    const second = await client.join(TOPIC);
    const close = client.frames.find((frame) => frame.event === "phx_close");
    expect(close).toEqual({
      topic: TOPIC,
      event: "phx_close",
      payload: {},
      ref: first,
      joinRef: first,
    });
    expect(client.frames.indexOf(close!)).toBeLessThan(
      client.frames.findIndex((frame) => frame.ref === second),
    );
    expect(server.app.realtimeStats().topics).toBe(1);
    client.close();
  });

  test("RT-4 a leave gets a reply, then the channel is closed", async () => {
    const client = await openClient(server, { vsn });
    const joinRef = await client.join(TOPIC);
    const ref = client.push(TOPIC, "phx_leave", {}, joinRef);
    await client.settled();
    expect(client.frames.slice(-3, -1)).toEqual([
      { topic: TOPIC, event: "phx_reply", payload: { status: "ok", response: {} }, ref, joinRef },
      { topic: TOPIC, event: "phx_close", payload: {}, ref: joinRef, joinRef },
    ]);
    expect(await client.reply(client.push("realtime:unknown", "phx_leave", {}))).toEqual({
      status: "ok",
      response: {},
    });
    client.close();
  });

  test("RT-4 a topic without realtime: and a topic that was not joined are unmatched", async () => {
    const client = await openClient(server, { vsn });
    const unmatched = { status: "error", response: { reason: "unmatched topic" } };
    expect(await client.reply(client.push("canvas-room", "phx_join", {}))).toEqual(unmatched);
    expect(await client.reply(client.push(TOPIC, "broadcast", { event: "a" }))).toEqual(unmatched);
    expect(await client.reply(client.push(TOPIC, "presence", { event: "track" }))).toEqual(
      unmatched,
    );
    expect(await client.reply(client.push("phoenix", "other", {}))).toEqual(unmatched);
    const joinRef = await client.join(TOPIC);
    expect(await client.reply(client.push(TOPIC, "no_such_event", {}, joinRef))).toEqual(unmatched);
    client.close();
  });

  test("RT-6 a broadcast goes to all others, to the sender only with self, and with ack gets a reply", async () => {
    const sender = await openClient(server, { vsn });
    const mirror = await openClient(server, { vsn });
    const other = await openClient(server, { vsn });
    const senderRef = await sender.join(TOPIC, { broadcast: { ack: false, self: false } });
    const mirrorRef = await mirror.join(TOPIC, { broadcast: { ack: "true", self: "true" } });
    await other.join(TOPIC);
    const payload = (n: number) => ({
      type: "broadcast",
      event: "e",
      payload: { n, text: "ü€😀" },
    });
    sender.push(TOPIC, "broadcast", payload(1), senderRef);
    await sender.settled();
    const ref = mirror.push(TOPIC, "broadcast", payload(2), mirrorRef);
    expect(await mirror.next((frame) => frame.ref === ref)).toMatchObject({
      event: "phx_reply",
      payload: { status: "ok", response: {} },
    });
    const numbers = async (client: typeof other, last: number): Promise<number[]> => {
      if (client !== sender)
        await expect
          .poll(() => client.frames.some((frame) => frame.payload?.payload?.n === last))
          .toBe(true);
      return client.frames
        .filter((frame) => frame.event === "broadcast")
        .map((frame) => frame.payload.payload.n);
    };
    expect(await numbers(other, 2)).toEqual([1, 2]);
    expect(await numbers(mirror, 2)).toEqual([1, 2]);
    await expect.poll(() => numbers(sender, 2)).toEqual([2]);
    expect(other.frames.find((frame) => frame.event === "broadcast")).toMatchObject({
      topic: TOPIC,
      payload: payload(1),
      ref: null,
      joinRef: null,
    });
    for (const client of [sender, mirror, other]) client.close();
  });

  test("RT-13 a track is sent to every member, an update is one diff, the same payload none", async () => {
    const topic = `${TOPIC}-presence-${vsn}`;
    const client = await openClient(server, { vsn });
    const other = await openClient(server, { vsn });
    const joinRef = await client.join(topic, { presence: { key: "me", enabled: true } });
    await other.join(topic, { presence: { enabled: true } });
    const track = (payload: unknown) => {
      const message = { type: "presence", event: "track", payload };
      return client.reply(client.push(topic, "presence", message, joinRef));
    };
    const diffs = () =>
      other.frames.filter((frame) => frame.event === "presence_diff").map((frame) => frame.payload);
    const ok = { status: "ok", response: {} };
    expect(await track({ online_at: "1" })).toEqual(ok);
    await expect.poll(() => diffs().length).toBe(1);
    const [first] = diffs()[0].joins.me.metas;
    expect(first).toEqual({ online_at: "1", phx_ref: expect.any(String) });
    expect(diffs()[0].leaves).toEqual({});
    expect(await track({ online_at: "1" })).toEqual(ok);
    expect(await track({ online_at: "2" })).toEqual(ok);
    await expect.poll(() => diffs().length).toBe(2);
    const [second] = diffs()[1].joins.me.metas;
    expect(second).toEqual({
      online_at: "2",
      phx_ref: expect.any(String),
      phx_ref_prev: first.phx_ref,
    });
    expect(diffs()[1].leaves).toEqual({ me: { metas: [first] } });
    expect(
      await client.reply(client.push(topic, "presence", { event: "untrack" }, joinRef)),
    ).toEqual(ok);
    await expect.poll(() => diffs().length).toBe(3);
    expect(diffs()[2]).toEqual({ joins: {}, leaves: { me: { metas: [second] } } });
    expect(client.frames.filter((frame) => frame.event === "presence_diff").length).toBe(3);
    for (const one of [client, other]) one.close();
  });

  test("RT-13 a track whose payload is no map is refused", async () => {
    const client = await openClient(server, { vsn });
    const joinRef = await client.join(TOPIC);
    for (const payload of [[1], "text", null, undefined])
      expect(
        await client.reply(client.push(TOPIC, "presence", { event: "track", payload }, joinRef)),
      ).toEqual({
        status: "error",
        response: { reason: "Presence track payload must be a map" },
      });
    client.close();
  });
});

test("RT-3 a message of an earlier join, or of none, is not applied, and gets an error reply", async () => {
  const sender = await openClient(server);
  const other = await openClient(server);
  await other.join(TOPIC);
  const old = await sender.join(TOPIC);
  const current = await sender.join(TOPIC);
  sender.send(makePush({ topic: TOPIC, event: "old", joinRef: old, payload: "{}" }));
  sender.push(TOPIC, "broadcast", { event: "old", payload: {} }, old);
  sender.send(makePush({ topic: TOPIC, event: "new", joinRef: current, payload: "{}" }));
  const first = await other.next((frame) => frame.event === "broadcast");
  expect(first.payload.event).toBe("new");
  for (const joinRef of [old, "never"]) {
    const push = { event: "old", payload: {} };
    const { status, response } = await sender.reply(sender.push(TOPIC, "broadcast", push, joinRef));
    expect([status, response.reason]).toEqual(["error", "unmatched topic"]);
  }
  await sender.settled();
  for (const client of [sender, other]) client.close();
});

test("RT-15 presence keys may be of any kind, several sockets share one, and a departure is sent to the others", async () => {
  const topic = "realtime:keys";
  const watcher = await openClient(server);
  await watcher.join(topic, { presence: { enabled: true } });
  const clients = [];
  for (const key of ["__proto__", "__proto__", "constructor", ""]) {
    const client = await openClient(server);
    const joinRef = await client.join(topic, { presence: { key, enabled: true } });
    const payload = JSON.parse('{"__proto__":{"n":1},"phx_ref":"forged"}');
    client.send(
      `["${joinRef}","t","${topic}","presence",{"event":"track","payload":${JSON.stringify(payload)}}]`,
    );
    expect(await client.reply("t")).toEqual({ status: "ok", response: {} });
    clients.push(client);
  }
  const joining = await openClient(server);
  await expect
    .poll(async () => {
      await joining.join(topic, { presence: { enabled: true } });
      await joining.settled();
      const state = joining.frames.findLast((frame) => frame.event === "presence_state")!.payload;
      return Object.entries(state).map(([key, entry]) => [key, (entry as any).metas.length]);
    })
    .toEqual([
      ["__proto__", 2],
      ["constructor", 1],
      [expect.stringMatching(/^[0-9a-f-]{36}$/), 1],
    ]);
  const state = joining.frames.findLast((frame) => frame.event === "presence_state")!;
  const meta = Object.entries<any>(state.payload)[0]![1].metas[0];
  expect(Object.keys(meta)).toEqual(["__proto__", "phx_ref"]);
  expect(meta.phx_ref).not.toBe("forged");
  clients[2]!.close();
  const gone = await watcher.next(
    (frame) => frame.event === "presence_diff" && Object.keys(frame.payload.leaves).length > 0,
  );
  expect(Object.keys(gone.payload.leaves)).toEqual(["constructor"]);
  for (const client of [...clients, watcher, joining]) client.close();
});
