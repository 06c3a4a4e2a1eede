/** Reads a request's body as rows to write. The drawing in it is never parsed on this thread: the database extracts it. */

import { isUtf8 } from "node:buffer";
import { LIMITS } from "../../../board/constants.ts";
import { StorageFault } from "../../storage/faults.ts";
import type { Queryable, Row, SqlValue } from "../../storage/port.ts";
import { hasUnstorableEscape } from "./escapes.ts";
import { faults } from "../schema/faults.ts";
import type { Dialect } from "./sql.ts";

/** Greatest number of bytes of a request's body: a drawing of the greatest size, and the JSON around it. */
export const BODY_LIMIT = LIMITS.canvasBytes + 1024 * 1024;

/** The size up to which a body over `BODY_LIMIT` is read to its end, and discarded. */
export const DISCARD_LIMIT = 16 * 1024 * 1024;

/** Greatest number of rows in one request. */
const MAX_ROWS = 100;

/**
 * Greatest product of a list's objects and the body's bytes: the database parses the whole body once for each row of
 * a list, 10 MB in 45 ms. One object of any size always fits.
 */
const MAX_LIST_BYTES = 32 * 1024 * 1024;

/** The value of a column in a row: a short text, or a part that the database extracts from the body itself. */
export type Cell =
  | { readonly kind: "null" }
  | { readonly kind: "scalar"; readonly text: string }
  | { readonly kind: "json" };

export interface Body {
  /** The first value to bind; `cellSql` refers to it. */
  readonly bytes: SqlValue;
  /** False for one object, true for an array of objects. */
  readonly many: boolean;
  readonly rows: readonly ReadonlyMap<string, Cell>[];
}

/**
 * Checks that the bytes are JSON and finds the columns of each row.
 * @throws TableFault PGRST102 unless it is a JSON object or a list of objects with the same keys, 54001 for a list
 * that would cost too much
 */
export async function readBody(
  database: Queryable,
  dialect: Dialect,
  received: unknown,
): Promise<Body> {
  if (!(received instanceof Uint8Array) || received.byteLength === 0) throw faults.badJson();
  if (!isUtf8(received)) throw faults.badJson("The body is not valid UTF-8");
  // SQLite reads a text up to its first NUL.
  if (received.includes(0)) throw faults.badJson();
  if (hasUnstorableEscape(received)) throw faults.escape();
  const kind = await jsonKind(database, dialect, received);
  if (kind === null) throw faults.badJson();
  if (kind !== "object" && kind !== "array")
    throw faults.badJson("The body must be an object or an array of objects");
  const many = kind === "array";
  const sql = SHAPE[dialect][kind];
  const rows = toRows((await database.query(sql, [received])).rows);
  checkListCost(rows.length, received.byteLength);
  // An object without keys has no line in the shape, but is a row as well.
  return { bytes: received, many, rows: rows.length === 0 && !many ? [new Map()] : rows };
}

function checkListCost(rows: number, bytes: number): void {
  if (rows <= 1 || rows * bytes <= MAX_LIST_BYTES) return;
  const max = Math.floor(MAX_LIST_BYTES / rows);
  throw faults.tooCostly(`a list of ${rows} objects may have ${max} bytes`);
}

/** Returns SQL for a JSON value of the body, whose bytes are `$1`. Column names are declared ones. */
export function cellSql(dialect: Dialect, body: Body, row: number, column: string): string {
  if (dialect === "postgres")
    return `(convert_from($1, 'UTF8')::json ${body.many ? `-> ${row} ` : ""}-> '${column}')`;
  return `(cast($1 as text) -> '$${body.many ? `[${row}]` : ""}.${column}')`;
}

/**
 * Returns SQL for each drawing that the body may put into a row. Of several rows, only one of which the table
 * accepts, all count.
 */
