import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestPostgres } from "../../testing/servers/postgres.ts";
import { createLogger } from "../process/log.ts";
import { examineDriver } from "./contract.case.ts";
import { migrate } from "./migrate.ts";
import { openPostgres } from "./postgres/open.ts";
import { DatabaseUnavailable } from "./faults.ts";
import type { Actor, Database, Queryable } from "./port.ts";
import { canvasSteps } from "./setup/schema.ts";
import { openSqlite } from "./sqlite/open.ts";

const folder = mkdtempSync(join(tmpdir(), "inkpool-storage-"));
const found = await openTestPostgres();
const log = createLogger("error", () => {}, Date.now);
let files = 0;

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  if (found.ok) await found.postgres.stop();
});

examineDriver("SQLite", async () => {
  const path = join(folder, `${files++}.db`);
  return { database: await openSqlite(path), again: () => openSqlite(path) };
});

if (found.ok) {
  examineDriver("PostgreSQL", async () => {
    const url = await found.postgres.createDatabase();
    return { database: await openPostgres(url, log), again: () => openPostgres(url, log) };
  });
  examineRolesAndLocks(() => found.postgres.createDatabase());
  examineLostNotifications(() => found.postgres.createDatabase());
} else {
  test.skip(`PostgreSQL driver (${found.reason})`, () => {});
}

describe("one database of SQLite", () => {
  let database: Database;
  beforeAll(async () => {
    database = await openSqlite(join(folder, `${files++}.db`));
  });
  afterAll(() => database.close());

  test("SQLite keeps its promises by WAL, a full sync and foreign keys", async () => {
    const pragma = async (name: string): Promise<unknown> =>
      Object.values((await database.query(`pragma ${name}`)).rows[0] ?? {})[0];
    expect(await pragma("journal_mode")).toBe("wal");
    expect(await pragma("synchronous")).toBe(2);
    expect(await pragma("foreign_keys")).toBe(1);
  });

  test("SQLite's reads cannot write", async () => {
    await database.query("create table notes (body text)");
    await expect(database.reads.query("insert into notes values ('a')")).rejects.toThrow(
      "readonly",
    );
    expect((await database.reads.query("select * from notes")).rows).toEqual([]);
  });

  test("SQLite refuses values that would end the process", async () => {
    for (const value of [undefined, {}, Number.NaN, () => {}, Symbol("x")])
      await expect(database.query("select $1 as x", [value as never])).rejects.toThrow(TypeError);
    expect((await database.query("select $1 as x", [true])).rows).toEqual([{ x: 1 }]);
  });
});

const ENDLESS =
  "with recursive n(x) as (select 1 union all select x + 1 from n) select count(*) from n";

test("STO-13 a read of SQLite's ends after the timeout, and the connection is usable", async () => {
  const path = join(folder, `${files++}.db`);
  const database = await openSqlite(path, { statementTimeout: 100 });
  for (let n = 0; n < 3; n++) {
    const slow = database.reads.query(ENDLESS);
    const behind = database.reads.query("select 1 as x");
    await expect(slow).rejects.toMatchObject({ code: "57014" });
    expect((await behind).rows).toEqual([{ x: 1 }]);
  }
  await database.close();
});

test("STO-11 closing SQLite interrupts a read and refuses those behind it", async () => {
  const database = await openSqlite(join(folder, `${files++}.db`));
  await database.query("create table notes (body text)");
  const reads = [database.reads.query(ENDLESS), database.reads.query("select 1")];
  const closed = new DatabaseUnavailable("The database is closed", { code: "CLOSED" });
  const refused = reads.map((read) => expect(read).rejects.toEqual(closed));
  await database.close();
  await Promise.all(refused);
  await expect(database.reads.query("select 1")).rejects.toThrow("The database is closed");
});

