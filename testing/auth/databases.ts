/**
 * Embedded databases that are used again: opening one starts three threads, which takes longer than most tests of the
 * auth API.
 */

import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Logger } from "../../server/process/log.ts";
import type { ServerEnvironment } from "../../server/port.ts";
import type { Database, Queryable, Row } from "../../server/storage/port.ts";
import { openDatabase } from "../../server/storage/setup/open.ts";

interface Opened {
  readonly database: Database;
  /** The rows of each table of a new database; the auth API's own tables begin empty. */
  readonly first: ReadonlyMap<string, readonly Row[]>;
  /** The log of the present borrower. */
  readonly log: { to: Logger };
}

/** The databases that nobody uses, each with the rows of a new one. */
const free: Opened[] = [];

/**
 * Returns a database without any account, in a folder of its own. `close` returns it for the next borrower, after the
 * calls in flight; later calls reject, as those of any closed database. The settings of the database itself, such as
 * the history's bytes, remain those with which it was opened first.
 */
export async function borrowDatabase(
  settings: ServerEnvironment["settings"],
  log: Logger,
): Promise<Database> {
  const opened = free.pop() ?? (await open(settings, log));
  opened.log.to = log;
  return lend(opened);
}

async function open(settings: ServerEnvironment["settings"], present: Logger): Promise<Opened> {
  const dataDir = mkdtempSync(join(process.env["TEST_DATABASES"] ?? tmpdir(), "inkpool-auth-"));
  const log = { to: present };
  const database = await openDatabase(
    { ...settings, dataDir },
    {
      debug: (...line) => log.to.debug(...line),
      info: (...line) => log.to.info(...line),
      warn: (...line) => log.to.warn(...line),
      error: (...line) => log.to.error(...line),
    },
  );
  const first = new Map<string, readonly Row[]>();
  for (const name of await tablesOf(database))
    first.set(name, (await database.query(`select * from ${name}`)).rows);
  return { database, first, log };
}

function lend(opened: Opened): Database {
  const { database } = opened;
  const calls = new Set<Promise<unknown>>();
  const watchers: { stop(): void }[] = [];
  let closing: Promise<void> | null = null;
  const call = async <T>(work: () => Promise<T>): Promise<T> => {
    if (closing !== null) throw new Error("The database is closed");
    const running = work();
    calls.add(running);
    return running.finally(() => calls.delete(running));
  };
  const through = (on: Queryable): Queryable => ({
    query: (sql, values) => call(() => on.query(sql, values)),
  });
  const giveBack = async (): Promise<void> => {
    for (const watcher of watchers) watcher.stop();
    await Promise.allSettled(calls);
    await empty(opened);
    free.push(opened);
  };
  return {
    ...database,
    ...through(database),
    reads: through(database.reads),
    longReads: through(database.longReads),
    rowChanges: {
      ...database.rowChanges,
      watch: async (listener) => {
        const watcher = await call(() => database.rowChanges.watch(listener));
        watchers.push(watcher);
        return watcher;
      },
    },
    transaction: (work, actor) => call(() => database.transaction(work, actor)),
    migration: (work) => call(() => database.migration(work)),
    close: () => (closing ??= giveBack()),
  };
}

async function tablesOf(database: Queryable): Promise<readonly string[]> {
  const { rows } = await database.query(
    `select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'
      order by name = 'canvas_history'`,
  );
  return rows.map(({ name }) => String(name));
}

/** Gives each table its first rows, and leaves the steps of the schemas, which are up to date. */
async function empty({ database, first }: Opened): Promise<void> {
  const tables = (await tablesOf(database)).filter((name) => name !== "inkpool_migrations");
  await database.transaction(async (tx) => {
    // Other tables add to the history while they are emptied, so that it is the last one.
    for (const name of tables) await tx.query(`delete from ${name}`);
    for (const name of tables)
      for (const row of first.get(name) ?? []) {
        const columns = Object.keys(row);
        const placeholders = columns.map((_, index) => `$${index + 1}`).join();
        const sql = `insert into ${name} (${columns.join()}) values (${placeholders})`;
        await tx.query(sql, Object.values(row) as string[]);
      }
  });
}
