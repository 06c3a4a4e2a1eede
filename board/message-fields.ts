/** Parsers for the fields of broadcast messages: numbers, texts and lists. */

import { MAX_COORDINATE } from "./limits.ts";

const DIGEST = /^[a-z0-9.]{1,32}$/;
const SHORT_TEXT = /^[\x20-\x7e]{1,64}$/;

/** Reads a list; null when the value is not a list, is too long, or has a bad item. */
export function parseList<T>(
  input: unknown,
  max: number,
  parse: (item: unknown) => T | null,
): T[] | null {
  if (!Array.isArray(input) || input.length > max) return null;
  const items: T[] = [];
  for (const item of input as unknown[]) {
    const value = parse(item);
    if (value === null) return null;
    items.push(value);
  }
  return items;
}

export function isDigest(value: unknown): value is string {
  return typeof value === "string" && DIGEST.test(value);
}

export function isShortText(value: unknown): value is string {
  return typeof value === "string" && SHORT_TEXT.test(value);
}

/** Whether a value can be a number of updates, or of changes of the row. */
export function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

export function isWhole(value: unknown, max: number): value is number {
  return Number.isInteger(value) && isWithin(value, 0, max);
}

export function isCoordinate(value: unknown): value is number {
  return isWithin(value);
}

/** Whether a value is a number in a range, by default that of coordinates. */
export function isWithin(
  value: unknown,
  min = -MAX_COORDINATE,
  max = MAX_COORDINATE,
): value is number {
  return typeof value === "number" && value >= min && value <= max;
}
