import pg from "pg";
import type { Logger } from "../../log.ts";
import { StartFault } from "../../start-fault.ts";
import type { Actor, Database, Queryable, QueryResult, SqlValue } from "../port.ts";
import { checkValues } from "../values.ts";
import { translateError } from "./faults.ts";
import { ensureRoles } from "./roles.ts";
import { TYPES, toParameter } from "./types.ts";

/** Connections of one process, and milliseconds until a new one must be there. */
const POOL = { connections: 10, connectWithin: 10_000 } as const;

/** A statement of a caller of the table API may take this long, in milliseconds, where no setting says otherwise. */
const STATEMENT_TIMEOUT = 30_000;

/**
 * PostgreSQL through a pool of connections, with the roles that the policies speak of.
 * @param statementTimeout milliseconds after which the database ends a statement that is run for an actor
 * @throws StartFault when the server cannot be reached or used
 */
export async function openPostgres(
  url: string,
  log: Logger,
  statementTimeout = STATEMENT_TIMEOUT,
): Promise<Database> {
  const pool = new pg.Pool({
    connectionString: url,
    max: POOL.connections,
    connectionTimeoutMillis: POOL.connectWithin,
    application_name: "inkpool",
    types: TYPES,
  });
  // A connection that breaks while nobody uses it: the pool makes a new one when it is needed.
  pool.on("error", (error) => log.warn("a database connection broke", { error: error.message }));
  try {
    await pool.query("select 1");
  } catch (error) {
    await pool.end();
    throw unreachable(error);
  }
  const calls = countCalls();
  const query: Queryable["query"] = (sql, values) => calls.run(() => run(pool, sql, values));
  const database: Database = {
    dialect: "postgres",
    query,
    reads: { query },
    transaction: (work, actor) =>
      calls.run(() => inTransaction(pool, work, actor && beginAs(actor, statementTimeout))),
    close: () => calls.end(() => pool.end()),
  };
  try {
    await ensureRoles(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

/** The pool itself leaves a caller waiting who asked before its end and was not served yet. */
interface Calls {
  run<T>(call: () => Promise<T>): Promise<T>;
  /** Refuses new calls, waits for the others, then runs `last` once. */
  end(last: () => Promise<void>): Promise<void>;
}

function countCalls(): Calls {
  const running = new Set<Promise<unknown>>();
  let ending: Promise<void> | null = null;
  return {
    run: (call) => {
      if (ending !== null) return Promise.reject(new Error("The database is closed"));
      const result = call();
      const tracked: Promise<unknown> = result.then(
        () => running.delete(tracked),
        () => running.delete(tracked),
      );
      running.add(tracked);
      return result;
    },
    end: (last) => (ending ??= Promise.all(running).then(last)),
  };
}

function unreachable(error: unknown): StartFault {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const reason = code || (error instanceof Error ? error.message : String(error));
  return new StartFault(
    `DATABASE_URL cannot be used (${reason}); expected a PostgreSQL server that lets this user in`,
  );
}

async function run(
  client: pg.Pool | pg.PoolClient,
  sql: string,
  values: readonly SqlValue[] = [],
): Promise<QueryResult> {
  checkValues(values);
  try {
    // Without values the text goes as it is, and may hold several statements: then the last result counts.
    const answer: pg.QueryResult | pg.QueryResult[] =
      values.length === 0
        ? await client.query(sql)
        : await client.query(sql, values.map(toParameter));
    const result = Array.isArray(answer) ? answer.at(-1) : answer;
    return { rows: (result?.rows as QueryResult["rows"]) ?? [], rowCount: result?.rowCount ?? 0 };
  } catch (error) {
    throw translateError(error);
  }
}

async function inTransaction<T>(
  pool: pg.Pool,
  work: (tx: Queryable) => Promise<T>,
  begin = "begin",
): Promise<T> {
  const client = await pool.connect();
  const tx: Queryable = { query: (sql, values) => run(client, sql, values) };
  let broken: Error | undefined;
  try {
    await tx.query(begin);
    const result = await work(tx);
    await tx.query("commit");
    return result;
  } catch (error) {
    await tx.query("rollback").catch((reason: unknown) => {
      broken = reason instanceof Error ? reason : new Error(String(reason));
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

/** One round trip: the role and the claims hold until the end of the transaction. */
function beginAs({ role, claims }: Actor, statementTimeout: number): string {
  return [
    "begin",
    `set local role ${pg.escapeIdentifier(role)}`,
    `set local statement_timeout = ${statementTimeout}`,
    `select set_config('request.jwt.claims', ${pg.escapeLiteral(claims)}, true)`,
  ].join("; ");
}
