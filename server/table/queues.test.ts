/** Tests clients that ask for much and slowly: the requests of others are served in between. */

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { startInProcess, type ServerAddress } from "../../testing/servers/in-process.ts";
import { openTestPostgres } from "../../testing/servers/postgres.ts";
import { startServer, type TestServer } from "../../testing/servers/server.ts";
import { callTable, type RawRequest } from "../../testing/servers/table-client.ts";

const GREEDY = 10;
const ANY_ROW = "canvas_state?version=gte.0";
/** Returns a drawing that takes long to look into. */
const largeDrawing = (mark: string): string =>
  JSON.stringify({ canvas_json: { objects: ["x".repeat(4 * 1024 * 1024), mark] } });
const LARGE = largeDrawing("");
/** Returns a filter that finds nothing in the drawing, and compares all of it with so many characters. */
const lookFor = (characters: number): string =>
  `canvas_json->>objects=ilike.*${"x".repeat(characters)}y*`;
const SLOW = lookFor(3);

const found = await openTestPostgres();
afterAll(async () => {
  if (found.ok) await found.postgres.stop();
});

const SETTINGS = { TRUST_PROXY: "1", TABLE_RATE_LIMIT: "0", DATABASE_WAIT_SECONDS: "600" };

async function insertLarge(server: ServerAddress): Promise<void> {
  expect((await callTable(server, "canvas_state", { method: "POST", body: LARGE })).status).toBe(
    201,
  );
}

interface Crowd {
  /** The number of answered requests. */
  readonly answered: number;
  /** Resolves when all requests are answered, and expects that none was refused. */
  end(): Promise<void>;
  /** Kills the server. */
  giveUp(): Promise<void>;
}

const from = (address: string, request: RawRequest = {}): RawRequest => ({
  ...request,
  headers: { "x-forwarded-for": address },
});

/**
 * Sends `GREEDY` requests together, or two from each address where that is more, and waits until the server has
 * received them.
 */
async function crowd(
  server: TestServer,
  addresses: readonly string[],
  [path, request]: readonly [string, RawRequest],
): Promise<Crowd> {
  let answered = 0;
  const count = Math.max(GREEDY, 2 * addresses.length);
  const all = Array.from({ length: count }, async (_, at) => {
    const address = addresses[at % addresses.length] ?? "";
    const { status } = await callTable(server, path, from(address, request));
    answered++;
    return status;
  });
  for (let n = 0; n < 5; n++) await fetch(`${server.url}/healthz`);
  return {
    get answered() {
      return answered;
    },
    end: async () => {
      for (const status of await Promise.all(all)) expect(status).toBeLessThan(300);
    },
    giveUp: async () => {
      const ended = Promise.allSettled(all);
      await server.kill(true);
      await ended;
    },
  };
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
if (!found.ok) test.skip(`queues at PostgreSQL (${found.reason})`, () => {});

const WRITE = { method: "PATCH", body: JSON.stringify({ canvas_json: { objects: [] } }) };

const PAGE = "192.0.2.2";

/** Reads from 30 addresses, two of each, that look into the drawing for about a second each. */
async function lookInto(server: TestServer): Promise<Crowd> {
  const addresses = Array.from({ length: 30 }, (_, at) => `192.0.2.${at + 10}`);
  return crowd(server, addresses, [`canvas_state?select=id&${lookFor(45)}`, {}]);
}

describe.each(databases)("queues at %s", (name, env) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({ env: { ...SETTINGS, ...(await env()) } });
    await insertLarge(server);
  });
  afterAll(() => server.kill(true));

  test(`SRV-22 slow requests of one client let another's come in between (${name})`, async () => {
    for (const [slow, quick, request] of [
      [`canvas_state?select=id&${SLOW}`, "canvas_state?select=id&canvas_json->>a=eq.1", {}],
      [`${ANY_ROW}&${SLOW}`, `${ANY_ROW}&version=lt.0`, WRITE],
    ] as const) {
      const greedy = await crowd(server, ["192.0.2.1"], [slow, request]);
      const before = greedy.answered;
      const { status } = await callTable(server, quick, from(PAGE, request));
      expect(status).toBeLessThan(300);
      expect((greedy.answered - before) / (GREEDY - before)).toBeLessThan(0.5);
      await greedy.end();
    }
  });

  test(`SRV-23 beside 60 reads of 30 addresses that look into the drawing no other read waits for one, and a page loads and saves with its guard (${name})`, async () => {
    const hostile = await lookInto(server);
    const before = hostile.answered;
    let asked = 0;
    const ask = async (path: string, request: RawRequest = {}) => {
      const { status, json } = await callTable(server, path, from(PAGE, request));
      expect(status).toBeLessThan(300);
      asked++;
      return (
        json as readonly { readonly id: string; readonly version: number }[] | undefined
      )?.[0];
    };
    for (let n = 0; n < 5; n++) await ask("canvas_state?select=id,version");
    // In one queue, each would wait for at least one of those.
    expect(hostile.answered - before).toBeLessThan(asked);
    await ask("canvas_state?select=*&order=updated_at.desc&limit=1");
    for (let n = 0; n < 2; n++) {
      for (let look = 0; look < 8; look++) await ask("canvas_state?select=id,version&limit=1");
      const row = await ask("canvas_state?select=id,version&limit=1");
      const path = `canvas_state?id=eq.${row?.id}&version=eq.${row?.version}&select=version`;
      await ask(path, { ...WRITE, body: largeDrawing(`${n}`) });
      const saved = await ask("canvas_state?select=id,version&limit=1");
      expect(saved?.version).toBe((row?.version ?? 0) + 1);
    }
    expect(hostile.answered - before).toBeLessThan(asked);
    await hostile.giveUp();
  });
});

test("SRV-22 a request that is not served within DATABASE_WAIT_SECONDS gets 503", async () => {
  const server = await startInProcess({ ...SETTINGS, DATABASE_WAIT_SECONDS: "1" });
  onTestFinished(() => server.stop());
  await insertLarge(server);
  const slow = (): Promise<number> =>
    callTable(server, `canvas_state?select=id&${lookFor(15)}`).then(({ status }) => status);
  const statuses = await Promise.all(Array.from({ length: 40 }, slow));
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
  expect(await slow()).toBe(200);
});
