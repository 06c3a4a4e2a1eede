/** Counts the rows with large JSON that fit into one answer, by their sizes, before any of it is read. */

import type { Queryable } from "../../storage/port.ts";
import type { Plan } from "../query/request.ts";
import { createBinder, name, orderSql, whereSql, type Dialect } from "./sql.ts";
import type { Table } from "../schema/tables.ts";

/** Greatest number of bytes of JSON in an answer of several rows. One row of any size always fits. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

export interface Wanted {
  readonly table: Table;
  readonly plan: Plan;
  readonly offset: number;
  /** Greatest number of rows. */
  readonly max: number;
}

/** Returns the number of rows, from `offset` on in the plan's order, that an answer may contain; at most `max`. */
export async function fittingRows(
  tx: Queryable,
  dialect: Dialect,
  { table, plan, offset, max }: Wanted,
): Promise<number> {
  const large = plan.select.some(({ field }) => field.column.type === "json");
  if (table.sizes === undefined || !large || max <= 1) return max;
  const binder = createBinder(dialect);
  const where = whereSql(binder, plan.filters);
  const order = orderSql(binder, plan.order);
  const window = `limit ${binder.bind(max)} offset ${binder.bind(offset)}`;
  const sql = `select ${name(table.sizes)} as bytes from ${name(table.name)}${where}${order} ${window}`;
  const { rows } = await tx.query(sql, binder.values);
  let bytes = 0;
  const over = rows.findIndex((row) => (bytes += Number(row["bytes"])) > MAX_ANSWER_BYTES);
  return over === -1 ? max : Math.max(1, over);
}
