/** Converts texts from requests to the values that the database stores. */

import { parseTimestamp } from "../../storage/timestamp.ts";
import { faults } from "./faults.ts";
import type { ColumnType } from "./tables.ts";

/**
 * Returns the value in a form that both databases accept for the type; a boolean is 1 or 0.
 * @throws TableFault 22P02 or 22007
 */
export function parseScalar(type: Exclude<ColumnType, "json">, text: string): string {
  const value = PARSERS[type](text);
  if (value === null) throw faults.value(TYPE_NAMES[type], text);
  return value;
}

const PARSERS: Readonly<Record<Exclude<ColumnType, "json">, (text: string) => string | null>> = {
  uuid: parseUuid,
  timestamptz: parseTimestamp,
  bigint: parseBigint,
  boolean: parseBoolean,
};

/** PostgreSQL's names of the types, as its messages use them. */
export const TYPE_NAMES: Readonly<Record<ColumnType, string>> = {
  uuid: "uuid",
  timestamptz: "timestamp with time zone",
  json: "json",
  bigint: "bigint",
  boolean: "boolean",
};

function parseBigint(text: string): string | null {
  const digits = text.trim();
  if (!/^[+-]?\d{1,19}$/.test(digits)) return null;
  const value = BigInt(digits);
  return BigInt.asIntN(64, value) === value ? value.toString() : null;
}

function parseBoolean(text: string): string | null {
  const word = text.trim().toLowerCase();
  if (["true", "t", "yes", "y", "on", "1"].includes(word)) return "1";
  return ["false", "f", "no", "n", "off", "0"].includes(word) ? "0" : null;
}

/** Returns a UUID in lower case, with hyphens; null for anything but a UUID, with or without braces and hyphens. */
export function parseUuid(text: string): string | null {
  const bare = /^\{.*\}$/.test(text) ? text.slice(1, -1) : text;
  const match =
    /^([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})$/i.exec(bare);
  return match === null ? null : match.slice(1).join("-").toLowerCase();
}
