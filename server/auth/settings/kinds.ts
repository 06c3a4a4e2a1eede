/** The kinds of value that only the auth API's settings have; the others are those of server/settings/kinds.ts. */

import {
  address,
  bad,
  good,
  list,
  optional,
  parseAddress,
  secret,
  whole,
  words,
  type Setting,
} from "../../settings/kinds.ts";

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Parses Go's notation: 90s, 1m30s, 24h. Returns milliseconds, or undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  if (!/^(\d{1,9}(\.\d{1,6})?(ms|s|m|h))+$/.test(text)) return undefined;
  let total = 0;
  for (const part of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g))
    total += Number(part[1]) * (UNIT_MS[part[2] ?? ""] ?? 0);
  return Number.isSafeInteger(Math.round(total)) ? Math.round(total) : undefined;
}

/** The path of a link in a mail, or a whole address. */
export function linkPath(meaning: string): Setting<string> {
  return {
    ...words("/verify", meaning),
    expects: "a path such as /verify, or an http or https address",
    parse(text) {
      if (!/^[a-z][a-z0-9+.-]*:/i.test(text)) return words("", "").parse(text);
      if (!URL.canParse(text)) return bad("is not a URL");
      return /^https?:/i.test(text) ? good(text) : bad("has the wrong scheme");
    },
  };
}

/** A duration in milliseconds. @param fallback in Go's notation */
export function duration(fallback: string, meaning: string): Setting<number> {
  return {
    fallback: parseDuration(fallback) ?? 0,
    shown: fallback,
    expects: "a duration such as 90s, 10m or 24h",
    meaning,
    secret: false,
    parse(text) {
      const value = parseDuration(text);
      return value === undefined || value <= 0 ? bad("is not a duration") : good(value);
    },
  };
}

/** A rate: so many in so long. */
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

/** A share of something, in percent. */
export function percent(fallback: number, meaning: string): Setting<number> {
  const row = whole([0, 100], fallback, `${meaning} In percent.`);
  return { ...row, expects: "a whole number of percent from 0 to 100" };
}

/** A text on one line; null when it is absent. */
export function optionalWords(meaning: string): Setting<string | null> {
  return optional(words("", meaning));
}

/** A text that no complaint repeats; null when it is absent. */
export function secretText(meaning: string): Setting<string | null> {
  return {
    ...secret(optionalWords(meaning)),
    expects: "a secret",
    parse: (text) => good(text),
  };
}

/** A secret of at least so many characters; null when it is absent. */
export function longSecret(min: number, meaning: string): Setting<string | null> {
  return {
    ...secretText(meaning),
    expects: `at least ${min} characters`,
    parse: (text) => (text.length < min ? bad("is too short") : good(text)),
  };
}

/** A text that may contain line breaks, written as \n. */
export function block(fallback: string, meaning: string): Setting<string> {
  return {
    ...words(fallback, meaning),
    expects: "a text",
    parse: (text) => good(text.replaceAll("\\n", "\n")),
  };
}

/** An address that is stored unchanged: an issuer's last slash counts. */
export function issuer(meaning: string): Setting<string | null> {
  return {
    ...address(meaning),
    parse: (text) => {
      const parsed = parseAddress(text);
      return parsed.ok ? good(text) : parsed;
    },
  };
}

/** Pairs `a:b=c`, which GoTrue writes as a map: key:value,key:value. */
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
        if (cut <= 0) return bad("has something that is not a pair");
        const phone = pair.slice(0, cut).trim().replace(/^\+/, "").replaceAll(" ", "");
        const code = pair.slice(cut + 1).trim();
        if (!/^[1-9]\d{1,14}$/.test(phone) || !/^\d{6,10}$/.test(code))
          return bad("has a pair that is not a phone number and a code of 6 to 10 digits");
        found.set(phone, code);
      }
      return good(found);
    },
  };
}

/** A time, in milliseconds since 1970. */
export function instant(meaning: string): Setting<number | null> {
  return {
    fallback: null,
    shown: "",
    expects: "a time such as 2030-01-01T00:00:00Z",
    meaning,
    secret: false,
    parse(text) {
      const value = /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : Number.NaN;
      return Number.isNaN(value) ? bad("is not a time") : good(value);
    },
  };
}

/** Groups of characters in GoTrue's notation: separated by colons, `\:` for a colon. */
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
            return bad("has a value that is not a text");
          headers[name] = all;
        }
        return good(headers);
      } catch {
        return bad("is not JSON");
      }
    },
  };
}