function examineRolesAndLocks(createDatabase: () => Promise<string>): void {
  describe("PostgreSQL roles and locks", () => {
    let url: string;
    let database: Database;
    beforeAll(async () => {
      url = await createDatabase();
      database = await openPostgres(url, log);
    });
    afterAll(() => database.close());
    const as = (role: Actor["role"]): Actor => ({ role, claims: JSON.stringify({ role }) });

    test("STO-13 on PostgreSQL the database itself keeps a visitor from deleting, and from every other table", async () => {
      await migrate(database, "canvas", canvasSteps());
      await database.query("create table secrets (id integer)");
      const count = (actor: Actor, sql: string): Promise<number> =>
        database.transaction(async (tx) => (await tx.query(sql)).rowCount, actor);
      for (const role of ["anon", "authenticated"] as const) {
        await database.query("delete from canvas_state");
        expect(await count(as(role), "insert into canvas_state (canvas_json) values ('{}')")).toBe(
          1,
        );
        expect(await count(as(role), "update canvas_state set canvas_json = '[]'")).toBe(1);
        expect(await count(as(role), "select * from canvas_state")).toBe(1);
        expect(await count(as(role), "delete from canvas_state")).toBe(0);
        await expect(count(as(role), "select * from secrets")).rejects.toMatchObject({
          code: "42501",
        });
      }
      expect(await count(as("service_role"), "delete from canvas_state")).toBe(1);
    });

    test("STO-2 a transaction that PostgreSQL ends to break a deadlock runs again", async () => {
      await database.query("create table notes (id integer primary key, changes integer)");
      await database.query("insert into notes values (1, 0), (2, 0)");
      let runs = 0;
      let bothBegan = (): void => {};
      const began = new Promise<void>((resolve) => (bothBegan = resolve));
      const change = (first: number, second: number): Promise<void> =>
        database.transaction(async (tx) => {
          await tx.query("update notes set changes = changes + 1 where id = $1", [first]);
          runs++;
          if (runs === 2) bothBegan();
          await began;
          await tx.query("update notes set changes = changes + 1 where id = $1", [second]);
        });
      await Promise.all([change(1, 2), change(2, 1)]);
      // The repeated one may lock its first row before the other one wakes, and so meet it again.
      expect(runs).toBeGreaterThanOrEqual(3);
      const { rows } = await database.query("select changes from notes");
      expect(rows).toEqual([{ changes: 2 }, { changes: 2 }]);
    });

    test("STO-2 a transaction that PostgreSQL ends again and again runs four times, then fails", async () => {
      let runs = 0;
      const endedUntil = (last: number): Promise<number> =>
        database.transaction(async (tx) => {
          if (++runs < last)
            await tx.query("do $$ begin raise exception 'again' using errcode = '40P01'; end $$");
          return runs;
        });
      expect(await endedUntil(4)).toBe(4);
      runs = 0;
      await expect(endedUntil(6)).rejects.toThrow("again (40P01)");
      expect(runs).toBe(4);
    });

    test("STO-13 a statement of a visitor's ends after the timeout, and the connection is usable", async () => {
      const hasty = await openPostgres(url, log, { statementTimeout: 200 });
      const sleep = (seconds: number) => (tx: Queryable) => tx.query(`select pg_sleep(${seconds})`);
      for (let n = 0; n < 12; n++)
        await expect(hasty.transaction(sleep(20), as("anon"))).rejects.toMatchObject({
          code: "57014",
        });
      expect((await hasty.transaction(sleep(0.3))).rowCount).toBe(1);
      await hasty.close();
    });

    test("STO-13 the role and the claims end with the transaction", async () => {
      const claims = JSON.stringify({ role: "authenticated", sub: "o'brien" });
      const { rows } = await database.transaction(
        (tx) =>
          tx.query(
            "select current_user::text as who, current_setting('request.jwt.claims') as claims",
          ),
        { role: "authenticated", claims },
      );
      expect(rows).toEqual([{ who: "authenticated", claims }]);
      const after = await database.query("select current_user::text as who");
      expect(after.rows).not.toEqual([{ who: "authenticated" }]);
    });
  });
}

function examineLostNotifications(createDatabase: () => Promise<string>): void {
  test("STO-40 PostgreSQL's changes without a notification are reported as one, those with one once", async () => {
    const database = await openPostgres(await createDatabase(), log);
    await migrate(database, "canvas", canvasSteps());
    await database.query("insert into canvas_state (canvas_json) values ('[]')");
    const reported: unknown[] = [];
    const { stop } = await database.rowChanges.watch(({ type, row }) =>
      reported.push([type, row?.version, row?.drawing]),
    );
    const expected: unknown[] = [];
    const notifies = (enabled: "enable" | "disable") =>
      database.query(`alter table canvas_state ${enabled} trigger canvas_state_notify_update`);
    for (const version of [3, 6]) {
      await notifies("disable");
      await database.transaction(async (tx) => {
        await tx.query("update canvas_state set canvas_json = '[1]'");
        await tx.query("update canvas_state set canvas_json = '[2]'");
      });
      expected.push(["UPDATE", version, "[2]"]);
      await expect.poll(() => reported, { timeout: 10_000 }).toEqual(expected);
      await notifies("enable");
      await database.query("update canvas_state set canvas_json = '[3]'");
      expected.push(["UPDATE", version + 1, "[3]"]);
      await expect.poll(() => reported, { timeout: 10_000 }).toEqual(expected);
    }
    stop();
    await database.close();
  });
}
