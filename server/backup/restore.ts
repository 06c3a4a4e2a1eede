/** Puts a backup back: an embedded database in its place, or the content of a PostgreSQL database. */

import { copyFileSync, existsSync, renameSync } from "node:fs";
import { join, resolve } from "node:path";
import { lockDataDir, prepareDataDir } from "../data-dir.ts";
import type { Logger } from "../process/log.ts";
import type { Settings } from "../settings/settings.ts";
import { DATABASE_FILE } from "../storage/setup/open.ts";
import { openPostgres } from "../storage/postgres/open.ts";
import { checkDatabase, DUMP_FILE, SECRET_FILES } from "./backup.ts";
import { CommandFault } from "./command-fault.ts";
import { runProgram } from "./postgres-programs.ts";

interface RestoreOptions {
  /** Where there is a database already. */
  readonly replace: boolean;
  readonly log: Logger;
}

/**
 * @returns what was done, as one line
 * @throws CommandFault or StartFault for what the operator can correct
 */
export async function restore(
  { databaseUrl, dataDir }: Pick<Settings, "databaseUrl" | "dataDir">,
  folder: string,
  options: RestoreOptions,
): Promise<string> {
  const path = resolve(folder);
  const file = join(path, databaseUrl === null ? DATABASE_FILE : DUMP_FILE);
  if (!existsSync(file))
    throw new CommandFault(
      `there is no ${file}; expected a folder that npm run backup made of a database of this kind`,
    );
  prepareDataDir(dataDir);
  if (databaseUrl === null) return restoreFiles(path, dataDir, options.replace);
  const hadTables = await prepareRoles(databaseUrl, options);
  const clean = hadTables ? ["--clean", "--if-exists"] : [];
  const always = ["--no-owner", "--single-transaction", "--exit-on-error"];
  const name = decodeURIComponent(new URL(databaseUrl).pathname.slice(1));
  await runProgram("pg_restore", databaseUrl, [...clean, ...always, "--dbname", name, file]);
  replaceFiles(path, dataDir, SECRET_FILES);
  return `${path} is in the database; start the servers again`;
}

/** The rights in a backup name the roles. Returns whether the database has the whiteboard's table. */
async function prepareRoles(url: string, { replace, log }: RestoreOptions): Promise<boolean> {
  const database = await openPostgres(url, log);
  try {
    const { rows } = await database.query(
      "select to_regclass('canvas_state') is not null as there",
    );
    const there = rows[0]?.["there"] === true;
    if (there && !replace)
      throw new CommandFault(
        "the database has a drawing already; expected --replace, or an empty one",
      );
    return there;
  } finally {
    await database.close();
  }
}

/** What was there is kept under other names, since a restore may be the mistake. */
function restoreFiles(path: string, dataDir: string, replace: boolean): string {
  const file = join(path, DATABASE_FILE);
  try {
    checkDatabase(file);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandFault(`${file} is damaged (${reason}); expected another backup`);
  }
  const lock = lockDataDir(dataDir);
  try {
    const target = join(dataDir, DATABASE_FILE);
    if (existsSync(target) && !replace)
      throw new CommandFault(
        `${JSON.stringify(dataDir)} has a database already; expected --replace, or another DATA_DIR`,
      );
    const logs = [`${DATABASE_FILE}-wal`, `${DATABASE_FILE}-shm`];
    const kept = replaceFiles(path, dataDir, [DATABASE_FILE, ...logs, ...SECRET_FILES]);
    return `${target} is as in the backup${kept ? `; what was there ends with ${kept}` : ""}`;
  } finally {
    lock.release();
  }
}

/** Returns how the names of the files end that were there; empty when there were none. */
function replaceFiles(from: string, to: string, names: readonly string[]): string {
  const ending = `.before-${new Date().toISOString().replace(/[:.]/g, "-")}`;
  let moved = false;
  for (const name of names) {
    const has = existsSync(join(from, name));
    const isLog = /-(?:wal|shm)$/.test(name);
    if ((has || isLog) && existsSync(join(to, name))) {
      renameSync(join(to, name), join(to, name) + ending);
      moved = true;
    }
    if (has && !isLog) copyFileSync(join(from, name), join(to, name));
  }
  return moved ? ending : "";
}
