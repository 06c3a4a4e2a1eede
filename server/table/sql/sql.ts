/** Writes plans as SQL for both databases. Names are those of the declared tables, and values occur only through placeholders. */

import type { Database, SqlValue } from "../../storage/port.ts";
import { fieldType, type Field } from "../schema/fields.ts";
import { SYMBOLS, type Comparison, type Filter } from "../query/filters.ts";
import type { Ordering, Selected } from "../query/request.ts";

export type Dialect = Database["dialect"];

/** A statement's values while they are collected; `bind` returns the placeholder. */
export interface Binder {
  readonly dialect: Dialect;
  readonly values: readonly SqlValue[];
  bind(value: SqlValue): string;
}

export function createBinder(dialect: Dialect): Binder {
  const values: SqlValue[] = [];
  return { dialect, values, bind: (value) => `$${values.push(value)}` };
}

/** Returns a declared name in quotes. */
export function name(text: string): string {
  return `"${text}"`;
}

/** Returns the columns of a response, named c0, c1 ...; JSON is selected as its text (bytes from SQLite), never parsed. */
export function selectList(binder: Binder, select: readonly Selected[]): string {
  return select
    .map(({ field }, index) => {
      const sql = fieldSql(binder, field);
      if (fieldType(field) !== "json") return `${sql} as c${index}`;
      return `cast(${sql} as ${binder.dialect === "sqlite" ? "blob" : "text"}) as c${index}`;
    })
    .join(", ");
}

/** Returns `where ...` or nothing. `visible` is false when a policy shows no row. */
export function whereSql(binder: Binder, filters: readonly Filter[], visible = true): string {
  const conditions = filters.map((filter) => filterSql(binder, filter));
  if (!visible) conditions.push("false");
  return conditions.length === 0 ? "" : ` where ${conditions.join(" and ")}`;
}

export function orderSql(binder: Binder, order: readonly Ordering[]): string {
  if (order.length === 0) return "";
  const terms = order.map(
    ({ field, descending, nullsFirst }) =>
      `${fieldSql(binder, field)} ${descending ? "desc" : "asc"} nulls ${nullsFirst ? "first" : "last"}`,
  );
  return ` order by ${terms.join(", ")}`;
}

function filterSql(binder: Binder, filter: Filter): string {
  switch (filter.kind) {
    case "compare":
      return comparisonSql(binder, filter);
    case "in": {
      if (filter.values.length === 0) return "false";
      const list = filter.values.map((value) => typed(binder, filter.field, value));
      return `${fieldSql(binder, filter.field)} in (${list.join(", ")})`;
    }
    case "null":
      return `(${fieldSql(binder, filter.field)} is null)`;
    case "not":
      return `(not ${filterSql(binder, filter.part)})`;
    case "and":
    case "or":
      return `(${filter.parts.map((part) => filterSql(binder, part)).join(` ${filter.kind} `)})`;
  }
}

function comparisonSql(
  binder: Binder,
  { field, by, value }: { field: Field; by: Comparison; value: string },
): string {
  const left = fieldSql(binder, field);
  if (by !== "like" && by !== "ilike")
    return `(${left} ${SYMBOLS[by]} ${typed(binder, field, value)})`;
  if (binder.dialect === "postgres") return `(${left} ${by} ${binder.bind(value)}::text)`;
  // SQLite's LIKE ignores case, so the exact one is a GLOB.
  return by === "like"
    ? `(${left} glob ${binder.bind(likeToGlob(value))})`
    : `(${left} like ${binder.bind(value)} escape '\\')`;
}

function likeToGlob(pattern: string): string {
  return pattern.replace(/\\?[\s\S]/g, (token) => {
    if (token === "%") return "*";
    if (token === "_") return "?";
    const plain = token.length > 1 ? token.slice(1) : token;
    return /[*?[]/.test(plain) ? `[${plain}]` : plain;
  });
}

function typed(binder: Binder, field: Field, value: string): string {
  const placeholder = binder.bind(value);
  return binder.dialect === "postgres" ? `${placeholder}::${fieldType(field)}` : placeholder;
}

function fieldSql(binder: Binder, field: Field): string {
  const column = name(field.column.name);
  const last = field.path.at(-1);
  if (last === undefined) return column;
  const parent = field.path
    .slice(0, -1)
    .reduce<string>((sql, step) => `(${sql} -> ${stepSql(binder, step)})`, column);
  const step = stepSql(binder, last);
  if (!field.asText) return `(${parent} -> ${step})`;
  if (binder.dialect === "postgres") return `(${parent} ->> ${step})`;
  // SQLite's ->> makes numbers of numbers and 1 of true; PostgreSQL shows them as they are written.
  const value = `${parent} -> ${step}`;
  return `(case json_type(${value}) when 'text' then ${parent} ->> ${step} when 'null' then null else ${value} end)`;
}

function stepSql(binder: Binder, step: string | number): string {
  if (binder.dialect === "postgres")
    return `${binder.bind(step)}::${typeof step === "number" ? "int" : "text"}`;
  if (typeof step === "string") return binder.bind(step);
  return binder.bind(step < 0 ? `$[#${step}]` : `$[${step}]`);
}
