/** Compares plain JSON values, whose depth the parser bounds. */

import type { Json } from "./drawing.ts";

type Value = Json | undefined;

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether two values are equal as JSON: the order of keys does not matter, and a key with undefined counts as absent. */
export function sameJson(a: Value, b: Value): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  return canonicalJson(a) === canonicalJson(b);
}

/** Returns JSON text with sorted keys, so that equal values give equal texts. */
export function canonicalJson(value: Value): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value ?? null);
  const record = value as { readonly [key: string]: Value };
  const parts: string[] = [];
  for (const key of Object.keys(record).sort()) {
    const inner = record[key];
    if (inner !== undefined) parts.push(`${JSON.stringify(key)}:${canonicalJson(inner)}`);
  }
  return `{${parts.join(",")}}`;
}
