/** The pool of connections to PostgreSQL: decides who gets one, how long a caller waits, and which of them are discarded. */

import pg from "pg";
import type { Logger } from "../../process/log.ts";
import { DatabaseUnavailable } from "../faults.ts";
import { createOutage } from "../outage.ts";
import type { ConnectionUse, QueryResult, SqlValue } from "../port.ts";
import { checkValues } from "../values.ts";
import { hindersWrites, isFull, translateError } from "./faults.ts";
import { TYPES, toParameter } from "./types.ts";

export interface PoolOptions {
  /** The greatest number of connections of this process. */
  readonly connections: number;
  /** Milliseconds that a caller waits for a connection, including a new one. */
  readonly wait: number;
  /** Milliseconds after which a connection that has not answered a statement is given up. */
  readonly silence: number;
}

export interface ConnectionPool {
  /** Runs `work` on a connection of its own. @throws DatabaseUnavailable when none is free in time */
  use<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T>;
  /** The present use of the pool. */
  readonly counts: ConnectionUse;
  end(): Promise<void>;
}

/** Milliseconds between two attempts to get a connection that the server refuses for lack of free ones. */
const RETRY_MS = { from: 50, spread: 150 } as const;

/** Milliseconds of silence after which TCP asks whether the other side is still there. */
const KEEP_ALIVE_MS = 10_000;

export function createPool(url: string, log: Logger, options: PoolOptions): ConnectionPool {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.connections,
    connectionTimeoutMillis: options.wait,
    query_timeout: options.silence,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    application_name: "inkpool",
    types: TYPES,
  });
  // This is a connection that breaks while nobody uses it: the pool makes a new one when it is needed.
  pool.on("error", (error) => log.warn("a database connection broke", { error: error.message }));
  const outage = createOutage(log, hindersWrites);
  // A broken connection casts doubt on all that are as old: they have met the same failure, mostly without notice.
  let breaks = 0;
  const madeAfter = new WeakMap<pg.PoolClient, number>();
  pool.on("connect", (client) => {
    madeAfter.set(client, breaks);
    // Nobody else listens to a connection that is handed over, or that a caller has between two statements: the next
    // statement fails.
    client.on("error", ignore);
  });
  const take = async (): Promise<pg.PoolClient> => {
    for (;;) {
      const client = await connect(pool, options.wait);
      if (madeAfter.get(client) === breaks) return client;
      client.release(true);
    }
  };
  return {
    use: async (work) => {
      const client = await take().catch((error: unknown) => {
        throw outage.noted(error);
      });
      let broken = false;
      writers.delete(client);
      try {
        const result = await work(client);
        outage.over(writers.has(client));
        return result;
      } catch (error) {
        broken = error instanceof DatabaseUnavailable;
        if (broken) breaks++;
        throw outage.noted(error);
      } finally {
        client.release(broken);
      }
    },
    get counts() {
      return { open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount };
    },
    end: () => pool.end(),
  };
}

function ignore(): void {}

/** Gets a connection. The server may refuse one while others of its own end, so it is asked again until the time is over. */
async function connect(pool: pg.Pool, wait: number): Promise<pg.PoolClient> {
  const deadline = performance.now() + wait;
  for (;;) {
    try {
      return await pool.connect();
    } catch (error) {
      const pause = RETRY_MS.from + Math.random() * RETRY_MS.spread;
      if (!isFull(error) || performance.now() + pause > deadline) throw translateError(error);
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

/** The connections on which rows were written since a caller took them. */
const writers = new WeakSet<pg.PoolClient>();

const WRITING = new Set(["INSERT", "UPDATE", "DELETE"]);

/**
 * Runs one statement, or several without values, of which the last result counts.
 * @param silence Milliseconds until the answer, where they differ from the pool's.
 */
export async function run(
  client: pg.PoolClient,
  sql: string,
  values: readonly SqlValue[] = [],
  silence?: number,
): Promise<QueryResult> {
  checkValues(values);
  const config = {
    text: sql,
    ...(values.length === 0 ? {} : { values: values.map(toParameter) }),
    ...(silence === undefined ? {} : { query_timeout: silence }),
  };
  try {
    const answer: pg.QueryResult | pg.QueryResult[] = await client.query(config);
    const result = Array.isArray(answer) ? answer.at(-1) : answer;
    if (result?.rowCount && WRITING.has(result.command)) writers.add(client);
    return { rows: (result?.rows as QueryResult["rows"]) ?? [], rowCount: result?.rowCount ?? 0 };
  } catch (error) {
    throw translateError(error);
  }
}
