/** Carries out requests: a plan goes in, a response comes out. */

import type { Caller } from "./credentials.ts";
import type { Database, Queryable, QueryResult, Row } from "../storage/port.ts";
import type { Charge, GivenDrawings } from "../access/port.ts";
import { drawingsOf, readBody, type Body } from "./sql/body.ts";
import { fittingRows } from "./sql/fitting.ts";
import { faults } from "./schema/faults.ts";
import { combineRange, type Preferences } from "./query/prefer.ts";
import type { Plan } from "./query/request.ts";
import { contentRange, encodeRows } from "./response.ts";
import { createBinder, name, orderSql, selectList, whereSql } from "./sql/sql.ts";
import type { Policy, Table } from "./schema/tables.ts";
import {
  changesFixedSql,
  deleteSql,
  insertSql,
  rowsSql,
  updateSql,
  type Statement,
  type Write,
} from "./sql/write.ts";

/** The rights that the tokens of the host's links give. */
export interface BoardRights {
  /** Whether the caller may set what only hosts may. */
  readonly isHost: boolean;
  /** Whether the caller draws while the board is locked. */
  readonly drawsLocked: boolean;
}

/** A request that was parsed. */
export interface Request {
  readonly table: Table;
  readonly plan: Plan;
  readonly preferences: Preferences;
  readonly caller: Caller;
  /** The caller's rights beyond its role. */
  readonly board: BoardRights;
  /** Charges a write for its additions to the board; null where nothing is limited. */
  readonly charge: ((given: GivenDrawings) => Promise<Charge | null>) | null;
  /** Whether the caller wants one object instead of a list. */
  readonly single: boolean;
  readonly stripped: boolean;
  readonly range: string | undefined;
  readonly body: unknown;
}

export interface TableResponse {
  readonly status: number;
  /** The number of rows that a write touched. */
  readonly touched?: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body of the response; null for none. */
  readonly body: Buffer | null;
}

/** Greatest number of rows in one response, as in a hosted project. */
const MAX_ROWS = 1000;

export async function read(database: Database, request: Request): Promise<TableResponse> {
  const { table, plan, preferences, single } = request;
  const { offset, limit } = combineRange(request.range, plan);
  const visible = policyOf(request).select;
  const rows = createBinder(database.dialect);
  const list = selectList(rows, plan.select);
  const where = whereSql(rows, plan.filters, visible);
  const order = orderSql(rows, plan.order);
  const max = Math.min(limit ?? MAX_ROWS, MAX_ROWS);
  const count = createBinder(database.dialect);
  const countSql = `select count(*) as n from ${name(table.name)}${whereSql(count, plan.filters, visible)}`;

  const { found, total } = await readAs(database, request, async (tx) => {
    const fitting = await fittingRows(tx, database.dialect, { table, plan, offset, max });
    const window = `limit ${rows.bind(fitting)} offset ${rows.bind(offset)}`;
    const sql = `select ${list} from ${name(table.name)}${where}${order} ${window}`;
    const result = await tx.query(sql, rows.values);
    if (preferences.count === null) return { found: result.rows, total: null };
    const counted = await tx.query(countSql, count.values);
    return { found: result.rows, total: Number(counted.rows[0]?.["n"]) };
  });
  if (single && found.length !== 1) throw faults.notSingle(found.length);
  if (total !== null && offset > total)
    throw faults.range(`An offset of ${offset} was requested, but there are only ${total} rows.`);
  const partial = total !== null && found.length < total;
  return {
    status: partial ? 206 : 200,
    headers: { "content-range": contentRange(offset, found.length, total) },
    body: encodeRows(plan.select, found, request),
  };
}

