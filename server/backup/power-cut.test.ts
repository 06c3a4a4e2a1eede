/** Tests in which order a restore renames its files and waits until they are on the disk. */

import type * as FileSystem from "node:fs";
import { basename } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { backUp } from "./backup.ts";
import { fill, log, newFolder, removeFolders, settingsOf } from "./refused-bed.case.ts";
import { restore } from "./restore.ts";

/** The calls that a power cut could part: "flush keys.json", "rename keys.json" and the like. */
const { calls } = vi.hoisted(() => ({ calls: [] as string[] }));

vi.mock("node:fs", async (original) => {
  const real = await original<typeof FileSystem>();
  const paths = new Map<number, string>();
  const note = (verb: string, path: FileSystem.PathLike): void => {
    calls.push(`${verb} ${basename(String(path)).replace(/\.before-.*/, ".before")}`);
  };
  return {
    ...real,
    openSync: (path: FileSystem.PathLike, flags: FileSystem.OpenMode) => {
      const file = real.openSync(path, flags);
      paths.set(file, String(path));
      return file;
    },
    fsyncSync: (file: number) => {
      note("flush", paths.get(file) ?? "");
      real.fsyncSync(file);
    },
    renameSync: (from: FileSystem.PathLike, to: FileSystem.PathLike) => {
      note("rename", to);
      real.renameSync(from, to);
    },
    rmSync: (path: FileSystem.PathLike, options?: FileSystem.RmOptions) => {
      if (String(path).endsWith("-wal")) note("remove", path);
      real.rmSync(path, options);
    },
  };
});

afterAll(removeFolders);

test("HIS-1 each file of a restore is on the disk before its name changes, and each step before the next", async () => {
  const [source, target, backup] = [newFolder(), newFolder(), newFolder()];
  await fill(source, null, 1);
  await backUp(settingsOf(source), backup);
  await fill(target, null, 2);
  calls.length = 0;
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
