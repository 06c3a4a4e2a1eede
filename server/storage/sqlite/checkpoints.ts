/**
 * Keeps the write-ahead log small. SQLite's own checkpoints empty it only while nobody reads, which never happens when
 * reads follow each other without a pause.
 */

import { createGate, type Gate } from "../gate.ts";
import { DatabaseUnavailable } from "../faults.ts";
import type { Queryable, QueryResult } from "../port.ts";
import { BUSY_TIMEOUT, type SqliteThread } from "./thread.ts";

/**
 * Bytes of the log's file from which a checkpoint is due, and from which writes wait for it. A save of 10 MB writes
 * up to 21 MB, and two may have been sent to the thread when the next ones begin to wait.
 */
const LOG_LIMIT = { due: 24 * 1024 * 1024, waits: 48 * 1024 * 1024 } as const;

/** Milliseconds that a read may take while a checkpoint waits for it. SQLite ends none within the match of a pattern. */
const PATIENCE = 1000;

/** The thread of a reader, whose reads can be withheld. */
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

export interface CheckpointDependencies {
  readonly writer: SqliteThread;
  /** The gate of the writer. */
  readonly gate: Gate;
  readonly reads: HeldReads;
  readonly longReads: HeldReads;
}

/** Returns a function that runs a write, and begins a checkpoint after it when one is due. */
export function createCheckpoints(
  dependencies: CheckpointDependencies,
): <T>(write: () => Promise<T>) => Promise<T> {
  const { writer, gate, reads, longReads } = dependencies;
  let due: number = LOG_LIMIT.due;
  let running: Promise<void> | null = null;
  /** Bytes of the log when a checkpoint found no space: while they are the same, the next one would find none either. */
  let stuckAt = 0;
  const run = async (): Promise<void> => {
    try {
      // Everything else continues while a long read comes to its end.
      const isDone = await longReads.without(() => gate.exclusive(() => checkpoint(writer, reads)));
      // The next write cuts the file. If another process reads, the next attempt follows when the log has grown once
      // more.
      due = Math.max(LOG_LIMIT.due, writer.logBytes + (isDone ? 0 : LOG_LIMIT.due));
    } catch {
      // The disk is full, or the database closed.
      stuckAt = writer.logBytes;
      due = Math.max(LOG_LIMIT.due, stuckAt);
    } finally {
      running = null;
    }
  };
  return async (write) => {
    if (running !== null && writer.logBytes > LOG_LIMIT.waits) await running;
    try {
      return await write();
    } catch (error) {
      // The log may have space inside, and a checkpoint lets it start again.
      if (isFull(error) && writer.logBytes !== stuckAt) due = 0;
      throw error;
    } finally {
      if (writer.logBytes < LOG_LIMIT.due) due = Math.min(due, LOG_LIMIT.due);
      if (running === null && writer.logBytes > due) running = run();
    }
  };
}

/**
 * Writes the log's pages into the database's file, so that the next write starts the log again and cuts its file.
 * Returns false when another process keeps the log in use. The busy timeout is off meanwhile: our own reads are
 * withheld, and nobody should wait for those of another process.
 * @param reads The readers of this process; none before there are any.
 * @throws DatabaseUnavailable when the database's file has to grow on a full disk
 */
export async function checkpoint(writer: SqliteThread, reads?: HeldReads): Promise<boolean> {
  const restart = (): Promise<QueryResult> => writer.query("pragma wal_checkpoint(restart)");
  // It follows the writes that were sent to the thread, for which no read has to wait.
  await writer.query("pragma busy_timeout = 0");
  try {
    const { rows } = await (reads === undefined ? restart() : reads.without(restart));
    return rows[0]?.["busy"] === 0;
  } finally {
    await writer.query(`pragma busy_timeout = ${BUSY_TIMEOUT}`);
  }
}

const FULL = /^SQLITE_(?:FULL|IOERR)/;

/** Whether the error says that the disk has no space: SQLITE_FULL, or an error of input and output where SQLite maps a file. */
export function isFull(error: unknown): boolean {
  return error instanceof DatabaseUnavailable && FULL.test(error.code);
}
