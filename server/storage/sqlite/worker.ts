/** A thread with a connection to the SQLite file. It runs one statement at a time, in the order of arrival. */

import { statSync, type Stats } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import Database from "libsql/promise";
import type { SqlValue } from "../port.ts";
import { translateFault } from "./faults.ts";
import {
  CLOSED,
  GAVE_WAY,
  type WorkerAnswer,
  type WorkerOptions,
  type WorkerRequest,
} from "./messages.ts";
import { prepareText } from "./placeholders.ts";
import { createLook, type LookAtRow } from "./row-watch.ts";

interface Statement {
  readonly reader: boolean;
  /** Reads up to the first row in a thread of the driver's, where `interrupt` reaches it. */
  all(values: readonly unknown[]): Promise<Record<string, unknown>[]>;
  run(values: readonly unknown[]): { changes: number };
}

/**
 * Greatest number of prepared statements that are retained; the table API's texts vary with a request's filters, so
 * the oldest are dropped.
 */
const CACHED_STATEMENTS = 200;

const port = parentPort;
if (port === null) throw new Error("worker.ts runs in a worker thread only");

const { path, readOnly, limit, busyTimeout, logSize, ...shared } = workerData as WorkerOptions;
const halted = new Int32Array(shared.halted);
const database = await open();

async function open(): Promise<Database> {
  try {
    const opened = new Database(path, { timeout: busyTimeout });
    await opened.exec("pragma journal_mode = wal");
    await opened.exec("pragma synchronous = full");
    await opened.exec(`pragma journal_size_limit = ${logSize}`);
    await opened.exec("pragma foreign_keys = on");
    await opened.exec("pragma trusted_schema = off");
    if (readOnly) await opened.exec("pragma query_only = on");
    return opened;
  } catch (error) {
    // An error of the driver's own class crosses the threads without its message and its stack.
    const { message, code, stack } = describe(error);
    throw Object.assign(new Error(message), { code, stack });
  }
}

const statements = new Map<string, Statement>();

function statOf(file: string): Stats | null {
  try {
    return statSync(file);
  } catch {
    return null;
  }
}

const logPath = `${path}-wal`;
const inode = statOf(path)?.ino;
/** The inode of the write-ahead log, which is the same for as long as a process has the database open. */
let logInode: number | undefined;

/**
 * Refuses a write into a file that is no longer at its path: it would vanish with the process. SQLite itself checks
 * this without a write-ahead log only, and never for the log.
 */
function refuseMoved(): void {
  const isLogThere = logInode === undefined || statOf(logPath)?.ino === logInode;
  if (isLogThere && statOf(path)?.ino === inode) return;
  throw Object.assign(
    new Error(
      `The database's ${isLogThere ? "file" : "log"} was moved, removed or replaced; put it back, or restart`,
    ),
    { code: "SQLITE_READONLY_DBMOVED" },
  );
}

async function prepare(sql: string): Promise<Statement> {
  const known = statements.get(sql);
  if (known !== undefined) return known;
  const statement = (await database.prepare(sql)) as Statement;
  const oldest = statements.size >= CACHED_STATEMENTS ? statements.keys().next().value : undefined;
  if (oldest !== undefined) statements.delete(oldest);
  statements.set(sql, statement);
  return statement;
}

/** Converts a value for libsql, which binds every number as a real, and aborts the process on a boolean. */
function bindable(value: SqlValue): unknown {
  if (typeof value === "boolean") return value ? 1n : 0n;
  if (typeof value === "number" && Number.isSafeInteger(value)) return BigInt(value);
  return value;
}

const closed = (): Error => Object.assign(new Error("The database is closed"), { code: CLOSED });

const gaveWay = (): Error =>
  Object.assign(new Error("The read ended for a checkpoint"), { code: GAVE_WAY });

const isHalted = (): boolean => Atomics.load(halted, 0) === 1;

/** An answer, and those of its buffers that are handed over. */
interface Answered {
  readonly message: WorkerAnswer;
  readonly moved: ArrayBuffer[];
}

async function run(request: Extract<WorkerRequest, { kind: "query" }>): Promise<Answered> {
  const { id } = request;
  if (isHalted()) throw closed();
  if (!readOnly && request.sql !== "rollback") refuseMoved();
  const text = prepareText(request.sql);
  if (text.many) {
    if (request.values.length > 0) throw new Error("Several statements take no values");
    await database.exec(text.sql);
    return { message: { kind: "result", id, rows: [], rowCount: 0 }, moved: [] };
  }
  const statement = await prepare(text.sql);
  const values = request.values.map(bindable);
  if (!statement.reader) {
    const rowCount = statement.run(values).changes;
    return { message: { kind: "result", id, rows: [], rowCount }, moved: [] };
  }
  const rows = await allOf(statement, values);
  const moved: ArrayBuffer[] = [];
  for (const row of rows) {
    for (const [name, value] of Object.entries(row)) {
      if (!(value instanceof ArrayBuffer)) continue;
      row[name] = new Uint8Array(value);
      moved.push(value);
    }
  }
  return { message: { kind: "result", id, rows, rowCount: rows.length }, moved };
}

