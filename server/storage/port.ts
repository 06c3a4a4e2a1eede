/** The part of the storage that the folders above it may use. */

import type { ChangedRow, RowChange } from "./row-changes.ts";

export type { ChangedRow, RowChange };

/** A value that both databases know. Timestamps are ISO strings, booleans are 0/1 in SQLite. */
export type SqlValue = string | number | bigint | boolean | null | Uint8Array;

export type Row = Readonly<Record<string, unknown>>;

export interface QueryResult {
  readonly rows: readonly Row[];
  /** Rows inserted, updated or deleted; for a select, the number of rows. */
  readonly rowCount: number;
}

/** Runs statements. Placeholders are $1, $2 ... in both dialects. */
export interface Queryable {
  /** @throws StorageFault for a fault of the statement or its values (constraint, bad value), Error for any other. */
  readonly query: (sql: string, values?: readonly SqlValue[]) => Promise<QueryResult>;
}

/**
 * The role and the claims of a transaction. PostgreSQL assumes the role, so that its row-level security decides;
 * SQLite has no roles.
 */
export interface Actor {
  readonly role: "anon" | "authenticated" | "service_role";
  /** The claims of the token as JSON, which policies read as `request.jwt.claims`. */
  readonly claims: string;
}

/** Reports committed changes of the whiteboard's row, made by any process. */
export interface RowChanges {
  /**
   * Reports changes: from when the result resolves until `stop` is called or the database is closed, `listener` gets
   * each change in the order of the commits. An update with a large drawing that is replaced immediately may be left
   * out, since the next one follows; changes missed while the database could not be reached are one. Call it when the
   * table exists. It does not reject while the database is unavailable: changes meanwhile are reported later.
   */
  watch(listener: (change: RowChange) => void): Promise<{ readonly stop: () => void }>;
  /**
   * Returns the columns of the row that a role may select now, in the order of the table; none when the policies hide
   * the row.
   * @param id of the row; null asks only for the columns
   */
  readable(role: Actor["role"], id: string | null): Promise<readonly string[]>;
}

export interface ConnectionUse {
  readonly open: number;
  readonly idle: number;
  /** Callers that wait for a connection. */
  readonly waiting: number;
}

export interface Database extends Queryable {
  readonly dialect: "sqlite" | "postgres";
  /** Returns the present use of the connections, where there are several. */
  readonly use?: () => ConnectionUse;
  /** Returns the size in bytes of the embedded database's write-ahead log. */
  readonly logBytes?: () => number;
  /** Runs single reads: they run beside everything else and delay no write. They show committed data. */
  readonly reads: Queryable;
  /** Runs reads that may take seconds: as `reads`, and they delay none of those. */
  readonly longReads: Queryable;
  readonly rowChanges: RowChanges;
  /**
   * Runs a transaction, all or nothing: it is rolled back when `work` rejects. Do not wait for anything but `tx`
   * inside: it blocks other writers. `work` runs again when PostgreSQL ends it to break a deadlock, a few times at most.
   * Without an actor the statements run with all rights.
   */
  readonly transaction: <T>(work: (tx: Queryable) => Promise<T>, actor?: Actor) => Promise<T>;
  /** Runs a transaction with all rights whose statements may take minutes. */
  readonly migration: <T>(work: (tx: Queryable) => Promise<T>) => Promise<T>;
  /**
   * Closes the database. Resolves after the calls in flight; later calls reject. The embedded database begins no
   * write after a second, and no read at all.
   */
  readonly close: () => Promise<void>;
}

/** One step of a schema's history. A step that was released never changes; a new one is added behind it. */
export interface MigrationStep {
  /** The step's name, unique within its schema, such as `0001_users`. */
  readonly name: string;
  /** SQL for each dialect; several statements may stand in one text. */
  readonly sqlite: string;
  readonly postgres: string;
}
