/** The table of the drawing, read and written over @supabase/postgrest-js. */

import {
  HISTORY_TABLE,
  SETTINGS_TABLE,
  SIZE_CHECK,
  TABLE,
  TEXTS,
} from "../../../board/constants.ts";
import { isRecord } from "../../../board/json.ts";
import type { Backend, DrawingText, Fault, Result, RowVersion } from "../environment/backend.ts";
import type { TableClient } from "./clients.ts";
import { PART, type BodySubstitution } from "./request-body.ts";

/** A call is given up when nothing arrives for this many milliseconds, and some more for each byte that it sends. */
const CALL_LIMIT = 20_000;
/** Milliseconds for a byte at 400 kbit/s, and at 50 kbit/s: doubled by each call with a body that was given up. */
const FIRST_PER_BYTE = 0.02;
const MAX_PER_BYTE = 0.16;

/** Sends a request with a time limit, and puts its outcome into the port's words. `bytes`: what it sends, for the limit. */
export type Call = <T>(
  request: TableRequest,
  read: (data: unknown) => T,
  bytes?: number,
) => Promise<Result<T>>;

/** A request of the client library, which is sent when it is awaited. */
export interface TableRequest extends PromiseLike<Outcome> {
  abortSignal(signal: AbortSignal): TableRequest;
  retry(enabled: boolean): TableRequest;
}

/** The answer of the client library. */
export interface Outcome {
  readonly data: unknown;
  readonly error: { readonly message: string; readonly code?: string } | null;
  readonly status: number;
}

/** Calls end when `closing` is aborted. */
export function createCall(closing: AbortSignal): Call {
  let perByte = FIRST_PER_BYTE;
  return async (request, read, bytes = 0) => {
    const limit = new AbortController();
    const giveUp = (): void => {
      if (bytes > 0 && perByte < MAX_PER_BYTE) perByte *= 2;
      limit.abort();
    };
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = (): void => {
      clearTimeout(timer);
      timer = setTimeout(giveUp, CALL_LIMIT + bytes * perByte);
    };
    wait();
    const signal = AbortSignal.any([closing, limit.signal]);
    signal.addEventListener(PART, wait);
    // A request that waits for a token has not been sent, and would not end by the signal.
    const ended = new Promise<never>((_, reject) => {
      signal.onabort = () => reject(signal.reason as Error);
    });
    try {
      const answer = request.abortSignal(signal).retry(false);
      const { data, error, status } = await Promise.race([answer, ended]);
      return error ? { ok: false, fault: toFault(error, status) } : { ok: true, value: read(data) };
    } catch (error) {
      return { ok: false, fault: { kind: "network", message: String(error) } };
    } finally {
      clearTimeout(timer);
      // Otherwise the page's own signal would keep the answer.
      signal.onabort = null;
    }
  };
}

const DUPLICATE = "23505";
/** PostgREST's and PostgreSQL's codes for a table that is not there. */
const NO_TABLE: ReadonlySet<string> = new Set(["PGRST205", "42P01"]);

/**
 * Status 0: no response at all. Below 400: something that is no JSON, as of the sign-in page of a public network. From
 * 502 on: a proxy says that the backend is away.
 */
function toFault(
  error: { readonly message: string; readonly code?: string },
  status: number,
): Fault {
  const { message, code = "" } = error;
  if (status < 400 || status > 501) return { kind: "network", message };
  if (message.includes(TEXTS.locked)) return { kind: "locked", message };
  if (code.startsWith("visitor_")) return { kind: "limited", message };
  if (message.includes(SIZE_CHECK)) return { kind: "size", message };
  if (NO_TABLE.has(code)) return { kind: "missing", message };
  return { kind: code === DUPLICATE ? "duplicate" : "refused", message };
}

/** Returns what was found, or null where the project does not have that table. */
export function orMissing<T>(found: Result<T>): Result<T | null> {
  return !found.ok && found.fault.kind === "missing" ? { ok: true, value: null } : found;
}

