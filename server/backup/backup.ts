/** Copies the database, in its state at one moment, and the keys into a folder; the server may run meanwhile. */

import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import Driver from "libsql";
import { checkDatabaseFile, makeFolder } from "../data-dir.ts";
import { errorCode, reasonOf } from "../process/start-fault.ts";
import type { Settings } from "../settings/settings.ts";
import { DATABASE_FILE } from "../storage/setup/open.ts";
import { CommandFault } from "./command-fault.ts";
import { inspectDatabase, inspectDump, OWN_TABLES } from "./contents.ts";
import { runProgram } from "./postgres-programs.ts";

/** The file of a backup with PostgreSQL's content. */
export const DUMP_FILE = "inkpool.dump";

/** The files beside the database: without them sessions, codes and keys of the backup would be useless. */
export const SECRET_FILES = ["keys.json", "auth.key"] as const;

/** The text between the name of a backup and six letters, until the backup is complete. */
const UNFINISHED = ".unfinished-";

/** Whether a folder is the remainder of an interrupted backup. */
export function isUnfinished(folder: string): boolean {
  return /\.unfinished-\w{6}$/.test(folder);
}

/**
 * Makes a backup.
 * @param folder is made, and must not be there; it has its name when everything is in it and on the disk
 * @returns what was done, as one line
 * @throws CommandFault for what the operator can correct; then there is no folder
 */
export async function backUp(
  { databaseUrl, dataDir }: Pick<Settings, "databaseUrl" | "dataDir">,
  folder: string,
): Promise<string> {
  const path = resolve(folder);
  process.umask(0o077);
  refuseExisting(path);
  makeFolder(dirname(path));
  const unfinished = mkdtempSync(path + UNFINISHED);
  try {
    const file = join(unfinished, databaseUrl === null ? DATABASE_FILE : DUMP_FILE);
    if (databaseUrl === null) copySqlite(dataDir, file);
    else await dumpPostgres(databaseUrl, file);
    for (const name of SECRET_FILES) {
      if (!existsSync(join(dataDir, name))) continue;
      copyFileSync(join(dataDir, name), join(unfinished, name));
      chmodSync(join(unfinished, name), 0o600);
    }
    const { size } = statSync(file);
    for (const name of [...readdirSync(unfinished), ""]) flush(join(unfinished, name));
    refuseExisting(path);
    renameSync(unfinished, path);
    flush(dirname(path));
    return `${path}: ${size} bytes of the database`;
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    throw error;
  }
}

function refuseExisting(path: string): void {
  if (existsSync(path))
    throw new CommandFault(`${JSON.stringify(path)} is there already; expected a new folder`);
}

/** Waits until a file, or the names in a folder, are on the disk. */
export function flush(path: string): void {
  const opened = openSync(path, "r");
  fsyncSync(opened);
  closeSync(opened);
}

/** Copies the embedded database: VACUUM INTO reads one state of it, whatever is written meanwhile, and hinders no save. */
function copySqlite(dataDir: string, file: string): void {
  const source = join(dataDir, DATABASE_FILE);
  if (!existsSync(source))
    throw new CommandFault(
      `there is no database in ${JSON.stringify(dataDir)}; expected DATA_DIR to name the server's folder`,
    );
  checkDatabaseFile(dataDir);
  try {
    vacuumInto(isFixed(dataDir) ? `${pathToFileURL(source).href}?immutable=1` : source, file);
    inspectDatabase(file);
  } catch (error) {
    throw new CommandFault(`the database cannot be copied (${reasonOf(error)})`);
  }
}

/**
 * Whether nobody can change the database, as on the read-only disk of a snapshot. Without that knowledge SQLite makes a
 * log beside the file, which such a disk refuses; a log that is there has to be read.
 */
function isFixed(dataDir: string): boolean {
  if (existsSync(join(dataDir, `${DATABASE_FILE}-wal`))) return false;
  try {
    accessSync(dataDir, constants.W_OK);
    return false;
  } catch (error) {
    return errorCode(error) === "EROFS";
  }
}

/** Writes the content of a database into a new file. */
export function vacuumInto(source: string, file: string): void {
  const database = new Driver(source, { timeout: 10_000 });
  try {
    database.exec(`vacuum into '${file.replaceAll("'", "''")}'`);
  } finally {
    database.close();
  }
}

/** Selects an option for each foreign relation in the schema: pg_dump can choose tables, but then leaves out functions. */
const WITHOUT_FOREIGN = `select format('--exclude-table=public.%I', relname) from pg_catalog.pg_class
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f', 'S')
  and relname !~ '^${OWN_TABLES}'`;

async function dumpPostgres(url: string, file: string): Promise<void> {
  const query = ["--no-psqlrc", "--tuples-only", "--no-align", "--record-separator-zero"];
  const text = await runProgram("psql", url, [...query, "--command", WITHOUT_FOREIGN]);
  const without = text.split("\0").filter((option) => option.startsWith("--"));
  const own = ["--schema=public", ...without];
  await runProgram("pg_dump", url, ["--format=custom", "--no-owner", ...own, "--file", file]);
  try {
    await inspectDump(file);
  } catch (error) {
    throw new CommandFault(`the database cannot be copied (${reasonOf(error)})`);
  }
}
