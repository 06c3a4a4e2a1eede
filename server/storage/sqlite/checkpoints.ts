/**
 * Keeps the write-ahead log small. SQLite's own checkpoints empty it only while nobody reads, which never happens when
 * reads follow each other without a pause.
 */

import { createGate, type Gate } from "../gate.ts";
import { DatabaseUnavailable, type Queryable } from "../port.ts";
import { BUSY_TIMEOUT, type SqliteThread } from "./thread.ts";

/**
 * Bytes of the log's file after which a checkpoint is due. A save of 10 MB writes up to 21 MB, and two may be on their
 * way to the thread when it is decided.
 */
const LOG_LIMIT = 24 * 1024 * 1024;

/** Milliseconds that a read may take while a checkpoint waits for it. */
const PATIENCE = 1000;

/** The thread of a reader, with a way to hold its reads back. */
export interface HeldReads extends Queryable {
  /** Runs `work` while the thread reads nothing: a read that has run for a second ends, and the next ones wait. */
  without<T>(work: () => Promise<T>): Promise<T>;
}

export function createHeldReads(thread: SqliteThread): HeldReads {
  const gate = createGate();
  return {
    query: (sql, values) => gate.shared(() => thread.query(sql, values)),
    without: (work) =>
      gate.exclusive(async () => {
        await thread.settle(PATIENCE);
        return work();
      }),
  };
}

export interface CheckpointParts {
  readonly writer: SqliteThread;
  /** The gate of the writer. */
  readonly gate: Gate;
  readonly reads: HeldReads;
  readonly longReads: HeldReads;
}

/** Returns a function that passes a write's outcome on, and begins a checkpoint behind it when one is due. */
export function createCheckpoints(parts: CheckpointParts): <T>(write: Promise<T>) => Promise<T> {
  const { writer, gate, reads, longReads } = parts;
  let due = LOG_LIMIT;
  let isRunning = false;
  /** Bytes of the log when a checkpoint found no space: as long as that is so, the next one would find none either. */
  let stuckAt = 0;
  const run = async (): Promise<void> => {
    isRunning = true;
    try {
      // Short reads go on while a long one comes to its end.
      const isDone = await gate.exclusive(() =>
        longReads.without(() => reads.without(() => checkpoint(writer))),
      );
      // Another process reads or writes: the next try comes when the log has grown once more.
      due = isDone ? LOG_LIMIT : writer.logBytes + LOG_LIMIT;
    } catch {
      // The disk is full, or the database closed.
      stuckAt = writer.logBytes;
      due = Math.max(LOG_LIMIT, stuckAt);
    } finally {
      isRunning = false;
    }
  };
  return async (write) => {
    try {
      return await write;
    } catch (error) {
      // The log may have space inside: a checkpoint lets it begin anew.
      if (isFull(error) && writer.logBytes !== stuckAt) due = 0;
      throw error;
    } finally {
      if (!isRunning && writer.logBytes > due) void run();
    }
  };
}

/**
 * Writes the log's pages into the database's file, so that the next write begins the log anew and cuts its file. Returns
 * false when another process keeps the log in use. The busy timeout is off meanwhile: our own reads are held, and nobody
 * is to wait for those of another process.
 * @throws DatabaseUnavailable when the database's file has to grow on a full disk
 */
export async function checkpoint(writer: SqliteThread): Promise<boolean> {
  await writer.query("pragma busy_timeout = 0");
  try {
    const { rows } = await writer.query("pragma wal_checkpoint(restart)");
    return rows[0]?.["busy"] === 0;
  } finally {
    await writer.query(`pragma busy_timeout = ${BUSY_TIMEOUT}`);
  }
}

const FULL = /^SQLITE_(?:FULL|IOERR)/;

/** Whether the disk has no space: SQLite calls it SQLITE_FULL, or an error of input and output where it maps a file. */
export function isFull(error: unknown): boolean {
  return error instanceof DatabaseUnavailable && FULL.test(error.code);
}
