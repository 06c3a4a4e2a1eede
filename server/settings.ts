/** The environment, read once. Pure: names and texts in, settings or complaints out. */

import { resolve } from "node:path";
import { DEFAULT_PRODUCT_NAME } from "../board/spec.ts";
import { LOG_LEVELS } from "./log.ts";
import type { LogLevel } from "./log.ts";

/** The raw environment. */
export type Environment = Readonly<Record<string, string | undefined>>;

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
  /** Live messages per second that the page may plan with; null leaves it to the page. */
  readonly liveBudget: number | null;
  /** How many proxies stand in front, whose X-Forwarded-* headers count; 0 believes none. */
  readonly trustProxy: number;
  /** Table API requests per address in one minute; 0 is no limit. */
  readonly tableRateLimit: number;
  readonly logLevel: LogLevel;
  /** Everything, for the parts that read names of their own (GOTRUE_*). */
  readonly env: Environment;
}

/** One line each, naming the variable, what is wrong and what is expected. Values of secrets are not quoted. */
export type SettingsResult =
  | { readonly ok: true; readonly settings: Settings }
  | { readonly ok: false; readonly problems: readonly string[] };

type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly wrong: string };

interface Rule<T> {
  readonly fallback: T;
  readonly expects: string;
  /** `text` is trimmed and not empty. */
  parse(text: string): Parsed<T>;
  /** The value is not repeated in a complaint. */
  readonly secret?: true;
}

const good = <T>(value: T): Parsed<T> => ({ ok: true, value });
const bad = (wrong: string): Parsed<never> => ({ ok: false, wrong });

function integer(min: number, max: number): (text: string) => Parsed<number> {
  return (text) => {
    if (!/^\d{1,15}$/.test(text)) return bad("is not a whole number");
    const value = Number(text);
    return value < min || value > max ? bad("is out of range") : good(value);
  };
}

function url(protocols: readonly string[]): (text: string) => Parsed<string> {
  return (text) => {
    if (!URL.canParse(text)) return bad("is not a URL");
    return protocols.includes(new URL(text).protocol) ? good(text) : bad("has the wrong scheme");
  };
}

function origin(text: string): Parsed<string> {
  const checked = url(["http:", "https:"])(text);
  if (!checked.ok) return checked;
  const parsed = new URL(text);
  if (parsed.username || parsed.password || parsed.search || parsed.hash)
    return bad("has more than an address");
  return parsed.pathname === "/" ? good(parsed.origin) : bad("has a path");
}

function hostName(text: string): Parsed<string> {
  return /^[A-Za-z0-9.:_-]{1,255}$/.test(text) ? good(text) : bad("is not a host name or address");
}

/** Control characters have no place in a title; 100 characters are more than a header shows. */
function title(text: string): Parsed<string> {
  if (/[\u0000-\u001f\u007f]/.test(text)) return bad("holds control characters");
  return text.length > 100 ? bad("is too long") : good(text);
}

function proxies(text: string): Parsed<number> {
  if (text === "true") return good(1);
  if (text === "false") return good(0);
  return integer(0, 16)(text);
}

function logLevel(text: string): Parsed<LogLevel> {
  const found = LOG_LEVELS.find((level) => level === text);
  return found === undefined ? bad("is unknown") : good(found);
}

/** The live budget of the embedded backend, in messages per second; a Supabase project sets its own pace. */
export const EMBEDDED_LIVE_BUDGET = 2000;

const RULES = {
  PORT: { fallback: 8080, expects: "a whole number from 0 to 65535", parse: integer(0, 65_535) },
  HOST: { fallback: "127.0.0.1", expects: "a host name or an IP address", parse: hostName },
  DATA_DIR: { fallback: "data", expects: "a folder", parse: good<string> },
  PRODUCT_NAME: {
    fallback: DEFAULT_PRODUCT_NAME,
    expects: "at most 100 characters on one line",
    parse: title,
  },
  DATABASE_URL: {
    fallback: null,
    expects: "postgres://user:password@host:port/database",
    parse: url(["postgres:", "postgresql:"]),
    secret: true,
  },
  REDIS_URL: {
    fallback: null,
    expects: "redis://host:port or rediss://host:port",
    parse: url(["redis:", "rediss:"]),
    secret: true,
  },
  SUPABASE_URL: {
    fallback: null,
    expects: "an http or https address without a path, such as https://abc.supabase.co",
    parse: origin,
  },
  SUPABASE_ANON_KEY: {
    fallback: null,
    expects: "the project's public anonymous key",
    parse: (text) => (/^[\w.-]{8,4096}$/.test(text) ? good(text) : bad("is not a key")),
    secret: true,
  },
  LIVE_BUDGET: {
    fallback: null,
    expects: "messages per second, a whole number from 1 to 1000000",
    parse: integer(1, 1_000_000),
  },
  TRUST_PROXY: {
    fallback: 0,
    expects: "the number of proxies in front, 0 to 16, or true for 1",
    parse: proxies,
  },
  TABLE_RATE_LIMIT: {
    fallback: 1200,
    expects: "requests per address in one minute, 0 to 1000000 (0 is no limit)",
    parse: integer(0, 1_000_000),
  },
  LOG_LEVEL: { fallback: "info", expects: "debug, info, warn or error", parse: logLevel },
} satisfies {
  PORT: Rule<number>;
  HOST: Rule<string>;
  DATA_DIR: Rule<string>;
  PRODUCT_NAME: Rule<string>;
  DATABASE_URL: Rule<string | null>;
  REDIS_URL: Rule<string | null>;
  SUPABASE_URL: Rule<string | null>;
  SUPABASE_ANON_KEY: Rule<string | null>;
  LIVE_BUDGET: Rule<number | null>;
  TRUST_PROXY: Rule<number>;
  TABLE_RATE_LIMIT: Rule<number>;
  LOG_LEVEL: Rule<LogLevel>;
};

