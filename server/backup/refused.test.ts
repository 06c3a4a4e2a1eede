/** Tests the backups that restore refuses, and that it never changes the backup. */

import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import Driver from "libsql";
import { afterAll, expect, test } from "vitest";
import { openTestPostgres, type TestPostgres } from "../../testing/servers/postgres.ts";
import { createRandom } from "../../testing/random/random.ts";
import { startServer } from "../../testing/servers/server.ts";
import { callTable } from "../../testing/servers/table-client.ts";
import { createLogger } from "../process/log.ts";
import { openDatabase } from "../storage/setup/open.ts";
import { openPostgres } from "../storage/postgres/open.ts";
import { backUp } from "./backup.ts";
import { restore } from "./restore.ts";

const MAIN = fileURLToPath(new URL("../../dist/server/server/backup/main.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "inkpool-refused-"));
const log = createLogger("error", () => {}, Date.now);
const found = await openTestPostgres();
const hasPrograms = spawnSync("pg_dump", ["--version"]).status === 0;
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  if (found.ok) await found.postgres.stop();
});

let folders = 0;
const newFolder = (): string => join(folder, `${folders++}`);

const settingsOf = (dataDir: string, databaseUrl: string | null = null) => ({
  databaseUrl,
  databasePool: 5,
  databaseWait: 5000,
  dataDir,
  historyBytes: 1_000_000_000,
  statementTimeout: 30_000,
});

/**
 * Fills a database with a drawing of 2 objects that has replaced `versions` others; in the last full minute all but
 * the last are marks.
 */
async function fill(dataDir: string, url: string | null, versions: number): Promise<void> {
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, "keys.json"), "{}");
  const database = await openDatabase(settingsOf(dataDir, url), log);
  const text = "x".repeat(300_000);
  await database.query("insert into canvas_state (canvas_json) values ('{}')");
  for (let n = 1; n <= versions; n++)
    await database.query("update canvas_state set canvas_json = $1", [
      `{"objects":[1,2]${n % 2 ? `,"note":"${text}"` : `,"n":${n}`}}`,
    ]);
  await database.close();
}

/** Returns names, sizes, contents and times of the files in a folder. */
function stateOf(path: string): unknown {
  return readdirSync(path)
    .toSorted()
    .map((name) => {
      const { mode, mtimeMs, size } = lstatSync(join(path, name));
      const isFile = (mode & 0o170000) === 0o100000;
      return [
        name,
        mode,
        mtimeMs,
        size,
        isFile ? readFileSync(join(path, name)).toString("base64") : "",
      ];
    });
}

/** Restores into a new folder and into a database, and expects a refusal that changes neither them nor the backup. */
async function expectRefused(
  backup: string,
  reason: RegExp,
  url: string | null = null,
): Promise<void> {
  const before = stateOf(backup);
  const dataDir = newFolder();
  const call = restore(settingsOf(dataDir, url), backup, { replace: true, log });
  await expect(call, backup).rejects.toThrow(reason);
  expect(stateOf(backup)).toEqual(before);
  const left = existsSync(dataDir) ? readdirSync(dataDir) : [];
  expect(left.filter((name) => name !== "inkpool.lock")).toEqual([]);
}

/** Returns a copy of a backup that `change` damages. */
function changed(backup: string, change: (copy: string) => void): string {
  const copy = newFolder();
  cpSync(backup, copy, { recursive: true });
  change(copy);
  return copy;
}

const random = createRandom(5);

/** Returns 0, 1 and 100 bytes, a block, the half, all but one, and some at random. */
const partsOf = (size: number): readonly number[] => [
  ...[0, 1, 100, 4096, Math.floor(size / 2), size - 4096, size - 1],
  ...Array.from({ length: 12 }, () => random.integer(2, size - 2)),
];

test("HIS-1 a part of an embedded database, whatever its length, is refused and stays as it is", async () => {
  const dataDir = newFolder();
  await fill(dataDir, null, 8);
  const backup = newFolder();
  await backUp(settingsOf(dataDir), backup);
  const { size } = statSync(join(backup, "inkpool.db"));
  for (const part of partsOf(size))
    await expectRefused(
      changed(backup, (copy) => truncateSync(join(copy, "inkpool.db"), part)),
      /is damaged .+; expected another backup/,
    );
  // The whole backup is restored, and the restored content is reported.
  const before = stateOf(backup);
  const done = await restore(settingsOf(newFolder()), backup, { replace: false, log });
  expect(done).toMatch(/is as in the backup: 2 objects, [5-8] versions$/);
  expect(stateOf(backup)).toEqual(before);
}, 60_000);

test("HIS-1 what is no database of the whiteboard, or would run by itself, is refused", async () => {
  const dataDir = newFolder();
  await fill(dataDir, null, 3);
  const backup = newFolder();
  await backUp(settingsOf(dataDir), backup);
  const altered = (sql: string): string =>
    changed(backup, (copy) => {
      const database = new Driver(join(copy, "inkpool.db"));
      database.exec(sql);
      database.close();
    });
  const trigger = "after update on canvas_state begin delete from canvas_history; end";
  for (const [sql, reason] of [
    ["drop table canvas_state", /it has no table canvas_state/],
    ["drop table inkpool_migrations", /it has no table inkpool_migrations/],
    [`create trigger foreign_one ${trigger}`, /its trigger foreign_one is none of this version/],
    [
      `drop trigger canvas_history_prune; create trigger canvas_history_prune ${trigger}`,
      /its trigger canvas_history_prune is none/,
    ],
    ["create view anything as select 1", /its view anything is none of this version/],
  ] as const)
    await expectRefused(altered(sql), reason);
  const other = newFolder();
  mkdirSync(other);
  const strange = new Driver(join(other, "inkpool.db"));
  strange.exec("create table t (a)");
  strange.close();
  await expectRefused(other, /it has no table/);
}, 60_000);

