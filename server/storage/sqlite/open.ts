import { createGate, type Gate } from "../gate.ts";
import { DatabaseUnavailable, type Database, type Queryable } from "../port.ts";
import { openThread, type SqliteThread } from "./thread.ts";

/** Milliseconds; what is not given is as the settings have it by default. */
export interface SqliteOptions {
  /** A read ends after this time. Writes cannot be interrupted; what they may ask for is bounded by its cost. */
  readonly statementTimeout?: number;
}

/**
 * The embedded database: one file, a thread that reads and writes, and one that only reads.
 * @throws Error when the file cannot be opened
 */
export async function openSqlite(
  path: string,
  { statementTimeout = 30_000 }: SqliteOptions = {},
): Promise<Database> {
  const writer = await openThread({ path, readOnly: false, limit: null });
  const reader = await openReader({ path, readOnly: true, limit: statementTimeout }, writer);
  const gate = createGate();
  let closing: Promise<void> | null = null;
  const open = <T>(work: () => Promise<T>): Promise<T> =>
    closing === null ? work() : Promise.reject(new DatabaseUnavailable("The database is closed"));
  const transaction = <T>(work: (tx: Queryable) => Promise<T>): Promise<T> =>
    open(() => gate.exclusive(() => inTransaction(writer, work)));
  return {
    dialect: "sqlite",
    query: (sql, values) => open(() => gate.shared(() => writer.query(sql, values))),
    reads: { query: (sql, values) => open(() => reader.query(sql, values)) },
    transaction,
    migration: transaction,
    close: () => {
      closing ??= closeBoth(writer, reader, gate);
      return closing;
    },
  };
}

/** Writes that are in flight when the database is closed may take this long, in milliseconds, until the last one begins. */
const WRITES_WITHIN = 1000;

async function closeBoth(writer: SqliteThread, reader: SqliteThread, gate: Gate): Promise<void> {
  reader.halt();
  const timer = setTimeout(() => writer.halt(), WRITES_WITHIN);
  await Promise.all([reader.close(), gate.exclusive(() => writer.close())]);
  clearTimeout(timer);
}

async function openReader(
  options: Parameters<typeof openThread>[0],
  writer: SqliteThread,
): Promise<SqliteThread> {
  try {
    return await openThread(options);
  } catch (error) {
    await writer.close();
    throw error;
  }
}

async function inTransaction<T>(tx: Queryable, work: (tx: Queryable) => Promise<T>): Promise<T> {
  await tx.query("begin immediate");
  let result: T;
  try {
    result = await work(tx);
    await tx.query("commit");
  } catch (error) {
    // After a failed commit SQLite may have rolled back by itself: then there is nothing to undo.
    await tx.query("rollback").catch(() => {});
    throw error;
  }
  return result;
}
