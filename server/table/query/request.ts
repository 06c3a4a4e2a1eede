/** Parses a request's query as one plan. It is checked here and nowhere else. */

import type { Role } from "../../keys/port.ts";
import { checkCost, type Access, type Named, type Purpose } from "./cost.ts";
import { faults } from "../schema/faults.ts";
import { fieldType, parseField, type Field } from "../schema/fields.ts";
import { parseFilters, type Filter } from "./filters.ts";
import { splitList } from "./split.ts";
import type { Table } from "../schema/tables.ts";

export interface Selected {
  /** The name of the field in the response. */
  readonly name: string;
  readonly field: Field;
}

export interface Ordering {
  readonly field: Field;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
}

export interface Plan {
  readonly purpose: Purpose;
  readonly select: readonly Selected[];
  readonly filters: readonly Filter[];
  readonly order: readonly Ordering[];
  readonly limit: number | null;
  readonly offset: number;
  /** The columns that an insert reads from the body; null for those that the body has. */
  readonly columns: readonly string[] | null;
  readonly onConflict: readonly string[] | null;
}

const RESERVED = new Set([
  "select",
  "order",
  "limit",
  "offset",
  "columns",
  "on_conflict",
  "apikey",
]);

/** Matches the name of a parameter for an embedded resource, which does not exist here. */
const EMBEDDED = /^(?!not\.(?:and|or)$)([A-Za-z_]\w*)\.[^>]*$/;

/**
 * Parses the query.
 * @param query The part of the URL behind the question mark.
 */
export function parsePlan(
  table: Table,
  query: string,
  access: Access = "read",
  role: Role = "anon",
): Plan {
  const parameters = [...new URLSearchParams(query)];
  const last = (name: string): string | null =>
    parameters.findLast(([one]) => one === name)?.[1] ?? null;
  const embedded = parameters.flatMap(([name]) => EMBEDDED.exec(name)?.[1] ?? [])[0];
  if (embedded !== undefined) throw faults.embedded(embedded);
  const named = {
    select: parseSelect(table, last("select") ?? "*"),
    filters: parseFilters(
      table,
      parameters.filter(([name]) => !RESERVED.has(name)),
    ),
    order: parseOrder(table, last("order")),
  } satisfies Named;
  return {
    ...named,
    purpose: checkCost(named, access, role),
    limit: parseCount("limit", last("limit")),
    offset: parseCount("offset", last("offset")) ?? 0,
    columns: parseNames(last("columns")),
    onConflict: parseNames(last("on_conflict")),
  };
}

const MAX_SELECTED = 100;

function parseSelect(table: Table, text: string): readonly Selected[] {
  const all = table.columns.map((column): Selected => ({
    name: column.name,
    field: { column, path: [], asText: false },
  }));
  if (text.trim() === "") return all;
  const parts = splitList(text);
  if (parts === null || parts.length > MAX_SELECTED)
    throw faults.badFilter("select parameter", text);
  return parts.flatMap((part) => (part.trim() === "*" ? all : [parseSelected(table, part.trim())]));
}

/** Matches `count()`, or a function of a field, renamed or cast. */
const AGGREGATE =
  /^(?:[^:()]+:)?(?:count|[^:()]+(?:::\w+)?\.(?:avg|count|max|min|sum))\(\)(?:::\w+)?$/;

function parseSelected(table: Table, text: string): Selected {
  if (AGGREGATE.test(text)) throw faults.aggregate();
  const embedded = /^(?:[^:()]+:)?([A-Za-z_]\w*)((?:!\w+)*)\(.*\)$/s.exec(text);
  if (embedded !== null) {
    const hint = embedded[2]?.split("!").find((one) => !["", "inner", "left"].includes(one));
    throw faults.relationship(table.name, embedded[1] ?? "", hint);
  }
  const [, alias, rest = ""] = /^(?:("(?:[^"\\]|\\.)*"|[^:"]+):)?([^:]+)$/s.exec(text) ?? [];
  if (rest === "") throw faults.badFilter("select parameter", text);
  const field = parseField(table, rest, "select parameter");
  return { name: alias?.replace(/^"|"$/g, "") ?? defaultName(field), field };
}

/** Returns the last key of a path, as PostgREST names it. */
function defaultName(field: Field): string {
  const key = field.path.findLast((step) => typeof step === "string");
  return key === undefined ? field.column.name : String(key);
}

function parseOrder(table: Table, text: string | null): readonly Ordering[] {
  if (text === null || text.trim() === "") return [];
  const parts = splitList(text);
  if (parts === null || parts.length > 10) throw faults.badFilter("order", text);
  return parts.map((part) => {
    const embedded = /^([A-Za-z_]\w*)\(/.exec(part.trim())?.[1];
    if (embedded !== undefined) throw faults.embedded(embedded);
    const match = /^(.+?)(?:\.(asc|desc))?(?:\.(nullsfirst|nullslast))?$/.exec(part.trim());
    if (match === null) throw faults.badFilter("order", text);
    const field = parseField(table, match[1] ?? "", "order");
    if (fieldType(field) === "json") throw faults.ordering("json");
    const descending = match[2] === "desc";
    // This is PostgreSQL's default: nulls are greater than everything.
    const nullsFirst = match[3] === undefined ? descending : match[3] === "nullsfirst";
    return { field, descending, nullsFirst };
  });
}

function parseCount(what: string, text: string | null): number | null {
  if (text === null) return null;
  if (!/^\d{1,15}$/.test(text)) throw faults.badFilter(what, text);
  return Number(text);
}

function parseNames(text: string | null): readonly string[] | null {
  if (text === null || text.trim() === "") return null;
  return text.split(",").map((name) => name.trim().replace(/^"(.*)"$/, "$1"));
}
