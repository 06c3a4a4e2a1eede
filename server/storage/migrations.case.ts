/** Tests the steps of a schema on every driver of the database port. */

import { expect, test } from "vitest";
import { migrate } from "./migrate.ts";
import type { Database } from "./port.ts";

/** Opens an empty database; `again` opens the same one once more, as a second start would. */
export type OpenTwice = () => Promise<{ database: Database; again: () => Promise<Database> }>;

/** @param opened returns an open database for what needs no empty one */
export function examineMigrations(open: OpenTwice, opened: () => Database): void {
  test("STO-10 migrations run once, in order, also when two start at once", async () => {
    const { database, again } = await open();
    const other = await again();
    const steps = [
      step("0001_make", "create table log (n integer)"),
      step("0002_fill", "insert into log (n) values (1); insert into log (n) values (2)"),
    ];
    await Promise.all([migrate(database, "test", steps), migrate(other, "test", steps)]);
    await migrate(database, "test", [...steps, step("0003_more", "insert into log values (3)")]);
    const { rows } = await database.query("select n from log order by n");
    expect(rows.map(({ n }) => n)).toEqual([1, 2, 3]);
    await Promise.all([database.close(), other.close()]);
  });

  test("STO-10 a step that fails leaves the schema as it was", async () => {
    const database = opened();
    const steps = [
      step("0001_good", "create table good (n integer)"),
      step("0002_bad", "create nonsense"),
    ];
    await expect(migrate(database, "failing", steps)).rejects.toThrow();
    await expect(database.query("select * from good")).rejects.toThrow();
  });
}

function step(name: string, sql: string): { name: string; sqlite: string; postgres: string } {
  return { name, sqlite: sql, postgres: sql };
}
