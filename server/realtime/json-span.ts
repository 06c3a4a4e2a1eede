/** Finds where a value stands in JSON text, so that its bytes can be sent on as they came. */

export interface Span {
  readonly from: number;
  readonly to: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;

const isSpace = (code: number): boolean =>
  code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
const opens = (code: number): boolean => code === 0x7b || code === 0x5b;
const closes = (code: number): boolean => code === 0x7d || code === 0x5d;

function skipSpace(text: string, at: number): number {
  while (isSpace(text.charCodeAt(at))) at++;
  return at;
}

/** `at` is on the opening quote; answers the place after the closing one. */
function skipString(text: string, at: number): number {
  let end = text.indexOf('"', at + 1);
  for (;;) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return end + 1;
    end = text.indexOf('"', end + 1);
  }
}

/** `at` is on the value's first character; answers the place after it. Without recursion: nesting may be deep. */
function skipValue(text: string, at: number): number {
  const first = text.charCodeAt(at);
  if (first === QUOTE) return skipString(text, at);
  if (!opens(first)) {
    for (let code = first; at < text.length; code = text.charCodeAt(++at))
      if (code === COMMA || closes(code) || isSpace(code)) break;
    return at;
  }
  let depth = 0;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = skipString(text, at);
      continue;
    }
    if (opens(code)) depth++;
    else if (closes(code) && --depth === 0) return at + 1;
    at++;
  }
}

/**
 * The span of the value at `path` (a member's name or an element's index, from the outside in), or
 * undefined where there is none. A name that stands twice means the last one, as with JSON.parse.
 * `text` must be valid JSON: on anything else the answer is meaningless and the search may not end.
 */
export function findSpan(text: string, path: readonly (string | number)[]): Span | undefined {
  let at = skipSpace(text, 0);
  for (const step of path) {
    const found = typeof step === "string" ? member(text, at, step) : element(text, at, step);
    if (found === undefined) return undefined;
    at = found;
  }
  return { from: at, to: skipValue(text, at) };
}

function member(text: string, at: number, name: string): number | undefined {
  if (text[at] !== "{") return undefined;
  let found: number | undefined;
  at = skipSpace(text, at + 1);
  while (text.charCodeAt(at) === QUOTE) {
    const end = skipString(text, at);
    const raw = text.slice(at, end);
    at = skipSpace(text, end);
    if (text.charCodeAt(at) !== COLON) return undefined;
    at = skipSpace(text, at + 1);
    if (raw === `"${name}"` || (raw.includes("\\") && JSON.parse(raw) === name)) found = at;
    at = skipSpace(text, skipValue(text, at));
    if (text.charCodeAt(at) !== COMMA) break;
    at = skipSpace(text, at + 1);
  }
  return found;
}

function element(text: string, at: number, index: number): number | undefined {
  if (text[at] !== "[") return undefined;
  at = skipSpace(text, at + 1);
  for (let place = 0; !closes(text.charCodeAt(at)); place++) {
    if (place === index) return at;
    at = skipSpace(text, skipValue(text, at));
    if (text.charCodeAt(at) !== COMMA) return undefined;
    at = skipSpace(text, at + 1);
  }
  return undefined;
}
