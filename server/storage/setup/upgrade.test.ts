/** Tests that a database of the previous version is brought up to date and loses nothing. */

import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Driver from "libsql";
import pg from "pg";
import { afterAll, describe, expect, test } from "vitest";
import { createHistoryBed } from "../history-bed.case.ts";
import { openTestPostgres } from "../../../testing/servers/postgres.ts";
import { startServer } from "../../../testing/servers/server.ts";
import { callTable } from "../../../testing/servers/table-client.ts";
import { AUTH_STEPS } from "../../auth/store/schema.ts";
import { createLogger } from "../../process/log.ts";
import { StartFault } from "../../process/start-fault.ts";
import { DATABASE_FILE, openDatabase } from "./open.ts";
import { migrate } from "../migrate.ts";
import type { Actor, Database } from "../port.ts";
import { openPostgres } from "../postgres/open.ts";
import { canvasSteps } from "./schema.ts";
import { openSqlite } from "../sqlite/open.ts";

const folder = mkdtempSync(join(tmpdir(), "inkpool-upgrade-"));
const found = await openTestPostgres();
const log = createLogger("error", () => {}, Date.now);
const fixture = (name: string): string =>
  readFileSync(new URL(`../../../testing/fixtures/${name}`, import.meta.url), "utf8");

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  if (found.ok) await found.postgres.stop();
});

/** The row of both fixtures. */
const ROW = {
  id: "e8989dd4-eda0-4b40-b21d-086d0332ff79",
  drawing:
    '{"version":"7.4.0","objects":[{"type":"Rect","id":"2dkabc-0","z":1,"left":1.5,"width":150,"height":100,"fill":"#ff0000"},{"type":"IText","id":"2dkabc-1","z":2,"text":"é 🎨"}],"background":"white","inkpool":{"format":1,"seen":{"2dkabc":1}}}',
  updated_at: "2026-08-02T10:11:12.345+00:00",
  version: 1,
};

async function examineUpgrade(database: Database): Promise<void> {
  const bed = await createHistoryBed(database);
  const read =
    "select id, cast(canvas_json as text) as drawing, updated_at, version from canvas_state";
  expect((await database.query(read)).rows).toEqual([ROW]);
  expect(await bed.versions()).toEqual([]);
  await bed.setClock(Date.UTC(2026, 10, 21));
  const over = `"${"x".repeat(10 * 1024 * 1024)}"`;
  await expect(bed.save(over)).rejects.toMatchObject({ constraint: "canvas_json_size_check" });
  const second = database.query("insert into canvas_state (canvas_json) values ('{}')");
  await expect(second).rejects.toMatchObject({ constraint: "canvas_state_single_row" });
  expect(await bed.save("{}")).toBe(2);
  const [stored] = await bed.versions();
  expect(stored).toMatchObject({ version: 1, objects: 2, loss: true });
  expect(stored?.saved).toBe(Date.parse(ROW.updated_at));
  expect(await bed.drawing(stored?.id ?? 0)).toBe(ROW.drawing);
  await migrate(database, "canvas", canvasSteps());
  expect(await bed.versions()).toHaveLength(1);
  await database.close();
}

function makeOld(path: string): void {
  const old = new Driver(path);
  old.exec("pragma journal_mode = wal");
  old.exec(fixture("sqlite-0.1.sql"));
  old.close();
}

test("STO-19 an embedded database of version 0.1 keeps its row and gets a version and a history", async () => {
  const path = join(folder, "old.db");
  makeOld(path);
  await examineUpgrade(await openSqlite(path));
});

test("STO-19 the server starts on a folder of version 0.1 and serves its drawing", async () => {
  const dataDir = join(folder, "data");
  mkdirSync(dataDir);
  makeOld(join(dataDir, DATABASE_FILE));
  const server = await startServer({ dataDir });
  const { text } = await callTable(server, "canvas_state?select=canvas_json,version");
  expect(text).toBe(`[{"canvas_json":${ROW.drawing},"version":1}]`);
  expect((await server.stop()).code).toBe(0);
});

