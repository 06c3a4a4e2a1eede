/** Dumps of PostgreSQL that a restore refuses, and what it leaves of others. */

import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, rmSync, statSync, truncateSync } from "node:fs";

import { join } from "node:path";

import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { openTestPostgres, type TestPostgres } from "../../testing/servers/postgres.ts";

import { openPostgres } from "../storage/postgres/open.ts";
import { backUp } from "./backup.ts";
import { restore } from "./restore.ts";
import {
  changed,
  examineKills,
  expectRefused,
  fill,
  log,
  newFolder,
  partsOf,
  removeFolders,
  REPLACEMENTS,
  settingsOf,
  stateOf,
} from "./refused-bed.case.ts";

const found = await openTestPostgres();
const hasPrograms = spawnSync("pg_dump", ["--version"]).status === 0;
afterAll(async () => {
  removeFolders();
  if (found.ok) await found.postgres.stop();
});

if (found.ok && hasPrograms) examinePostgres(found.postgres);
else
  test.skip(`refused backups of PostgreSQL (${found.ok ? "skipped: no pg_dump" : found.reason})`, () => {});

function examinePostgres(postgres: TestPostgres): void {
  /** Runs SQL in a database. */
  const execute = async (url: string, sql: string): Promise<void> => {
    const database = await openPostgres(url, log);
    await database.query(sql).finally(() => database.close());
  };
  /** A database with a drawing of its own, which a refused restore leaves there. */
  const bystander = async (): Promise<string> => {
    const url = await postgres.createDatabase();
    await fill(newFolder(), url, 0);
    return url;
  };
  const drawingIn = async (url: string): Promise<unknown> => {
    const database = await openPostgres(url, log);
    const { rows } = await database.query("select canvas_json from canvas_state");
    await database.close();
    return rows;
  };

  test("HIS-1 a partial dump of any length is refused and changes nothing", async () => {
    const [dataDir, backup, url] = [newFolder(), newFolder(), await postgres.createDatabase()];
    await fill(dataDir, url, 8);
    await backUp(settingsOf(dataDir, url), backup);
    const other = await bystander();
    const { size } = statSync(join(backup, "inkpool.dump"));
    for (const part of partsOf(size).filter((one) => one >= 0)) {
      const half = changed(backup, (copy) => truncateSync(join(copy, "inkpool.dump"), part));
      await expectRefused(half, /is damaged .+; expected another backup|pg_restore failed/, other);
    }
    expect(await drawingIn(other)).toEqual([{ canvas_json: "{}" }]);
    const before = stateOf(backup);
    const settings = settingsOf(newFolder(), other);
    const done = await restore(settings, backup, { replace: true, log });
    expect(done).toMatch(/is in the database: 2 objects, [5-8] versions; start the servers again$/);
    expect(stateOf(backup)).toEqual(before);
  }, 120_000);

  test("HIS-1 a machine without PostgreSQL's programs is not taken for a damaged backup", async () => {
    const [dataDir, backup, url] = [newFolder(), newFolder(), await postgres.createDatabase()];
    await fill(dataDir, url, 0);
    await backUp(settingsOf(dataDir, url), backup);
    vi.stubEnv("PATH", newFolder());
    onTestFinished(() => void vi.unstubAllEnvs());
    await expectRefused(backup, /^pg_restore cannot be run; expected .+ in PATH$/, url);
  });

  test("HIS-1 a dump that is none of the whiteboard, or has code of its own, is refused", async () => {
    const [source, other] = [await bystander(), await bystander()];
    const dump = (url: string): string => {
      const made = newFolder();
      mkdirSync(made);
      execFileSync("pg_dump", [
        "--format=custom",
        "--file",
        join(made, "inkpool.dump"),
        "--dbname",
        url,
      ]);
      return made;
    };
    await expectRefused(
      dump(await postgres.createDatabase()),
      /it has no table canvas_state/,
      other,
    );
    const trigger = "before update on canvas_state for each row execute function";
    for (const [sql, undo, reason] of [
      [
        `create trigger foreign_one ${trigger} suppress_redundant_updates_trigger()`,
        "drop trigger foreign_one on canvas_state",
        /TRIGGER public canvas_state foreign_one .* is none of this version/,
      ],
      [
        "create rule foreign_rule as on update to canvas_state do also delete from canvas_history",
        "drop rule foreign_rule on canvas_state",
        /RULE public canvas_state foreign_rule .* is none/,
      ],
      [
        "create function canvas_more() returns int language sql as 'select 1'",
        "drop function canvas_more()",
        /FUNCTION public canvas_more\(\) .* is none/,
      ],
      [
        `create or replace function canvas_history_count(drawing json) returns bigint
         language sql immutable as 'select 7::bigint'`,
        "select 1",
        /one of its functions is none of this version/,
      ],
    ] as const) {
      await execute(source, sql);
      await expectRefused(dump(source), reason, other);
      const refused = backUp(settingsOf(newFolder(), source), newFolder());
      await expect(refused).rejects.toThrow(/the database cannot be copied \(.*is none of this/);
      await execute(source, undo);
    }
    expect(await drawingIn(other)).toEqual([{ canvas_json: "{}" }]);
  }, 120_000);

  const restoreOver = (url: string, backup: string): Promise<string> =>
    restore(settingsOf(newFolder(), url), backup, { replace: true, log });
  const read = async (url: string, sql: string): Promise<unknown> => {
    const database = await openPostgres(url, log);
    return (await database.query(sql).finally(() => database.close())).rows;
  };

  test("HIS-30 a backup replaces what a later version, or one with accounts, has made", async () => {
    const [source, target] = [await bystander(), await bystander()];
    const backup = newFolder();
    await backUp(settingsOf(newFolder(), source), backup);
    await execute(
      target,
      `create table auth_users (id uuid primary key);
       create table canvas_later (id uuid references canvas_state, by uuid references auth_users);
       create function canvas_later() returns int language sql as 'select 1';
       update canvas_state set canvas_json = '{"objects":[]}'`,
    );
    expect(await restoreOver(target, backup)).toContain("0 objects, 0 versions");
    const left = `select to_regclass('canvas_later'), to_regclass('auth_users'),
      to_regproc('canvas_later')::text as code, canvas_json from canvas_state`;
    const none = { to_regclass: null, code: null, canvas_json: "{}" };
    expect(await read(target, left)).toEqual([none]);
  }, 120_000);

  test("HIS-30 what others have in the database is not restored, and their tables are in no backup; a restore that fails changes nothing", async () => {
    const [source, target] = [await bystander(), await bystander()];
    const foreign = `do $$ begin create extension hstore; exception when undefined_file then null; end $$;
      create role somebody nologin;
      grant create, usage on schema public to somebody;
      alter default privileges for role somebody in schema public grant select on tables to anon;
      create table notes (note text);
      create view "auth of others" as select 1 as one;
      create function auth_of_others() returns int language sql as 'select 1'`;
    await execute(source, `${foreign}; insert into notes values ('a secret of others')`);
    const backup = newFolder();
    await backUp(settingsOf(newFolder(), source), backup);
    const dump = join(backup, "inkpool.dump");
    const text = execFileSync("pg_restore", ["--file=-", dump], { encoding: "utf8" });
    expect(text).not.toMatch(/hstore|notes|secret of others/);
    await restoreOver(target, backup);

    // Backups of earlier versions have all that was in the database.
    execFileSync("pg_dump", ["--format=custom", "--file", dump, "--dbname", source]);
    await execute(source, "insert into notes values ('a later one')");
    for (const url of [source, target])
      expect(await restoreOver(url, backup)).toContain("is in the database");
    expect(await read(source, "select count(*)::int from notes")).toEqual([{ count: 2 }]);

    await execute(source, `update canvas_state set canvas_json = '{"objects":[7]}'`);
    const change = [{ canvas_json: '{"objects":[7]}' }];
    await execute(source, "create view seen as select id from canvas_state");
    await expect(restoreOver(source, backup)).rejects.toThrow(/view seen depends on table canvas/);
    expect(await drawingIn(source)).toEqual(change);
    // The last index of the backup cannot be made.
    await execute(
      source,
      "drop view seen; drop index canvas_state_single_row; create view canvas_state_single_row as select 1",
    );
    await expect(restoreOver(source, backup)).rejects.toThrow(/canvas_state_single_row/);
    expect(await drawingIn(source)).toEqual(change);
  }, 120_000);

  test("HIS-1 a dump that is no regular file is refused unread", async () => {
    const backup = newFolder();
    const url = await bystander();
    await backUp(settingsOf(newFolder(), url), backup);
    for (const replaceBy of Object.values(REPLACEMENTS))
      await expectRefused(
        changed(backup, (copy) => {
          rmSync(join(copy, "inkpool.dump"));
          replaceBy(join(copy, "inkpool.dump"), join(backup, "inkpool.dump"));
        }),
        /is no regular file/,
        url,
      );
  });

  test("HIS-1 a dump that is killed has not the name that was asked for, and cannot be restored", async () => {
    const [dataDir, url] = [newFolder(), await postgres.createDatabase()];
    await fill(dataDir, url, 150);
    const whole = newFolder();
    await backUp(settingsOf(dataDir, url), whole);
    await examineKills(dataDir, url, statSync(join(whole, "inkpool.dump")).size);
  }, 120_000);
}
