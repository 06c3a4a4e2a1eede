/** Measures drawings in the database, so that none is parsed on this thread. */

import type { Database, Row } from "../storage/port.ts";
import type { KnownObject } from "./known-board.ts";
import type { Amount, GivenDrawings } from "./port.ts";

type Dialect = Database["dialect"];
type Measuring = Pick<Database, "dialect" | "longReads">;

/** Returns the size of the row, and the sizes of the drawings that a write puts into it. */
export async function measure(
  { dialect, longReads }: Measuring,
  { drawings, values }: GivenDrawings,
): Promise<{ readonly before: Amount; readonly after: Amount }> {
  const given = drawings.map((sql) => `select ${sql} as canvas_json`).join(" union all ");
  const sql = `select 'before' as which, ${sizeSql(dialect)} from ${ROW[dialect]}
    union all select 'after', ${sizeSql(dialect)} from (${given}) given`;
  const { rows } = await longReads.query(sql, values);
  const of = (which: string): Amount => sumOf(rows.filter((row) => row["which"] === which));
  return { before: of("before"), after: of("after") };
}

/** Returns the size of the row, and the objects in it. */
export async function readRow({ dialect, longReads }: Measuring): Promise<{
  readonly size: Amount;
  readonly objects: readonly KnownObject[];
}> {
  const size = await longReads.query(`select ${sizeSql(dialect)} from ${ROW[dialect]}`);
  const { rows } = await longReads.query(OBJECTS[dialect]);
  const objects = rows.map(({ id, bytes, count }) => ({
    id: String(id),
    ...{ bytes: Number(bytes), count: Math.max(1, Number(count)) },
  }));
  return { size: sumOf(size.rows), objects };
}

/** The row as SQL. One that somebody wrote into the embedded database's file by hand may contain anything. */
const ROW: Readonly<Record<Dialect, string>> = {
  sqlite: "canvas_state where json_valid(canvas_json)",
  postgres: "canvas_state",
};

/** Returns the SQL for the number of times that a text contains a word. */
const wordsSql = (text: string, word: string): string =>
  `(octet_length(${text}) - octet_length(replace(${text}, '${word}', ''))) / ${word.length}`;

/**
 * Returns the SQL for the number of objects in the JSON of one or more, those inside of others included: each contains
 * its type. An escaped letter counts as well, since it may be one of that name. Gradients and shadows have a type too.
 */
const typesSql = (text: string): string =>
  `${wordsSql(text, '"type"')} + ${wordsSql(text, "\\u00")}`;

/** The objects with an id as SQL. A drawing that is stored as a JSON text within JSON has none here. */
const OBJECTS: Readonly<Record<Dialect, string>> = {
  sqlite: `select json_extract(one.value, '$.id') as id, octet_length(one.value) as bytes, ${typesSql("one.value")} as count
    from canvas_state, json_each(canvas_json, '$.objects') one
    where json_valid(canvas_json) and one.type = 'object' and json_type(one.value, '$.id') = 'text'`,
  postgres: `select one ->> 'id' as id, octet_length(one::text) as bytes, ${typesSql("one::text")} as count
    from canvas_state, json_array_elements(
      case json_typeof(canvas_json #> '{objects}') when 'array' then canvas_json -> 'objects' else '[]'::json end) one
    where json_typeof(one) = 'object' and json_typeof(one -> 'id') = 'string'`,
};

/**
 * Returns the SQL for the number of objects and the bytes of the drawing. In a text that contains a drawing, which
 * pages read as well, each word "type" counts as an object.
 */
function sizeSql(dialect: Dialect): string {
  const text = dialect === "sqlite" ? "canvas_json" : "canvas_json::text";
  const words = wordsSql(text, "type");
  const objects =
    dialect === "sqlite"
      ? `case json_type(canvas_json) when 'text' then ${words}
          when 'object' then max(json_array_length(canvas_json, '$.objects'), ${typesSql(text)}) end`
      : `case json_typeof(canvas_json) when 'string' then ${words} when 'object' then
          case json_typeof(canvas_json -> 'objects') when 'array'
            then greatest(json_array_length(canvas_json -> 'objects'), ${typesSql(text)}) end end`;
  return `coalesce(${objects}, 0) as objects, coalesce(octet_length(${text}), 0) as bytes`;
}

function sumOf(rows: readonly Row[]): Amount {
  const sum = (name: string): number =>
    rows.reduce((total, row) => total + Number(row[name] ?? 0), 0);
  return { objects: sum("objects"), bytes: sum("bytes") };
}
