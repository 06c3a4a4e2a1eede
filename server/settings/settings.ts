/** The server's own settings, read once. Pure: names and texts go in, settings or complaints come out. */

import { resolve } from "node:path";
import { SETTINGS_TABLE } from "../../board/constants.ts";
import type { LogFormat, LogLevel } from "../process/log.ts";
import { EMBEDDED_LIVE_BUDGET, SETTINGS } from "./table.ts";
import { givenVariables, readTable, type Values, type Variables } from "./read.ts";

export interface Settings {
  /** The port to listen on; 0 picks a free one. */
  readonly port: number;
  readonly host: string;
  /** Absolute path of the folder of the embedded database and the generated keys. */
  readonly dataDir: string;
  readonly productName: string;
  /** The URL of PostgreSQL, which replaces the embedded database; null for the embedded one. */
  readonly databaseUrl: string | null;
  /** The number of connections to PostgreSQL, and milliseconds that a caller waits for one. */
  readonly databasePool: number;
  readonly databaseWait: number;
  /** The URL of the Redis that joins several processes; null for one process. */
  readonly redisUrl: string | null;
  /** The beginning of all channels' names in Redis; null for one of the installation's own. */
  readonly redisPrefix: string | null;
  readonly redisCa: string | null;
  readonly redisSentinelPassword: string | null;
  /**
   * The Supabase project that the page uses; the server then only serves the page. The URL is an origin without a
   * trailing slash.
   */
  readonly supabase: { readonly url: string; readonly anonKey: string } | null;
  /** Whether the auth API is served. */
  readonly auth: boolean;
  /** Whether browsers store the page and the last drawing for a start without a network. */
  readonly offline: boolean;
  /** The origins whose pages may show the whiteboard in a frame. */
  readonly frameAncestors: readonly string[];
  /** The path below which browsers find everything, such as `/board`; empty for none. */
  readonly basePath: string;
  /** Live messages per second that the page may plan with; null leaves it to the page. */
  readonly liveBudget: number | null;
  /** The number of proxies in front, whose X-Forwarded-* headers count; 0 trusts none. */
  readonly trustProxy: number;
  /** Table API requests per client in one minute; 0 is no limit. */
  readonly tableRateLimit: number;
  /** The amount that a client without a link may add to the board in one minute; 0 is no limit. */
  readonly newcomerLimits: { readonly objects: number; readonly bytes: number };
  /** Milliseconds after which a table answer that its client does not read is ended. */
  readonly tableReadTimeout: number;
  /** Milliseconds after which PostgreSQL ends a statement of the table API. */
  readonly statementTimeout: number;
  /** Milliseconds between the signal to stop and the stop. */
  readonly drain: number;
  /** Whether the board starts locked. */
  readonly boardLocked: boolean;
  /** Bytes of all replaced drawings that the database stores; 0 stores none. */
  readonly historyBytes: number;
  /** A separate port for the metrics; null serves them on the same one. */
  readonly metricsPort: number | null;
  /** The token that a request of the metrics must present; null lets everybody read them. */
  readonly metricsToken: string | null;
  readonly logFormat: LogFormat;
  readonly logLevel: LogLevel;
  /** The whole environment, for the parts that read the keys (GOTRUE_JWT_*). */
  readonly env: Variables;
}

/**
 * The result. Each complaint is one line with the variable, the fault and the expected value. Values of secrets are
 * not quoted.
 */
export type SettingsResult =
  | { readonly ok: true; readonly settings: Settings }
  | { readonly ok: false; readonly problems: readonly string[] };

/** The names of the settings. */
export const SETTING_NAMES = Object.keys(SETTINGS) as readonly (keyof typeof SETTINGS)[];

