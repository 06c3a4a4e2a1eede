/** Writes rows as the bytes of a response. JSON from the database is copied, not parsed. */

import type { Row } from "../storage/port.ts";
import { fieldType } from "./schema/fields.ts";
import type { Selected } from "./query/request.ts";
import { faults } from "./schema/faults.ts";
import { stripNulls } from "./strip-nulls.ts";

/** The form of the rows: a list, or `single` for one object; `stripped` without members that are null, inside JSON too. */
interface Shape {
  readonly single: boolean;
  readonly stripped: boolean;
}

/** Writes rows as `[{...},{...}]` or `{...}`. */
export function encodeRows(
  select: readonly Selected[],
  rows: readonly Row[],
  { single, stripped }: Shape,
): Buffer {
  const out = new Pieces();
  if (!single) out.text("[");
  rows.forEach((row, index) => {
    if (index > 0) out.text(",");
    encodeRow(out, select, row, stripped);
  });
  if (!single) out.text("]");
  return out.join();
}

function encodeRow(out: Pieces, select: readonly Selected[], row: Row, stripped: boolean): void {
  let separator = "{";
  if (select.length === 0) out.text(separator);
  select.forEach(({ name, field }, index) => {
    const value = row[`c${index}`];
    const isNull = value === null || value === undefined;
    if (isNull && stripped) return;
    out.text(`${separator}${JSON.stringify(name)}:`);
    separator = ",";
    const type = fieldType(field);
    if (isNull) out.text("null");
    // SQLite has no booleans, and a whole number that JavaScript cannot represent arrives as a text.
    else if (type === "boolean") out.text(value === true || value === 1 ? "true" : "false");
    else if (type === "bigint" && typeof value === "string") out.text(value);
    else if (type !== "json") out.text(JSON.stringify(value));
    else if (stripped && (value instanceof Uint8Array || typeof value === "string"))
      out.bytes(stripNulls(Buffer.from(value)));
    else if (value instanceof Uint8Array) out.bytes(value);
    else if (typeof value === "string") out.text(value);
    else throw new TypeError("The database returned JSON as neither text nor bytes");
  });
  out.text(separator === "{" && select.length > 0 ? "{}" : "}");
}

/** Collects texts and bytes in their order, and joins them once. */
class Pieces {
  readonly #chunks: Uint8Array[] = [];
  #pending = "";

  text(text: string): void {
    this.#pending += text;
  }

  bytes(bytes: Uint8Array): void {
    this.#flush();
    this.#chunks.push(bytes);
  }

  join(): Buffer {
    this.#flush();
    return Buffer.concat(this.#chunks);
  }

  #flush(): void {
    if (this.#pending !== "") this.#chunks.push(Buffer.from(this.#pending, "utf8"));
    this.#pending = "";
  }
}

/** Returns `0-9/100`: first and last row, and the number of all; a star stands for anything unknown or absent. */
export function contentRange(offset: number, rows: number, total: number | null): string {
  const range = rows === 0 ? "*" : `${offset}-${offset + rows - 1}`;
  return `${range}/${total ?? "*"}`;
}

export const ONE_OBJECT = "application/vnd.pgrst.object+json";
const LIST = "application/vnd.pgrst.array+json";

/**
 * Returns the form that the caller accepts.
 * @throws TableFault when it accepts neither a list nor an object
 */
export function shapeOf(accept: string | undefined): Shape {
  for (const part of (accept ?? "*/*").split(",")) {
    const [type, ...parameters] = part.split(";").map((one) => one.trim().toLowerCase());
    const stripped = parameters.includes("nulls=stripped");
    if (type === ONE_OBJECT) return { single: true, stripped };
    if (type === LIST) return { single: false, stripped };
    if (type === "application/json" || type === "application/*" || type === "*/*")
      return { single: false, stripped: false };
  }
  throw faults.mediaType(accept ?? "");
}

/** Returns the content type of a form. */
export function typeOf({ single, stripped }: Shape): string {
  if (stripped) return `${single ? ONE_OBJECT : LIST};nulls=stripped`;
  return single ? ONE_OBJECT : "application/json";
}
