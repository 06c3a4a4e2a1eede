import pg from "pg";
import type { Logger } from "../../process/log.ts";
import { reasonOf, StartFault } from "../../process/start-fault.ts";
import { DatabaseUnavailable } from "../faults.ts";
import type { Actor, Database, Queryable } from "../port.ts";
import { codeOf, isDeadlock } from "./faults.ts";
import { createPool, run, type ConnectionPool } from "./pool.ts";
import { createRowChanges } from "./row-changes.ts";
import { ensureRoles } from "./roles.ts";

/** The options, in milliseconds except for the connections; an absent one has the default of the settings. */
export interface PostgresOptions {
  /** The time after which the database ends a statement that is run for an actor. */
  readonly statementTimeout?: number;
  /** The greatest number of connections of this process. */
  readonly connections?: number;
  /** The time for which a caller waits for a connection. */
  readonly wait?: number;
  /**
   * The time after which a connection counts as dead: when it has not begun a transaction, or has not answered so
   * long after the end of an actor's statement. Statements of the server's own are short: they have `OWN_SILENCES` of
   * this time in all.
   */
  readonly silence?: number;
}

/**
 * The number of `silence` times that a statement of the server's own may take, and a transaction may wait for its
 * next statement.
 */
const OWN_SILENCES = 2;

/** Milliseconds for a change of the schema, which may rewrite large tables, and waits while another process makes it. */
const MIGRATION_MS = 600_000;

/** The number of attempts at a transaction that PostgreSQL ends to break deadlocks. */
const ATTEMPTS = 4;

const DEFAULTS = {
  statementTimeout: 30_000,
  connections: 10,
  wait: 10_000,
  silence: 5_000,
} as const;

/**
 * Opens PostgreSQL through a pool of connections, with the roles that the policies name.
 * @throws StartFault when the server cannot be reached or used
 */
export async function openPostgres(
  url: string,
  log: Logger,
  options: PostgresOptions = {},
): Promise<Database> {
  const { statementTimeout, connections, wait, silence } = { ...DEFAULTS, ...options };
  const own = OWN_SILENCES * silence;
  const pool = createPool(url, log, { connections, wait, silence: own });
  try {
    await pool.use((client) => run(client, "select 1"));
  } catch (error) {
    await pool.end();
    throw unreachable(error);
  }
  const calls = countCalls();
  const query: Queryable["query"] = (sql, values) =>
    calls.run(() => pool.use((client) => run(client, sql, values)));
  const transaction = <T>(work: Work<T>, limits: Limits): Promise<T> =>
    calls.run(() => inTransaction(pool, work, limits));
  const limited = <T>(work: Work<T>, actor?: Actor): Promise<T> => {
    const statement = actor === undefined ? own : statementTimeout + silence;
    const limits = { begin: begin(own, actor, statementTimeout), silence, statement };
    return repeatAfterDeadlock(() => transaction(work, limits));
  };
  const rowChanges = createRowChanges(url, { query, transaction: limited }, log);
  const database: Database = {
    dialect: "postgres",
    query,
    use: () => pool.counts,
    reads: { query },
    longReads: { query },
    rowChanges,
    transaction: limited,
    migration: (work) => transaction(work, { begin: begin(own), silence, statement: MIGRATION_MS }),
    close: async () => {
      await rowChanges.close();
      await calls.end(() => pool.end());
    },
  };
  try {
    await ensureRoles(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

/**
 * Runs `attempt` again when PostgreSQL has ended it to break a deadlock, `ATTEMPTS` times at most: an attempt can meet
 * the transaction that was let through once more, because it may lock a row before that one wakes.
 */
async function repeatAfterDeadlock<T>(attempt: () => Promise<T>): Promise<T> {
  for (let n = 1; n < ATTEMPTS; n++)
    try {
      return await attempt();
    } catch (error) {
      if (!isDeadlock(error)) throw error;
    }
  return attempt();
}

/** The calls in progress: the pool itself would leave a caller waiting who asked before its end and was not served yet. */
interface Calls {
  run<T>(call: () => Promise<T>): Promise<T>;
  /** Refuses new calls, waits for the present ones, then runs `last` once. */
  end(last: () => Promise<void>): Promise<void>;
}

function countCalls(): Calls {
  const running = new Set<Promise<unknown>>();
  let ending: Promise<void> | null = null;
  return {
    run: (call) => {
      if (ending !== null) return Promise.reject(new DatabaseUnavailable("The database is closed"));
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
  const code = codeOf(error);
  const message = reasonOf(error);
  const isFile = /, open '/.test(message);
  // A system's code says enough, unless a file is meant; PostgreSQL's is a number, and its message names no password.
  const reason = isFile || /^(?:\d|$)/.test(code) ? message : code;
  const expected = isFile
    ? "files with certificates that can be read"
    : /CERT|VERIFY/.test(code)
      ? "a certificate for this host by an authority that Node.js or sslrootcert=FILE names (docs/operations.md)"
      : "a PostgreSQL server that lets this user in";
  return new StartFault(`DATABASE_URL cannot be used (${reason}); expected ${expected}`);
}

type Work<T> = (tx: Queryable) => Promise<T>;

interface Limits {
  /** The statements that begin the transaction. */
  readonly begin: string;
  /** Milliseconds for begin and rollback. */
  readonly silence: number;
  /** Milliseconds for each statement. */
  readonly statement: number;
}

async function inTransaction<T>(pool: ConnectionPool, work: Work<T>, limits: Limits): Promise<T> {
  return pool.use(async (client) => {
    const tx: Queryable = { query: (sql, values) => run(client, sql, values, limits.statement) };
    try {
      await run(client, limits.begin, [], limits.silence);
      const result = await work(tx);
      await tx.query("commit");
      return result;
    } catch (error) {
      // A broken connection is discarded, and its transaction with it.
      if (!(error instanceof DatabaseUnavailable)) await rollback(client, limits.silence);
      throw error;
    }
  });
}

/** Rolls back. A connection that cannot do so must not be used again, and its error is the one that counts. */
async function rollback(client: pg.PoolClient, silence: number): Promise<void> {
  await run(client, "rollback", [], silence).catch((error: unknown) => {
    throw new DatabaseUnavailable("a transaction could not be rolled back", { cause: error });
  });
}

/**
 * Returns the statements that begin a transaction, in one round trip: the limits, and for an actor the role and the
 * claims, are valid until its end. The server ends a transaction whose process disappeared, and releases the locks
 * that others wait for.
 */
function begin(idle: number, actor?: Actor, statementTimeout = 0): string {
  const always = `begin; set local idle_in_transaction_session_timeout = ${idle}`;
  if (actor === undefined) return always;
  return [
    always,
    `set local role ${pg.escapeIdentifier(actor.role)}`,
    `set local statement_timeout = ${statementTimeout}`,
    `select set_config('request.jwt.claims', ${pg.escapeLiteral(actor.claims)}, true)`,
  ].join("; ");
}