type Columns = Readonly<Record<string, unknown>>;

/**
 * The first row of a response that lists rows.
 * @throws TypeError for one that lists none, such as an empty text of a proxy, which says nothing about the table
 */
export function firstRow(data: unknown): Columns | null {
  const [row] = data as readonly unknown[];
  return isRecord(row) ? row : null;
}

/** The drawing in the first row of such a response; null where there is none. */
export function firstDrawing(data: unknown, bodies: BodySubstitution): unknown {
  const row = firstRow(data);
  return row ? bodies.drawingOf(row["canvas_json"]) : null;
}

/** The known part of the schema: an older project has no column `version`. */
export interface Schema {
  versions: boolean;
}

type RowCalls = Pick<
  Backend,
  "load" | "peek" | "findId" | "loadReplaced" | "update" | "insert" | "readLock"
>;

export function createRowCalls(
  client: TableClient,
  call: Call,
  bodies: BodySubstitution,
  schema: Schema,
): RowCalls {
  const newest = (columns: string) =>
    client.from(TABLE).select(columns).order("updated_at", { ascending: false }).limit(1);
  const save = async (text: DrawingText, request: (drawing: string) => TableRequest) => {
    const drawing = bodies.enter(text);
    const saved = await call(request(drawing), firstVersion, text.bytes);
    bodies.leave(drawing);
    return saved;
  };
  return {
    // Not single(): an empty table would be a 406, which browsers write to the console as an error.
    load: () =>
      call(newest("*"), (data) => {
        const row = firstRow(data);
        if (!row) return null;
        const version = toVersion(row);
        schema.versions = version.version !== null;
        return { ...version, json: bodies.drawingOf(row["canvas_json"]) };
      }),
    peek: () => call(newest(versionColumns(schema)), firstVersion),
    findId: () =>
      call(client.from(TABLE).select("id").limit(1), (data) => {
        const row = firstRow(data);
        return row ? String(row["id"]) : null;
      }),
    loadReplaced: (version) =>
      call(
        client
          .from(HISTORY_TABLE)
          .select("canvas_json")
          .eq("version", version)
          .order("id", { ascending: false })
          .limit(1),
        (data) => firstDrawing(data, bodies),
      ),
    update: (version, text, updatedAt, force = false) =>
      save(text, (drawing) => update(client, { version, drawing, updatedAt, force })),
    insert: (text) => save(text, (drawing) => insert(client, drawing)),
    async readLock() {
      const select = client.from(SETTINGS_TABLE).select("locked").limit(1);
      return orMissing(await call(select, (data) => firstRow(data)?.["locked"] === true));
    },
  };
}

function versionColumns({ versions }: Schema): string {
  return versions ? "id,updated_at,version" : "id,updated_at";
}

interface Update {
  readonly version: RowVersion;
  /** The placeholder of the drawing. */
  readonly drawing: string;
  readonly updatedAt: string;
  readonly force: boolean;
}

/** The database's own count is the guard where there is one: a client may write any time into `updated_at`. */
export function update(client: TableClient, { version, drawing, updatedAt, force }: Update) {
  const { id, updatedAt: updated_at, version: count } = version;
  const guard = count === null ? { updated_at } : { version: count };
  return client
    .from(TABLE)
    .update({ canvas_json: drawing, updated_at: updatedAt })
    .match({ id, ...(!force && guard) })
    .select(versionColumns({ versions: count !== null }));
}

export function insert(client: TableClient, drawing: string) {
  return client.from(TABLE).insert({ canvas_json: drawing }).select("id,updated_at");
}

export function firstVersion(data: unknown): RowVersion | null {
  const row = firstRow(data);
  return row && toVersion(row);
}

function toVersion(row: Columns): RowVersion {
  const { id, updated_at: updatedAt, version } = row;
  return {
    id: String(id),
    updatedAt: String(updatedAt),
    version: typeof version === "number" ? version : null,
  };
}