export async function insert(database: Database, request: Request): Promise<TableResponse> {
  const { table, caller, preferences } = request;
  checkWritable(request);
  const body = await readBody(database, database.dialect, request.body);
  const statement = insertSql(asWrite(database, request), body);
  const allowed = policyOf(request).insert && mayChange(database, request);
  if (statement !== null && !allowed) throw faults.denied(caller.role, table.name);
  const write = (): Promise<Written> => runWrite(database, request, statement);
  const { rows, rowCount, added } = await payFor(database, request, body, write);
  const total = preferences.count === null ? null : rowCount;
  const addsNone = preferences.resolution === "merge-duplicates" && added === 0;
  const response = writeResponse(request, rows, total, { status: addsNone ? 200 : 201, shown: 0 });
  const first = rows[0];
  if (preferences.return !== "headers-only" || first === undefined)
    return { ...response, touched: rowCount };
  const location = `/${table.name}?${table.primaryKey.map((key, index) => `${key}=eq.${String(first[`c${index}`])}`).join("&")}`;
  return { ...response, touched: rowCount, headers: { ...response.headers, location } };
}

export async function update(database: Database, request: Request): Promise<TableResponse> {
  checkWritable(request);
  if (request.plan.filters.length === 0) throw faults.whereless("UPDATE");
  const body = await readBody(database, database.dialect, request.body);
  const write = asWrite(database, request);
  if (!mayChange(database, request)) throw faults.denied(request.caller.role, request.table.name);
  const statement = updateSql(write, body, policyOf(request).update);
  const asked = request.caller.role === "service_role" ? null : changesFixedSql(write, body);
  const run = (): Promise<QueryResult> => runWrite(database, request, statement, asked);
  const result = await payFor(database, request, body, run);
  return { ...changeResponse(request, result), touched: result.rowCount };
}

export async function remove(database: Database, request: Request): Promise<TableResponse> {
  checkWritable(request);
  if (request.plan.filters.length === 0) throw faults.whereless("DELETE");
  const statement = deleteSql(asWrite(database, request), policyOf(request).delete);
  return changeResponse(request, await runWrite(database, request, statement));
}

/** Runs a write that may add to the board, when its caller may add so much. */
async function payFor<Result extends QueryResult>(
  database: Database,
  { charge }: Request,
  body: Body,
  run: () => Promise<Result>,
): Promise<Result> {
  const drawings = charge === null ? [] : drawingsOf(database.dialect, body);
  if (charge === null || drawings.length === 0) return run();
  const paid = await charge({ drawings, values: [body.bytes] });
  if (paid === null) throw faults.limited();
  let touched = 0;
  try {
    const result = await run();
    touched = result.rowCount;
    return result;
  } finally {
    if (touched > 0) paid.written();
    else paid.undo();
  }
}

function checkWritable({ table, caller }: Request): void {
  if (table.readOnly === true) throw faults.readOnly(caller.role, table.name);
}

/** Whether a role may change a table. On PostgreSQL the database's own policies decide, which are the same. */
function mayChange({ dialect }: Database, { table, caller, board }: Request): boolean {
  if (dialect === "postgres" || table.hostOnly !== true) return true;
  return board.isHost || caller.role === "service_role";
}

function policyOf({ table, caller }: Request): Policy {
  return table.policies[caller.role];
}

function asWrite(database: Database, { table, plan, preferences }: Request): Write {
  return { dialect: database.dialect, table, plan, preferences };
}

interface Written extends QueryResult {
  /** The number of rows that an upsert added to those that it changed; 0 for any other write. */
  readonly added: number;
}

/**
 * Runs a write. When the caller wants one object and the write has another number of rows, or more than it may touch,
 * it is rolled back.
 * @param changesFixed finds a row in which the write would change what its caller may not change
 */
