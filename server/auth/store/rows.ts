/** Reading and writing rows. Table and column names are constants of the code, never a client's values. */

import type { Queryable, Row, SqlValue } from "../../storage/port.ts";

export type Values = Readonly<Record<string, SqlValue>>;

/**
 * Reads a text.
 * @throws Error when the column is null or no text
 */
export function text(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== "string") throw new Error(`column ${column} has no text`);
  return value;
}

/** Reads a text; null for a column that is null or no text. */
export function textOrNull(row: Row, column: string): string | null {
  const value = row[column];
  return typeof value === "string" ? value : null;
}

/** Reads a number; null counts as 0. */
export function number(row: Row, column: string): number {
  return Number(row[column] ?? 0);
}

/** Reads a flag; null counts as not set. */
export function isSet(row: Row, column: string): boolean {
  return number(row, column) !== 0;
}

export type Json = Readonly<Record<string, unknown>>;

/** Reads a column that this server wrote as JSON. */
export function json<T>(row: Row, column: string): T {
  return JSON.parse(text(row, column)) as T;
}

/** Inserts a row, and returns it as it is stored. @throws StorageFault 23505 when a unique value is taken */
export async function insert(db: Queryable, table: string, values: Values): Promise<Row> {
  const { columns, marks } = columnsOf(values);
  const { rows } = await db.query(
    `insert into ${table} (${columns}) values (${marks}) returning *`,
    Object.values(values),
  );
  if (rows[0] === undefined) throw new Error(`nothing was inserted into ${table}`);
  return rows[0];
}

/** Inserts a row unless one of its unique values is taken. */
export async function insertIfAbsent(db: Queryable, table: string, values: Values): Promise<void> {
  const { columns, marks } = columnsOf(values);
  await db.query(
    `insert into ${table} (${columns}) values (${marks}) on conflict do nothing`,
    Object.values(values),
  );
}

/** Returns the names and the placeholders of an insert, in the order of the values. */
export function columnsOf(values: Values): { readonly columns: string; readonly marks: string } {
  const names = Object.keys(values);
  return {
    columns: names.join(", "),
    marks: names.map((_, index) => `$${index + 1}`).join(", "),
  };
}

/** Changes one row and returns it; undefined when there is none. */
export async function update(
  db: Queryable,
  table: string,
  id: string,
  values: Values,
): Promise<Row | undefined> {
  const names = Object.keys(values);
  const sets = names.map((name, index) => `${name} = $${index + 2}`).join(", ");
  return one(db, `update ${table} set ${sets} where id = $1 returning *`, [
    id,
    ...Object.values(values),
  ]);
}

/** Returns the first row of a statement, or undefined. */
export async function one(
  db: Queryable,
  sql: string,
  values: readonly SqlValue[],
): Promise<Row | undefined> {
  return (await db.query(sql, values)).rows[0];
}