/** The names of the settings that this file reads, in the order of the README's table. */
export const SETTING_NAMES = Object.keys(RULES) as readonly (keyof typeof RULES)[];

/** An empty or blank variable counts as not given. */
export function parseSettings(env: Environment, workingDir: string): SettingsResult {
  const problems: string[] = [];
  const read = <T>(name: keyof typeof RULES, rule: Rule<T>): T => {
    const text = env[name]?.trim() ?? "";
    if (text === "") return rule.fallback;
    const parsed = rule.parse(text);
    if (parsed.ok) return parsed.value;
    const shown = rule.secret ? "" : ` ${JSON.stringify(text)}`;
    problems.push(`${name}${shown} ${parsed.wrong}; expected ${rule.expects}`);
    return rule.fallback;
  };
  const supabaseUrl = read<string | null>("SUPABASE_URL", RULES.SUPABASE_URL);
  const anonKey = read<string | null>("SUPABASE_ANON_KEY", RULES.SUPABASE_ANON_KEY);
  const liveBudget = read<number | null>("LIVE_BUDGET", RULES.LIVE_BUDGET);
  const settings: Settings = {
    port: read("PORT", RULES.PORT),
    host: read("HOST", RULES.HOST),
    dataDir: resolve(workingDir, read("DATA_DIR", RULES.DATA_DIR)),
    productName: read("PRODUCT_NAME", RULES.PRODUCT_NAME),
    databaseUrl: read<string | null>("DATABASE_URL", RULES.DATABASE_URL),
    redisUrl: read<string | null>("REDIS_URL", RULES.REDIS_URL),
    supabase: supabaseUrl !== null && anonKey !== null ? { url: supabaseUrl, anonKey } : null,
    liveBudget: liveBudget ?? (supabaseUrl === null ? EMBEDDED_LIVE_BUDGET : null),
    trustProxy: read("TRUST_PROXY", RULES.TRUST_PROXY),
    tableRateLimit: read("TABLE_RATE_LIMIT", RULES.TABLE_RATE_LIMIT),
    logLevel: read<LogLevel>("LOG_LEVEL", RULES.LOG_LEVEL),
    env,
  };
  if (problems.length === 0) problems.push(...contradictions(settings, env));
  return problems.length > 0 ? { ok: false, problems } : { ok: true, settings };
}

function contradictions(settings: Settings, env: Environment): string[] {
  const given = (name: string): boolean => (env[name]?.trim() ?? "") !== "";
  const problems: string[] = [];
  if (given("SUPABASE_URL") && !given("SUPABASE_ANON_KEY"))
    problems.push(
      `SUPABASE_ANON_KEY is missing; expected ${RULES.SUPABASE_ANON_KEY.expects}, since SUPABASE_URL is set`,
    );
  if (given("SUPABASE_ANON_KEY") && !given("SUPABASE_URL"))
    problems.push(
      `SUPABASE_URL is missing; expected ${RULES.SUPABASE_URL.expects}, since SUPABASE_ANON_KEY is set`,
    );
  if (settings.supabase !== null && settings.databaseUrl !== null)
    problems.push(
      "DATABASE_URL contradicts SUPABASE_URL; expected one of the two, since with SUPABASE_URL this server opens no database",
    );
  if (settings.redisUrl !== null && settings.databaseUrl === null && settings.supabase === null)
    problems.push(
      "REDIS_URL needs DATABASE_URL; expected a PostgreSQL database that the processes share, since the embedded one belongs to one process",
    );
  return problems;
}
