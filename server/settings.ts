/** The server's own settings, read once. Pure: names and texts in, settings or complaints out. */

import { resolve } from "node:path";
import { DEFAULT_PRODUCT_NAME } from "../board/constants.ts";
import { LOG_LEVELS, type LogLevel } from "./log.ts";
import {
  bad,
  choice,
  good,
  optional,
  parseAddress,
  secret,
  url,
  whole,
  words,
  type Parsed,
  type Setting,
} from "./settings/kinds.ts";
import { givenVariables, readTable, type Values, type Variables } from "./settings/read.ts";

export interface Settings {
  /** 0 picks a free port. */
  readonly port: number;
  readonly host: string;
  /** Absolute path of the folder of the embedded database and the generated keys. */
  readonly dataDir: string;
  readonly productName: string;
  /** PostgreSQL instead of the embedded database. */
  readonly databaseUrl: string | null;
  /** Several processes as one. */
  readonly redisUrl: string | null;
  /** The page talks to this project; the server then only serves the page. The URL is an origin without a trailing slash. */
  readonly supabase: { readonly url: string; readonly anonKey: string } | null;
  /** Whether the auth API is served. */
  readonly auth: boolean;
  /** Live messages per second that the page may plan with; null leaves it to the page. */
  readonly liveBudget: number | null;
  /** How many proxies stand in front, whose X-Forwarded-* headers count; 0 believes none. */
  readonly trustProxy: number;
  /** Table API requests per client in one minute; 0 is no limit. */
  readonly tableRateLimit: number;
  /** Milliseconds after which a table answer that its client does not read is given up. */
  readonly tableReadTimeout: number;
  /** Milliseconds after which PostgreSQL ends a statement of the table API. */
  readonly statementTimeout: number;
  /** Bytes of all replaced drawings that the database keeps; 0 keeps none. */
  readonly historyBytes: number;
  readonly logLevel: LogLevel;
  /** Everything, for the parts that read names of their own (GOTRUE_*, REALTIME_*). */
  readonly env: Variables;
}

/** One line each, naming the variable, what is wrong and what is expected. Values of secrets are not quoted. */
export type SettingsResult =
  | { readonly ok: true; readonly settings: Settings }
  | { readonly ok: false; readonly problems: readonly string[] };

/** The live budget of the embedded backend, in messages per second; a Supabase project sets its own pace. */
export const EMBEDDED_LIVE_BUDGET = 2000;

/** Every setting in the order of the README's table, which a test compares with this one. */
export const SETTINGS = {
  PORT: whole([0, 65_535], 8080, "The port; 0 picks a free one."),
  HOST: hostName("127.0.0.1", "The address to listen on; `0.0.0.0` for all addresses."),
  DATA_DIR: {
    ...words("./data", "The folder of the embedded database and of the generated keys."),
    expects: "a folder",
  },
  PRODUCT_NAME: title(DEFAULT_PRODUCT_NAME, "The title of the page."),
  DATABASE_URL: secret(
    url(
      ["postgres:", "postgresql:"],
      "postgres://user:password@host:port/database",
      "A PostgreSQL database instead of the embedded one.",
    ),
  ),
  REDIS_URL: secret(
    url(
      ["redis:", "rediss:"],
      "redis://host:port or rediss://host:port",
      "Redis or Valkey: several server processes as one. Needs `DATABASE_URL`.",
    ),
  ),
  SUPABASE_URL: origin(
    "The page talks to that Supabase project; this server only serves the page.",
  ),
  SUPABASE_ANON_KEY: publicKey("The public key of that project."),
  AUTH: choice(
    ["on", "off"],
    "on",
    "`off` leaves out the auth API: its routes, its tables and its libraries. The whiteboard does not use it.",
  ),
  LIVE_BUDGET: {
    ...optional(
      whole(
        [1, 1_000_000],
        EMBEDDED_LIVE_BUDGET,
        `Live messages per second that all pages together may plan with. Without it ${EMBEDDED_LIVE_BUDGET}, and 100 with \`SUPABASE_URL\`.`,
      ),
    ),
    expects: "messages per second, a whole number from 1 to 1000000",
  },
  TRUST_PROXY: proxies(
    "How many reverse proxies stand in front, whose `X-Forwarded-*` headers count.",
  ),
  TABLE_RATE_LIMIT: {
    ...whole(
      [0, 1_000_000],
      1200,
      "Table API requests per client in one minute; 0 is no limit. A client is an IPv4 address or a /64 of IPv6.",
    ),
    expects: "requests per client in one minute, 0 to 1000000 (0 is no limit)",
  },
  TABLE_READ_SECONDS: {
    ...whole(
      [1, 3600],
      30,
      "Seconds after which an answer of the table API ends of which its client reads nothing.",
    ),
    expects: "seconds, a whole number from 1 to 3600",
  },
  STATEMENT_SECONDS: {
    ...whole(
      [1, 3600],
      30,
      "Seconds after which PostgreSQL ends a statement of the table API; the embedded database has limits of cost instead.",
    ),
    expects: "seconds, a whole number from 1 to 3600",
  },
  HISTORY_BYTES: {
    ...whole(
      [0, 1_000_000_000_000],
      200 * 1024 * 1024,
      "Bytes of replaced drawings that the database keeps ([how](docs/decisions/history-by-trigger.md)); 0 keeps none.",
    ),
    expects: "bytes, a whole number from 0 to 1000000000000 (0 keeps no history)",
  },
  LOG_LEVEL: {
    ...choice<LogLevel>(
      LOG_LEVELS,
      "info",
      "`debug`, `info`, `warn` or `error`; the log goes to stderr.",
    ),
    expects: "debug, info, warn or error",
  },
} as const;

