import { Worker } from "node:worker_threads";
import { PROJECT_ROOT } from "../../root.ts";
import { createGate } from "../gate.ts";
import {
  StorageFault,
  type Database,
  type Queryable,
  type QueryResult,
  type SqlValue,
} from "../port.ts";
import { checkValues } from "../values.ts";
import type { WorkerAnswer, WorkerOptions, WorkerRequest } from "./messages.ts";

/** Always the compiled file: Node 20 starts no worker from TypeScript, and tests compile the server first. */
const WORKER = new URL("dist/server/server/storage/sqlite/worker.js", PROJECT_ROOT);

interface Waiting {
  resolve(result: QueryResult): void;
  reject(error: Error): void;
}

/**
 * The embedded database: one file, one worker thread, one connection.
 * @throws Error when the file cannot be opened
 */
export async function openSqlite(path: string): Promise<Database> {
  const options: WorkerOptions = { path };
  // A stack of the thread names the sources as well.
  const worker = new Worker(WORKER, { workerData: options, execArgv: ["--enable-source-maps"] });
  const waiting = new Map<number, Waiting>();
  const gate = createGate();
  let nextId = 1;
  let stopped: Error | null = null;

  const stop = (error: Error): void => {
    stopped ??= error;
    for (const one of waiting.values()) one.reject(error);
    waiting.clear();
  };

  const post = (message: WorkerRequest): Promise<QueryResult> =>
    new Promise((resolve, reject) => {
      waiting.set(message.id, { resolve, reject });
      worker.postMessage(message);
    });

  const query = async (sql: string, values: readonly SqlValue[] = []): Promise<QueryResult> => {
    if (stopped !== null) throw stopped;
    checkValues(values);
    return post({ kind: "query", id: nextId++, sql, values });
  };

  await opened(worker);
  worker.on("message", (answer: WorkerAnswer) => settle(waiting, answer));
  worker.on("error", (error) => stop(new Error("The database thread failed", { cause: error })));
  worker.on("exit", () => stop(new Error("The database is closed")));

  const tx: Queryable = { query };
  let closing: Promise<void> | null = null;
  return {
    dialect: "sqlite",
    query: (sql, values) =>
      closing === null ? gate.shared(() => query(sql, values)) : Promise.reject(closedError()),
    transaction: (work) =>
      closing === null
        ? gate.exclusive(() => inTransaction(tx, work))
        : Promise.reject(closedError()),
    close: () => {
      closing ??= gate.exclusive(async () => {
        if (stopped === null) await post({ kind: "close", id: nextId++ });
        await worker.terminate();
      });
      return closing;
    },
  };
}

function closedError(): Error {
  return new Error("The database is closed");
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

function opened(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.once("message", () => {
      worker.removeListener("error", reject);
      resolve();
    });
    worker.once("error", reject);
  });
}

function settle(waiting: Map<number, Waiting>, answer: WorkerAnswer): void {
  if (answer.kind === "opened") return;
  const one = waiting.get(answer.id);
  if (one === undefined) return;
  waiting.delete(answer.id);
  switch (answer.kind) {
    case "result":
      one.resolve({ rows: answer.rows, rowCount: answer.rowCount });
      return;
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
      one.reject(Object.assign(new Error(message), code === "" ? { stack } : { code, stack }));
    }
  }
}
