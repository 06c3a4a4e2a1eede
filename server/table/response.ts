/** Rows as the bytes of a response. JSON from the database is copied, not parsed. */

import type { Row } from "../storage/port.ts";
import { fieldType } from "./schema/fields.ts";
import type { Selected } from "./query/request.ts";

/** `[{...},{...}]`, or one object without the list when `single`. */
export function encodeRows(
  select: readonly Selected[],
  rows: readonly Row[],
  single: boolean,
): Buffer {
  const out = new Pieces();
  if (!single) out.text("[");
  rows.forEach((row, index) => {
    if (index > 0) out.text(",");
    encodeRow(out, select, row);
  });
  if (!single) out.text("]");
  return out.join();
}

function encodeRow(out: Pieces, select: readonly Selected[], row: Row): void {
  select.forEach(({ name, field }, index) => {
    out.text(`${index === 0 ? "{" : ","}${JSON.stringify(name)}:`);
    const value = row[`c${index}`];
    const type = fieldType(field);
    if (value === null || value === undefined) out.text("null");
    // SQLite has no booleans, and a whole number that JavaScript cannot hold comes as a text.
    else if (type === "boolean") out.text(value === true || value === 1 ? "true" : "false");
    else if (type === "bigint" && typeof value === "string") out.text(value);
    else if (type !== "json") out.text(JSON.stringify(value));
    else if (value instanceof Uint8Array) out.bytes(value);
    else if (typeof value === "string") out.text(value);
    else throw new TypeError("The database returned JSON as neither text nor bytes");
  });
  out.text("}");
}

/** Texts and bytes in their order, joined once. */
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

/** `0-9/100`: first and last row, and how many there are; a star for what is not known or does not exist. */
export function contentRange(offset: number, rows: number, total: number | null): string {
  const range = rows === 0 ? "*" : `${offset}-${offset + rows - 1}`;
  return `${range}/${total ?? "*"}`;
}
