/** Tests in which order a restore renames its files and waits until they are on the disk. */

import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { basename } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { backUp } from "./backup.ts";
import { fill, log, newFolder, removeFolders, settingsOf } from "./refused-bed.case.ts";
import { restore } from "./restore.ts";

/** Returns the calls of now on that a power cut could part: "flush keys.json", "rename keys.json" and the like. */
function noteCalls(): readonly string[] {
  const calls: string[] = [];
  const paths = new Map<number, string>();
  const note = (verb: string, path: fs.PathLike): void => {
    calls.push(`${verb} ${basename(String(path)).replace(/\.before-.*/, ".before")}`);
  };
  const { openSync, fsyncSync, renameSync, rmSync } = fs;
  vi.spyOn(fs, "openSync").mockImplementation((path, flags, mode) => {
    const file = openSync(path, flags, mode);
    paths.set(file, String(path));
    return file;
  });
  vi.spyOn(fs, "fsyncSync").mockImplementation((file) => {
    note("flush", paths.get(file) ?? "");
    fsyncSync(file);
  });
  vi.spyOn(fs, "renameSync").mockImplementation((from, to) => {
    note("rename", to);
    renameSync(from, to);
  });
  vi.spyOn(fs, "rmSync").mockImplementation((path, options) => {
    if (String(path).endsWith("-wal")) note("remove", path);
    rmSync(path, options);
  });
  // Imported names follow the module's own object only from here on.
  syncBuiltinESMExports();
  return calls;
}

afterAll(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
  removeFolders();
});

test("HIS-1 each file of a restore is on the disk before its name changes, and each step before the next", async () => {
  const [source, target, backup] = [newFolder(), newFolder(), newFolder()];
  await fill(source, null, 1);
  await backUp(settingsOf(source), backup);
  await fill(target, null, 2);
  const calls = noteCalls();
  await restore(settingsOf(target), backup, { replace: true, log });
  const folder = basename(target);
  expect(calls).toEqual([
    "flush inkpool.db",
    "flush keys.json.before",
    "flush inkpool.db.before",
    `flush ${folder}`,
    "flush keys.json",
    "rename keys.json",
    "remove inkpool.db-wal",
    `flush ${folder}`,
    "rename inkpool.db",
    `flush ${folder}`,
  ]);
});
