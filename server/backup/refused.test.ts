/** Tests the backups that restore refuses, and that it never changes the backup. */

import fs, {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";

import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";

import Driver from "libsql";
import { afterAll, expect, onTestFinished, test } from "vitest";

import { canMount, mountDisk, noMount } from "../../testing/servers/disk.ts";

import { openDatabase } from "../storage/setup/open.ts";
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

afterAll(removeFolders);

/** Bytes of a page of an embedded database. */
const PAGE = 4096;

test("HIS-1 a partial embedded database of any length, or one with an empty page, is refused and stays as it is", async () => {
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
  const middle = size / 2 - ((size / 2) % PAGE);
  await expectRefused(
    changed(backup, (copy) => {
      const path = join(copy, "inkpool.db");
      writeFileSync(path, readFileSync(path).fill(0, middle, middle + PAGE));
    }),
    /is damaged .+; expected another backup/,
  );
  // The whole backup is restored, and the restored content is reported.
  const before = stateOf(backup);
  const done = await restore(settingsOf(newFolder()), backup, { replace: false, log });
  expect(done).toMatch(/is as in the backup: 2 objects, [5-8] versions$/);
  expect(stateOf(backup)).toEqual(before);
}, 60_000);

test.runIf(canMount)(
  `HIS-34 a restore without enough space says how much it needs, and changes nothing${noMount}`,
  async () => {
    const [dataDir, backup] = [newFolder(), newFolder()];
    await fill(dataDir, null, 8);
    await backUp(settingsOf(dataDir), backup);
    const { size } = statSync(join(backup, "inkpool.db"));
    const disk = mountDisk(Math.ceil(size * 1.9));
    const call = restore(settingsOf(disk), backup, { replace: false, log });
    await expect(call).rejects.toThrow(
      /^DATA_DIR ".*" has \d+ MB of free space; expected \d+ MB, since nothing is replaced before/,
    );
    expect(readdirSync(disk)).toEqual(["inkpool.lock"]);
    // With --replace the former files take space as well, and what is there stays.
    const full = mountDisk(size * 3);
    cpSync(dataDir, full, { recursive: true });
    const before = stateOf(full);
    const again = restore(settingsOf(full), backup, { replace: true, log });
    await expect(again).rejects.toThrow("of free space; expected");
    rmSync(join(full, "inkpool.lock"));
    expect(stateOf(full)).toEqual(before);
  },
);

test.runIf(canMount)(
  `HIS-1 a disk that others fill during a restore is not taken for a damaged backup${noMount}`,
  async () => {
    const [dataDir, backup] = [newFolder(), newFolder()];
    await fill(dataDir, null, 8);
    await backUp(settingsOf(dataDir), backup);
    const { size } = statSync(join(backup, "inkpool.db"));
    const { statfsSync } = fs;
    const setStatfs = (used: unknown): void => {
      Object.assign(fs, { statfsSync: used });
      syncBuiltinESMExports();
    };
    onTestFinished(() => setStatfs(statfsSync));
    // There was space when the restore asked for it.
    setStatfs(() => ({ bavail: size, bsize: 4096 }));
    // The first is full while the backup is copied, the second while the database is made of the copy.
    for (const bytes of [size / 2, size * 1.5]) {
      const disk = mountDisk(Math.ceil(bytes));
      const call = restore(settingsOf(disk), backup, { replace: false, log });
      await expect(call).rejects.toThrow(/no space left|disk is full/);
      await expect(call).rejects.not.toThrow("is damaged");
      expect(readdirSync(disk)).toEqual(["inkpool.lock"]);
    }
  },
);

test("HIS-35 a restore that cannot copy a former file leaves no copy of the others, and nothing of one before that was killed", async () => {
  const [dataDir, backup] = [newFolder(), newFolder()];
  await fill(dataDir, null, 1);
  await backUp(settingsOf(dataDir), backup);
  mkdirSync(join(dataDir, "auth.key"));
  // Of a restore that was killed.
  mkdirSync(join(dataDir, "inkpool.restore-a1B2c3"));
  writeFileSync(join(dataDir, "inkpool.restore-a1B2c3", "keys.json"), "{}");
  const call = restore(settingsOf(dataDir), backup, { replace: true, log });
  await expect(call).rejects.toThrow("auth.key");
  expect(readdirSync(dataDir)).toEqual(["auth.key", "inkpool.db", "inkpool.lock", "keys.json"]);
});

test("HIS-1 a database that is not the whiteboard's, or has code of its own, is refused", async () => {
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

test("KEY-1 only their owner can read what a restore installs and keeps, whatever the rights in the backup", async () => {
  const [dataDir, backup] = [newFolder(), newFolder()];
  await fill(dataDir, null, 1);
  await backUp(settingsOf(dataDir), backup);
  for (const path of [join(backup, "keys.json"), join(dataDir, "keys.json")])
    chmodSync(path, 0o644);
  await restore(settingsOf(dataDir), backup, { replace: true, log });
  const names = readdirSync(dataDir);
  expect(names.filter((name) => name.includes(".before-"))).toHaveLength(2);
  const readable = names.filter((name) => (statSync(join(dataDir, name)).mode & 0o077) !== 0);
  expect(readable).toEqual([]);
});

test("HIS-1 a copy of the folder of a running server is refused for the log beside it", async () => {
  const dataDir = newFolder();
  await fill(dataDir, null, 0);
  const database = await openDatabase(settingsOf(dataDir), log);
  for (let n = 0; n < 5; n++)
    await database.query("update canvas_state set canvas_json = $1", [`{"objects":[${n}]}`]);
  const copy = newFolder();
  mkdirSync(copy);
  for (const name of ["inkpool.db", "inkpool.db-wal", "keys.json"])
    copyFileSync(join(dataDir, name), join(copy, name));
  await database.close();
  await expectRefused(
    copy,
    /inkpool\.db-wal shows that inkpool\.db was copied while it was written/,
  );
});

test("HIS-1 a backup that is killed has not the name that was asked for, and cannot be restored", async () => {
  const dataDir = newFolder();
  await fill(dataDir, null, 150);
  const { size } = statSync(join(dataDir, "inkpool.db"));
  await examineKills(dataDir, null, size);
}, 120_000);
