/** A thread with one connection to the SQLite file, as the thread that serves the sockets uses it. */

import { Worker } from "node:worker_threads";
import { PROJECT_ROOT } from "../../process/root.ts";
import { DatabaseUnavailable, StorageFault } from "../faults.ts";
import type { Queryable, QueryResult } from "../port.ts";
import type { RowChange } from "../row-changes.ts";
import { checkValues } from "../values.ts";
import {
  CLOSED,
  GAVE_WAY,
  type WorkerAnswer,
  type WorkerOptions,
  type WorkerRequest,
} from "./messages.ts";

/** The compiled worker: Node 20 starts none from TypeScript, and tests compile the server first. */
const WORKER = new URL("dist/server/server/storage/sqlite/worker.js", PROJECT_ROOT);

/** Milliseconds that a statement waits for another process which has locked the file. */
export const BUSY_TIMEOUT = 5000;

/** Bytes of the log's file that stay when the log starts again: writes into them need no space on a full disk. */
const LOG_SIZE = 16 * 1024 * 1024;

/** Matches SQLite's codes for a disk that is full or broken, and for a file that is locked, damaged or cannot be written. */
const AWAY = /^SQLITE_(?:FULL|IOERR|BUSY|LOCKED|CANTOPEN|READONLY|CORRUPT|NOTADB|NOMEM|PROTOCOL)/;

/** Runs statements one after the other, in the order of their arrival. */
export interface SqliteThread extends Queryable {
  /** Bytes of the write-ahead log's file after the last statement; 0 for a thread that only reads. */
  readonly logBytes: number;
  /** Resolves when everything requested before is done. A read among it ends when it has run for `within` milliseconds. */
  settle(within: number): Promise<void>;
  /** Begins to call `onChange` with the changes of the whiteboard's row, and with those of other processes within a second. */
  watch(): Promise<void>;
  /** Halts the thread: only a running write comes to its end; a running read rejects, and so do the calls behind them. */
  halt(): void;
  /**
   * Runs all earlier calls, closes the connection and ends the thread. Nothing else may end it, nor the process:
   * libsql aborts the process when a thread is ended during a statement.
   */
  close(): Promise<void>;
}

export interface ThreadOptions extends Pick<WorkerOptions, "path" | "readOnly" | "limit"> {
  /** Called with the changes of the whiteboard's row once `watch` was called. */
  readonly onChange?: (change: RowChange) => void;
}

interface Waiting {
  resolve(result: QueryResult): void;
  reject(error: Error): void;
}

/**
 * Opens a thread.
 * @throws Error when the file cannot be opened
 */
export async function openThread({ onChange, ...given }: ThreadOptions): Promise<SqliteThread> {
  const halted = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const options: WorkerOptions = { ...given, halted, busyTimeout: BUSY_TIMEOUT, logSize: LOG_SIZE };
  // Stack traces of the thread name the sources as well.
  const worker = new Worker(WORKER, { workerData: options, execArgv: ["--enable-source-maps"] });
  const waiting = new Map<number, Waiting>();
  let nextId = 1;
  let stopped: Error | null = null;
  let logBytes = 0;

  const stop = (error: Error): void => {
    stopped ??= error;
    for (const one of waiting.values()) one.reject(error);
    waiting.clear();
  };
  const post = (message: Exclude<WorkerRequest, { kind: "halt" }>): Promise<QueryResult> =>
    new Promise((resolve, reject) => {
      waiting.set(message.id, { resolve, reject });
      worker.postMessage(message);
    });

  worker.on("message", (answer: WorkerAnswer) => {
    if (answer.kind === "log") logBytes = answer.bytes;
    else if (answer.kind === "change") onChange?.(answer.change);
    else settle(waiting, answer);
  });
  await opened(worker);
  worker.on("error", (error) =>
    stop(new DatabaseUnavailable("The database thread failed", { cause: error })),
  );
  worker.on("exit", () => stop(new DatabaseUnavailable("The database is closed")));
  return {
    get logBytes() {
      return logBytes;
    },
    settle: async (within) => {
      if (stopped === null) await post({ kind: "settle", id: nextId++, within });
    },
    query: async (sql, values = []) => {
      if (stopped !== null) throw stopped;
      checkValues(values);
      return post({ kind: "query", id: nextId++, sql, values });
    },
    watch: async () => {
      if (stopped !== null) throw stopped;
      await post({ kind: "watch", id: nextId++ });
    },
    halt: () => {
      Atomics.store(new Int32Array(halted), 0, 1);
      worker.postMessage({ kind: "halt" } satisfies WorkerRequest);
    },
    close: async () => {
      if (stopped === null) await post({ kind: "close", id: nextId++ });
      await worker.terminate();
    },
  };
}

function opened(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.once("message", () => {
      worker.removeListener("error", reject);
      resolve();
    });
    worker.once("error", reject);
  });
}

function settle(
  waiting: Map<number, Waiting>,
  answer: Exclude<WorkerAnswer, { kind: "log" | "change" }>,
): void {
  if (answer.kind === "opened") return;
  const one = waiting.get(answer.id);
  if (one === undefined) return;
  waiting.delete(answer.id);
  switch (answer.kind) {
    case "result":
      one.resolve({ rows: answer.rows, rowCount: answer.rowCount });
      return;
    case "settled":
    case "closed":
      one.resolve({ rows: [], rowCount: 0 });
      return;
    case "fault": {
      const { code, message, constraint, detail } = answer.fault;
      const more = {
        ...(constraint === undefined ? {} : { constraint }),
        ...(detail === undefined ? {} : { detail }),
      };
      one.reject(new StorageFault(code, message, more));
      return;
    }
    case "error": {
      const { message, code, stack } = answer;
      one.reject(
        AWAY.test(code) || code === CLOSED || code === GAVE_WAY
          ? new DatabaseUnavailable(message, { code })
          : Object.assign(new Error(message), code === "" ? { stack } : { code, stack }),
      );
    }
  }
}
