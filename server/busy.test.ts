/** Tests that no part of the only process keeps the others waiting. It is measured in counts, since machines differ. */

import { request, type ClientRequest, type IncomingMessage } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makePush, openClient, type BareClient } from "../testing/servers/realtime.ts";
import { startServer, type TestServer } from "../testing/servers/server.ts";
import { callTable } from "../testing/servers/table-client.ts";

const TOPIC = "realtime:canvas-room";
const TEXT = "x".repeat(400);
const OBJECT = `{"type":"Path","stroke":"#000000","path":"M1 2q3 4 5 6","left":1.5,"note":"${TEXT}"}`;
/** A drawing of nearly 10 MB. */
const DRAWING = `{"objects":[${Array.from({ length: 21_000 }, () => OBJECT).join()}]}`;
const ROW = `{"canvas_json":${DRAWING}}`;

let server: TestServer;
const clients: BareClient[] = [];

beforeAll(async () => {
  server = await startServer({
    env: {
      REALTIME_MESSAGES_PER_SECOND: "1000000",
      REALTIME_MESSAGES_BURST: "1000000",
      TABLE_RATE_LIMIT: "0",
      // Four slow reads take a loaded machine longer than the usual wait.
      DATABASE_WAIT_SECONDS: "60",
    },
  });
  while (clients.length < 10) {
    const client = await openClient({ port: server.port, keys: server });
    await client.join(TOPIC);
    clients.push(client);
  }
  const write = { method: "POST", body: '{"canvas_json":{"objects":[]}}' };
  expect((await callTable(server, "canvas_state", write)).status).toBe(201);
});
afterAll(async () => {
  for (const client of clients) client.close();
  await server.stop();
});

/** Sends all but the last byte of the body. */
async function sendAllButLast(method: string, path: string, body: string): Promise<ClientRequest> {
  const sending = request(`${server.url}/rest/v1/${path}`, {
    method,
    headers: {
      apikey: server.anonKey,
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
    },
  });
  await new Promise<void>((resolve, reject) => {
    sending.once("error", reject);
    sending.write(body.slice(0, -1), () => resolve());
  });
  return sending;
}

const responseTo = (sending: ClientRequest): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => sending.once("response", resolve).once("error", reject));

/** Counts the heartbeats, one at a time, that get their reply before `work` is done. */
async function heartbeatsDuring(work: Promise<unknown>): Promise<number> {
  const [client] = clients as [BareClient];
  let done = false;
  const end = (): void => void (done = true);
  work.then(end, end);
  let count = 0;
  for (; !done; count++) await client.settled();
  return count;
}

test("SRV-22 while a drawing of 10 MB is saved and loaded, the sockets are served", async () => {
  expect(DRAWING.length).toBeGreaterThan(9.5 * 1024 * 1024);
  const saving = await sendAllButLast("PATCH", "canvas_state?version=gte.1", ROW);
  // The whole body has been read when the server has time for other clients again.
  for (let n = 0; n < 50; n++) await clients[0]!.settled();
  const saved = responseTo(saving);
  saving.end("}");
  const whileSaving = await heartbeatsDuring(saved);
  expect((await saved).statusCode).toBe(204);
  const loads = 8;
  let whileLoading = 0;
  for (let n = 0; n < loads; n++) {
    const loaded = responseTo(
      request(`${server.url}/rest/v1/canvas_state?select=canvas_json`, {
        headers: { apikey: server.anonKey },
      }).end(),
    );
    whileLoading += await heartbeatsDuring(loaded);
    (await loaded).resume();
  }
  // If the work were done in one go, it would be one or two for each.
  expect(whileSaving).toBeGreaterThan(5);
  expect(whileLoading).toBeGreaterThan(2 * loads);
});

test("SRV-22 slow reads delay no write", async () => {
  // The row has the drawing already where an earlier test of this file ran: then this changes no row.
  const drawing = { method: "PATCH", body: ROW };
  expect((await callTable(server, "canvas_state?version=eq.1", drawing)).status).toBe(204);
  const pattern = `*${"x".repeat(15)}y*`;
  let answered = 0;
  const slow = Array.from({ length: 4 }, async () => {
    const path = `canvas_state?select=id&canvas_json->>objects=ilike.${pattern}`;
    const { status, json } = await callTable(server, path);
    answered++;
    return [status, json];
  });
  // The fifth request is received after the four.
  for (let n = 0; n < 20; n++) await clients[0]!.settled();
  const write = { method: "POST", body: '{"canvas_json":{}}' };
  for (let n = 0; n < 5; n++)
    expect((await callTable(server, "canvas_state", write)).status).toBe(409);
  expect(answered).toBeLessThan(4);
  for (const one of await Promise.all(slow)) expect(one).toEqual([200, []]);
});

test("SRV-22 while the sockets are busy, the table API is served", async () => {
  let busy = true;
  let broadcasts = 0;
  const talk = async (client: BareClient): Promise<void> => {
    while (busy) {
      client.send(makePush({ topic: TOPIC, event: "canvas-update", payload: `{"a":"${TEXT}"}` }));
      broadcasts++;
      await client.settled();
    }
  };
  const talking = Promise.all(clients.map(talk));
  const reads = 30;
  for (let n = 0; n < reads; n++) {
    const { status } = await callTable(server, "canvas_state?select=id,updated_at");
    expect(status).toBe(200);
  }
  busy = false;
  await talking;
  expect(broadcasts).toBeGreaterThan(reads);
  // A read takes a few passes of the event loop, in each of which ten clients may be served.
  expect(broadcasts / reads).toBeLessThan(200);
});