/** Parses the settings. An empty or blank variable counts as absent. */
export function parseSettings(variables: Variables, workingDir: string): SettingsResult {
  const problems: string[] = [];
  const given = readTable(SETTINGS, givenVariables(variables), problems);
  if (problems.length === 0) problems.push(...contradictions(given));
  if (problems.length > 0) return { ok: false, problems };
  const { SUPABASE_URL: supabaseUrl, SUPABASE_ANON_KEY: anonKey } = given;
  return {
    ok: true,
    settings: {
      port: given.PORT,
      host: given.HOST,
      dataDir: resolve(workingDir, given.DATA_DIR),
      productName: given.PRODUCT_NAME,
      databaseUrl: given.DATABASE_URL,
      databasePool: given.DATABASE_POOL,
      databaseWait: given.DATABASE_WAIT_SECONDS * 1000,
      redisUrl: given.REDIS_URL,
      redisPrefix: given.REDIS_PREFIX,
      redisCa: given.REDIS_CA,
      redisSentinelPassword: given.REDIS_SENTINEL_PASSWORD,
      supabase: supabaseUrl !== null && anonKey !== null ? { url: supabaseUrl, anonKey } : null,
      auth: given.AUTH === "on",
      offline: given.OFFLINE === "on",
      frameAncestors: given.FRAME_ANCESTORS,
      basePath: given.BASE_PATH,
      liveBudget: given.LIVE_BUDGET ?? (supabaseUrl === null ? EMBEDDED_LIVE_BUDGET : null),
      trustProxy: given.TRUST_PROXY,
      tableRateLimit: given.TABLE_RATE_LIMIT,
      newcomerLimits: { objects: given.NEWCOMER_OBJECTS, bytes: given.NEWCOMER_BYTES },
      tableReadTimeout: given.TABLE_READ_SECONDS * 1000,
      statementTimeout: given.STATEMENT_SECONDS * 1000,
      drain: given.DRAIN_SECONDS * 1000,
      boardLocked: given.BOARD_LOCKED === "1",
      historyBytes: given.HISTORY_BYTES,
      metricsPort: given.METRICS_PORT,
      metricsToken: given.METRICS_TOKEN,
      logFormat: given.LOG_FORMAT,
      logLevel: given.LOG_LEVEL,
      env: variables,
    },
  };
}

/** Returns settings that make no sense together, one line each. */
function contradictions(given: Values<typeof SETTINGS>): string[] {
  const problems: string[] = [];
  if (given.SUPABASE_URL !== null && given.SUPABASE_ANON_KEY === null)
    problems.push(
      `SUPABASE_ANON_KEY is missing; expected ${SETTINGS.SUPABASE_ANON_KEY.expects}, since SUPABASE_URL is set`,
    );
  if (given.SUPABASE_ANON_KEY !== null && given.SUPABASE_URL === null)
    problems.push(
      `SUPABASE_URL is missing; expected ${SETTINGS.SUPABASE_URL.expects}, since SUPABASE_ANON_KEY is set`,
    );
  if (given.METRICS_PORT === given.PORT && given.PORT !== 0)
    problems.push(
      `METRICS_PORT ${given.PORT} contradicts PORT; expected another port, or none for the metrics at PORT`,
    );
  const isPageOnly = given.SUPABASE_URL !== null && given.SUPABASE_ANON_KEY !== null;
  if (isPageOnly && given.DATABASE_URL !== null)
    problems.push(
      "DATABASE_URL contradicts SUPABASE_URL; expected one of the two, since with SUPABASE_URL this server opens no database",
    );
  if (isPageOnly && given.BOARD_LOCKED === "1")
    problems.push(
      `BOARD_LOCKED contradicts SUPABASE_URL; expected one of the two, since the project's table ${SETTINGS_TABLE} says whether its board is locked`,
    );
  if (given.REDIS_URL !== null && given.DATABASE_URL === null && !isPageOnly)
    problems.push(
      "REDIS_URL needs DATABASE_URL; expected a PostgreSQL database that the processes share, since the embedded one belongs to one process",
    );
  return problems;
}
