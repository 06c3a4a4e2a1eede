/** Refuses calls of functions, of which there are none, by their name and the names of their arguments. */

import { faults, type TableFault } from "../schema/faults.ts";

/** Greatest number of bytes that are read; the names in a longer body are not. */
const MAX_READ = 64 * 1024;
/** Greatest number of names in the answer. */
const MAX_NAMES = 20;
const RESERVED = new Set(["select", "order", "limit", "offset", "apikey"]);

/**
 * Returns the fault of a call.
 * @param body The unchanged body of a POST; undefined for other methods.
 */
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