if (found.ok) {
  const { postgres } = found;
  describe("on PostgreSQL", () => {
    test("STO-19 a database of version 0.1 keeps its row and gets a version and a history", async () => {
      const database = await openPostgres(await postgres.createDatabase(), log);
      await database.query(fixture("postgres-0.1.sql"));
      await examineUpgrade(database);
    });

    test("STO-19 a history of the step before is kept as it was", async () =>
      examineSlots(await openPostgres(await postgres.createDatabase(), log)));

    test("STO-10 each step runs on a database of the version before, and a server refuses one that a newer version has changed", async () => {
      const database = await openPostgres(await postgres.createDatabase(), log);
      await examineSteps(database);
      await examineNewer(database, "DATABASE_URL");
    });

    test("STO-10 a plain owner that has the three roles is enough; otherwise a line names the missing roles or rights", async () => {
      const url = new URL(await postgres.createDatabase());
      const name = url.pathname.slice(1);
      const admin = new pg.Client({ connectionString: url.href });
      await admin.connect();
      const owner = `owner_${name}`;
      await admin.query(`create role ${owner} login`);
      const asOwner = new URL(url);
      asOwner.username = owner;
      const settings = {
        databaseUrl: asOwner.href,
        databasePool: 5,
        databaseWait: 5_000,
        dataDir: folder,
        historyBytes: 1_000_000,
        statementTimeout: 30_000,
      };
      const failure = async (): Promise<string> => {
        const error: unknown = await openDatabase(settings, log).then(
          (opened) => opened.close(),
          (reason: unknown) => reason,
        );
        expect(error).toBeInstanceOf(StartFault);
        return (error as StartFault).message;
      };
      // The roles belong to the whole server, and other tests may have made them.
      expect(await failure()).toMatch(/^DATABASE_URL: .*roles.*docs\/operations\.md/);
      const anon = await openPostgres(url.href, log);
      await anon.close();
      await admin.query(`grant anon, authenticated, service_role to ${owner}`);
      expect(await failure()).toMatch(
        /^DATABASE_URL: the tables cannot be made or changed \(permission denied for schema public\); expected a user that owns/,
      );
      await admin.query(`alter database ${name} owner to ${owner}`);
      const database = await openDatabase(settings, log);
      await migrate(database, "auth", AUTH_STEPS);
      const actor: Actor = { role: "anon", claims: "{}" };
      const insert = "insert into canvas_state (canvas_json) values ('{}')";
      expect(
        await database.transaction(async (tx) => (await tx.query(insert)).rowCount, actor),
      ).toBe(1);
      await database.close();
      await admin.end();
    });

    test("STO-19 the migrations run by hand, twice, on a project that grants every role everything", async () => {
      const database = await openPostgres(await postgres.createDatabase(), log);
      await database.query(
        `alter default privileges in schema public
           grant all on tables to anon, authenticated, service_role;
         alter default privileges in schema public
           grant all on functions to anon, authenticated, service_role;
         alter default privileges in schema public
           grant all on sequences to anon, authenticated, service_role`,
      );
      for (const round of [1, 2]) {
        for (const { postgres: sql } of canvasSteps()) await database.query(sql);
        await database.query(
          "insert into canvas_state (canvas_json) values ('{}') on conflict do nothing",
        );
        await database.query(`update canvas_state set canvas_json = '{"objects":[${round}]}'`);
      }
      expect((await database.query("select version from canvas_history order by id")).rows).toEqual(
        [{ version: 1 }, { version: 2 }],
      );
      for (const role of ["anon", "authenticated", "service_role"] as const)
        await examineRights(database, role);
      await database.query("truncate canvas_state");
      const last = "select canvas_json as drawing from canvas_history order by id desc limit 1";
      expect((await database.query(last)).rows).toEqual([{ drawing: '{"by":"service_role"}' }]);
      await database.close();
    });
  });
} else {
  test.skip(`upgrade on PostgreSQL (${found.reason})`, () => {});
}

/** The schemas in the order in which a start brings them up to date. */
const SCHEMAS = [
  ["canvas", canvasSteps()],
  ["auth", AUTH_STEPS],
] as const;

/** Runs every step on a database of the steps before it that has a row where it can have one. */
async function examineSteps(database: Database): Promise<void> {
  const stored = { canvas: 0, auth: 0 };
  for (const [name, steps] of SCHEMAS)
    for (let count = 1; count <= steps.length; count++) {
      const seeded = name === "canvas" && count > 1;
      if (seeded) {
        await database.query("delete from canvas_state");
        await database.query("insert into canvas_state (canvas_json) values ('{\"objects\":[]}')");
      }
      const before = name === "auth" && count > 1 ? await seedAuth(database) : [];
      await migrate(database, name, steps.slice(0, count));
      if (seeded) {
        const read = "select cast(canvas_json as text) as drawing from canvas_state";
        expect((await database.query(read)).rows).toEqual([{ drawing: '{"objects":[]}' }]);
        stored.canvas++;
      }
      if (before.length > 0) {
        expect(await authRows(database)).toMatchObject(before);
        stored.auth++;
      }
    }
  // Nothing can be stored before the first step of each has made the tables.
  expect(stored).toEqual(
    Object.fromEntries(SCHEMAS.map(([name, steps]) => [name, steps.length - 1])),
  );
}