export function drawingsOf(dialect: Dialect, body: Body): readonly string[] {
  return body.rows.flatMap((row, index) =>
    row.has("canvas_json") ? [cellSql(dialect, body, index, "canvas_json")] : [],
  );
}

const KIND: Readonly<Record<Dialect, string>> = {
  // The second argument 1 stands for RFC 8259 exactly, without JSON5.
  sqlite:
    "select case when json_valid(cast($1 as text), 1) then json_type(cast($1 as text)) end as kind",
  postgres: "select json_typeof(convert_from($1, 'UTF8')::json) as kind",
};

async function jsonKind(
  database: Queryable,
  dialect: Dialect,
  bytes: Uint8Array,
): Promise<string | null> {
  try {
    const { rows } = await database.query(KIND[dialect], [bytes]);
    return (rows[0]?.["kind"] as string | null | undefined) ?? null;
  } catch (error) {
    // In PostgreSQL 22P02 is no JSON, and 54001 is nested too deeply.
    const refused = ["22P02", "54001"];
    if (error instanceof StorageFault && refused.includes(error.code)) return null;
    throw error;
  }
}

/**
 * Greatest number of characters that are kept of a text. Longer ones cannot be a value of the scalar types, and this
 * is enough for the complaint.
 */
const SCALAR_LENGTH = 200;

/** Selects one row for each key: its row's number and kind, its name, the kind of its value, and that as a short text. */
const SHAPE: Readonly<Record<Dialect, Readonly<Record<"object" | "array", string>>>> = {
  sqlite: {
    object: `select 0 as i, 'object' as kind, key, type,
        case when type in ('text', 'integer', 'real') then substr(atom, 1, ${SCALAR_LENGTH})
          when type in ('true', 'false') then type end as scalar
      from json_each(cast($1 as text)) limit 1000`,
    array: `select e.key as i, e.type as kind, f.key, f.type,
        case when f.type in ('text', 'integer', 'real') then substr(f.atom, 1, ${SCALAR_LENGTH})
          when f.type in ('true', 'false') then f.type end as scalar
      from json_each(cast($1 as text)) e
      left join json_each(case e.type when 'object' then e.value else '{}' end) f limit 10000`,
  },
  postgres: {
    object: `select 0 as i, 'object' as kind, key, json_typeof(value) as type,
        case when json_typeof(value) in ('string', 'number', 'boolean') then left(value #>> '{}', ${SCALAR_LENGTH}) end as scalar
      from json_each(convert_from($1, 'UTF8')::json) limit 1000`,
    array: `select (e.position - 1)::int as i, json_typeof(e.value) as kind, f.key, json_typeof(f.value) as type,
        case when json_typeof(f.value) in ('string', 'number', 'boolean') then left(f.value #>> '{}', ${SCALAR_LENGTH}) end as scalar
      from json_array_elements(convert_from($1, 'UTF8')::json) with ordinality as e (value, position)
      left join lateral json_each(case json_typeof(e.value) when 'object' then e.value else '{}'::json end) f on true
      limit 10000`,
  },
};

function toRows(shape: readonly Row[]): readonly ReadonlyMap<string, Cell>[] {
  const rows: Map<string, Cell>[] = [];
  for (const { i, kind, key, type, scalar } of shape) {
    if (kind !== "object") throw faults.badJson("The body must contain objects only");
    const index = Number(i);
    if (index >= MAX_ROWS) throw faults.badJson(`A request takes at most ${MAX_ROWS} rows`);
    const row = (rows[index] ??= new Map());
    if (typeof key !== "string") continue;
    if (row.has(key)) throw faults.badJson(`The key '${key.slice(0, 100)}' is there twice`);
    row.set(key, toCell(String(type), scalar));
  }
  return rows;
}

function toCell(type: string, scalar: unknown): Cell {
  if (type === "null") return { kind: "null" };
  return typeof scalar === "string" || typeof scalar === "number"
    ? { kind: "scalar", text: String(scalar) }
    : { kind: "json" };
}