function hostName(fallback: string, meaning: string): Setting<string> {
  return {
    ...words(fallback, meaning),
    expects: "a host name or an IP address",
    parse: (text) =>
      /^[A-Za-z0-9.:_-]{1,255}$/.test(text) ? good(text) : bad("is not a host name or address"),
  };
}

/** No control characters, and at most 100 characters: a header shows no more. */
function title(fallback: string, meaning: string): Setting<string> {
  return {
    ...words(fallback, meaning),
    expects: "at most 100 characters on one line",
    parse: (text) => {
      if (/[\u0000-\u001f\u007f]/.test(text)) return bad("has control characters");
      return text.length > 100 ? bad("is too long") : good(text);
    },
  };
}

function origin(meaning: string): Setting<string | null> {
  return {
    ...optional(words("", meaning)),
    expects: "an http or https address without a path, such as https://abc.supabase.co",
    parse: (text): Parsed<string> => {
      const parsed = parseAddress(text);
      if (!parsed.ok) return parsed;
      const { pathname } = new URL(text);
      return pathname === "/" ? parsed : bad("has a path");
    },
  };
}

function publicKey(meaning: string): Setting<string | null> {
  return {
    ...secret(optional(words("", meaning))),
    expects: "the project's public anonymous key",
    parse: (text) => (/^[\w.-]{8,4096}$/.test(text) ? good(text) : bad("is not a key")),
  };
}

function proxies(meaning: string): Setting<number> {
  const count = whole([0, 16], 0, meaning);
  const named: Readonly<Record<string, number>> = { true: 1, false: 0 };
  return {
    ...count,
    expects: "the number of proxies in front, 0 to 16, or true for 1",
    parse: (text) => {
      const value = Object.hasOwn(named, text) ? named[text] : undefined;
      return value === undefined ? count.parse(text) : good(value);
    },
  };
}

/** The names of the settings above. */
export const SETTING_NAMES = Object.keys(SETTINGS) as readonly (keyof typeof SETTINGS)[];

/** An empty or blank variable counts as not given. */
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
      redisUrl: given.REDIS_URL,
      supabase: supabaseUrl !== null && anonKey !== null ? { url: supabaseUrl, anonKey } : null,
      auth: given.AUTH === "on",
      liveBudget: given.LIVE_BUDGET ?? (supabaseUrl === null ? EMBEDDED_LIVE_BUDGET : null),
      trustProxy: given.TRUST_PROXY,
      tableRateLimit: given.TABLE_RATE_LIMIT,
      tableReadTimeout: given.TABLE_READ_SECONDS * 1000,
      statementTimeout: given.STATEMENT_SECONDS * 1000,
      historyBytes: given.HISTORY_BYTES,
      logLevel: given.LOG_LEVEL,
      env: variables,
    },
  };
}

/** Settings that make no sense together: one line each. */
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
  const isPageOnly = given.SUPABASE_URL !== null && given.SUPABASE_ANON_KEY !== null;
  if (isPageOnly && given.DATABASE_URL !== null)
    problems.push(
      "DATABASE_URL contradicts SUPABASE_URL; expected one of the two, since with SUPABASE_URL this server opens no database",
    );
  if (given.REDIS_URL !== null && given.DATABASE_URL === null && !isPageOnly)
    problems.push(
      "REDIS_URL needs DATABASE_URL; expected a PostgreSQL database that the processes share, since the embedded one belongs to one process",
    );
  return problems;
}
