/** A call of a function, of which there are none: what it is named and given, for the answer that says so. */

import { faults, type TableFault } from "../schema/faults.ts";

/** Bytes; the names in a longer body are not read. */
const MAX_READ = 64 * 1024;
/** Names in the answer. */
const MAX_NAMES = 20;
const RESERVED = new Set(["select", "order", "limit", "offset", "apikey"]);

/** @param body of a POST, as it came; undefined for other methods */
export function missingFunction(name: string, query: string, body: unknown): TableFault {
  const names = body === undefined ? namesOfQuery(query) : namesOfBody(body);
  const sorted = [...new Set(names)].sort().slice(0, MAX_NAMES);
  return faults.rpc(name, sorted, body !== undefined);
}

function namesOfQuery(query: string): readonly string[] {
  return [...new URLSearchParams(query).keys()].filter((name) => !RESERVED.has(name));
}

function namesOfBody(body: unknown): readonly string[] {
  if (!(body instanceof Uint8Array) || body.length > MAX_READ) return [];
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString("utf8"));
    const first: unknown = Array.isArray(value) ? value[0] : value;
    return typeof first === "object" && first !== null ? Object.keys(first) : [];
  } catch {
    return [];
  }
}
