/** The tables that the API serves; it knows no others. */

import { SETTINGS_TABLE, SIZE_CHECK, TABLE } from "../../../board/constants.ts";
import type { Role } from "../../keys/port.ts";
import { SQLITE_NOW, SQLITE_UUID } from "../../storage/defaults.ts";

export type ColumnType = "uuid" | "timestamptz" | "json" | "bigint" | "boolean";

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  /** The value of a column that is not given, as SQL of each dialect; null where there is none. */
  readonly fallback: { readonly sqlite: string; readonly postgres: string } | null;
  /**
   * The writer of the column, where that is not everybody. "database": the value in a body is ignored.
   * "service_role": others may repeat the present value. PostgreSQL's triggers enforce the same.
   */
  readonly setBy?: "database" | "service_role";
  /** Whether the JSON is read as a whole: no path leads into it, so that no request makes the database parse many drawings. */
  readonly whole?: true;
}

/** The rights of a role. A denied insert is an error; denied reads, updates and deletes touch no row. */
export type Policy = Readonly<Record<"select" | "insert" | "update" | "delete", boolean>>;

export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly primaryKey: readonly string[];
  /** The policies by role. On PostgreSQL the database's own policies decide, which are the same. */
  readonly policies: Readonly<Record<Role, Policy>>;
  /**
   * Whether writes are refused while the board is locked, except for the service role and those whom a host's link
   * allows to draw.
   */
  readonly lockable?: true;
  /** Whether only hosts and the service role write it. */
  readonly hostOnly?: true;
  /** Whether no role may write it, so that every write is refused. */
  readonly readOnly?: true;
  /** A column that counts the changes of another one. */
  readonly counter?: { readonly column: string; readonly of: string };
  /** The constraint that bounds the JSON of a row. */
  readonly sizeCheck?: string;
  /** The column with the bytes of a row's JSON, which bounds an answer with the JSON of many rows. */
  readonly sizes?: string;
}

const VISITOR: Policy = { select: true, insert: true, update: true, delete: false };
const OWNER: Policy = { select: true, insert: true, update: true, delete: true };
const SETTER: Policy = { select: true, insert: false, update: true, delete: false };
const READER: Policy = { select: true, insert: false, update: false, delete: false };

const CANVAS_STATE: Table = {
  name: TABLE,
  columns: [
    {
      name: "id",
      type: "uuid",
      fallback: { sqlite: SQLITE_UUID, postgres: "gen_random_uuid()" },
      setBy: "service_role",
    },
    { name: "canvas_json", type: "json", fallback: null },
    {
      name: "updated_at",
      type: "timestamptz",
      fallback: { sqlite: SQLITE_NOW, postgres: "now()" },
    },
    { name: "version", type: "bigint", fallback: null, setBy: "database" },
  ],
  primaryKey: ["id"],
  policies: { anon: VISITOR, authenticated: VISITOR, service_role: OWNER },
  lockable: true,
  counter: { column: "version", of: "canvas_json" },
  sizeCheck: SIZE_CHECK,
};

const CANVAS_HISTORY: Table = {
  name: "canvas_history",
  columns: [
    { name: "id", type: "bigint", fallback: null },
    { name: "version", type: "bigint", fallback: null },
    { name: "saved_at", type: "timestamptz", fallback: null },
    { name: "replaced_at", type: "timestamptz", fallback: null },
    { name: "bytes", type: "bigint", fallback: null },
    { name: "objects", type: "bigint", fallback: null },
    { name: "next_bytes", type: "bigint", fallback: null },
    { name: "next_objects", type: "bigint", fallback: null },
    { name: "loss", type: "boolean", fallback: null },
    { name: "milestone", type: "boolean", fallback: null },
    { name: "canvas_json", type: "json", fallback: null, whole: true },
  ],
  primaryKey: ["id"],
  policies: { anon: READER, authenticated: READER, service_role: READER },
  readOnly: true,
  sizes: "bytes",
};

const CANVAS_SETTINGS: Table = {
  name: SETTINGS_TABLE,
  columns: [
    { name: "id", type: "bigint", fallback: { sqlite: "1", postgres: "1" } },
    { name: "locked", type: "boolean", fallback: { sqlite: "0", postgres: "false" } },
  ],
  primaryKey: ["id"],
  policies: { anon: SETTER, authenticated: SETTER, service_role: OWNER },
  hostOnly: true,
};

export const TABLES: ReadonlyMap<string, Table> = new Map(
  [CANVAS_STATE, CANVAS_HISTORY, CANVAS_SETTINGS].map((table) => [table.name, table]),
);

/** The only schema, as in the headers Accept-Profile and Content-Profile. */
export const SCHEMA = "public";
