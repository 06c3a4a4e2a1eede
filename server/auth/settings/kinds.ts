/** The kinds of value that a setting can hold. Each turns a text into a value, or says what is wrong. */

export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly wrong: string };

/** One row of the settings table. */
export interface Setting<T> {
  readonly fallback: T;
  /** The default as the table in docs/auth.md shows it. */
  readonly shown: string;
  readonly expects: string;
  readonly meaning: string;
  /** The value is not repeated in a complaint. */
  readonly secret: boolean;
  /** `text` is trimmed and not empty. */
  parse(text: string): Parsed<T>;
}

const good = <T>(value: T): Parsed<T> => ({ ok: true, value });
const bad = (wrong: string): Parsed<never> => ({ ok: false, wrong });

export function flag(fallback: boolean, meaning: string): Setting<boolean> {
  return {
    fallback,
    shown: String(fallback),
    expects: "true or false",
    meaning,
    secret: false,
    parse(text) {
      const lower = text.toLowerCase();
      if (["true", "1", "t"].includes(lower)) return good(true);
      if (["false", "0", "f"].includes(lower)) return good(false);
      return bad("is neither true nor false");
    },
  };
}

export function whole(
  range: readonly [number, number],
  fallback: number,
  meaning: string,
): Setting<number> {
  const [min, max] = range;
  return {
    fallback,
    shown: String(fallback),
    expects: `a whole number from ${min} to ${max}`,
    meaning,
    secret: false,
    parse(text) {
      if (!/^\d{1,12}$/.test(text)) return bad("is not a whole number");
      const value = Number(text);
      return value < min || value > max ? bad("is out of range") : good(value);
    },
  };
}

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Go's notation: 90s, 1m30s, 24h. Undefined when it is something else. */
export function parseDuration(text: string): number | undefined {
  if (!/^(\d{1,9}(\.\d{1,6})?(ms|s|m|h))+$/.test(text)) return undefined;
  let total = 0;
  for (const part of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g))
    total += Number(part[1]) * (UNIT_MS[part[2] ?? ""] ?? 0);
  return Number.isSafeInteger(Math.round(total)) ? Math.round(total) : undefined;
}

/** In milliseconds. */
export function duration(fallback: string, meaning: string): Setting<number> {
  return {
    ...optionalDuration(meaning),
    shown: fallback,
    fallback: parseDuration(fallback) ?? 0,
  } as Setting<number>;
}

/** In milliseconds, or null when it is not given. */
export function optionalDuration(meaning: string): Setting<number | null> {
  return {
    fallback: null,
    shown: "",
    expects: "a duration such as 90s, 10m or 24h",
    meaning,
    secret: false,
    parse(text) {
      const value = parseDuration(text);
      return value === undefined || value <= 0 ? bad("is not a duration") : good(value);
    },
  };
}

/** So many in so long. */
export interface Rate {
  readonly count: number;
  readonly perMs: number;
}

export function rate(fallback: Rate, shown: string, meaning: string): Setting<Rate> {
  return {
    fallback,
    shown,
    expects: "a number, or a number and a duration such as 30/1h",
    meaning,
    secret: false,
    parse(text) {
      const [count = "", per] = text.split("/");
      const perMs = per === undefined ? fallback.perMs : parseDuration(per);
      if (!/^\d{1,7}$/.test(count) || perMs === undefined || perMs <= 0)
        return bad("is not a rate");
      return good({ count: Number(count), perMs });
    },
  };
}

export function words(fallback: string, meaning: string): Setting<string> {
  return {
    fallback,
    shown: fallback,
    expects: "a text on one line",
    meaning,
    secret: false,
    parse: (text) => (/[\r\n\0]/.test(text) ? bad("has line breaks") : good(text)),
  };
}

/** A text that may hold line breaks, written as \n. */
export function block(fallback: string, meaning: string): Setting<string> {
  return {
    ...words(fallback, meaning),
    expects: "a text",
    parse: (text) => good(text.replaceAll("\\n", "\n")),
  };
}

export function optional(meaning: string): Setting<string | null> {
  return { ...words("", meaning), fallback: null } as Setting<string | null>;
}

export function secret(meaning: string): Setting<string | null> {
  return { ...optional(meaning), expects: "a secret", secret: true, parse: (text) => good(text) };
}

export function choice<T extends string>(
  options: readonly T[],
  fallback: T,
  meaning: string,
): Setting<T> {
  return {
    fallback,
    shown: fallback,
    expects: `one of ${options.filter((option) => option !== "").join(", ")}${options.some((option) => option === "") ? ", or nothing" : ""}`,
    meaning,
    secret: false,
    parse(text) {
      const found = options.find((option) => option === text);
      return found === undefined ? bad("is unknown") : good(found);
    },
  };
}

