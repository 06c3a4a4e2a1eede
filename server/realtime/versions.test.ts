import { afterAll, beforeAll, expect, test } from "vitest";
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
const TOPIC = "realtime:canvas-room";

test("RT-7 v1 and v2 clients reach each other, and the payload's bytes pass untouched", async () => {
  const one = await openClient(server, { vsn: 1 });
  const two = await openClient(server, { vsn: 2 });
  const watcher = await openClient(server, { vsn: 2 });
  const oneRef = await one.join(TOPIC);
  await two.join(TOPIC);
  await watcher.join(TOPIC);
  const text = '{ "a" : 1.0,\t"é":"\\u00e9", "__proto__": {"x":[1e400]} }';
  one.send(
    `{"ref":"9","event":"broadcast","payload":{"payload":${text},"event":"from-1"},"topic":"${TOPIC}","join_ref":"${oneRef}"}`,
  );
  const from1 = await two.next((frame) => frame.event === "broadcast");
  expect(from1.bytes?.toString()).toBe(text);
  expect(from1.payload.event).toBe("from-1");
  two.send(makePush({ topic: TOPIC, event: "from-2-é", payload: text, meta: '{"x":1}' }));
  const from2 = await one.next((frame) => frame.event === "broadcast");
  expect(JSON.stringify(from2.payload)).toBe(
    JSON.stringify({ event: "from-2-é", payload: JSON.parse(text), type: "broadcast" }),
  );
  const both = await watcher.next((frame) => frame.payload.event === "from-2-é");
  expect(both.bytes?.toString()).toBe(text);
  for (const client of [one, two, watcher]) client.close();
});

test("RT-8 a binary payload reaches v2 clients only", async () => {
  const one = await openClient(server, { vsn: 1 });
  const two = await openClient(server, { vsn: 2 });
  const sender = await openClient(server, { vsn: 2 });
  for (const client of [one, two]) await client.join(TOPIC);
  const joinRef = await sender.join(TOPIC, { broadcast: { ack: true } });
  const payload = Buffer.from([0, 1, 2, 255, 254]);
  sender.send(makePush({ topic: TOPIC, event: "bytes", joinRef, ref: "77", encoding: 0, payload }));
  expect(await sender.reply("77")).toEqual({ status: "ok", response: {} });
  sender.send(makePush({ topic: TOPIC, event: "json", payload: "[]" }));
  expect((await two.next((frame) => frame.event === "broadcast")).bytes).toEqual(payload);
  const first = await one.next((frame) => frame.event === "broadcast");
  expect(first.payload.event).toBe("json");
  for (const client of [one, two, sender]) client.close();
});

test("RT-7 an event that is longer than 255 bytes in UTF-8 reaches nobody", async () => {
  const [sender, two] = [await openClient(server), await openClient(server)];
  for (const client of [sender, two]) await client.join(TOPIC);
  const push = makePush({ topic: TOPIC, event: "x".repeat(200), payload: "{}" });
  const at = push.indexOf("x".repeat(200));
  sender.send(push.fill(Buffer.from("é", "latin1"), at, at + 200));
  sender.send(makePush({ topic: TOPIC, event: "next", payload: "{}" }));
  const frame = await two.next(({ event }) => event === "broadcast");
  expect(frame.payload.event).toBe("next");
  await sender.settled();
  for (const client of [sender, two]) client.close();
});

test("RT-7 v2 clients may send a broadcast as text, with names beyond ASCII and as Latin-1", async () => {
  const topic = "realtime:Zürich";
  const two = await openClient(server, { vsn: 2 });
  const sender = await openClient(server, { vsn: 2 });
  await two.join(topic);
  const joinRef = await sender.join(topic);
  sender.push(topic, "broadcast", { type: "broadcast", event: "é", payload: { n: 1 } }, joinRef);
  const text = await two.next((frame) => frame.event === "broadcast");
  expect(text).toMatchObject({ topic, payload: { event: "é", payload: { n: 1 } } });
  const latin = makePush({ topic: "realtime:Zuerich!", event: "x", payload: "{}" });
  const name = Buffer.from("realtime:Z\u00fcrich", "latin1");
  latin[3] = name.length;
  const head = latin.subarray(0, 7);
  sender.send(Buffer.concat([head, name, Buffer.from("x"), Buffer.from("{}")]));
  expect(await two.next((frame) => frame.payload.event === "x")).toMatchObject({ topic });
  for (const client of [two, sender]) client.close();
});

test.each([1, 2] as const)(
  "RT-7 a ref may be a number, as some clients of v%d send it",
  async (vsn) => {
    const client = await openClient(server, { vsn });
    const push = (ref: unknown, topic: string, event: string, payload: object): void =>
      client.send(
        vsn === 2 ? [1, ref, topic, event, payload] : { topic, event, payload, ref, join_ref: 1 },
      );
    push(0, "phoenix", "heartbeat", {});
    push(1, TOPIC, "phx_join", {
      config: { broadcast: { ack: true }, presence: { enabled: false } },
    });
    push(2, TOPIC, "broadcast", { type: "broadcast", event: "x", payload: {} });
    for (const ref of [1.5, -1, "1".repeat(300), 1e15, true, [], {}])
      push(ref, "phoenix", "heartbeat", {});
    push(3, TOPIC, "phx_leave", {});
    await client.settled();
    const got = client.frames.map(({ ref, event, payload: { status } }) => [ref, event, status]);
    expect(got.slice(0, -1)).toEqual([
      ...[0, 1, 2, 3].map((ref) => [ref, "phx_reply", "ok"]),
      [1, "phx_close", undefined],
    ]);
    client.close();
  },
);
