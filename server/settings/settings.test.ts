import { expect, test } from "vitest";
import { readFileSync } from "node:fs";
import { SETTINGS } from "./table.ts";
import { parseSettings, type Settings } from "./settings.ts";
import type { Setting } from "./kinds.ts";
import type { Variables } from "./read.ts";

const parse = (env: Variables): Settings => {
  const parsed = parseSettings(env, "/srv/inkpool");
  if (!parsed.ok) throw new Error(parsed.problems.join("\n"));
  return parsed.settings;
};

const problems = (env: Variables): readonly string[] => {
  const parsed = parseSettings(env, "/srv/inkpool");
  return parsed.ok ? [] : parsed.problems;
};

test("SRV-1 without settings: port 8080 on 127.0.0.1, ./data, Inkpool, the embedded database", () => {
  const env = { PORT: "", HOST: "  ", GOTRUE_DISABLE_SIGNUP: "true" };
  expect(parse(env)).toEqual({
    port: 8080,
    host: "127.0.0.1",
    dataDir: "/srv/inkpool/data",
    productName: "Inkpool",
    databaseUrl: null,
    databasePool: 10,
    databaseWait: 10_000,
    metricsPort: null,
    metricsToken: null,
    logFormat: "text",
    redisPrefix: null,
    redisCa: null,
    redisSentinelPassword: null,
    drain: 0,
    redisUrl: null,
    supabase: null,
    auth: true,
    offline: true,
    frameAncestors: [],
    basePath: "",
    liveBudget: 50_000,
    trustProxy: 0,
    tableRateLimit: 1200,
    newcomerLimits: { objects: 0, bytes: 0 },
    tableReadTimeout: 30_000,
    statementTimeout: 30_000,
    boardLocked: false,
    historyBytes: 209_715_200,
    logLevel: "info",
    env,
  });
});

test("SRV-1 each setting is taken from its variable", () => {
  expect(
    parse({
      PORT: "0",
      HOST: "::1",
      DATA_DIR: "/var/lib/inkpool",
      PRODUCT_NAME: ' Tom & Jerry\'s "Board" ',
      DATABASE_URL: "postgres://u:p@db:5432/ink",
      REDIS_URL: "rediss://cache:6379",
      AUTH: "off",
      BASE_PATH: "/teams/board/",
      LIVE_BUDGET: "500",
      TRUST_PROXY: "true",
      TABLE_RATE_LIMIT: "0",
      NEWCOMER_OBJECTS: "60",
      NEWCOMER_BYTES: "200000",
      STATEMENT_SECONDS: "5",
      BOARD_LOCKED: "1",
      HISTORY_BYTES: "5000000",
      LOG_LEVEL: "warn",
    }),
  ).toMatchObject({
    port: 0,
    host: "::1",
    dataDir: "/var/lib/inkpool",
    productName: 'Tom & Jerry\'s "Board"',
    databaseUrl: "postgres://u:p@db:5432/ink",
    redisUrl: "rediss://cache:6379",
    auth: false,
    basePath: "/teams/board",
    liveBudget: 500,
    trustProxy: 1,
    tableRateLimit: 0,
    newcomerLimits: { objects: 60, bytes: 200_000 },
    statementTimeout: 5000,
    boardLocked: true,
    historyBytes: 5_000_000,
    logLevel: "warn",
  });
});

test("SRV-1 with SUPABASE_URL the live budget is left to the page unless it is set", () => {
  const env = { SUPABASE_URL: "https://abc.supabase.co/", SUPABASE_ANON_KEY: "sb_publishable_x" };
  expect(parse(env)).toMatchObject({
    supabase: { url: "https://abc.supabase.co", anonKey: "sb_publishable_x" },
    liveBudget: null,
  });
  expect(parse({ ...env, LIVE_BUDGET: "100" }).liveBudget).toBe(100);
});

