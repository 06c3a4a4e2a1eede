/** The tests that every driver of the database port must pass. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { migrate } from "./migrate.ts";
import { examineMigrations, type OpenTwice } from "./migrations.case.ts";
import { StorageFault } from "./faults.ts";
import type { Database, RowChange } from "./port.ts";
import { DRAWING_BYTES, ROW_COLUMNS } from "./row-changes.ts";
import { canvasSteps } from "./setup/schema.ts";

const MB10 = 10 * 1024 * 1024;

/** @param open opens an empty database; `again` opens the same one once more, as a second start would */
export function examineDriver(kind: string, open: OpenTwice): void {
  const faultOf = async (work: Promise<unknown>): Promise<StorageFault> => {
    const reason: unknown = await work.then(
      () => null,
      (error: unknown) => error,
    );
    expect(reason).toBeInstanceOf(StorageFault);
    return reason as StorageFault;
  };

  describe(`${kind} driver`, () => {
    // Opening a database takes longer than most of these tests, each of which makes tables of its own.
    let database: Database;
    let again: () => Promise<Database>;
    beforeAll(async () => {
      ({ database, again } = await open());
      await migrate(database, "canvas", canvasSteps());
    });
    beforeEach(async () => {
      await database.query("delete from canvas_state");
    });
    afterAll(() => database.close());

    test("STO-1 placeholders are $1, $2 ... by number, in both dialects", async () => {
      const { rows } = await database.query(
        "select cast($2 as text) as b, cast($1 as text) as a, '$1;' as c",
        ["one", "two"],
      );
      expect(rows).toEqual([{ b: "two", a: "one", c: "$1;" }]);
    });

    test("STO-2 a transaction is all or nothing", async () => {
      await database.query("create table notes (id integer primary key, body text not null)");
      const failed = database.transaction(async (tx) => {
        await tx.query("insert into notes (id, body) values ($1, $2)", [1, "a"]);
        throw new Error("given up");
      });
      await expect(failed).rejects.toThrow("given up");
      expect((await database.query("select * from notes")).rows).toEqual([]);
      await database.transaction((tx) =>
        tx.query("insert into notes (id, body) values ($1, $2)", [1, "a"]),
      );
      expect((await database.query("select id, body from notes")).rows).toEqual([
        { id: 1, body: "a" },
      ]);
    });

    test("STO-2 reads beside a transaction show committed data, and do not wait for it", async () => {
      await database.query("create table read_notes (id integer primary key)");
      const counts = async (): Promise<number[]> => {
        const readers = [database.reads, database.longReads];
        const results = await Promise.all(
          readers.map((one) => one.query("select id from read_notes")),
        );
        return results.map(({ rowCount }) => rowCount);
      };
      await database.transaction(async (tx) => {
        await tx.query("insert into read_notes (id) values (1)");
        expect(await counts()).toEqual([0, 0]);
      });
      expect(await counts()).toEqual([1, 1]);
      await database.query("delete from read_notes");
      expect(await counts()).toEqual([0, 0]);
    });

    test("STO-2 concurrent read-modify-writes in transactions lose nothing", async () => {
      await database.query("create table counter (id integer primary key, n integer not null)");
      await database.query("insert into counter (id, n) values (1, 0)");
      const lock = database.dialect === "postgres" ? " for update" : "";
      const bump = (): Promise<unknown> =>
        database.transaction(async (tx) => {
          const { rows } = await tx.query(`select n from counter where id = 1${lock}`);
          await tx.query("update counter set n = $1 where id = 1", [Number(rows[0]?.["n"]) + 1]);
        });
      await Promise.all(Array.from({ length: 20 }, bump));
      expect((await database.query("select n from counter")).rows).toEqual([{ n: 20 }]);
    });

    test("STO-2 others do not see a transaction's uncommitted changes", async () => {
      await database.query("create table seen (id integer primary key)");
      let other: Promise<unknown> = Promise.resolve();
      await database
        .transaction(async (tx) => {
          await tx.query("insert into seen (id) values (1)");
          other = database.query("select * from seen").then(({ rows }) => rows);
          throw new Error("given up");
        })
        .catch(() => {});
      expect(await other).toEqual([]);
    });

    test("STO-40 each committed change of the row is reported in order, also those of another process", async () => {
      const other = await again();
      const reported: RowChange[] = [];
      const { stop } = await database.rowChanges.watch((change) => reported.push(change));
      await database.query("insert into canvas_state (canvas_json) values ('{\"objects\":[]}')");
      const failed = database.transaction(async (tx) => {
        await tx.query("update canvas_state set canvas_json = '{}'");
        throw new Error("given up");
      });
      await expect(failed).rejects.toThrow("given up");
      const large = JSON.stringify("x".repeat(DRAWING_BYTES));
      await database.query("update canvas_state set canvas_json = $1", [large]);
      await database.query("update canvas_state set version = version");
      await expect.poll(() => reported.length, { timeout: 5_000 }).toBe(2);
      const readable = JSON.stringify("x".repeat(20_000));
      await database.query("update canvas_state set canvas_json = $1", [readable]);
      await expect.poll(() => reported.length, { timeout: 5_000 }).toBe(3);
      await other.query("update canvas_state set canvas_json = '[\"\\u00e9\"]'");
      await expect.poll(() => reported.length, { timeout: 5_000 }).toBe(4);
      await database.query("delete from canvas_state");
      await expect.poll(() => reported.length, { timeout: 5_000 }).toBe(5);
      expect(reported.map(({ type, row }) => [type, row?.version, row?.drawing])).toEqual([
        ["INSERT", 1, '{"objects":[]}'],
        ["UPDATE", 2, null],
        ["UPDATE", 3, readable],
        ["UPDATE", 4, '["\\u00e9"]'],
        ["DELETE", undefined, undefined],
      ]);
      const [first] = reported;
      expect(reported.every(({ oldId }) => oldId === first?.row?.id)).toBe(true);
      expect(first?.row?.updatedAt).toMatch(/^[0-9-]{10}T[0-9:.]+\+00:00$/);
      expect(first?.committedAt).toMatch(/^[0-9-]{10}T[0-9:]{8}\.\d{3}Z$/);
      stop();
      await database.query("insert into canvas_state (canvas_json) values ('{}')");
      for (const role of ["anon", "authenticated", "service_role"] as const)
        expect(await database.rowChanges.readable(role, null)).toEqual(
          ROW_COLUMNS.map(({ name }) => name),
        );
      expect(reported).toHaveLength(5);
      await other.close();
    });

    test("STO-3 a constraint that fails is a fault with PostgreSQL's code and no data in it", async () => {
      await database.query(
        "create table people (id integer primary key, mail text not null unique, constraint people_mail_check check (mail <> 'bad'))",
      );
      const add = (id: number, mail: string | null): Promise<unknown> =>
        database.query("insert into people (id, mail) values ($1, $2)", [id, mail]);
      await add(1, "a@example.com");
      const key = await faultOf(add(1, "b@example.com"));
      expect(key).toMatchObject({ code: "23505", constraint: "people_pkey" });
      const mail = await faultOf(add(2, "a@example.com"));
      expect(mail).toMatchObject({
        code: "23505",
        constraint: "people_mail_key",
        detail: "Key (mail)=(...) already exists.",
      });
      expect(await faultOf(add(3, null))).toMatchObject({
        code: "23502",
        detail: "Failing row contains (...).",
      });
      await add(5, "c@example.com");
      expect(await faultOf(database.query("update people set id = null"))).toMatchObject({
        code: "23502",
        detail: "Failing row contains (...).",
      });
      expect(await faultOf(add(4, "bad"))).toMatchObject({
        code: "23514",
        constraint: "people_mail_check",
        detail: "Failing row contains (...).",
      });
    });

    test("STO-3 a fault leaves the connection usable, within a transaction and without", async () => {
      await database.query("create table one (id integer primary key)");
      await database.query("insert into one (id) values (1)");
      const twice = database.transaction((tx) => tx.query("insert into one (id) values (1)"));
      expect(await faultOf(twice)).toMatchObject({ code: "23505" });
      await expect(database.query("select nothing from nowhere")).rejects.not.toBeInstanceOf(
        StorageFault,
      );
      expect((await database.query("select id from one")).rows).toEqual([{ id: 1 }]);
    });

    test("STO-1 a text with a NUL is refused and stored nowhere", async () => {
      const fault = await faultOf(database.query("select cast($1 as text) as x", ["a\0b"]));
      expect(fault.code).toBe("22021");
    });

    test("STO-1 bytes, texts in any script, whole numbers and nulls come back as they went in", async () => {
      const bytes = database.dialect === "postgres" ? "bytea" : "blob";
      await database.query(
        `create table things (id integer primary key, t text, b ${bytes}, n bigint, f double precision)`,
      );
      const blob = new Uint8Array([0, 1, 254, 255]);
      await database.query("insert into things (id, t, b, n, f) values ($1, $2, $3, $4, $5)", [
        1,
        "héllo 🎨 'quoted' \"twice\" \\",
        blob,
        2 ** 40,
        1.5,
      ]);
      await database.query("insert into things (id) values (2)");
      const { rows } = await database.query("select id, t, b, n, f from things order by id");
      expect(rows[0]).toMatchObject({
        id: 1,
        t: "héllo 🎨 'quoted' \"twice\" \\",
        n: 2 ** 40,
        f: 1.5,
      });
      expect(new Uint8Array(rows[0]?.["b"] as Uint8Array)).toEqual(blob);
      expect(rows[1]).toEqual({ id: 2, t: null, b: null, n: null, f: null });
    });

    test("TAB-3 a drawing of exactly 10485760 bytes is kept, and one byte more is refused", async () => {
      const drawing = (bytes: number): string => `{"objects":["${"é".repeat((bytes - 16) / 2)}"]}`;
      const insert = "insert into canvas_state (canvas_json) values ($1)";
      const fault = await faultOf(database.query(insert, [`${drawing(MB10)} `]));
      expect(fault).toMatchObject({ code: "23514", constraint: "canvas_json_size_check" });
      expect(Buffer.byteLength(drawing(MB10))).toBe(MB10);
      await database.query(insert, [drawing(MB10)]);
      const { rows } = await database.query(
        "select octet_length(cast(canvas_json as text)) as n from canvas_state",
      );
      expect(rows).toEqual([{ n: MB10 }]);
    });

    test("TAB-4 the table holds one row at most", async () => {
      const insert = "insert into canvas_state (canvas_json) values ('{\"objects\":[]}')";
      const results = await Promise.allSettled([database.query(insert), database.query(insert)]);
      expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
      expect(await faultOf(database.query(insert))).toMatchObject({
        code: "23505",
        constraint: "canvas_state_single_row",
      });
    });

    test("STO-9 a new row gets a random id and the time, in the form of the table API", async () => {
      await database.query("insert into canvas_state (canvas_json) values ('{}')");
      const { rows } = await database.query("select id, updated_at from canvas_state");
      expect(rows[0]?.["id"]).toMatch(
        /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      );
      expect(rows[0]?.["updated_at"]).toMatch(
        /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?\+00:00$/,
      );
    });

    examineMigrations(open, () => database);

    test("STO-11 closing waits for queries in flight, later calls are refused, and the data is there when it is opened again", async () => {
      const first = await open();
      const closed = first.database;
      await migrate(closed, "canvas", canvasSteps());
      await closed.query("insert into canvas_state (canvas_json) values ($1)", ['{"a":1}']);
      const inFlight = closed.query("select 1 as one");
      const closing = closed.close();
      expect((await inFlight).rows).toEqual([{ one: 1 }]);
      await closing;
      await expect(closed.query("select 1")).rejects.toThrow("closed");
      await expect(closed.transaction(async () => {})).rejects.toThrow("closed");
      await closed.close();
      const reopened = await first.again();
      await migrate(reopened, "canvas", canvasSteps());
      const { rows } = await reopened.query(
        "select cast(canvas_json as text) as drawing from canvas_state",
      );
      expect(rows).toEqual([{ drawing: '{"a":1}' }]);
      await reopened.close();
    });
  });
}
