/** Inserts, updates and deletes as SQL. */

import type { Row, SqlValue } from "../../storage/port.ts";
import { cellSql, type Body, type Cell } from "./body.ts";
import { faults } from "../schema/faults.ts";
import type { Preferences } from "../query/prefer.ts";
import type { Plan } from "../query/request.ts";
import { createBinder, name, selectList, whereSql, type Binder, type Dialect } from "./sql.ts";
import type { Column, Table } from "../schema/tables.ts";
import { parseScalar } from "../schema/types.ts";

export interface Statement {
  readonly sql: string;
  readonly values: readonly SqlValue[];
  /**
   * Whether only the primary keys of the rows are returned: SQLite's RETURNING shows a row before its triggers have
   * run, so the rows are read afterwards, by `rowsSql`.
   */
  readonly keysOnly?: true;
  /** Whether an existing row is changed instead of refused: only the number of rows says whether one was added. */
  readonly merges?: true;
}

/** The parts of a write. */
export interface Write {
  readonly dialect: Dialect;
  readonly table: Table;
  readonly plan: Plan;
  readonly preferences: Preferences;
}

/** Returns the SQL of an insert; null when there is nothing to insert, for an empty list. */
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
  const what =
    columns.length === 0
      ? defaultRowSql(table, dialect)
      : `(${namesSql(columns)}) values ${rows.join(", ")}`;
  const conflict = conflictSql(table, plan, preferences, columns);
  const statement = anchored(`${into} ${what}${conflict}`, binder, write);
  return preferences.resolution === "merge-duplicates" ? { ...statement, merges: true } : statement;
}

/** Returns the SQL of a row of defaults. It names the primary key, since SQLite's `default values` takes no conflict clause. */
function defaultRowSql(table: Table, dialect: Dialect): string {
  const keys = declared(table, table.primaryKey);
  const values = keys.map((column) => fallbackSql(column, dialect));
  return `(${namesSql(keys)}) values (${values.join(", ")})`;
}

function namesSql(columns: readonly Column[]): string {
  return columns.map((column) => name(column.name)).join(", ");
}

/** Returns the SQL of an update; null when no column is given, so that nothing changes. */
export function updateSql(write: Write, body: Body, allowed: boolean): Statement | null {
  const { dialect, table, plan } = write;
  const [row, ...more] = body.rows;
  if (more.length > 0) throw faults.badJson("An update takes one object");
  const columns = declared(table, plan.columns ?? [...(row?.keys() ?? [])]);
  if (row === undefined || columns.length === 0) return null;
  const binder = createBinder(dialect);
  binder.bind(body.bytes);
  const sets = columns.map((column) => {
    if (column.setBy === "database") return `${name(column.name)} = ${name(column.name)}`;
    const cell = row.get(column.name) ?? { kind: "null" };
    return `${name(column.name)} = ${valueSql({ binder, body, index: 0, column }, cell)}`;
  });
  const counted = countedSql(write, columns);
  if (counted !== null) sets.push(counted);
  const where = whereSql(binder, plan.filters, allowed);
  return anchored(`update ${name(table.name)} set ${sets.join(", ")}${where}`, binder, write);
}

/**
 * Returns SQL that counts in the statement itself; null where there is nothing to count. SQLite's trigger would
 * correct the counter by a second write of the whole row, and has nothing to correct where the drawing differs and
 * the statement counts.
 */
function countedSql({ dialect, table }: Write, columns: readonly Column[]): string | null {
  const { counter } = table;
  if (dialect !== "sqlite" || counter === undefined) return null;
  const given = (one: string): boolean => columns.some((column) => column.name === one);
  if (!given(counter.of) || given(counter.column)) return null;
  return `${name(counter.column)} = ${name(counter.column)} + 1`;
}

/**
 * Returns SQL that finds a row in which an update would change a column that only the service role may. Null where
 * nothing has to be asked: PostgreSQL's triggers refuse such an update by themselves.
 */
