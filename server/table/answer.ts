/** Rows as the bytes of an answer. JSON from the database is copied, not parsed. */

import type { Row } from "../storage/port.ts";
import { fieldType } from "./fields.ts";
import type { Selected } from "./request.ts";

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
    if (value === null || value === undefined) out.text("null");
    else if (fieldType(field) !== "json") out.text(JSON.stringify(value));
    else if (value instanceof Uint8Array) out.bytes(value);
    else if (typeof value === "string") out.text(value);
    else throw new TypeError("The database answered JSON as neither text nor bytes");
  });
  out.text("}");
}

/** Texts and bytes in their order, put together once. */
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

/** `0-9/100`: first and last row, and how many there are; a star for what is not known or not there. */
export function contentRange(offset: number, rows: number, total: number | null): string {
  const range = rows === 0 ? "*" : `${offset}-${offset + rows - 1}`;
  return `${range}/${total ?? "*"}`;
}
