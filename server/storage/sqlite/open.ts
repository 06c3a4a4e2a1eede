import { createGate, type Gate } from "../gate.ts";
import { DatabaseUnavailable, type Database, type Queryable } from "../port.ts";
import { openThread, type SqliteThread } from "./thread.ts";

/**
 * The embedded database: one file, a thread that reads and writes, and one that only reads.
 * @throws Error when the file cannot be opened
 */
export async function openSqlite(path: string): Promise<Database> {
  const writer = await openThread({ path, readOnly: false });
  const reader = await openReader(path, writer);
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

async function openReader(path: string, writer: SqliteThread): Promise<SqliteThread> {
  try {
    return await openThread({ path, readOnly: true });
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
