/** What the methods do: plan in, answer out. */

import type { Caller } from "../keys/request.ts";
import type { Database, Queryable, QueryResult, Row } from "../storage/port.ts";
import { contentRange, encodeRows } from "./answer.ts";
import { readBody } from "./body.ts";
import { faults } from "./faults.ts";
import { combineRange } from "./prefer.ts";
import type { Preferences } from "./prefer.ts";
import type { Plan } from "./request.ts";
import { createBinder, name, orderSql, selectList, whereSql } from "./sql.ts";
import type { Policy, Table } from "./tables.ts";
import { deleteSql, insertSql, updateSql } from "./write.ts";
import type { Statement, Write } from "./write.ts";

/** A request that was understood. */
export interface Request {
  readonly table: Table;
  readonly plan: Plan;
  readonly preferences: Preferences;
  readonly caller: Caller;
  /** The caller wants one object and no list. */
  readonly single: boolean;
  readonly range: string | undefined;
  readonly body: unknown;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Null for none. */
  readonly body: Buffer | null;
}

/** Rows of one answer at most, as a hosted project has it. */
const MOST_ROWS = 1000;

export async function read(database: Database, request: Request): Promise<Answer> {
  const { table, plan, preferences, single } = request;
  const { offset, limit } = combineRange(request.range, plan);
  const visible = policyOf(request).select;
  const rows = createBinder(database.dialect);
  const list = selectList(rows, plan.select);
  const where = whereSql(rows, plan.filters, visible);
  const order = orderSql(rows, plan.order);
  const window = `limit ${rows.bind(Math.min(limit ?? MOST_ROWS, MOST_ROWS))} offset ${rows.bind(offset)}`;
  const count = createBinder(database.dialect);
  const countSql = `select count(*) as n from ${name(table.name)}${whereSql(count, plan.filters, visible)}`;

  const { found, total } = await actAs(database, request, false, async (tx) => {
    const sql = `select ${list} from ${name(table.name)}${where}${order} ${window}`;
    const result = await tx.query(sql, rows.values);
    if (preferences.count === null) return { found: result.rows, total: null };
    const counted = await tx.query(countSql, count.values);
    return { found: result.rows, total: Number(counted.rows[0]?.["n"]) };
  });
  if (single && found.length !== 1) throw faults.notSingle(found.length);
  if (total !== null && offset > 0 && offset >= total)
    throw faults.range(`An offset of ${offset} was requested, but there are only ${total} rows.`);
  const partial = total !== null && found.length < total;
  return {
    status: partial ? 206 : 200,
    headers: { "content-range": contentRange(offset, found.length, total) },
    body: encodeRows(plan.select, found, single),
  };
}

export async function insert(database: Database, request: Request): Promise<Answer> {
  const { table, caller, preferences } = request;
  const body = await readBody(database, database.dialect, request.body);
  const statement = insertSql(asWrite(database, request), body);
  if (statement !== null && !policyOf(request).insert) throw faults.denied(caller.role, table.name);
  const { rows, rowCount } = await runWrite(database, request, statement);
  const answer = writeAnswer(request, rows, preferences.count === null ? null : rowCount, 201);
  const first = rows[0];
  if (preferences.return !== "headers-only" || first === undefined) return answer;
  const location = `/${table.name}?${table.primaryKey.map((key, index) => `${key}=eq.${String(first[`c${index}`])}`).join("&")}`;
  return { ...answer, headers: { ...answer.headers, location } };
}

export async function update(database: Database, request: Request): Promise<Answer> {
  if (request.plan.filters.length === 0) throw faults.whereless("UPDATE");
  const body = await readBody(database, database.dialect, request.body);
  const statement = updateSql(asWrite(database, request), body, policyOf(request).update);
  const result = await runWrite(database, request, statement);
  return changeAnswer(request, result);
}

export async function remove(database: Database, request: Request): Promise<Answer> {
  if (request.plan.filters.length === 0) throw faults.whereless("DELETE");
  const statement = deleteSql(asWrite(database, request), policyOf(request).delete);
  return changeAnswer(request, await runWrite(database, request, statement));
}

function policyOf({ table, caller }: Request): Policy {
  return table.policies[caller.role];
}

function asWrite(database: Database, { table, plan, preferences }: Request): Write {
  return { dialect: database.dialect, table, plan, preferences };
}

/** Runs a write; when one object was asked for and another number of rows came out, nothing has happened. */
function runWrite(
  database: Database,
  request: Request,
  statement: Statement | null,
): Promise<QueryResult> {
  if (statement === null) return Promise.resolve({ rows: [], rowCount: 0 });
  const wantsOne = request.single && request.preferences.return === "representation";
  return actAs(database, request, wantsOne, async (tx) => {
    const result = await tx.query(statement.sql, statement.values);
    if (wantsOne && result.rows.length !== 1) throw faults.notSingle(result.rows.length);
    return result;
  });
}

/** On PostgreSQL always in a transaction, since the role holds for one; on SQLite a single statement is one already. */
function actAs<T>(
  database: Database,
  { caller }: Request,
  undoable: boolean,
  work: (tx: Queryable) => Promise<T>,
): Promise<T> {
  if (database.dialect === "sqlite" && !undoable) return work(database);
  return database.transaction(work, { role: caller.role, claims: JSON.stringify(caller.claims) });
}

function changeAnswer(request: Request, { rows, rowCount }: QueryResult): Answer {
  const represented = request.preferences.return === "representation";
  const total = request.preferences.count === null ? null : rowCount;
  return writeAnswer(request, rows, total, represented ? 200 : 204);
}

function writeAnswer(
  { plan, preferences, single }: Request,
  rows: readonly Row[],
  total: number | null,
  status: number,
): Answer {
  const represented = preferences.return === "representation";
  const shown = represented && status === 200 ? rows.length : 0;
  return {
    status,
    headers: { "content-range": contentRange(0, shown, total) },
    body: represented ? encodeRows(plan.select, rows, single) : null,
  };
}
