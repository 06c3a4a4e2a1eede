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
  /** @throws StorageFault for what the statement or its values caused (constraint, bad value), Error for the rest. */
  readonly query: (sql: string, values?: readonly SqlValue[]) => Promise<QueryResult>;
}

/** Who a transaction is for. PostgreSQL takes on the role, so that its row-level security decides; SQLite has no roles. */
export interface Actor {
  readonly role: "anon" | "authenticated" | "service_role";
  /** The claims of the token as JSON, which policies read as `request.jwt.claims`. */
  readonly claims: string;
}

/** Reports committed changes of the whiteboard's row, by whatever process. */
export interface RowChanges {
  /**
   * From when the result resolves until `stop` is called, or the database is closed, `listener` gets each change in the
   * order of the commits. An update with a large drawing that is replaced at once may be left out, since the next one
   * follows; those that were missed while the database could not be reached are one. Call it when the
   * table exists. It does not reject while the database is away: what changes meanwhile is reported later.
   */
  watch(listener: (change: RowChange) => void): Promise<{ readonly stop: () => void }>;
  /**
   * The columns of the row that a role may select now, in the order of the table; none when the policies hide the row.
   * @param id of the row; null asks for the columns alone
   */
  readable(role: Actor["role"], id: string | null): Promise<readonly string[]>;
}

export interface ConnectionUse {
  readonly open: number;
  readonly idle: number;
  /** Callers that wait for one. */
  readonly waiting: number;
}

export interface Database extends Queryable {
  readonly dialect: "sqlite" | "postgres";
  /** How the connections are used now, where there are several. */
  readonly use?: () => ConnectionUse;
  /** Bytes of the write-ahead log of the embedded database. */
  readonly logBytes?: () => number;
  /** For single reads: they run beside everything else and delay no write. They show what is committed. */
  readonly reads: Queryable;
  /** For reads that may take seconds: as `reads`, and they delay none of those. */
  readonly longReads: Queryable;
  readonly rowChanges: RowChanges;
  /**
   * All or nothing. Rolled back when `work` rejects. Do not wait for anything but `tx` inside: it blocks other writers.
   * Without an actor the statements run with all rights.
   */
  readonly transaction: <T>(work: (tx: Queryable) => Promise<T>, actor?: Actor) => Promise<T>;
  /** A transaction with all rights whose statements may take minutes. */
  readonly migration: <T>(work: (tx: Queryable) => Promise<T>) => Promise<T>;
  /**
   * Resolves after what is in flight; later calls reject. The embedded database begins no write after a second, and no
   * read at all.
   */
  readonly close: () => Promise<void>;
}

/** One step of a schema's history. A step that was released never changes; a new one is added behind it. */
export interface MigrationStep {
  /** Unique within its schema, such as `0001_users`. */
  readonly name: string;
  /** SQL for each dialect; several statements may stand in one text. */
  readonly sqlite: string;
  readonly postgres: string;
}
