/** Tests the fan-out over real sockets: crowds, and receivers that do not read. */

import { afterEach, expect, test } from "vitest";
import {
  makePush,
  openClient,
  startRealtime,
  type BareClient,
  type RealtimeServer,
} from "../../../testing/servers/realtime.ts";

const TOPIC = "realtime:canvas-room";

let server: RealtimeServer | undefined;
afterEach(() => server?.stop());

const updates = (client: BareClient): number[] =>
  client.frames
    .filter((frame) => frame.payload?.event === "canvas-update")
    .map((frame) => frame.payload.payload.n);

test("RT-30 over real sockets: one frame for each broadcast and version", async () => {
  server = await startRealtime();
  const clients = await Promise.all(
    [1, 1, 1, 2, 2, 2].map((vsn) => openClient(server!, { vsn: vsn as 1 | 2 })),
  );
  for (const client of clients) await client.join(TOPIC);
  for (let n = 0; n < 10; n++)
    clients[n % 6]!.send(
      n % 6 < 3
        ? {
            topic: TOPIC,
            event: "broadcast",
            payload: { event: "canvas-update", payload: { n } },
            ref: null,
          }
        : makePush({ topic: TOPIC, event: "canvas-update", payload: JSON.stringify({ n }) }),
    );
  await expect
    .poll(() => clients.reduce((sum, client) => sum + updates(client).length, 0))
    .toBe(50);
  expect(server.app.realtimeStats()).toMatchObject({
    broadcasts: 10,
    encodes: 20,
    topics: 1,
    connections: 6,
  });
  for (const client of clients) client.close();
});

test("RT-32 500 clients in one topic under load: none loses a canvas-update, though one does not read", async () => {
  server = await startRealtime();
  const people: BareClient[] = [];
  while (people.length < 500)
    people.push(...(await Promise.all(Array.from({ length: 50 }, () => openClient(server!)))));
  await Promise.all(people.map((one) => one.join(TOPIC, { presence: { enabled: false } })));
  expect(server.app.realtimeStats().connections).toBe(500);
  const [deaf, ...rest] = people as [BareClient, ...BareClient[]];
  deaf.socket.pause();
  const sent: number[] = [];
  for (let n = 0; n < 20; n++) {
    const sender = rest[n * 20]!;
    sent.push(n);
    sender.send(makePush({ topic: TOPIC, event: "canvas-live", payload: '{"x":1}' }));
    sender.send(makePush({ topic: TOPIC, event: "canvas-update", payload: JSON.stringify({ n }) }));
    await sender.settled();
  }
  const missing = (client: BareClient): number[] => {
    const own = rest.indexOf(client);
    const expected = sent.filter((n) => n * 20 !== own);
    return expected.filter((n) => !updates(client).includes(n));
  };
  await expect.poll(() => rest.flatMap(missing), { timeout: 15_000 }).toEqual([]);
  deaf.socket.resume();
  await expect.poll(() => updates(deaf)).toEqual(sent);
  for (const client of people) client.close();
});

test("RT-32 one receiver that stops reading delays no other and is disconnected with the reason", async () => {
  server = await startRealtime({
    env: { REALTIME_QUEUE_BYTES: "4000000", REALTIME_LIVE_QUEUE_BYTES: "65536" },
  });
  const [sender, deaf, ...watching] = (await Promise.all(
    Array.from({ length: 12 }, () => openClient(server!)),
  )) as [BareClient, BareClient, ...BareClient[]];
  for (const one of [sender, deaf, ...watching]) await one.join(TOPIC);
  deaf.socket.pause();
  // The kernel's buffers take some megabytes before anything queues up in the server.
  const large = "x".repeat(1_000_000);
  const sent: number[] = [];
  const push = (event: string, payload: object): void =>
    sender.send(makePush({ topic: TOPIC, event, payload: JSON.stringify(payload) }));
  while (!server.log.some((line) => line.includes("Receiver is too slow"))) {
    push("canvas-update", { n: sent.length, large });
    push("canvas-live", { x: 1 });
    sent.push(sent.length);
    await sender.settled();
    for (const client of watching)
      await expect.poll(() => updates(client).length).toBe(sent.length);
  }
  expect(watching.map(updates)).toEqual(Array(10).fill(sent));
  expect(server.app.realtimeStats().dropped).toBeGreaterThan(0);
  deaf.socket.resume();
  expect(await deaf.closed).toEqual({ code: 1013, reason: "Receiver is too slow" });
  expect(updates(deaf)).toEqual(sent.slice(0, updates(deaf).length));
  for (const client of [sender, ...watching]) client.close();
});
