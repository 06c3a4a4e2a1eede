import { createGate, type Gate } from "../gate.ts";
import { DatabaseUnavailable } from "../faults.ts";
import type { Database, Queryable } from "../port.ts";
import { ROW_COLUMNS, type RowChange } from "../row-changes.ts";
import { checkpoint, createCheckpoints, createHeldReads, isFull } from "./checkpoints.ts";
import { openThread, type SqliteThread } from "./thread.ts";

/** The options, in milliseconds; an absent one has the default of the settings. */
export interface SqliteOptions {
  /** The time after which a read ends. Writes cannot be interrupted, but their cost is bounded. */
  readonly statementTimeout?: number;
}

/**
 * Opens the embedded database: one file, a thread that reads and writes, and two that only read, one of them for
 * reads that take long.
 * @throws Error when the file cannot be opened
 */
export async function openSqlite(
  path: string,
  { statementTimeout = 30_000 }: SqliteOptions = {},
): Promise<Database> {
  const listeners = new Set<(change: RowChange) => void>();
  const onChange = (change: RowChange): void => {
    for (const listener of listeners) listener(change);
  };
  const threads = await openThreads(path, statementTimeout, onChange);
  const { writer } = threads;
  const gate = createGate();
  const reads = createHeldReads(threads.reader);
  const longReads = createHeldReads(threads.longReader);
  const checkpointing = createCheckpoints({ writer, gate, reads, longReads });
  let closing: Promise<void> | null = null;
  const open = <T>(work: () => Promise<T>): Promise<T> =>
    closing === null ? work() : Promise.reject(new DatabaseUnavailable("The database is closed"));
  const transaction = <T>(work: (tx: Queryable) => Promise<T>): Promise<T> =>
    open(() => checkpointing(() => gate.exclusive(() => inTransaction(writer, work))));
  return {
    dialect: "sqlite",
    logBytes: () => writer.logBytes,
    query: (sql, values) =>
      open(() => checkpointing(() => gate.shared(() => writer.query(sql, values)))),
    reads: { query: (sql, values) => open(() => reads.query(sql, values)) },
    longReads: { query: (sql, values) => open(() => longReads.query(sql, values)) },
    rowChanges: {
      watch: async (listener) => {
        await open(() => writer.watch());
        listeners.add(listener);
        return { stop: () => listeners.delete(listener) };
      },
      // The embedded database has no roles: the table API lets each of them read the row.
      readable: () => Promise.resolve(ROW_COLUMNS.map(({ name }) => name)),
    },
    transaction,
    migration: transaction,
    close: () => {
      closing ??= closeAll(threads, gate);
      return closing;
    },
  };
}

interface Threads {
  readonly writer: SqliteThread;
  readonly reader: SqliteThread;
  readonly longReader: SqliteThread;
}

/** Milliseconds until the last write begins that was requested before the database is closed. */
const WRITES_WITHIN = 1000;

/**
 * Closes the writer last. Of connections that close at the same moment each finds another one open and leaves the log,
 * without which the file lacks the last writes.
 */
async function closeAll({ writer, reader, longReader }: Threads, gate: Gate): Promise<void> {
  reader.halt();
  longReader.halt();
  const timer = setTimeout(() => writer.halt(), WRITES_WITHIN);
  const readers = Promise.all([reader.close(), longReader.close()]);
  const closeWriter = async (): Promise<void> => {
    await readers;
    await writer.close();
  };
  await Promise.all([readers, gate.exclusive(closeWriter)]);
  clearTimeout(timer);
}

/** Opens the threads. The remains of a killed process in the log are written into the file before anybody reads. */
async function openThreads(
  path: string,
  limit: number,
  onChange: (change: RowChange) => void,
): Promise<Threads> {
  const opened: SqliteThread[] = [];
  const one = async (readOnly: boolean): Promise<SqliteThread> => {
    const thread = await openThread({ path, readOnly, limit: readOnly ? limit : null, onChange });
    opened.push(thread);
    return thread;
  };
  try {
    const writer = await one(false);
    await checkpoint(writer).catch(unlessFull);
    return { writer, reader: await one(true), longReader: await one(true) };
  } catch (error) {
    await Promise.all(opened.map((thread) => thread.close()));
    throw error;
  }
}

/** Ignores a full disk: a log that has to stay is still readable. */
function unlessFull(error: unknown): void {
  if (!isFull(error)) throw error;
}

async function inTransaction<T>(tx: Queryable, work: (tx: Queryable) => Promise<T>): Promise<T> {
  await tx.query("begin immediate");
  let result: T;
  try {
    result = await work(tx);
    await tx.query("commit");
  } catch (error) {
    // After a failed commit SQLite may have rolled back by itself, and there is nothing to undo.
    await tx.query("rollback").catch(() => {});
    throw error;
  }
  return result;
}
