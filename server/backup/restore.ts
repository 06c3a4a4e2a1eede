/**
 * Restores a backup: an embedded database to its folder, or the content of a PostgreSQL database. The backup itself
 * is only read.
 */

import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { LIMITS } from "../../board/constants.ts";
import { giveToOwner, lockDataDir, prepareDataDir } from "../data-dir.ts";
import type { Logger } from "../process/log.ts";
import { reasonOf } from "../process/start-fault.ts";
import type { Settings } from "../settings/settings.ts";
import { DATABASE_FILE } from "../storage/setup/open.ts";
import { openPostgres } from "../storage/postgres/open.ts";
import { DUMP_FILE, flush, isUnfinished, SECRET_FILES, vacuumInto } from "./backup.ts";
import { CommandFault } from "./command-fault.ts";
import {
  countContents,
  describeContents,
  inspectDatabase,
  inspectDump,
  OWN_TABLES,
  type Contents,
} from "./contents.ts";
import { runProgram } from "./postgres-programs.ts";
import type { StoredRow } from "./restored-row.ts";
import { prevailInFile, prevailInScript, rowOfDatabase } from "./row-access.ts";

/** The beginning of the name of the folder in DATA_DIR in which a restore makes its files. */
const STAGED = "inkpool.restore-";

interface RestoreOptions {
  /** Whether an existing database may be replaced. */
  readonly replace: boolean;
  readonly log: Logger;
}

/**
 * Restores a backup.
 * @returns what was done, as one line
 * @throws CommandFault or StartFault for what the operator can correct
 */
export async function restore(
  { databaseUrl, dataDir }: Pick<Settings, "databaseUrl" | "dataDir">,
  folder: string,
  options: RestoreOptions,
): Promise<string> {
  const path = resolve(folder);
  const name = databaseUrl === null ? DATABASE_FILE : DUMP_FILE;
  checkFiles(path, name);
  prepareDataDir(dataDir);
  try {
    return databaseUrl === null
      ? restoreFiles(path, dataDir, options.replace)
      : await restorePostgres(path, databaseUrl, dataDir, options);
  } finally {
    giveToOwner(dataDir);
  }
}

/**
 * Checks the files.
 * @throws CommandFault unless the folder is a finished backup, before any file of it is opened
 */
