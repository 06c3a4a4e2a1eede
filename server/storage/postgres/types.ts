/** Converts values to and from PostgreSQL: JSON stays text, timestamps become ISO texts. */

import pg from "pg";
import type { SqlValue } from "../port.ts";
import { parseTimestamp } from "../timestamp.ts";

type Parser = (text: string) => unknown;

const asIs: Parser = (text) => text;

/** The parsers by type oid, from pg_type. `pg` itself parses the types that are not here. */
const PARSERS: ReadonlyMap<number, Parser> = new Map([
  /* int8 */ [20, (text) => (Number.isSafeInteger(Number(text)) ? Number(text) : text)],
  /* json */ [114, asIs],
  /* date */ [1082, asIs],
  /* timestamp */ [1114, asIs],
  /* timestamptz */ [1184, (text) => parseTimestamp(text) ?? text],
  /* jsonb */ [3802, asIs],
]);

export const TYPES: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: "text" | "binary") =>
    (format === "binary" ? undefined : PARSERS.get(oid)) ??
    pg.types.getTypeParser(oid, format as "text"),
};

/** Converts a value to one that `pg` can bind: it knows buffers and texts, and sends buffers unchanged. */
export function toParameter(value: SqlValue): unknown {
  if (typeof value === "bigint") return value.toString();
  if (!(value instanceof Uint8Array)) return value;
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}
