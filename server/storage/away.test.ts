/** Tests a database that is unavailable, dead on its way, full or out of connections: callers wait a while, then get 503. */

import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import pg from "pg";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { startAuthServer, type AuthServer } from "../../testing/auth/server.ts";
import { createCable } from "../../testing/network/cable.ts";
import { openTestPostgres, type TestPostgres } from "../../testing/servers/postgres.ts";
import { createLogger } from "../process/log.ts";
import { DatabaseUnavailable } from "./faults.ts";
import type { Actor, Database } from "./port.ts";
import { openPostgres, type PostgresOptions } from "./postgres/open.ts";

const anon: Actor = { role: "anon", claims: "{}" };
const DRAWING = { canvas_json: { objects: ["x".repeat(20_000)] } };
const ACCOUNT = { email: "a@example.org", password: "a long password" };

/** Requests something; returns status and Retry-After. */
async function ask(
  server: AuthServer,
  path: string,
  body?: object,
  method = "POST",
): Promise<[number, string | null]> {
  const headers = { apikey: server.anonKey, "content-type": "application/json" };
  const answer = await fetch(server.url + path, {
    headers,
    ...(body === undefined ? {} : { method, body: JSON.stringify(body) }),
  });
  await answer.text();
  return [answer.status, answer.headers.get("retry-after")];
}

const READ = "/rest/v1/canvas_state?select=id";

async function writes(server: AuthServer): Promise<readonly [number, string | null][]> {
  return [
    await ask(server, "/rest/v1/canvas_state", DRAWING),
    await ask(server, "/auth/v1/signup", ACCOUNT),
  ];
}

test("SRV-42 an embedded database without space refuses writes with 503, is read, and works again with space", async () => {
  const server = await startAuthServer({ whole: true });
  onTestFinished(server.close);
  expect((await ask(server, "/rest/v1/canvas_state", DRAWING))[0]).toBe(201);
  const begun = server.log.length;
  const { rows } = await server.database.query("pragma page_count");
  await server.database.query(`pragma max_page_count = ${String(rows[0]?.["page_count"])}`);
  const larger = { canvas_json: { objects: ["x".repeat(200_000)] } };
  expect(await ask(server, `${READ}&id=not.is.null`, larger, "PATCH")).toEqual([503, "5"]);
  expect((await ask(server, READ))[0]).toBe(200);
  await server.database.query("pragma max_page_count = 1000000");
  expect((await ask(server, `${READ}&id=not.is.null`, larger, "PATCH"))[0]).toBe(204);
  expect(server.log.slice(begun)).toEqual([
    expect.stringMatching(/ error the database is unavailable reason=.+ code=SQLITE_FULL\n$/),
    expect.stringMatching(/ info the database is available again\n$/),
  ]);
});

test("SRV-42 a connection that PostgreSQL ends in the moment in which it is made ends no process", async () => {
  const text = "SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0";
  const length = Buffer.alloc(4);
  length.writeUInt32BE(4 + text.length);
  const farewell = Buffer.concat([
    // These are AuthenticationOk, ReadyForQuery and ErrorResponse, in one read.
    Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49, 0x45]),
    length,
    Buffer.from(text),
  ]);
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.end(farewell));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const log = createLogger("error", () => {}, Date.now);
  const opened = openPostgres(`postgres://postgres@127.0.0.1:${port}/postgres`, log, { wait: 500 });
  await expect(opened).rejects.toThrow();
});

const found = await openTestPostgres();
afterAll(async () => {
  if (found.ok) await found.postgres.stop();
});

if (found.ok) examine(found.postgres);
else test.skip(`PostgreSQL that is away (${found.reason})`, () => {});