/** Milliseconds between two interrupts: one in the moment in which a statement begins has no effect. */
const AGAIN = 20;

/** A statement that returns rows, while it runs. */
interface Read {
  readonly began: number;
  /** Ends the statement, repeatedly until it has ended. */
  timer?: NodeJS.Timeout;
  gaveWay?: true;
}

let running: Read | null = null;
/** Milliseconds that a read may take while a checkpoint waits for it. */
let patience = Infinity;

/** Returns all rows, unless the time limit or a checkpoint ends the statement. */
async function allOf(
  statement: Statement,
  values: readonly unknown[],
): Promise<Record<string, unknown>[]> {
  const timer = limit === null ? undefined : setTimeout(() => database.interrupt(), limit);
  const read: Read = { began: performance.now() };
  running = read;
  giveWay();
  try {
    return await statement.all(values);
  } catch (error) {
    if (isHalted()) throw closed();
    throw read.gaveWay === true ? gaveWay() : error;
  } finally {
    running = null;
    clearTimeout(timer);
    clearTimeout(read.timer);
  }
}

/** Ends the running read once it has taken as long as the waiting checkpoint allows. */
function giveWay(): void {
  const read = running;
  if (read === null || !readOnly || patience === Infinity) return;
  const end = (): void => {
    read.gaveWay = true;
    database.interrupt();
    read.timer = setTimeout(end, AGAIN);
  };
  clearTimeout(read.timer);
  read.timer = setTimeout(end, Math.max(0, read.began + patience - performance.now()));
}

function answer(message: WorkerAnswer, moved: ArrayBuffer[] = []): void {
  if (!readOnly) noteLog();
  port?.postMessage(message, moved);
}

let look: LookAtRow | null = null;

/** Milliseconds between two checks for changes of another process. */
const LOOK_MS = 1000;

async function watch(): Promise<void> {
  if (look !== null) return;
  const read = async (sql: string): Promise<Record<string, unknown>[]> =>
    (await prepare(sql)).all([]);
  look = createLook(read, () => new Date().toISOString());
  await look();
  setInterval(() => {
    done = done.then(report);
  }, LOOK_MS);
}

/** Reports the changes of the row. A check that fails is made up for by the next one. */
async function report(): Promise<void> {
  // The driver's typings lack the property.
  if (
    look === null ||
    (database as { readonly inTransaction?: boolean }).inTransaction === true ||
    isHalted()
  )
    return;
  for (const change of await look().catch(() => []))
    port?.postMessage({ kind: "change", change } satisfies WorkerAnswer);
}

let logBytes = 0;

/** Reports the size of the write-ahead log, which a statement that failed may have changed as well. */
function noteLog(): void {
  const log = statOf(logPath);
  logInode ??= log?.ino;
  const bytes = log?.size ?? 0;
  if (bytes === logBytes) return;
  logBytes = bytes;
  port?.postMessage({ kind: "log", bytes } satisfies WorkerAnswer);
}

/** Fulfilled once every requested statement is done. */
let done: Promise<void> = Promise.resolve();

let interrupts: NodeJS.Timeout | undefined;

port.on("message", (request: WorkerRequest) => {
  if (request.kind === "halt") {
    // A running write comes to its end.
    if (readOnly) interrupts ??= setInterval(() => database.interrupt(), AGAIN);
    return;
  }
  if (request.kind === "settle") {
    patience = request.within;
    giveWay();
  }
  done = done.then(() => serve(request));
});

async function serve(request: Exclude<WorkerRequest, { kind: "halt" }>): Promise<void> {
  if (request.kind === "settle") {
    patience = Infinity;
    answer({ kind: "settled", id: request.id });
    return;
  }
  if (request.kind === "close") {
    clearInterval(interrupts);
    database.close();
    answer({ kind: "closed", id: request.id });
    port?.close();
    return;
  }
  try {
    if (request.kind === "watch") {
      await watch();
      answer({ kind: "settled", id: request.id });
      return;
    }
    const answered = await run(request);
    await report();
    answer(answered.message, answered.moved);
  } catch (error) {
    const { message, code, stack } = describe(error);
    const fault = translateFault(message, code);
    answer(
      fault === null
        ? { kind: "error", id: request.id, message, code, stack }
        : { kind: "fault", id: request.id, fault },
    );
  }
}

function describe(error: unknown): { message: string; code: string; stack: string } {
  if (!(error instanceof Error)) return { message: String(error), code: "", stack: "" };
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  return { message: error.message, code, stack: error.stack ?? "" };
}

answer({ kind: "opened" });
