/** Reports the changes of the whiteboard's row of which PostgreSQL notifies, on a connection of their own. */

import pg from "pg";
import type { Logger } from "../../process/log.ts";
import type { Database, RowChanges } from "../port.ts";
import {
  DRAWING_BYTES,
  ROW_COLUMNS,
  changesBetween,
  type ChangedRow,
  type RowChange,
} from "../row-changes.ts";
import { TYPES } from "./types.ts";

/** The channel of supabase/migrations/20261124000000_row_events.sql. */
const NOTIFICATIONS = "inkpool_row";

/** Milliseconds between two attempts to listen. */
const AGAIN_MS = { from: 250, to: 5_000 } as const;
/** Milliseconds in which a listening connection must answer, and between two looks at the row by it. */
const ALIVE_MS = 10_000;
const LOOK_MS = 1_000;

/** Selects the small columns: a drawing of 10 MB would be read to find out its size. */
const HEAD = `select id::text, version, updated_at from public.canvas_state limit 1`;
const ROW = `select id::text, version, updated_at,
  case when octet_length(canvas_json::text) <= ${DRAWING_BYTES} then canvas_json::text end as drawing
  from public.canvas_state`;

/** Selects the columns that the current role may read. The row's policies decide whether it sees the row. */
const READABLE = `select attname from pg_catalog.pg_attribute
  where attrelid = 'public.canvas_state'::regclass and attnum > 0 and not attisdropped
    and has_column_privilege(attrelid, attnum, 'select')`;

type Queries = Pick<Database, "query" | "transaction">;

/** A notification, as the trigger writes it. */
interface Notice {
  readonly type: "INSERT" | "UPDATE" | "DELETE";
  readonly at: string;
  readonly old_id?: string;
  readonly id?: string;
  readonly version?: number;
  readonly updated_at?: string;
  readonly drawing?: string;
}

export interface PostgresRowChanges extends RowChanges {
  close(): Promise<void>;
}

export function createRowChanges(url: string, database: Queries, log: Logger): PostgresRowChanges {
  const listeners = new Set<(change: RowChange) => void>();
  const publish = (change: RowChange): void => {
    for (const listener of listeners) listener(change);
  };
  const readRow = async (): Promise<ChangedRow | null> => {
    const { rows } = await database.query(`${ROW} limit 1`);
    return toRow(rows[0]);
  };
  let following: Following | null = null;
  return {
    watch: async (listener) => {
      following ??= follow({ url, log, readRow, publish });
      listeners.add(listener);
      await following.begun;
      return { stop: () => listeners.delete(listener) };
    },
    readable: (role, id) => readable(database, role, id),
    close: async () => following?.close(),
  };
}

async function readable(
  database: Queries,
  role: Parameters<RowChanges["readable"]>[0],
  id: string | null,
): Promise<readonly string[]> {
  const claims = JSON.stringify({ role });
  return database.transaction(
    async (tx) => {
      const { rows } = await tx.query(READABLE);
      const allowed = new Set(rows.map((row) => row["attname"]));
      const columns = ROW_COLUMNS.map(({ name }) => name).filter((name) => allowed.has(name));
      if (id === null || !allowed.has("id")) return columns;
      const visible = await tx.query("select 1 from public.canvas_state where id = $1", [id]);
      return visible.rowCount === 0 ? [] : columns;
    },
    { role, claims },
  );
}

interface Following {
  /** Resolves when the first connection listens or was refused. */
  readonly begun: Promise<void>;
  close(): Promise<void>;
}

interface FollowOptions {
  readonly url: string;
  readonly log: Logger;
  readonly readRow: () => Promise<ChangedRow | null>;
  readonly publish: (change: RowChange) => void;
}

/** Listens until it is closed, and again after the connection broke: everything missed is one change. */
function follow({ url, log, ...row }: FollowOptions): Following {
  const order = createOrder(row);
  let isClosed = false;
  let client: pg.Client | null = null;
  let wake: () => void = () => {};
  const listen = async (begun: () => void): Promise<void> => {
    const connection = openClient(url);
    client = connection;
    try {
      const broken = new Promise<void>((resolve) => {
        connection.on("error", () => resolve());
        connection.on("end", () => resolve());
      });
      connection.on("notification", ({ payload }) => {
        order.receive(payload).catch(() => log.warn("a change of the row could not be read"));
      });
      await connection.connect();
      await connection.query(`listen ${NOTIFICATIONS}`);
      await order.catchUp();
      begun();
      await Promise.race([broken, staysAlive(connection, order.look)]);
    } finally {
      await connection.end().catch(() => {});
    }
  };
  const sleep = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  let isAway = false;
  const run = async (begun: () => void): Promise<void> => {
    for (let pause: number = AGAIN_MS.from; !isClosed; pause = Math.min(pause * 2, AGAIN_MS.to)) {
      const listening = (): void => {
        pause = AGAIN_MS.from;
        if (isAway) log.info("changes of the row are reported again");
        isAway = false;
        begun();
      };
      await listen(listening).catch((error: unknown) => {
        if (isClosed || isAway) return;
        isAway = true;
        log.warn("changes of the row are not reported now", { error: String(error) });
      });
      begun();
      if (!isClosed) await sleep(pause);
    }
  };
  let ended: Promise<void> = Promise.resolve();
  const begun = new Promise<void>((resolve) => {
    ended = run(resolve);
  });
  return {
    begun,
    close: async () => {
      isClosed = true;
      wake();
      await client?.end().catch(() => {});
      await ended;
    },
  };
}