/** Replaces a file by something that is no regular file. */
const REPLACEMENTS: Readonly<Record<string, (path: string, original: string) => void>> = {
  "a symbolic link": (path, original) => symlinkSync(original, path),
  "a dangling link": (path) => symlinkSync("/nowhere/at/all", path),
  "a folder": (path) => mkdirSync(path),
  "a pipe": (path) => execFileSync("mkfifo", [path]),
};

test.each(Object.entries(REPLACEMENTS))(
  "HIS-1 %s in the place of a file is refused unread",
  async (_, replaceBy) => {
    const dataDir = newFolder();
    await fill(dataDir, null, 1);
    const backup = newFolder();
    await backUp(settingsOf(dataDir), backup);
    for (const name of ["inkpool.db", "keys.json"])
      await expectRefused(
        changed(backup, (copy) => {
          rmSync(join(copy, name));
          replaceBy(join(copy, name), join(backup, name));
        }),
        /is no regular file/,
      );
  },
);

test("HIS-1 a copy of the folder of a running server is refused for the log beside it", async () => {
  const server = await startServer();
  for (let n = 0; n < 5; n++)
    await callTable(server, n ? "canvas_state?version=gt.0" : "canvas_state", {
      method: n ? "PATCH" : "POST",
      body: `{"canvas_json":{"objects":[${n}]}}`,
    });
  const copy = newFolder();
  mkdirSync(copy);
  for (const name of ["inkpool.db", "inkpool.db-wal", "keys.json"])
    copyFileSync(join(server.dataDir, name), join(copy, name));
  await server.stop();
  await expectRefused(
    copy,
    /inkpool\.db-wal shows that inkpool\.db was copied while it was written/,
  );
});

/**
 * Backs up in a process, and kills it when the unfinished file has `bytes`. Returns the remainder; null when the
 * backup was faster.
 */
async function killedBackup(env: Record<string, string>, bytes: number): Promise<string | null> {
  const target = newFolder();
  const child = spawn(process.execPath, [MAIN, "backup", target], {
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdio: "ignore",
    detached: true,
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  const left = (): string | undefined =>
    readdirSync(dirname(target))
      .map((name) => join(dirname(target), name))
      .find((path) => path.startsWith(`${target}.unfinished-`));
  const written = (): number => {
    const path = left();
    if (path === undefined) return 0;
    const sizes = readdirSync(path).map(
      (name) => statSync(join(path, name), { throwIfNoEntry: false })?.size ?? 0,
    );
    return sizes.reduce((sum, size) => sum + size, 0);
  };
  while (child.exitCode === null && written() <= bytes) await new Promise(setImmediate);
  // The programs that it runs are killed too.
  if (child.exitCode === null) process.kill(-(child.pid ?? 0), "SIGKILL");
  await ended;
  const path = left();
  // The backup is finished, or nothing has the requested name.
  expect(existsSync(target)).toBe(path === undefined);
  return path ?? null;
}

/** Expects that an interrupted backup is refused by its name, and that under another one it is refused or whole. */
async function examineKills(dataDir: string, url: string | null, total: number): Promise<void> {
  const env: Record<string, string> = {
    DATA_DIR: dataDir,
    ...(url === null ? {} : { DATABASE_URL: url }),
  };
  let killed = 0;
  for (let n = 0; n < 7; n++) {
    const path = await killedBackup(env, (total * n) / 8);
    if (path === null) continue;
    killed++;
    const file = url === null ? "inkpool.db" : "inkpool.dump";
    if (existsSync(join(path, file))) await expectRefused(path, /was interrupted/, url);
    const renamed = newFolder();
    renameSync(path, renamed);
    const before = stateOf(renamed);
    const text = await restore(settingsOf(newFolder(), url), renamed, { replace: true, log }).catch(
      String,
    );
    expect(text).toMatch(
      /Error: .*(?:damaged|journal|there is no|pg_restore failed)|: 2 objects, 150 versions/s,
    );
    expect(stateOf(renamed)).toEqual(before);
  }
  expect(killed).toBeGreaterThan(3);
}

test("HIS-1 a backup that is killed has not the name that was asked for, and cannot be restored", async () => {
  const dataDir = newFolder();
  await fill(dataDir, null, 150);
  const { size } = statSync(join(dataDir, "inkpool.db"));
  await examineKills(dataDir, null, size);
}, 120_000);

if (found.ok && hasPrograms) examinePostgres(found.postgres);
else
  test.skip(`refused backups of PostgreSQL (${found.ok ? "skipped: no pg_dump" : found.reason})`, () => {});

function examinePostgres(postgres: TestPostgres): void {
  /** Runs SQL in a database. */
  const execute = async (url: string, sql: string): Promise<void> => {
    const database = await openPostgres(url, log);
    await database.query(sql).finally(() => database.close());
  };
  /** Makes a database with a drawing of its own, which a refused restore leaves there. */
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

  test("HIS-1 a part of a dump, whatever its length, is refused and changes nothing", async () => {
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
