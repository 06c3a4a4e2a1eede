/** Filters of a request as a tree, which PostgREST writes as `updated_at=gt.2026-01-01` and `or=(...)`. */

import { faults } from "../schema/faults.ts";
import { fieldType, parseField, type Field } from "../schema/fields.ts";
import { inBrackets, splitList, unquote } from "./split.ts";
import type { Table } from "../schema/tables.ts";
import { parseScalar } from "../schema/types.ts";

export type Comparison = "eq" | "neq" | "gt" | "gte" | "lt" | "lte" | "like" | "ilike";

export type Filter =
  | {
      readonly kind: "compare";
      readonly field: Field;
      readonly by: Comparison;
      readonly value: string;
    }
  | { readonly kind: "in"; readonly field: Field; readonly values: readonly string[] }
  | { readonly kind: "null"; readonly field: Field }
  | { readonly kind: "not"; readonly part: Filter }
  | { readonly kind: "and" | "or"; readonly parts: readonly Filter[] };

/** Symbols of the comparisons, as SQL and as complaints show them. */
export const SYMBOLS: Readonly<Record<Comparison, string>> = {
  eq: "=",
  neq: "<>",
  gt: ">",
  gte: ">=",
  lt: "<",
  lte: "<=",
  like: "~~",
  ilike: "~~*",
};

/** Greatest number of conditions in one request, of values in one list, and depth of nested logic. */
const MAX = { conditions: 100, listed: 1000, depth: 8 } as const;

/** The number of conditions that a request may still have. */
interface Budget {
  left: number;
}

/**
 * Parses the filters.
 * @param parameters of the query that are not reserved, in their order
 */
export function parseFilters(
  table: Table,
  parameters: readonly (readonly [string, string])[],
): readonly Filter[] {
  const budget: Budget = { left: MAX.conditions };
  return parameters.map(([name, value]) => {
    const logic = /^(not\.)?(and|or)$/.exec(name);
    if (logic === null) return parseCondition(table, name, value, budget);
    const tree = parseLogic(table, logic[2] as "and" | "or", value, { budget, depth: 0 });
    return logic[1] === undefined ? tree : { kind: "not", part: tree };
  });
}

interface Within {
  readonly budget: Budget;
  readonly depth: number;
}

function parseLogic(table: Table, kind: "and" | "or", text: string, within: Within): Filter {
  const inner = inBrackets(text);
  const parts = inner === null ? null : splitList(inner);
  if (parts === null || within.depth >= MAX.depth) throw faults.badFilter("logic tree", text);
  const deeper = { budget: within.budget, depth: within.depth + 1 };
  return { kind, parts: parts.map((part) => parsePart(table, part.trim(), deeper)) };
}

function parsePart(table: Table, text: string, within: Within): Filter {
  const logic = /^(not\.)?(and|or)(\(.*\))$/s.exec(text);
  if (logic !== null) {
    const tree = parseLogic(table, logic[2] as "and" | "or", logic[3] ?? "", within);
    return logic[1] === undefined ? tree : { kind: "not", part: tree };
  }
  const dot = text.indexOf(".");
  if (dot < 0) throw faults.badFilter("logic tree", text);
  return parseCondition(table, text.slice(0, dot), text.slice(dot + 1), within.budget, true);
}

function parseCondition(
  table: Table,
  name: string,
  text: string,
  budget: Budget,
  quotable = false,
): Filter {
  if (--budget.left < 0) throw faults.badFilter("filter", "too many conditions");
  const field = parseField(table, name, "filter");
  const match = /^(not\.)?([a-z]+)\.(.*)$/s.exec(text);
  if (match === null) throw faults.badFilter("filter", text);
  const [, not, operator = "", rest = ""] = match;
  const filter = parseOperation(field, operator, quotable ? unquote(rest) : rest);
  if (filter === null) throw faults.badFilter("filter", text);
  return not === undefined ? filter : { kind: "not", part: filter };
}

/** Parses an operation; null for an unknown operator or a value of another grammar. */
function parseOperation(field: Field, operator: string, text: string): Filter | null {
  if (operator === "is") return parseIs(field, text);
  if (operator === "in") return parseIn(field, text);
  if (!Object.hasOwn(SYMBOLS, operator)) return null;
  const by = operator as Comparison;
  return { kind: "compare", field, by, value: operand(field, by, text) };
}

function parseIs(field: Field, text: string): Filter | null {
  const value = text.toLowerCase();
  if (value === "null") return { kind: "null", field };
  if (value === "not_null") return { kind: "not", part: { kind: "null", field } };
  const type = fieldType(field);
  if (type === "boolean" && value === "unknown") return { kind: "null", field };
  if (type === "boolean" && (value === "true" || value === "false"))
    return { kind: "compare", field, by: "eq", value: operand(field, "eq", value) };
  if (["true", "false", "unknown"].includes(value)) throw faults.isOperand(text, type);
  return null;
}

function parseIn(field: Field, text: string): Filter | null {
  const inner = inBrackets(text);
  const parts = inner === null ? null : inner === "" ? [] : splitList(inner);
  if (parts === null || parts.length > MAX.listed) return null;
  return { kind: "in", field, values: parts.map((part) => operand(field, "eq", unquote(part))) };
}

/** Returns the value in the form of the field's type. JSON cannot be compared, and patterns are for texts. */
function operand(field: Field, by: Comparison, text: string): string {
  const type = fieldType(field);
  const pattern = by === "like" || by === "ilike";
  if (type === "text") return pattern ? text.replaceAll("*", "%") : text;
  if (type === "json" || pattern) throw faults.operator(type, SYMBOLS[by]);
  return parseScalar(type, text);
}
