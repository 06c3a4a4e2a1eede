/** Texts from requests as the values that the database keeps. */

import { parseTimestamp } from "../storage/port.ts";
import { faults } from "./faults.ts";
import type { ColumnType } from "./tables.ts";

/** @throws TableFault 22P02 or 22007 */
export function parseScalar(type: Exclude<ColumnType, "json">, text: string): string {
  const value = type === "uuid" ? parseUuid(text) : parseTimestamp(text);
  if (value === null) throw faults.value(TYPE_NAMES[type], text);
  return value;
}

/** PostgreSQL's names, as its messages use them. */
export const TYPE_NAMES: Readonly<Record<ColumnType, string>> = {
  uuid: "uuid",
  timestamptz: "timestamp with time zone",
  json: "json",
};

/** Lower case, with hyphens; null for anything else than a UUID, with or without braces and hyphens. */
export function parseUuid(text: string): string | null {
  const bare = /^\{.*\}$/.test(text) ? text.slice(1, -1) : text;
  const match =
    /^([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})$/i.exec(bare);
  return match === null ? null : match.slice(1).join("-").toLowerCase();
}