/** Expects that a history of the step before stays unchanged, and continues. */
async function examineSlots(database: Database): Promise<void> {
  await migrate(database, "canvas", canvasSteps().slice(0, 2));
  await database.query("insert into canvas_state (canvas_json) values ('{}')");
  for (const objects of ["", "1", "1,2", "1,2,3,4"])
    await database.query("update canvas_state set canvas_json = $1", [`{"objects":[${objects}]}`]);
  const read = "select *, cast(canvas_json as text) as drawing from canvas_history order by id";
  const { rows: before } = await database.query(read);
  expect(before.length).toBeGreaterThan(2);
  await migrate(database, "canvas", canvasSteps());
  expect((await database.query(read)).rows).toEqual(before);
  await database.query("update canvas_state set canvas_json = '{}'");
  const { rows: after } = await database.query(read);
  expect(after.at(-1)).toMatchObject({ drawing: '{"objects":[1,2,3,4]}' });
  expect(after.slice(0, before.length)).toEqual(before);
  await database.close();
}

test("STO-19 a history of the step before is kept as it was", () =>
  openSqlite(join(folder, "slots.db")).then(examineSlots));

const AUTH_TABLES = ["auth_users", "auth_sessions", "auth_refresh_tokens", "auth_oauth_clients"];
const AT = "2026-08-02T10:11:12.345Z";

/**
 * Inserts a row of the first version into each table of the auth API that a later step changes, which it empties first.
 * Returns the rows as they are read.
 */
async function seedAuth(database: Database): Promise<readonly unknown[]> {
  for (const table of AUTH_TABLES.toReversed()) await database.query(`delete from ${table}`);
  await database.query(
    `insert into auth_users (id, aud, role, app_metadata, user_metadata, created_at, updated_at)
     values ('u', 'authenticated', 'authenticated', '{}', '{}', $1, $1)`,
    [AT],
  );
  await database.query(
    `insert into auth_sessions (id, user_id, aal, amr, refreshed_at, created_at, updated_at)
     values ('s', 'u', 'aal2', '[]', $1, $1, $1)`,
    [AT],
  );
  await database.query(
    "insert into auth_refresh_tokens (token_hash, session_id, created_at) values ('t', 's', $1)",
    [AT],
  );
  await database.query(
    `insert into auth_oauth_clients
       (id, name, client_type, auth_method, redirect_uris, grant_types, response_types, created_at, updated_at)
     values ('c', 'Planner', 'public', 'none', '[]', '[]', '[]', $1, $1)`,
    [AT],
  );
  return authRows(database);
}

async function authRows(database: Database): Promise<readonly unknown[]> {
  const found = await Promise.all(
    AUTH_TABLES.map((table) => database.query(`select * from ${table}`)),
  );
  return found.flatMap(({ rows }) => rows);
}

async function examineNewer(database: Database, setting: string): Promise<void> {
  const next = { name: "20990101000000_next", sqlite: "select 1", postgres: "select 1" };
  await migrate(database, "canvas", [...canvasSteps(), next]);
  await expect(migrate(database, "canvas", canvasSteps())).rejects.toThrow(
    `${setting}: the database is newer than this server (it has canvas 20990101000000_next); expected the version that made it or a newer one, or a backup from before`,
  );
  await database.close();
}

test("STO-10 each step runs on an embedded database of the version before, and a server refuses one that a newer version has changed", async () => {
  const database = await openSqlite(join(folder, "steps.db"));
  await examineSteps(database);
  await examineNewer(database, "DATA_DIR");
});

/** Expects that it may read the history and write it by saving, and may do nothing else to it. */
async function examineRights(database: Database, role: Actor["role"]): Promise<void> {
  const actor: Actor = { role, claims: "{}" };
  const run = (sql: string): Promise<number> =>
    database.transaction(async (tx) => (await tx.query(sql)).rowCount, actor);
  const before = await run("select id from canvas_history");
  expect(await run(`update canvas_state set canvas_json = '{"by":"${role}"}'`)).toBe(1);
  expect(await run("select id from canvas_history")).toBeGreaterThanOrEqual(before);
  for (const sql of [
    "insert into canvas_history (version, saved_at, replaced_at, bytes, objects, next_bytes, next_objects, milestone, canvas_json) values (1, now(), now(), 1, 1, 1, 1, true, '1')",
    "update canvas_history set canvas_json = '{}'",
    "delete from canvas_history",
    "truncate canvas_history",
    "select nextval('canvas_history_id_seq')",
    "select * from canvas_history_settings",
    "update canvas_history_settings set max_bytes = 0",
    "select canvas_history_now()",
    "select canvas_history_count('{}')",
  ])
    await expect(run(sql), `${role}: ${sql}`).rejects.toMatchObject({ code: "42501" });
  const renamed = run("update canvas_state set id = gen_random_uuid()");
  if (role === "service_role") expect(await renamed).toBe(1);
  else await expect(renamed).rejects.toMatchObject({ code: "42501" });
}
