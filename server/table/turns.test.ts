/** One client that asks for much and slowly: the others' requests come in between. */

import { afterAll, expect, onTestFinished, test } from "vitest";
import { openTestPostgres } from "../../testing/servers/postgres.ts";
import { startServer, type TestServer } from "../../testing/servers/server.ts";
import { callTable, type RawRequest } from "../../testing/servers/table-client.ts";

const GREEDY = 16;
const ANY_ROW = "canvas_state?version=gte.0";
const LARGE = JSON.stringify({ canvas_json: { objects: ["x".repeat(4 * 1024 * 1024)] } });
/** Finds nothing in the drawing, and reads all of it. */
const SLOW = `canvas_json->>objects=ilike.*${"x".repeat(7)}y*`;

const found = await openTestPostgres();
afterAll(async () => {
  if (found.ok) await found.postgres.stop();
});

async function open(env: Record<string, string>): Promise<TestServer> {
  const server = await startServer({
    env: { TRUST_PROXY: "1", TABLE_RATE_LIMIT: "0", DATABASE_WAIT_SECONDS: "600", ...env },
  });
  onTestFinished(async () => {
    await server.stop();
  });
  expect((await callTable(server, "canvas_state", { method: "POST", body: LARGE })).status).toBe(
    201,
  );
  return server;
}

/** Of the greedy client's requests that are open when another client's request comes, the share that is answered before it. */
async function shareBefore(
  server: TestServer,
  [slow, quick]: readonly [string, string],
  request: RawRequest,
): Promise<number> {
  const from = (address: string): RawRequest => ({
    ...request,
    headers: { "x-forwarded-for": address },
  });
  let answered = 0;
  const greedy = Array.from({ length: GREEDY }, async () => {
    const { status } = await callTable(server, slow, from("192.0.2.1"));
    answered++;
    return status;
  });
  // Received after the others.
  for (let n = 0; n < 5; n++) await fetch(`${server.url}/healthz`);
  const before = answered;
  const { status } = await callTable(server, quick, from("192.0.2.2"));
  const share = (answered - before) / (GREEDY - before);
  expect(status).toBeLessThan(300);
  for (const one of await Promise.all(greedy)) expect(one).toBeLessThan(300);
  return share;
}

const databases: readonly (readonly [string, () => Promise<Record<string, string>>])[] = [
  ["SQLite", async () => ({})],
  ...(found.ok
    ? [
        [
          "PostgreSQL",
          async () => ({ DATABASE_URL: await found.postgres.createDatabase(), DATABASE_POOL: "4" }),
        ] as const,
      ]
    : []),
];
if (!found.ok) test.skip(`turns at PostgreSQL (${found.reason})`, () => {});

test.each(databases)(
  "SRV-22 slow requests of one client let another's come in between (%s)",
  async (_name, env) => {
    const server = await open(await env());
    const reads = [`canvas_state?select=id&${SLOW}`, "canvas_state?select=id"] as const;
    expect(await shareBefore(server, reads, {})).toBeLessThan(0.5);
    const write = { method: "PATCH", body: JSON.stringify({ canvas_json: { objects: [] } }) };
    const writes = [`${ANY_ROW}&${SLOW}`, `${ANY_ROW}&version=lt.0`] as const;
    expect(await shareBefore(server, writes, write)).toBeLessThan(0.5);
  },
);

test("SRV-22 a request whose turn does not come within DATABASE_WAIT_SECONDS gets 503", async () => {
  const server = await open({ DATABASE_WAIT_SECONDS: "1" });
  const pattern = `canvas_json->>objects=ilike.*${"x".repeat(45)}y*`;
  const slow = (): Promise<number> =>
    callTable(server, `canvas_state?select=id&${pattern}`).then(({ status }) => status);
  const statuses = await Promise.all(Array.from({ length: 40 }, slow));
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
  expect(await slow()).toBe(200);
});
