/** Copies the database, as it is at one moment, and the keys into a folder; the server may run meanwhile. */

import { chmodSync, copyFileSync, existsSync, mkdirSync, rmSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import Driver from "libsql";
import { checkDatabaseFile } from "../data-dir.ts";
import type { Settings } from "../settings/settings.ts";
import { DATABASE_FILE } from "../storage/setup/open.ts";
import { CommandFault } from "./command-fault.ts";
import { runProgram } from "./postgres-programs.ts";

/** PostgreSQL's part of a backup. */
export const DUMP_FILE = "inkpool.dump";

/** Beside the database: without them sessions, codes and keys of the backup would be worth nothing. */
export const SECRET_FILES = ["keys.json", "auth.key"] as const;

/**
 * @param folder is made, and must not be there
 * @returns what was done, as one line
 * @throws CommandFault for what the operator can correct; then there is no folder
 */
export async function backUp(
  { databaseUrl, dataDir }: Pick<Settings, "databaseUrl" | "dataDir">,
  folder: string,
): Promise<string> {
  const path = resolve(folder);
  process.umask(0o077);
  if (existsSync(path))
    throw new CommandFault(`${JSON.stringify(path)} is there already; expected a new folder`);
  mkdirSync(path, { recursive: true, mode: 0o700 });
  try {
    const file = join(path, databaseUrl === null ? DATABASE_FILE : DUMP_FILE);
    if (databaseUrl === null) copySqlite(dataDir, file);
    else
      await runProgram("pg_dump", databaseUrl, ["--format=custom", "--no-owner", "--file", file]);
    for (const name of SECRET_FILES) {
      if (!existsSync(join(dataDir, name))) continue;
      copyFileSync(join(dataDir, name), join(path, name));
      chmodSync(join(path, name), 0o600);
    }
    return `${path}: ${statSync(file).size} bytes of the database`;
  } catch (error) {
    rmSync(path, { recursive: true, force: true });
    throw error;
  }
}

/** VACUUM INTO reads one state of the database, whatever is written meanwhile, and hinders no save. */
function copySqlite(dataDir: string, file: string): void {
  const source = join(dataDir, DATABASE_FILE);
  if (!existsSync(source))
    throw new CommandFault(
      `there is no database in ${JSON.stringify(dataDir)}; expected DATA_DIR to name the server's folder`,
    );
  checkDatabaseFile(dataDir);
  try {
    const database = new Driver(source, { timeout: 10_000 });
    database.exec(`vacuum into '${file.replaceAll("'", "''")}'`);
    database.close();
    checkDatabase(file);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandFault(`the database cannot be copied (${reason})`);
  }
}

/** @throws Error for a file that is no undamaged database */
export function checkDatabase(file: string): void {
  const database = new Driver(file, { readonly: true });
  try {
    const [found] = database.prepare("pragma quick_check").all([]) as { quick_check?: string }[];
    if (found?.quick_check !== "ok") throw new Error(String(found?.quick_check));
  } finally {
    database.close();
  }
}