function runWrite(
  database: Database,
  request: Request,
  statement: Statement | null,
  changesFixed: Statement | null = null,
): Promise<Written> {
  if (statement === null) return Promise.resolve({ rows: [], rowCount: 0, added: 0 });
  const wantsOne = request.single && request.preferences.return === "representation";
  const isGuarded = isLockGuarded(database, request);
  const { maxAffected } = request.preferences;
  const mayUndo = wantsOne || maxAffected !== null;
  const isRead = statement.keysOnly === true || statement.merges === true;
  const together = mayUndo || changesFixed !== null || isRead || isGuarded;
  return actAs(database, request, together, async (tx) => {
    if (isGuarded) await refuseLocked(tx, request);
    if (changesFixed !== null) await refuseFixed(tx, request, changesFixed);
    const before = statement.merges === true ? await countRows(tx, request) : 0;
    const result = await tx.query(statement.sql, statement.values);
    const added = statement.merges === true ? (await countRows(tx, request)) - before : 0;
    if (wantsOne && result.rows.length !== 1) throw faults.notSingle(result.rows.length);
    if (maxAffected !== null && result.rowCount > maxAffected)
      throw faults.maxAffected(result.rowCount);
    if (statement.keysOnly !== true) return { ...result, added };
    const shown = rowsSql(asWrite(database, request), result.rows);
    const { rows } = await tx.query(shown.sql, shown.values);
    return { rows, rowCount: result.rowCount, added };
  });
}

/** Counts the rows of a table that takes writes, each of which has one at most. */
async function countRows(tx: Queryable, { table }: Request): Promise<number> {
  const { rows } = await tx.query(`select count(*) as n from ${name(table.name)}`);
  return Number(rows[0]?.["n"]);
}

/**
 * Whether the lock decides about this write, which is never so for a removal. On PostgreSQL the database's own
 * policies decide.
 */
function isLockGuarded({ dialect }: Database, { table, caller, board, body }: Request): boolean {
  if (dialect === "postgres" || table.lockable !== true || body === undefined) return false;
  return caller.role !== "service_role" && !board.drawsLocked;
}

async function refuseLocked(tx: Queryable, { caller }: Request): Promise<void> {
  const { rowCount } = await tx.query("select 1 from canvas_settings where locked");
  if (rowCount > 0) throw faults.locked(caller.role);
}

async function refuseFixed(tx: Queryable, request: Request, asked: Statement): Promise<void> {
  const { rowCount } = await tx.query(asked.sql, asked.values);
  if (rowCount > 0) throw faults.fixedColumn(request.caller.role, request.table.name, "id");
}

/** Runs a read. On SQLite it runs beside writes, so that a slow read delays neither a save nor a short read. */
function readAs<T>(
  database: Database,
  request: Request,
  work: (tx: Queryable) => Promise<T>,
): Promise<T> {
  const { longReads, reads } = database;
  return database.dialect === "sqlite"
    ? work(request.plan.purpose === "longRead" ? longReads : reads)
    : actAs(database, request, false, work);
}

/**
 * Runs work as an actor. On PostgreSQL this is always a transaction, since the role is set for one; on SQLite a
 * single statement is one already.
 */
function actAs<T>(
  database: Database,
  { caller }: Request,
  undoable: boolean,
  work: (tx: Queryable) => Promise<T>,
): Promise<T> {
  if (database.dialect === "sqlite" && !undoable) return work(database);
  return database.transaction(work, { role: caller.role, claims: JSON.stringify(caller.claims) });
}

function changeResponse(request: Request, { rows, rowCount }: QueryResult): TableResponse {
  const represented = request.preferences.return === "representation";
  const total = request.preferences.count === null ? null : rowCount;
  const answer = represented ? { status: 200, shown: rows.length } : { status: 204, shown: 0 };
  return writeResponse(request, rows, total, answer);
}

function writeResponse(
  { plan, preferences, single, stripped }: Request,
  rows: readonly Row[],
  total: number | null,
  { status, shown }: { readonly status: number; readonly shown: number },
): TableResponse {
  const represented = preferences.return === "representation";
  return {
    status,
    headers: { "content-range": contentRange(0, shown, total) },
    body: represented ? encodeRows(plan.select, rows, { single, stripped }) : null,
  };
}
