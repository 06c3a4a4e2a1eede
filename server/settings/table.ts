/** The table of the server's own settings, in the order of the README's, which a test compares with this one. */

import { DEFAULT_PRODUCT_NAME } from "../../board/constants.ts";
import { REDIS_FORMS, parseRedisUrl } from "./redis-address.ts";
import { LOG_FORMATS, LOG_LEVELS, type LogFormat, type LogLevel } from "../process/log.ts";
import {
  bad,
  choice,
  list,
  good,
  optional,
  parseAddress,
  secret,
  url,
  whole,
  words,
  type Parsed,
  type Setting,
} from "./kinds.ts";

/**
 * The live budget of the embedded backend, in messages per second; a Supabase project sets its own pace. A delivered
 * message costs 8 to 11 µs (bench/fanout), so this is about half of a core.
 */
export const EMBEDDED_LIVE_BUDGET = 50_000;

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
  DATABASE_POOL: {
    ...whole([1, 1000], 10, "Connections to PostgreSQL of this process at most."),
    expects: "connections, a whole number from 1 to 1000",
  },
  DATABASE_WAIT_SECONDS: {
    ...whole(
      [1, 600],
      10,
      "Seconds that a request waits in the queue for the database, and for a connection to PostgreSQL, before it gets 503.",
    ),
    expects: "seconds, a whole number from 1 to 600",
  },
  REDIS_URL: secret(
    optional({
      ...words("", "Redis or Valkey: several server processes as one. Needs `DATABASE_URL`."),
      expects: REDIS_FORMS,
      parse: (text) => (parseRedisUrl(text) === null ? bad("is no address of Redis") : good(text)),
    }),
  ),
  REDIS_CA: optional(
    words(
      "",
      "File with the certificates that sign the one of Redis, for TLS with an authority of your own.",
    ),
  ),
  REDIS_SENTINEL_PASSWORD: secret(
    optional(words("", "Password of the Sentinels themselves, when they have one.")),
  ),
  REDIS_PREFIX: optional({
    ...words(
      "",
      "What the names of the channels in Redis begin with, alike for all processes. Without it a name that the database keeps.",
    ),
    expects: "1 to 64 letters, digits and : . _ -",
    parse: (text) =>
      /^[\w:.-]{1,64}$/.test(text) ? good(text) : bad("has other characters or is too long"),
  }),
  SUPABASE_URL: origin(
    "The page talks to that Supabase project; this server only serves the page.",
  ),
  SUPABASE_ANON_KEY: publicKey("The public key of that project."),
  AUTH: choice(
    ["on", "off"],
    "on",
    "`off` leaves out the auth API: its routes, its tables and its libraries. The whiteboard does not use it.",
  ),
  OFFLINE: choice(
    ["on", "off"],
    "on",
    "`off`: browsers keep neither the page nor the drawing for a start without a network, and remove what they have kept.",
  ),
  FRAME_ANCESTORS: origins(
    "Origins whose pages may show the whiteboard in a frame, separated by commas. Without them no page may.",
  ),
  BASE_PATH: path(
    "The path below which a proxy serves everything, such as `/board`. It may strip it or leave it.",
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
  NEWCOMER_OBJECTS: {
    ...whole(
      [0, 1_000_000],
      0,
      "Objects that each client may add to the board in one minute, save for the host and those with a drawing link; 0 is no limit.",
    ),
    expects: "objects per client in one minute, 0 to 1000000 (0 is no limit)",
  },
  NEWCOMER_BYTES: {
    ...whole(
      [0, 1_000_000_000],
      0,
      "Bytes of JSON that each of them may add in one minute; 0 is no limit.",
    ),
    expects: "bytes per client in one minute, 0 to 1000000000 (0 is no limit)",
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
      "Seconds after which the database ends a statement of the table API. Writes of the embedded database have limits of cost instead.",
    ),
    expects: "seconds, a whole number from 1 to 3600",
  },
  DRAIN_SECONDS: {
    ...whole(
      [0, 3600],
      0,
      "Seconds between SIGTERM and the stop in which the server still serves, is not ready, and sends clients elsewhere.",
    ),
    expects: "seconds, a whole number from 0 to 3600",
  },
  BOARD_LOCKED: {
    ...choice(
      ["0", "1"],
      "0",
      "`1`: the board starts locked, and only those with a link of the host draw. It counts when it changes: what a host decides afterwards stays.",
    ),
    expects: "0 or 1",
  },
  HISTORY_BYTES: {
    ...whole(
      [0, 1_000_000_000_000],
      200 * 1024 * 1024,
      "Bytes of replaced drawings that the database keeps ([how](docs/decisions/history-by-trigger.md)); 0 keeps none.",
    ),
    expects: "bytes, a whole number from 0 to 1000000000000 (0 keeps no history)",
  },
  METRICS_PORT: {
    ...optional(
      whole(
        [1, 65_535],
        0,
        "A port of its own for `/metrics`, at HOST; the other one does not have it then.",
      ),
    ),
    expects: "a free port, a whole number from 1 to 65535",
  },
  METRICS_TOKEN: {
    ...secret(
      optional(words("", "What a request of `/metrics` has to show as `Authorization: Bearer`.")),
    ),
    expects: "16 to 200 letters, digits and . _ ~ + / = -",
    parse: (text: string): Parsed<string> =>
      /^[\w.~+/=-]{16,200}$/.test(text)
        ? good(text)
        : bad("has other characters or another length"),
  },
  LOG_FORMAT: {
    ...choice<LogFormat>(LOG_FORMATS, "text", "`text`, or `json`: an object on each line."),
    expects: "text or json",
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

/** A title without control characters, of at most 100 characters: a header shows no more. */
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

/** A list of origins separated by commas, each without a trailing slash. */
function origins(meaning: string): Setting<readonly string[]> {
  return {
    ...list([], meaning),
    expects: "http or https origins separated by commas, such as https://school.example",
    parse: (text) => {
      const found = list([], meaning).parse(text);
      if (!found.ok) return found;
      const isOrigin = (one: string): boolean => URL.canParse(one) && new URL(one).origin === one;
      const wrong = found.value.find((one) => !/^https?:/.test(one) || !isOrigin(one));
      return wrong === undefined ? found : bad(`has ${JSON.stringify(wrong)}, which is no origin`);
    },
  };
}

/** Matches names of the first part of a path that are routes of this server, and must remain so without the path. */
const TAKEN =
  /^\/(?:rest|auth|realtime|storage|functions|host|assets|healthz|readyz|metrics)(?:\/|$)/;

function path(meaning: string): Setting<string> {
  return {
    ...words("", meaning),
    expects: "a path such as /board, of letters, digits and . _ ~ -",
    parse: (text) => {
      const trimmed = text.replace(/\/$/, "");
      if (!/^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)*$/.test(trimmed)) return bad("is no such path");
      return TAKEN.test(trimmed) ? bad("begins with a path of this server") : good(trimmed);
    },
  };
}

function publicKey(meaning: string): Setting<string | null> {
  return {
    ...secret(optional(words("", meaning))),
    expects: "the project's public anonymous key",
    parse: (text) => {
      if (!/^[\w.-]{8,4096}$/.test(text)) return bad("is not a key");
      return isSecretKey(text) ? bad("is a secret key, which every visitor would get") : good(text);
    },
  };
}

/** Whether a key of a Supabase project bypasses the row-level security: a secret one, or a token of the service. */
function isSecretKey(key: string): boolean {
  const claims = Buffer.from(key.split(".")[1] ?? "", "base64url").toString();
  return key.startsWith("sb_secret_") || claims.includes('"service_role"');
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
