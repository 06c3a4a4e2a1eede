/** The interface of a database, and the refusals that it may make. There are two drivers: SQLite in a worker, and PostgreSQL. */

import type { RowChange } from "./row-changes.ts";

/** A value that both databases know. Timestamps are ISO strings, booleans are 0/1 in SQLite. */
export type SqlValue = string | number | bigint | boolean | null | Uint8Array;

export type Row = Readonly<Record<string, unknown>>;

export interface QueryResult {
  readonly rows: readonly Row[];
  /** The number of rows inserted, updated or deleted; for a select, the number of rows. */
  readonly rowCount: number;
}

/** Runs statements. Placeholders are $1, $2 ... in both dialects. */
export interface Queryable {
  /**
   * Runs a statement. @throws StorageFault for a fault of the statement or its values (constraint, bad value), Error
   * for any other.
   */
  readonly query: (sql: string, values?: readonly SqlValue[]) => Promise<QueryResult>;
}

/** The actor of a transaction. PostgreSQL assumes the role, so that its row-level security decides; SQLite has no roles. */
export interface Actor {
  readonly role: "anon" | "authenticated" | "service_role";
  /** The claims of the token as JSON, which policies read as `request.jwt.claims`. */
  readonly claims: string;
}

/** Reports committed changes of the whiteboard's row, whichever process makes them. */
export interface RowChanges {
  /**
   * Calls `listener` with each change in the order of the commits, from when the result resolves until `stop` is
   * called, or the database is closed. An update with a large drawing that is replaced at once may be left out, since
   * the next one follows; changes that were missed while the database could not be reached are one. Call it when the
   * table exists. It does not reject while the database is unavailable: changes made meanwhile are reported later.
   */
  watch(listener: (change: RowChange) => void): Promise<{ readonly stop: () => void }>;
  /**
   * Returns the columns of the row that a role may select now, in the order of the table; none when the policies hide
   * the row.
   * @param id of the row; null asks for the columns alone
   */
  readable(role: Actor["role"], id: string | null): Promise<readonly string[]>;
}

export interface ConnectionUse {
  readonly open: number;
  readonly idle: number;
  /** The number of callers that wait for a connection. */
  readonly waiting: number;
}

export interface Database extends Queryable {
  readonly dialect: "sqlite" | "postgres";
  /** Returns the present use of the connections, where there are several. */
  readonly use?: () => ConnectionUse;
  /** Returns the bytes of the write-ahead log of the embedded database. */
  readonly logBytes?: () => number;
  /** Runs single reads, beside everything else and without delaying a write. They show committed states. */
  readonly reads: Queryable;
  /** Runs reads that may take seconds, like `reads`, and without delaying any of those. */
  readonly longReads: Queryable;
  readonly rowChanges: RowChanges;
  /**
   * Runs a transaction: all or nothing. It is rolled back when `work` rejects. Do not wait for anything but `tx`
   * inside, since it blocks other writers. Without an actor the statements run with all rights.
   */
  readonly transaction: <T>(work: (tx: Queryable) => Promise<T>, actor?: Actor) => Promise<T>;
  /** Runs a transaction with all rights whose statements may take minutes. */
  readonly migration: <T>(work: (tx: Queryable) => Promise<T>) => Promise<T>;
  /**
   * Closes the database. Resolves after the calls in progress; later calls reject. The embedded database begins no
   * write after a second, and no read at all.
   */
  readonly close: () => Promise<void>;
}

/** A fault that a caller's data caused, with PostgreSQL's SQLSTATE (23505, 23514, 23502, 22P02 ...). */
export class StorageFault extends Error {
  readonly code: string;
  readonly constraint: string | undefined;
  readonly detail: string | undefined;
  constructor(code: string, message: string, more: { constraint?: string; detail?: string } = {}) {
    super(message);
    this.name = "StorageFault";
    this.code = code;
    this.constraint = more.constraint;
    this.detail = more.detail;
  }
}

/**
 * A failure of the database itself: it cannot be reached, has no free connection, or can neither read nor write now.
 * It is nobody's fault, and the same call may work in a few seconds. `code` is the driver's, for the log and for the
 * fault of a start.
 */
export class DatabaseUnavailable extends Error {
  readonly code: string;
  constructor(reason: string, more: { code?: string; cause?: unknown } = {}) {
    super(reason, more.cause === undefined ? {} : { cause: more.cause });
    this.name = "DatabaseUnavailable";
    this.code = more.code ?? "";
  }
}

/** The `Retry-After` for a caller who met a `DatabaseUnavailable`, in seconds. */
export const RETRY_AFTER = "5";
