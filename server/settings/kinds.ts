/** The kinds of value that a setting can have. Each converts a text to a value, or describes the fault. */

export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly wrong: string };

/** One row of a table of settings. */
export interface Setting<T> {
  readonly fallback: T;
  /** The default as the documents show it; empty for none. */
  readonly shown: string;
  readonly expects: string;
  /** The meaning of the setting, in the words of the documents. */
  readonly meaning: string;
  /** Whether a complaint must not repeat the value. */
  readonly secret: boolean;
  /** Parses a value; `text` is trimmed and not empty. */
  parse(text: string): Parsed<T>;
}

export const good = <T>(value: T): Parsed<T> => ({ ok: true, value });
export const bad = (wrong: string): Parsed<never> => ({ ok: false, wrong });

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

/** A whole number within a range, its ends included. */
export function whole(
  range: readonly [min: number, max: number],
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
      if (!/^\d{1,15}$/.test(text)) return bad("is not a whole number");
      const value = Number(text);
      return value < min || value > max ? bad("is out of range") : good(value);
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

export function choice<T extends string>(
  options: readonly T[],
  fallback: T,
  meaning: string,
): Setting<T> {
  const named = options.filter((option) => option !== "").join(", ");
  return {
    fallback,
    shown: fallback,
    expects: `one of ${named}${options.some((option) => option === "") ? ", or nothing" : ""}`,
    meaning,
    secret: false,
    parse(text) {
      const found = options.find((option) => option === text);
      return found === undefined ? bad("is unknown") : good(found);
    },
  };
}

/** A list separated by commas. */
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

/** The same kind of setting without a default: null when it is absent. */
export function optional<T>(setting: Setting<T>): Setting<T | null> {
  return { ...setting, fallback: null, shown: "" };
}

/** The same kind of setting, whose value no complaint repeats. */
export function secret<T>(setting: Setting<T>): Setting<T> {
  return { ...setting, secret: true };
}

/** A URL of one of some schemes, such as `https:`; null when it is absent. */
export function url(
  schemes: readonly string[],
  expects: string,
  meaning: string,
): Setting<string | null> {
  return {
    ...optional(words("", meaning)),
    expects,
    parse: (text) => {
      if (!URL.canParse(text)) return bad("is not a URL");
      return schemes.includes(new URL(text).protocol) ? good(text) : bad("has the wrong scheme");
    },
  };
}

/** Parses an http or https address without user, query and fragment; it has no slash at its end. */
export function parseAddress(text: string): Parsed<string> {
  if (!URL.canParse(text)) return bad("is not a URL");
  const parsed = new URL(text);
  if (parsed.protocol !== "https:" && parsed.protocol !== "http:")
    return bad("has the wrong scheme");
  if (
    parsed.username !== "" ||
    parsed.password !== "" ||
    parsed.search !== "" ||
    parsed.hash !== ""
  )
    return bad("has more than an address");
  return good(`${parsed.origin}${parsed.pathname.replace(/\/+$/, "")}`);
}

/** An address; null when it is absent. */
export function address(meaning: string): Setting<string | null> {
  return {
    ...optional(words("", meaning)),
    expects: "an http or https address such as https://board.example.org",
    parse: parseAddress,
  };
}
