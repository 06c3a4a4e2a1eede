/** The tables that the API shows. Everything else does not exist for it. */

import { TABLE } from "../../board/spec.ts";
import type { Role } from "../keys/port.ts";
import { SQLITE_NOW, SQLITE_UUID } from "../storage/port.ts";

export type ColumnType = "uuid" | "timestamptz" | "json";

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  /** What a row gets when the column is not given, as SQL of each dialect; null where there is none. */
  readonly fallback: { readonly sqlite: string; readonly postgres: string } | null;
}

/** What a role may do. A denied insert is an error; denied reads, updates and deletes touch no row. */
export type Policy = Readonly<Record<"select" | "insert" | "update" | "delete", boolean>>;

export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly primaryKey: readonly string[];
  /** On PostgreSQL the database's own policies decide, which say the same. */
  readonly policies: Readonly<Record<Role, Policy>>;
}

const VISITOR: Policy = { select: true, insert: true, update: true, delete: false };
const OWNER: Policy = { select: true, insert: true, update: true, delete: true };

const CANVAS_STATE: Table = {
  name: TABLE,
  columns: [
    { name: "id", type: "uuid", fallback: { sqlite: SQLITE_UUID, postgres: "gen_random_uuid()" } },
    { name: "canvas_json", type: "json", fallback: null },
    {
      name: "updated_at",
      type: "timestamptz",
      fallback: { sqlite: SQLITE_NOW, postgres: "now()" },
    },
  ],
  primaryKey: ["id"],
  policies: { anon: VISITOR, authenticated: VISITOR, service_role: OWNER },
};

export const TABLES: ReadonlyMap<string, Table> = new Map([[CANVAS_STATE.name, CANVAS_STATE]]);

/** The one schema, as in the headers Accept-Profile and Content-Profile. */
export const SCHEMA = "public";