/** Brings notifications and reads of the row into one order. */
function createOrder({ readRow, publish }: Pick<FollowOptions, "readRow" | "publish">): {
  readonly receive: (payload: string | undefined) => Promise<void>;
  /** Reports what has changed since the last change that was reported. */
  readonly catchUp: () => Promise<void>;
  /**
   * Compares the present row with the last change that was reported. What differed at the call before, and no
   * notification has reported since, is reported: PgBouncer with transaction pooling delivers none.
   */
  readonly look: (row: ChangedRow | null) => Promise<void>;
} {
  let known: ChangedRow | null | undefined;
  /** The last change that was reported when a look found a later one. */
  let behind: { readonly known: typeof known } | null = null;
  let last: Promise<void> = Promise.resolve();
  const queue = (work: () => Promise<void>): Promise<void> => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };
  const changesTo = (row: ChangedRow | null): readonly RowChange[] =>
    known === undefined ? [] : changesBetween(known, row, new Date().toISOString());
  const differs = (row: ChangedRow | null): boolean =>
    known === undefined || changesTo(row).length > 0;
  const catchUp = async (): Promise<void> => {
    const row = await readRow();
    const missed = changesTo(row);
    known = row;
    for (const change of missed) publish(change);
  };
  return {
    receive: (payload) =>
      queue(async () => {
        const notice = parseNotice(payload);
        const change = notice === null ? null : await completed(notice, readRow);
        if (change === null || !differs(change.row)) return;
        known = change.row;
        publish(change);
      }),
    catchUp: () => queue(catchUp),
    look: (row) =>
      queue(async () => {
        const isBehind = differs(row);
        const isOverdue = isBehind && behind?.known === known;
        behind = isBehind && !isOverdue ? { known } : null;
        if (isOverdue) await catchUp();
      }),
  };
}

function openClient(url: string): pg.Client {
  return new pg.Client({
    connectionString: url,
    application_name: "inkpool changes",
    connectionTimeoutMillis: ALIVE_MS,
    query_timeout: ALIVE_MS,
    keepAlive: true,
    types: TYPES,
  });
}

/** Looks at the row until the connection no longer answers, since a network that is cut gives no notice. */
async function staysAlive(
  connection: pg.Client,
  look: (row: ChangedRow | null) => Promise<void>,
): Promise<void> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS).unref());
    try {
      const { rows } = await connection.query(HEAD);
      await look(toRow(rows[0]));
    } catch {
      return;
    }
  }
}

/** Parses a notification; anything that somebody else sends on the channel is no change. */
function parseNotice(payload: string | undefined): Notice | null {
  try {
    const notice: unknown = JSON.parse(payload ?? "");
    const isNotice = typeof notice === "object" && notice !== null && "type" in notice;
    return isNotice ? (notice as Notice) : null;
  } catch {
    return null;
  }
}

/**
 * Completes a change: a drawing that does not fit into the notification is read. Null when a later change follows,
 * which contains the present row.
 */
async function completed(
  { type, at, old_id, id = "", version = 0, updated_at: updatedAt = "", drawing }: Notice,
  readRow: () => Promise<ChangedRow | null>,
): Promise<RowChange | null> {
  if (type === "DELETE") return { type, oldId: String(old_id), row: null, committedAt: at };
  const row = drawing === undefined ? await readRow() : { id, version, updatedAt, drawing };
  if (row === null || row.id !== id || row.version !== version) return null;
  return { type, oldId: old_id ?? id, row, committedAt: at };
}

function toRow(row: Readonly<Record<string, unknown>> | undefined): ChangedRow | null {
  if (row === undefined) return null;
  const { id, version, updated_at: updatedAt, drawing } = row;
  return {
    id: String(id),
    version: Number(version),
    updatedAt: String(updatedAt),
    drawing: typeof drawing === "string" ? drawing : null,
  };
}
