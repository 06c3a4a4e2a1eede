/** Reading and writing rows. Table and column names come from the code, never from a peer. */

import type { Queryable, Row, SqlValue } from "../../storage/port.ts";

export type Values = Readonly<Record<string, SqlValue>>;

export function text(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== "string") throw new Error(`column ${column} holds no text`);
  return value;
}

export function textOrNull(row: Row, column: string): string | null {
  const value = row[column];
  return typeof value === "string" ? value : null;
}

export function number(row: Row, column: string): number {
  return Number(row[column] ?? 0);
}

export function isSet(row: Row, column: string): boolean {
  return Number(row[column] ?? 0) !== 0;
}

export type Json = Readonly<Record<string, unknown>>;

export function json<T>(row: Row, column: string): T {
  return JSON.parse(text(row, column)) as T;
}

/** @throws StorageFault 23505 when a unique value is taken */
export async function insert(db: Queryable, table: string, values: Values): Promise<void> {
  const names = Object.keys(values);
  const marks = names.map((_, index) => `$${index + 1}`).join(", ");
  await db.query(
    `insert into ${table} (${names.join(", ")}) values (${marks})`,
    Object.values(values),
  );
}

/** Changes one row; undefined when there is none. */
export async function update(
  db: Queryable,
  table: string,
  id: string,
  values: Values,
): Promise<Row | undefined> {
  const names = Object.keys(values);
  const sets = names.map((name, index) => `${name} = $${index + 2}`).join(", ");
  const result = await db.query(`update ${table} set ${sets} where id = $1 returning *`, [
    id,
    ...Object.values(values),
  ]);
  return result.rows[0];
}

export async function one(
  db: Queryable,
  sql: string,
  values: readonly SqlValue[],
): Promise<Row | undefined> {
  return (await db.query(sql, values)).rows[0];
}