function checkFiles(path: string, name: string): void {
  const file = join(path, name);
  if (!exists(file))
    throw new CommandFault(
      `there is no ${file}; expected the folder of a backup of a database of this kind`,
    );
  if (isUnfinished(path))
    throw new CommandFault(
      `${path} is of a backup that was interrupted; expected one that was finished`,
    );
  for (const one of [name, ...SECRET_FILES])
    if (lstatSync(join(path, one), { throwIfNoEntry: false })?.isFile() === false)
      throw new CommandFault(`${join(path, one)} is no regular file; expected one`);
  for (const journal of [`${file}-wal`, `${file}-journal`])
    if (exists(journal))
      throw new CommandFault(
        `${journal} shows that ${name} was copied while it was written, and is not complete; expected the folder of a backup`,
      );
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/**
 * Restores the files. The former ones are copied first, since the restore may be the mistake. Each step is on the disk
 * before the next one, so that a power cut leaves the former files or the restored ones.
 */
function restoreFiles(path: string, dataDir: string, replace: boolean): string {
  const lock = lockDataDir(dataDir);
  // A restore that was killed has left its own.
  for (const name of readdirSync(dataDir))
    if (name.startsWith(STAGED)) rmSync(join(dataDir, name), { recursive: true });
  const staged = mkdtempSync(join(dataDir, STAGED));
  try {
    const target = join(dataDir, DATABASE_FILE);
    if (exists(target) && !replace)
      throw new CommandFault(
        `${JSON.stringify(dataDir)} has a database already; expected --replace, or another DATA_DIR`,
      );
    checkSpace(dataDir, join(path, DATABASE_FILE), replace);
    const contents = prepareDatabase(join(path, DATABASE_FILE), staged, replace ? target : null);
    const ending = keepFiles(dataDir, [...SECRET_FILES, DATABASE_FILE]);
    installSecrets(path, staged, dataDir);
    // A log of the former database would be taken for one of the new file.
    for (const log of ["-wal", "-shm", "-journal"]) rmSync(target + log, { force: true });
    flush(dataDir);
    renameSync(join(staged, DATABASE_FILE), target);
    flush(dataDir);
    const before = ending === "" ? "" : `; what was there ends with ${ending}`;
    return `${target} is as in the backup: ${describeContents(contents)}${before}`;
  } finally {
    rmSync(staged, { recursive: true, force: true });
    lock.release();
  }
}

/** Bytes for the row that prevails over the former one, and for the journal of its write. */
const ROW_BYTES = 2 * LIMITS.canvasBytes;

/**
 * Checks the space: the new database is made of a copy of the backup, and then the former one is copied.
 * @throws CommandFault where a restore would end half-way, with a full disk
 */
function checkSpace(dataDir: string, file: string, replace: boolean): void {
  const { size } = statSync(file);
  const former = [DATABASE_FILE, `${DATABASE_FILE}-wal`].reduce(
    (sum, name) => sum + (statSync(join(dataDir, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
  const needed = size + Math.max(size, former) + (replace ? ROW_BYTES : 0);
  const { bavail, bsize } = statfsSync(dataDir);
  if (bavail * bsize >= needed) return;
  const [free, all] = [Math.floor((bavail * bsize) / 1e6), Math.ceil(needed / 1e6)];
  throw new CommandFault(
    `DATA_DIR ${JSON.stringify(dataDir)} has ${free} MB of free space; expected ${all} MB, since nothing is replaced before all of it is there`,
  );
}

/**
 * Makes a new database of a copy of the file, so that nothing opens the backup's own.
 * @param replaced the database over which its row prevails
 */
function prepareDatabase(file: string, staged: string, replaced: string | null): Contents {
  const copy = join(staged, "copy.db");
  const made = join(staged, DATABASE_FILE);
  copyFileSync(file, copy);
  try {
    inspectDatabase(copy);
  } catch (error) {
    throw new CommandFault(`${file} is damaged (${reasonOf(error)}); expected another backup`);
  }
  if (replaced !== null) prevailInFile(copy, replaced);
  vacuumInto(copy, made);
  rmSync(copy);
  flush(made);
  return inspectDatabase(made);
}

/**
 * Copies the files of the folder, so that they exist at every moment: all, or none where one cannot be copied.
 * Returns the ending of the copies' names; empty when there are none.
 */
function keepFiles(dataDir: string, names: readonly string[]): string {
  const ending = `.before-${new Date().toISOString().replace(/[:.]/g, "-")}`;
  const logs = [`${DATABASE_FILE}-wal`, `${DATABASE_FILE}-journal`];
  const there = [...names, ...logs].filter((name) => existsSync(join(dataDir, name)));
  const copies = there.map((name) => [join(dataDir, name), join(dataDir, name) + ending] as const);
  try {
    for (const [from, to] of copies) copyForOwner(from, to);
  } catch (error) {
    for (const [, to] of copies) rmSync(to, { force: true });
    throw error;
  }
  flush(dataDir);
  return there.length > 0 ? ending : "";
}

/** Copies a file onto the disk, with rights for its owner alone: a plain copy has the rights of the original. */
function copyForOwner(from: string, to: string): void {
  copyFileSync(from, to);
  chmodSync(to, 0o600);
  flush(to);
}

/** Moves the secrets of the backup to their places, each in one step. */
function installSecrets(from: string, staged: string, dataDir: string): void {
  for (const name of SECRET_FILES) {
    if (!exists(join(from, name))) continue;
    copyForOwner(join(from, name), join(staged, name));
    renameSync(join(staged, name), join(dataDir, name));
  }
}

/**
 * The SQL that removes all that is the whiteboard's, also what a later version has made and the backup does not know.
 * It fails where others have built on that.
 */
const REMOVE = `do $$
  declare
    names text;
  begin
    select string_agg(oid::regclass::text, ', ') into names from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relname ~ '^${OWN_TABLES}';
    if names is not null then execute 'drop table ' || names; end if;
    select string_agg(oid::regprocedure::text, ', ') into names from pg_proc
      where pronamespace = 'public'::regnamespace and proname ~ '^canvas_';
    if names is not null then execute 'drop routine ' || names; end if;
  end
$$`;

/** The SQL of the first migration for the schema, whose rights are not in a backup: others may share it. */
const USAGE = "grant usage on schema public to anon, authenticated, service_role";

/**
 * The SQL that takes back the settings of the script, among them an empty search_path: PgBouncer with transaction
 * pooling gives the session to the server.
 */
const RESET = "reset all";

async function restorePostgres(
  path: string,
  url: string,
  dataDir: string,
  options: RestoreOptions,
): Promise<string> {
  const file = join(path, DUMP_FILE);
  const staged = mkdtempSync(join(dataDir, STAGED));
  try {
    const script = await writeScript(file, staged);
    const replaced = await prepareRoles(url, options);
    if (options.replace) await prevailInScript(script, file, replaced);
    const before = options.replace ? ["--command", REMOVE] : [];
    const settings = ["--set=ON_ERROR_STOP=1", "--set=SHOW_CONTEXT=never"];
    const always = ["--no-psqlrc", "--quiet", "--single-transaction", ...settings];
    const content = ["--command", USAGE, "--file", script, "--command", RESET];
    await runProgram("psql", url, [...always, ...before, ...content]);
    keepFiles(dataDir, SECRET_FILES);
    installSecrets(path, staged, dataDir);
    flush(dataDir);
  } finally {
    rmSync(staged, { recursive: true });
  }
  const database = await openPostgres(url, options.log);
  try {
    const contents = describeContents(await countContents(database));
    return `${path} is in the database: ${contents}; start the servers again`;
  } finally {
    await database.close();
  }
}

/** Writes the SQL that makes what a dump has of the whiteboard, and returns the name of its file. */
async function writeScript(file: string, staged: string): Promise<string> {
  const [list, script] = [join(staged, "list"), join(staged, "script.sql")];
  const own = await inspectDump(file).catch((error: unknown) => {
    // A program that cannot be run, or fails, says itself why.
    if (error instanceof CommandFault) throw error;
    throw new CommandFault(`${file} is damaged (${reasonOf(error)}); expected another backup`);
  });
  writeFileSync(list, own);
  const choice = ["--no-owner", "--use-list", list];
  await runProgram("pg_restore", null, [...choice, "--file", script, file]);
  acceptOlderServers(script);
  return script;
}

/** Makes a comment of the setting that pg_restore writes from version 17 on, and a server before that refuses. */
function acceptOlderServers(script: string): void {
  const file = openSync(script, "r+");
  const head = Buffer.alloc(4096);
  readSync(file, head);
  const at = head.indexOf("SET transaction_timeout");
  if (at >= 0) writeSync(file, "--", at);
  closeSync(file);
}

/**
 * Makes the roles, which the rights in a backup name. Returns the row that is there.
 * @throws CommandFault where a drawing would be replaced without permission
 */
async function prepareRoles(
  url: string,
  { replace, log }: RestoreOptions,
): Promise<StoredRow | null> {
  const database = await openPostgres(url, log);
  try {
    const { rows } = await database.query(
      "select to_regclass('canvas_state') is not null as there",
    );
    if (rows[0]?.["there"] === true && !replace)
      throw new CommandFault(
        "the database has a drawing already; expected --replace, or an empty one",
      );
    return await rowOfDatabase(database);
  } finally {
    await database.close();
  }
}