test.each([
  [{ PORT: "80a" }, 'PORT "80a" is not a whole number; expected a whole number from 0 to 65535'],
  [
    { BASE_PATH: "board" },
    'BASE_PATH "board" is no such path; expected a path such as /board, of letters, digits and . _ ~ -',
  ],
  [
    { BASE_PATH: "/a/../b" },
    'BASE_PATH "/a/../b" is no such path; expected a path such as /board, of letters, digits and . _ ~ -',
  ],
  [
    { BASE_PATH: "/rest" },
    'BASE_PATH "/rest" begins with a path of this server; expected a path such as /board, of letters, digits and . _ ~ -',
  ],
  [
    { BASE_PATH: "/host/board" },
    'BASE_PATH "/host/board" begins with a path of this server; expected a path such as /board, of letters, digits and . _ ~ -',
  ],
  [{ PORT: "65536" }, 'PORT "65536" is out of range; expected a whole number from 0 to 65535'],
  [{ PORT: "-1" }, 'PORT "-1" is not a whole number; expected a whole number from 0 to 65535'],
  [
    { HOST: "a b" },
    'HOST "a b" is not a host name or address; expected a host name or an IP address',
  ],
  [
    { PRODUCT_NAME: "x".repeat(101) },
    `PRODUCT_NAME "${"x".repeat(101)}" is too long; expected at most 100 characters on one line`,
  ],
  [
    { SUPABASE_URL: "https://abc.supabase.co/rest", SUPABASE_ANON_KEY: "sb_publishable_x" },
    'SUPABASE_URL "https://abc.supabase.co/rest" has a path; expected an http or https address without a path, such as https://abc.supabase.co',
  ],
  [
    { SUPABASE_URL: "https://abc.supabase.co" },
    "SUPABASE_ANON_KEY is missing; expected the project's public anonymous key, since SUPABASE_URL is set",
  ],
  [
    { SUPABASE_ANON_KEY: "sb_publishable_x" },
    "SUPABASE_URL is missing; expected an http or https address without a path, such as https://abc.supabase.co, since SUPABASE_ANON_KEY is set",
  ],
  [
    {
      SUPABASE_URL: "https://abc.supabase.co",
      SUPABASE_ANON_KEY: "sb_publishable_x",
      DATABASE_URL: "postgres://db/ink",
    },
    "DATABASE_URL contradicts SUPABASE_URL; expected one of the two, since with SUPABASE_URL this server opens no database",
  ],
  [
    {
      SUPABASE_URL: "https://abc.supabase.co",
      SUPABASE_ANON_KEY: "sb_publishable_x",
      BOARD_LOCKED: "1",
    },
    "BOARD_LOCKED contradicts SUPABASE_URL; expected one of the two, since the project's table canvas_settings says whether its board is locked",
  ],
  [
    { REDIS_URL: "redis://cache" },
    "REDIS_URL needs DATABASE_URL; expected a PostgreSQL database that the processes share, since the embedded one belongs to one process",
  ],
  [
    { METRICS_PORT: "8080" },
    "METRICS_PORT 8080 contradicts PORT; expected another port, or none for the metrics at PORT",
  ],
  [
    { LIVE_BUDGET: "0" },
    'LIVE_BUDGET "0" is out of range; expected messages per second, a whole number from 1 to 1000000',
  ],
  [
    { TRUST_PROXY: "yes" },
    'TRUST_PROXY "yes" is not a whole number; expected the number of proxies in front, 0 to 16, or true for 1',
  ],
  [{ AUTH: "no" }, 'AUTH "no" is unknown; expected one of on, off'],
  [
    { TABLE_RATE_LIMIT: "-1" },
    'TABLE_RATE_LIMIT "-1" is not a whole number; expected requests per client in one minute, 0 to 1000000 (0 is no limit)',
  ],
  [
    { SUPABASE_URL: "https://u:p@abc.supabase.co", SUPABASE_ANON_KEY: "sb_publishable_x" },
    'SUPABASE_URL "https://u:p@abc.supabase.co" has more than an address; expected an http or https address without a path, such as https://abc.supabase.co',
  ],
  ...[
    "sb_secret_abcdefgh",
    `e30.${Buffer.from('{"role":"service_role"}').toString("base64url")}.x`,
  ].map((key): [Record<string, string>, string] => [
    { SUPABASE_URL: "https://abc.supabase.co", SUPABASE_ANON_KEY: key },
    "SUPABASE_ANON_KEY is a secret key, which every visitor would get; expected the project's public anonymous key",
  ]),
  [{ LOG_LEVEL: "loud" }, 'LOG_LEVEL "loud" is unknown; expected debug, info, warn or error'],
])(
  "SRV-2 a wrong setting names the variable, the fault and the expected value: %j",
  (env, line) => {
    expect(problems(env)).toEqual([line]);
  },
);

test("SRV-2 every wrong setting is named, and a secret is not quoted", () => {
  const lines = problems({
    PORT: "x",
    DATABASE_URL: "mysql://u:hunter2@db/x",
    REDIS_URL: "hunter2",
  });
  expect(lines.map((line) => line.split(" ")[0])).toEqual(["PORT", "DATABASE_URL", "REDIS_URL"]);
  expect(lines.join("\n")).not.toContain("hunter2");
});

test("SRV-1 the README's table has every setting with its default and its meaning, and no others", () => {
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  const start = readme.indexOf("| variable |");
  const rows = readme
    .slice(start, readme.indexOf("\n\n", start))
    .split("\n")
    .slice(2)
    .map((row) => row.split("|").slice(1, -1))
    .map((cells) => cells.map((cell) => cell.trim()));
  const expected = Object.entries<Setting<unknown>>(SETTINGS).map(([name, { shown, meaning }]) => [
    `\`${name}\``,
    shown === "" ? "none" : `\`${shown}\``,
    meaning,
  ]);
  expect(rows).toEqual(expected);
});
