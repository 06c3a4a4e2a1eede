/** Databases to back up, and backups that are made worse. */

import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
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
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { expect } from "vitest";

import { createRandom } from "../../testing/random/random.ts";

import { createLogger } from "../process/log.ts";
import { openDatabase } from "../storage/setup/open.ts";

import { restore } from "./restore.ts";

const MAIN = fileURLToPath(new URL("../../dist/server/server/backup/main.js", import.meta.url));
export const log = createLogger("error", () => {}, Date.now);

let folder: string | undefined;
let folders = 0;

/** A path at which nothing is yet, in a folder that `removeFolders` removes. */
export function newFolder(): string {
  folder ??= mkdtempSync(join(tmpdir(), "inkpool-refused-"));
  return join(folder, `${folders++}`);
}

export function removeFolders(): void {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  folder = undefined;
}

export const settingsOf = (dataDir: string, databaseUrl: string | null = null) => ({
  databaseUrl,
  databasePool: 5,
  databaseWait: 5000,
  dataDir,
  historyBytes: 1_000_000_000,
  statementTimeout: 30_000,
});

/** Fills a database with a drawing of 2 objects that has replaced `versions` others; in the last full minute all but the last are marks. */
export async function fill(dataDir: string, url: string | null, versions: number): Promise<void> {
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

/** Names, sizes, hashes of contents and times of the files in a folder. */
export function stateOf(path: string): unknown {
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
        isFile
          ? createHash("sha256")
              .update(readFileSync(join(path, name)))
              .digest("hex")
          : "",
      ];
    });
}

/** Restores into a new folder and into a database, and expects a refusal that changes neither them nor the backup. */
export async function expectRefused(
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

/** A copy of a backup that `change` makes worse. */
export function changed(backup: string, change: (copy: string) => void): string {
  const copy = newFolder();
  cpSync(backup, copy, { recursive: true });
  change(copy);
  return copy;
}

/** 0, 1 and 100 bytes, a block, the half, all but one, and some at random. */
export const partsOf = (size: number): readonly number[] => {
  const random = createRandom(5);
  return [
    ...[0, 1, 100, 4096, Math.floor(size / 2), size - 4096, size - 1],
    ...Array.from({ length: 12 }, () => random.integer(2, size - 2)),
  ];
};

/** Puts something that is no regular file in the place of a file. */
export const REPLACEMENTS: Readonly<Record<string, (path: string, original: string) => void>> = {
  "a symbolic link": (path, original) => symlinkSync(original, path),
  "a dangling link": (path) => symlinkSync("/nowhere/at/all", path),
  "a folder": (path) => mkdirSync(path),
  "a pipe": (path) => execFileSync("mkfifo", [path]),
};

/** Backs up in a process, and kills it when the unfinished file has `bytes`. Returns what was left; null when it was faster. */
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
  // Clock: most of the time the process only starts; then each byte counts.
  while (child.exitCode === null && left() === undefined) await wait(1);
  while (child.exitCode === null && written() <= bytes) await new Promise(setImmediate);
  // With the programs that it runs.
  if (child.exitCode === null) process.kill(-(child.pid ?? 0), "SIGKILL");
  await ended;
  const path = left();
  // Finished, or nothing under the name that was asked for.
  expect(existsSync(target)).toBe(path === undefined);
  return path ?? null;
}

/** An interrupted backup is refused by its name; under another one it is refused, or whole. */
export async function examineKills(
  dataDir: string,
  url: string | null,
  total: number,
): Promise<void> {
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
