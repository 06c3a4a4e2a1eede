/** The filter of a binding: `column=operator.value`, or several of them separated by commas. */

import type { ChangedRow } from "../../storage/port.ts";
import { parseTimestamp } from "../../storage/timestamp.ts";

const OPERATORS = ["eq", "neq", "lt", "lte", "gt", "gte", "in"] as const;
type Operator = (typeof OPERATORS)[number];

type Value = string | bigint;

/** A column that has an order: its type, and the conversion of a text to its value. */
interface Compared {
  readonly type: string;
  readonly parse: (text: string) => Value | null;
}

/** The columns of a table that a filter may compare. */
export type ComparedColumns = Readonly<Record<string, Compared>>;

export interface Condition {
  readonly column: string;
  readonly operator: Operator;
  readonly values: readonly Value[];
}

/** The result of parsing a filter, with the text for the message about a subscription that cannot be served. */
export type FilterResult =
  | { readonly ok: true; readonly conditions: readonly Condition[] }
  /**
   * The kind of fault. `parse`: the text is no filter; `exception`: the table has no such column, or the column no
   * such value.
   */
  | { readonly ok: false; readonly kind: "parse" | "exception"; readonly reason: string };

/** Greatest number of values that the filters of one channel compare: each change of the row costs so much for each channel. */
export const MAX_VALUES = 100;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

const parseWhole = (text: string): bigint | null =>
  /^-?\d{1,18}$/.test(text) ? BigInt(text) : null;

/** The columns of the drawing's row. */
const ROW: ComparedColumns = {
  id: { type: "uuid", parse: (text) => (UUID.test(text) ? text.toLowerCase() : null) },
  updated_at: { type: "timestamp with time zone", parse: parseTimestamp },
  version: { type: "bigint", parse: parseWhole },
};

/** The columns of the settings' row. */
export const SETTINGS: ComparedColumns = {
  id: { type: "bigint", parse: parseWhole },
  locked: { type: "boolean", parse: (text) => (/^(?:true|false)$/.test(text) ? text : null) },
};

/** Splits a text into its conditions at commas outside of parentheses. */
function conditionsOf(text: string): readonly string[] {
  const parts: string[] = [];
  let from = 0;
  let isInside = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === "(") isInside = true;
    else if (character === ")") isInside = false;
    else if (character === "," && !isInside) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return [...parts, text.slice(from)];
}

export function parseFilter(text: string, columns: ComparedColumns = ROW): FilterResult {
  const conditions: Condition[] = [];
  if (text.trim() === "") return { ok: true, conditions };
  for (const part of conditionsOf(text.trim())) {
    const parsed = parseCondition(part, columns);
    if ("kind" in parsed) return { ok: false, ...parsed };
    conditions.push(parsed);
  }
  return { ok: true, conditions };
}

type Rejected = { readonly kind: "parse" | "exception"; readonly reason: string };

function parseCondition(text: string, columns: ComparedColumns): Condition | Rejected {
  const [, column = "", operator, rest = ""] = /^([^=]+)=([a-z]+)\.(.*)$/s.exec(text) ?? [];
  const known = OPERATORS.find((one) => one === operator);
  if (known === undefined) return { kind: "parse", reason: unparsed(text) };
  const compared = Object.hasOwn(columns, column) ? columns[column] : undefined;
  if (compared === undefined)
    return {
      kind: "exception",
      reason: `ERROR P0001 (raise_exception) invalid column for filter ${column}`,
    };
  const texts = known === "in" ? listOf(rest) : [rest];
  if (texts === null) return { kind: "parse", reason: unparsed(text) };
  if (texts.length > MAX_VALUES)
    return {
      kind: "exception",
      reason: `ERROR P0001 (raise_exception) too many values for \`in\` filter. Maximum ${MAX_VALUES}`,
    };
  const values: Value[] = [];
  for (const one of texts) {
    const value = compared.parse(one);
    if (value === null)
      return {
        kind: "exception",
        reason: `ERROR 22P02 (invalid_text_representation) invalid input syntax for type ${compared.type}: "${one}"`,
      };
    values.push(value);
  }
  return { column, operator: known, values };
}

/** Returns the parts of a text that is no condition, as the hosted service shows them. */
function unparsed(text: string): string {
  const [, column, rest] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  const parts = column === undefined ? [text] : (rest ?? "").split(".");
  return `[${parts.map((part) => JSON.stringify(part)).join(", ")}]`;
}

function listOf(text: string): string[] | null {
  const [, inner] = /^\((.*)\)$/s.exec(text) ?? [];
  return inner === undefined
    ? null
    : inner.split(",").map((one) => one.trim().replace(/^"(.*)"$/s, "$1"));
}

/**
 * Whether a row meets the conditions.
 * @param row A row, or the remains of a removed one, which meets no condition on an absent column.
 */
export function meets(
  row: Pick<ChangedRow, "id"> & Partial<ChangedRow>,
  conditions: readonly Condition[],
): boolean {
  return meetsAll((column) => valueOf(row, column), conditions);
}

/** Whether the row of the settings, after a change, meets the conditions. */
export function settingsMeet(locked: boolean, conditions: readonly Condition[]): boolean {
  return meetsAll((column) => (column === "id" ? 1n : String(locked)), conditions);
}

function meetsAll(
  valueIn: (column: string) => Value | null,
  conditions: readonly Condition[],
): boolean {
  return conditions.every(({ column, operator, values }) => {
    const value = valueIn(column);
    if (value === null) return false;
    const test = TESTS[operator];
    return operator === "in"
      ? values.some((one) => value === one)
      : values.every((one) => test(value, one));
  });
}

function valueOf(row: Pick<ChangedRow, "id"> & Partial<ChangedRow>, column: string): Value | null {
  if (column === "id") return row.id.toLowerCase();
  if (column === "version") return row.version === undefined ? null : BigInt(row.version);
  return row.updatedAt ?? null;
}

const TESTS: Readonly<Record<Operator, (a: Value, b: Value) => boolean>> = {
  eq: (a, b) => a === b,
  in: (a, b) => a === b,
  neq: (a, b) => a !== b,
  lt: (a, b) => a < b,
  lte: (a, b) => a <= b,
  gt: (a, b) => a > b,
  gte: (a, b) => a >= b,
};