export function changesFixedSql({ dialect, table, plan }: Write, body: Body): Statement | null {
  const [row] = body.rows;
  const given = plan.columns ?? [...(row?.keys() ?? [])];
  const fixed = table.columns.filter(
    ({ name: one, setBy }) => setBy === "service_role" && given.includes(one),
  );
  if (dialect !== "sqlite" || row === undefined || fixed.length === 0) return null;
  const binder = createBinder(dialect);
  binder.bind(body.bytes);
  const changed = fixed.map((column) => {
    const cell = row.get(column.name) ?? { kind: "null" };
    return `${name(column.name)} <> ${valueSql({ binder, body, index: 0, column }, cell)}`;
  });
  const where = whereSql(binder, plan.filters);
  const sql = `select 1 from ${name(table.name)}${where} and (${changed.join(" or ")}) limit 1`;
  return { sql, values: binder.values };
}

export function deleteSql(write: Write, allowed: boolean): Statement {
  const binder = createBinder(write.dialect);
  const where = whereSql(binder, write.plan.filters, allowed);
  const sql = `delete from ${name(write.table.name)}${where}${returningSql(binder, write)}`;
  return { sql, values: binder.values };
}

/** Returns SQL for the rows with these primary keys, each as `c0`, `c1` ..., as far as the caller wants them. */
export function rowsSql({ dialect, table, plan }: Write, keys: readonly Row[]): Statement {
  const binder = createBinder(dialect);
  const list = selectList(binder, plan.select);
  const same = keys.map((row) => {
    const parts = table.primaryKey.map(
      (key, index) => `${name(key)} = ${binder.bind(row[`c${index}`] as SqlValue)}`,
    );
    return `(${parts.join(" and ")})`;
  });
  const sql = `select ${list} from ${name(table.name)} where ${same.join(" or ") || "false"}`;
  return { sql, values: binder.values };
}

/**
 * Returns an insert or update with its returned columns. A statement that takes nothing from the body does not refer
 * to `$1`; PostgreSQL needs the type of every value all the same.
 */
function anchored(head: string, binder: Binder, write: Write): Statement {
  const { dialect, preferences } = write;
  const keysOnly = dialect === "sqlite" && preferences.return === "representation";
  const returning = keysOnly ? keysSql(write.table) : returningSql(binder, write);
  const sql = `${head}${returning}`;
  const { values } = binder;
  const more = keysOnly ? { keysOnly } : {};
  if (/\$1\b/.test(sql)) return { sql, values, ...more };
  if (!/\$\d/.test(sql)) return { sql, values: [], ...more };
  const typed = dialect === "postgres" ? `with body as (select $1::bytea) ${sql}` : sql;
  return { sql: typed, values, ...more };
}

function insertColumns(
  table: Table,
  given: readonly string[] | null,
  body: Body,
): readonly Column[] {
  if (given !== null) return written(declared(table, given));
  const keys = [...(body.rows[0]?.keys() ?? [])];
  const same = body.rows.every(
    (row) => row.size === keys.length && keys.every((key) => row.has(key)),
  );
  if (!same) throw faults.badJson("All object keys must match");
  if (keys.length === 0 && body.rows.length > 1) throw faults.badJson("Empty rows cannot be many");
  return written(declared(table, keys));
}

function declared(table: Table, names: readonly string[]): readonly Column[] {
  return [...new Set(names)].map((one) => {
    const column = table.columns.find((declaredOne) => declaredOne.name === one);
    if (column === undefined) throw faults.bodyColumn(table.name, one);
    return column;
  });
}

/** Returns the columns of a new row that are read from the body; the database sets the others. */
function written(columns: readonly Column[]): readonly Column[] {
  return columns.filter(({ setBy }) => setBy !== "database");
}

function fallbackSql(column: Column, dialect: Dialect): string {
  return column.fallback?.[dialect] ?? "null";
}

interface CellPosition {
  readonly binder: Binder;
  readonly body: Body;
  readonly index: number;
  readonly column: Column;
}

function valueSql({ binder, body, index, column }: CellPosition, cell: Cell): string {
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

/** Returns the columns of the rows in their new state, as far as the caller wants them; otherwise only that they exist. */
function returningSql(binder: Binder, { table, plan, preferences }: Write): string {
  if (preferences.return === "representation")
    return ` returning ${selectList(binder, plan.select)}`;
  return preferences.return === "headers-only" ? keysSql(table) : "";
}

function keysSql(table: Table): string {
  return ` returning ${table.primaryKey.map((key, index) => `${name(key)} as c${index}`).join(", ")}`;
}