/** Separated by commas. */
export function list(fallback: readonly string[], meaning: string): Setting<readonly string[]> {
  return {
    fallback,
    shown: fallback.join(","),
    expects: "texts separated by commas",
    meaning,
    secret: false,
    parse: (text) =>
      good(
        text
          .split(",")
          .map((one) => one.trim())
          .filter((one) => one !== ""),
      ),
  };
}

/** An http or https address without user, query and fragment; no slash at its end. */
export function parseAddress(text: string): Parsed<string> {
  if (!URL.canParse(text)) return bad("is not a URL");
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:") return bad("has the wrong scheme");
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    return bad("has more than an address");
  return good(`${url.origin}${url.pathname.replace(/\/+$/, "")}`);
}

export function address(meaning: string): Setting<string | null> {
  return {
    ...optional(meaning),
    expects: "an http or https address such as https://board.example.org",
    parse: parseAddress,
  };
}

/** An address that is kept as it is: an issuer's last slash counts. */
export function issuer(meaning: string): Setting<string | null> {
  return {
    ...address(meaning),
    parse: (text) => (parseAddress(text).ok ? good(text) : parseAddress(text)),
  };
}

/** `a:b=c` pairs as GoTrue writes a map: key:value,key:value. */
export function pairs(meaning: string): Setting<ReadonlyMap<string, string>> {
  return {
    fallback: new Map(),
    shown: "",
    expects: "pairs such as 4915550100:123456,4915550101:654321",
    meaning,
    secret: true,
    parse(text) {
      const found = new Map<string, string>();
      for (const pair of text.split(",")) {
        const cut = pair.search(/[:=]/);
        if (cut <= 0) return bad("holds something that is not a pair");
        const phone = pair.slice(0, cut).trim().replace(/^\+/, "").replaceAll(" ", "");
        const code = pair.slice(cut + 1).trim();
        if (!/^[1-9]\d{1,14}$/.test(phone) || !/^\d{6,10}$/.test(code))
          return bad("holds a pair that is not a phone number and a code of 6 to 10 digits");
        found.set(phone, code);
      }
      return good(found);
    },
  };
}

/** A moment, in milliseconds since 1970. */
export function moment(meaning: string): Setting<number | null> {
  return {
    ...optional(meaning),
    expects: "a moment such as 2030-01-01T00:00:00Z",
    parse(text: string) {
      const value = /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : Number.NaN;
      return Number.isNaN(value) ? bad("is not a moment") : good(value);
    },
  } as Setting<number | null>;
}

/** GoTrue's notation: groups separated by colons, `\:` for a colon. */
export function characterGroups(meaning: string): Setting<readonly string[]> {
  return {
    ...list([], meaning),
    expects: "groups of characters separated by colons, such as abc:0123456789",
    parse: (text) =>
      good(
        text
          .replaceAll("\\:", "\0")
          .split(":")
          .map((group) => group.replaceAll("\0", ":"))
          .filter((group) => group !== ""),
      ),
  };
}

/** A JSON object of texts or lists of texts: more headers for each mail. */
export function headerMap(meaning: string): Setting<Readonly<Record<string, readonly string[]>>> {
  return {
    fallback: {},
    shown: "",
    expects: 'a JSON object such as {"X-Tag":["auth"]}',
    meaning,
    secret: false,
    parse(text) {
      try {
        const value: unknown = JSON.parse(text);
        if (typeof value !== "object" || value === null || Array.isArray(value))
          return bad("is not a JSON object");
        const headers: Record<string, readonly string[]> = {};
        for (const [name, own] of Object.entries(value)) {
          const all: unknown[] = Array.isArray(own) ? own : [own];
          if (!all.every((one): one is string => typeof one === "string" && !/[\r\n]/.test(one)))
            return bad("holds a value that is not a text");
          headers[name] = all;
        }
        return good(headers);
      } catch {
        return bad("is not JSON");
      }
    },
  };
}

/** Reads one row, and adds a complaint when its text makes no sense. */
export function readSetting<T>(
  name: string,
  row: Setting<T>,
  given: ReadonlyMap<string, string>,
  problems: string[],
): T {
  const text = given.get(name);
  if (text === undefined) return row.fallback;
  const parsed = row.parse(text);
  if (parsed.ok) return parsed.value;
  const shown = row.secret ? "" : ` ${JSON.stringify(text)}`;
  problems.push(`${name}${shown} ${parsed.wrong}; expected ${row.expects}`);
  return row.fallback;
}