function examine(postgres: TestPostgres): void {
  /** Opens a database behind a cable, with the lines that were logged about it. */
  async function open(options: PostgresOptions, url?: string) {
    const target = new URL(url ?? (await postgres.createDatabase()));
    const cable = await createCable(Number(target.port));
    target.port = String(cable.port);
    const lines: string[] = [];
    const log = createLogger("info", (line) => lines.push(line), Date.now);
    const database = await openPostgres(target.href, log, options);
    onTestFinished(async () => {
      cable.swallow();
      await cable.cut();
      await database.close();
    });
    return { database, cable, lines };
  }

  const sleep = (database: Database, seconds: number): Promise<number> =>
    database.transaction(
      async (tx) => (await tx.query(`select pg_sleep(${seconds})`)).rowCount,
      anon,
    );

  describe("PostgreSQL that is away", () => {
    test("SRV-42 with PostgreSQL away every API answers 503 with Retry-After, and the process lives", async () => {
      const target = new URL(await postgres.createDatabase());
      const cable = await createCable(Number(target.port));
      target.port = String(cable.port);
      const server = await startAuthServer({ whole: true, env: { DATABASE_URL: target.href } });
      onTestFinished(server.close);
      expect((await ask(server, READ))[0]).toBe(200);
      await cable.cut();
      for (const answer of [await ask(server, READ), ...(await writes(server))])
        expect(answer).toEqual([503, "5"]);
      // This is the balancer's probe: page and live drawing continue without a database.
      const probes = ["/healthz", "/readyz?for=traffic", "/readyz"];
      const statuses = await Promise.all(probes.map((path) => ask(server, path)));
      expect(statuses.map(([status]) => status)).toEqual([200, 200, 503]);
      const errors = server.log.filter((line) => line.includes(" error "));
      expect(errors.filter((line) => line.includes("the database is unavailable")).length).toBe(1);
      expect(errors.filter((line) => line.includes("request failed"))).toEqual([]);
    });

    test("SRV-42 connections on which nothing comes any more are given up, and new ones made", async () => {
      const { database, cable, lines } = await open({
        connections: 2,
        statementTimeout: 200,
        silence: 200,
        wait: 2_000,
      });
      await Promise.all([sleep(database, 0.05), sleep(database, 0.05)]);
      const during = sleep(database, 0.1);
      cable.swallow();
      await expect(during).rejects.toThrow(DatabaseUnavailable);
      expect((await database.query("select 1 as x")).rows).toEqual([{ x: 1 }]);
      expect(await sleep(database, 0)).toBe(1);
      expect(lines.map((line) => line.split(" ").slice(1, 5).join(" "))).toEqual([
        "error the database is",
        "info the database is",
      ]);
    });

    test("SRV-42 after one silent connection all that are as old are made anew, before a caller meets them", async () => {
      const { database, cable } = await open({
        connections: 6,
        statementTimeout: 200,
        silence: 200,
      });
      await Promise.all(Array.from({ length: 6 }, () => sleep(database, 0.05)));
      cable.swallow();
      await expect(sleep(database, 0)).rejects.toThrow(DatabaseUnavailable);
      const answers = Array.from({ length: 6 }, () => sleep(database, 0));
      expect(await Promise.all(answers)).toEqual([1, 1, 1, 1, 1, 1]);
      expect(database.use?.().open).toBeLessThanOrEqual(6);
    });

    test("SRV-42 a statement of the server's own on a dead connection is given up after twice the silence, however long a caller's may take", async () => {
      const { database, cable } = await open({ statementTimeout: 600_000, silence: 200 });
      let begun: () => void = () => {};
      const hasBegun = new Promise<void>((resolve) => (begun = resolve));
      const own = database.transaction(async (tx) => {
        begun();
        await tx.query("select pg_sleep(600)");
      });
      await hasBegun;
      cable.swallow();
      await expect(own).rejects.toThrow(DatabaseUnavailable);
      await expect(database.query("select pg_sleep(600)")).rejects.toThrow(DatabaseUnavailable);
      // A change of the schema has more time.
      expect(
        await database.migration(async (tx) => (await tx.query("select pg_sleep(0.5)")).rowCount),
      ).toBe(1);
    });

    test("STO-13 the server ends a transaction whose process has gone without a word, and its locks", async () => {
      const { database, cable } = await open({ statementTimeout: 600_000, silence: 300 });
      await database.query("create table locked (n integer)");
      await database.query("insert into locked values (1)");
      let begun: () => void = () => {};
      const hasBegun = new Promise<void>((resolve) => (begun = resolve));
      const gone = database.transaction(async (tx) => {
        await tx.query("update locked set n = 2");
        begun();
        await once(new EventTarget(), "never", { signal: AbortSignal.timeout(900) });
      });
      gone.catch(() => {});
      await hasBegun;
      cable.swallow();
      // It waits for the lock of the other one.
      await expect
        .poll(() =>
          database.query("update locked set n = 3").then(({ rowCount }) => rowCount, String),
        )
        .toBe(1);
      await expect(gone).rejects.toThrow();
    });

    test("SRV-42 a caller waits for a connection of a full pool, and gets an error after its time", async () => {
      const { database } = await open({ connections: 1, wait: 300 });
      const order: string[] = [];
      const first = sleep(database, 0.1).then(() => order.push("first"));
      const second = sleep(database, 0).then(() => order.push("second"));
      await Promise.all([first, second]);
      expect(order).toEqual(["first", "second"]);
      const long = sleep(database, 1);
      await expect(database.query("select 1")).rejects.toThrow(DatabaseUnavailable);
      expect(await long).toBe(1);
    });

    test("SRV-42 a transaction that cannot begin, and one that somebody left open, spoil no connection", async () => {
      const { database } = await open({ connections: 1 });
      const work = (): Promise<string> => Promise.resolve("done");
      const nobody = { role: "nobody" as Actor["role"], claims: "{}" };
      await expect(database.transaction(work, nobody)).rejects.toThrow(/role "nobody"/);
      expect(await database.transaction(work, anon)).toBe("done");
      await expect(database.query("begin; select 1 / 0")).rejects.toThrow();
      await expect(database.query("select 1")).rejects.toThrow(DatabaseUnavailable);
      expect(await database.transaction(work, anon)).toBe("done");
    });

    test("SRV-42 an outage of writes alone is logged once, and ends with a write", async () => {
      const { database, lines } = await open({});
      await database.query("create table notes (n integer)");
      const refused = database.transaction(async (tx) => {
        await tx.query("set transaction read only");
        await tx.query("insert into notes values (1)");
      });
      await expect(refused).rejects.toThrow(DatabaseUnavailable);
      await database.query("select n from notes");
      await database.query("delete from notes");
      expect(lines.join("")).toMatch(/^.* error the database is unavailable .*code=25006\n$/);
      await database.query("insert into notes values (1)");
      expect(lines[1]).toContain(" info the database is available again");
    });

    test("SRV-42 an outage is one line for the changes of the row too, however often they are tried, and its end another", async () => {
      const url = new URL(await postgres.createDatabase());
      const admin = new pg.Client({ connectionString: new URL("/postgres", url).href });
      await admin.connect();
      onTestFinished(() => admin.end());
      const { database, cable, lines } = await open({}, url.href);
      await database.query(
        "create table canvas_state (id uuid, version bigint, updated_at timestamptz, canvas_json json)",
      );
      await database.rowChanges.watch(() => {});
      const name = url.pathname.slice(1);
      const opened = cable.opened();
      await admin.query(`alter database ${name} with allow_connections false`);
      await admin.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
      );
      await expect.poll(() => cable.opened(), { timeout: 10_000 }).toBeGreaterThan(opened + 2);
      await admin.query(`alter database ${name} with allow_connections true`);
      const about = (): readonly string[] =>
        lines.filter((line) => line.includes("changes of the row"));
      await expect.poll(() => about().at(-1), { timeout: 10_000 }).toContain(" reported again");
      expect(about().map((line) => line.split(" ")[1])).toEqual(["warn", "info"]);
    });

    test("SRV-42 a limit of connections of the role makes callers wait, and fails none", async () => {
      const url = new URL(await postgres.createDatabase());
      const admin = new pg.Client({ connectionString: url.href });
      await admin.connect();
      await admin.query("create role few login superuser connection limit 0");
      // A superuser has no limit, and the role is one while the roles are made.
      url.username = "few";
      const { database } = await open({ connections: 10, wait: 5_000 }, url.href);
      await admin.query("alter role few nosuperuser connection limit 2");
      await admin.end();
      const work = (): Promise<unknown> => database.query("select pg_sleep(0.02)");
      const results = await Promise.allSettled(Array.from({ length: 20 }, work));
      expect(results.filter(({ status }) => status === "rejected")).toEqual([]);
    });
  });
}
