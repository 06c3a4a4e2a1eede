/** Inserts, updates and deletes as SQL. */

import type { SqlValue } from "../storage/port.ts";
import { cellSql } from "./body.ts";
import type { Body, Cell } from "./body.ts";
import { faults } from "./faults.ts";
import type { Preferences } from "./prefer.ts";
import type { Plan } from "./request.ts";
import { createBinder, name, selectList, whereSql } from "./sql.ts";
import type { Binder, Dialect } from "./sql.ts";
import type { Column, Table } from "./tables.ts";
import { parseScalar } from "./types.ts";

export interface Statement {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** What a write needs to know. */
export interface Write {
  readonly dialect: Dialect;
  readonly table: Table;
  readonly plan: Plan;
  readonly preferences: Preferences;
}

/** Null when there is nothing to insert: an empty list. */
export function insertSql(write: Write, body: Body): Statement | null {
  const { dialect, table, plan, preferences } = write;
  if (body.rows.length === 0) return null;
  const columns = insertColumns(table, plan.columns, body);
  const binder = createBinder(dialect);
  binder.bind(body.bytes);
  const into = `insert into ${name(table.name)}`;
  const rows = body.rows.map((row, index) => {
    const values = columns.map((column) => {
      const cell = row.get(column.name);
      if (cell === undefined && preferences.missing === "default")
        return fallbackSql(column, dialect);
      return valueSql({ binder, body, index, column }, cell ?? { kind: "null" });
    });
    return `(${values.join(", ")})`;
  });
  const listed = columns.map((column) => name(column.name)).join(", ");
  const what = columns.length === 0 ? "default values" : `(${listed}) values ${rows.join(", ")}`;
  const sql = `${into} ${what}${conflictSql(table, plan, preferences, columns)}${returningSql(binder, write)}`;
  return anchored(sql, binder);
}

/** Null when no column is given: nothing changes. */
export function updateSql(write: Write, body: Body, allowed: boolean): Statement | null {
  const { dialect, table, plan } = write;
  const [row, ...more] = body.rows;
  if (more.length > 0) throw faults.badJson("An update takes one object");
  const columns = declared(table, plan.columns ?? [...(row?.keys() ?? [])]);
  if (row === undefined || columns.length === 0) return null;
  const binder = createBinder(dialect);
  binder.bind(body.bytes);
  const sets = columns.map((column) => {
    const cell = row.get(column.name) ?? { kind: "null" };
    return `${name(column.name)} = ${valueSql({ binder, body, index: 0, column }, cell)}`;
  });
  const where = whereSql(binder, plan.filters, allowed);
  const sql = `update ${name(table.name)} set ${sets.join(", ")}${where}${returningSql(binder, write)}`;
  return anchored(sql, binder);
}

export function deleteSql(write: Write, allowed: boolean): Statement {
  const binder = createBinder(write.dialect);
  const where = whereSql(binder, write.plan.filters, allowed);
  const sql = `delete from ${name(write.table.name)}${where}${returningSql(binder, write)}`;
  return { sql, values: binder.values };
}

/**
 * A statement that takes nothing from the body does not refer to `$1`; PostgreSQL wants to know the type
 * of every value all the same.
 */
function anchored(sql: string, binder: Binder): Statement {
  const { values, dialect } = binder;
  if (/\$1\b/.test(sql)) return { sql, values };
  if (!/\$\d/.test(sql)) return { sql, values: [] };
  return { sql: dialect === "postgres" ? `with body as (select $1::bytea) ${sql}` : sql, values };
}

function insertColumns(
  table: Table,
  given: readonly string[] | null,
  body: Body,
): readonly Column[] {
  if (given !== null) return declared(table, given);
  const keys = [...(body.rows[0]?.keys() ?? [])];
  const same = body.rows.every(
    (row) => row.size === keys.length && keys.every((key) => row.has(key)),
  );
  if (!same) throw faults.badJson("All object keys must match");
  if (keys.length === 0 && body.rows.length > 1) throw faults.badJson("Empty rows cannot be many");
  return declared(table, keys);
}

function declared(table: Table, names: readonly string[]): readonly Column[] {
  return [...new Set(names)].map((one) => {
    const column = table.columns.find((declaredOne) => declaredOne.name === one);
    if (column === undefined) throw faults.bodyColumn(table.name, one);
    return column;
  });
}

function fallbackSql(column: Column, dialect: Dialect): string {
  return column.fallback?.[dialect] ?? "null";
}

interface Place {
  readonly binder: Binder;
  readonly body: Body;
  readonly index: number;
  readonly column: Column;
}

function valueSql({ binder, body, index, column }: Place, cell: Cell): string {
  if (cell.kind === "null") return "null";
  if (column.type === "json") return cellSql(binder.dialect, body, index, column.name);
  const text = cell.kind === "scalar" ? cell.text : "(JSON)";
  const placeholder = binder.bind(parseScalar(column.type, text));
  return binder.dialect === "postgres" ? `${placeholder}::${column.type}` : placeholder;
}

function conflictSql(
  table: Table,
  plan: Plan,
  preferences: Preferences,
  columns: readonly Column[],
): string {
  if (preferences.resolution === null) return "";
  const target = plan.onConflict ?? table.primaryKey;
  const known =
    target.length === table.primaryKey.length &&
    target.every((one) => table.primaryKey.includes(one));
  if (!known) throw faults.conflictTarget();
  const on = ` on conflict (${target.map(name).join(", ")})`;
  if (preferences.resolution === "ignore-duplicates" || columns.length === 0)
    return `${on} do nothing`;
  const sets = columns.map((column) => `${name(column.name)} = excluded.${name(column.name)}`);
  return `${on} do update set ${sets.join(", ")}`;
}

/** The rows as they are afterwards, as far as the caller wants them; else only that they are there. */
function returningSql(binder: Binder, { table, plan, preferences }: Write): string {
  if (preferences.return === "representation")
    return ` returning ${selectList(binder, plan.select)}`;
  const keys = table.primaryKey.map((key, index) => `${name(key)} as c${index}`);
  return preferences.return === "headers-only" ? ` returning ${keys.join(", ")}` : "";
}
