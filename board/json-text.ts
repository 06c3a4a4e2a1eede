/**
 * Parses large JSON texts in slices. `JSON.parse` of 10 MB blocks the page for up to 0.1 s; here the members of an
 * object and the items of a list are found first, with pauses, and parsed one by one.
 */

/** Characters that are scanned or parsed between two pauses; they take a few milliseconds. */
const CHARS_PER_SLICE = 200_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The position of a value in a text. */
export interface Span {
  readonly start: number;
  /** The index behind its last character. */
  readonly end: number;
}

/** The reason why a text is no JSON. */
class Malformed extends Error {}

/**
 * Parses the text of an object as `JSON.parse` does, with pauses: the items of its member `list` are parsed one by
 * one, everything else in one piece. Returns undefined for a text that is not a JSON object.
 */
export function* parseObjectText(text: string, list: string): Generator<void, unknown> {
  try {
    const members = yield* findMembers(text);
    const result: Record<string, unknown> = {};
    for (const [name, span] of members) {
      const isList = name === list && text.charCodeAt(span.start) === 0x5b;
      define(result, name, isList ? yield* parseItems(text, span) : parseSpan(text, span));
    }
    return result;
  } catch {
    return undefined;
  }
}

/**
 * Finds the members of the object that a text consists of, by name, with pauses; of equal names the last one counts.
 * @throws Error for a text whose structure is not that of an object. The values themselves are not checked.
 */
export function* findMembers(text: string): Generator<void, Map<string, Span>> {
  const members = new Map<string, Span>();
  let at = expect(text, skipSpace(text, 0), 0x7b);
  at = skipSpace(text, at);
  if (text.charCodeAt(at) === 0x7d) at += 1;
  else {
    for (;;) {
      const nameEnd = endOfString(text, expectQuote(text, skipSpace(text, at)));
      const name = JSON.parse(text.slice(skipSpace(text, at), nameEnd)) as string;
      const start = skipSpace(text, expect(text, skipSpace(text, nameEnd), 0x3a));
      const end = yield* endOfValue(text, start);
      members.set(name, { start, end });
      at = skipSpace(text, end);
      if (text.charCodeAt(at) === 0x7d) break;
      at = expect(text, at, 0x2c);
    }
    at += 1;
  }
  if (skipSpace(text, at) !== text.length) throw new Malformed();
  return members;
}

function* parseItems(text: string, { start, end }: Span): Generator<void, unknown[]> {
  const items: unknown[] = [];
  expect(text, end - 1, 0x5d);
  let at = skipSpace(text, start + 1);
  if (at === end - 1) return items;
  let pause = at + CHARS_PER_SLICE;
  for (;;) {
    const itemEnd = yield* endOfValue(text, at);
    items.push(parseSpan(text, { start: at, end: itemEnd }));
    if (itemEnd > pause) {
      yield;
      pause = itemEnd + CHARS_PER_SLICE;
    }
    at = skipSpace(text, itemEnd);
    if (at === end - 1) return items;
    at = skipSpace(text, expect(text, at, 0x2c));
  }
}

/** The index behind the value that begins at `start`. Only brackets and strings are looked at. */
function* endOfValue(text: string, start: number): Generator<void, number> {
  let depth = 0;
  let pause = start + CHARS_PER_SLICE;
  for (let at = start; at < text.length;) {
    if (at > pause) {
      yield;
      pause = at + CHARS_PER_SLICE;
    }
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at + 1);
      if (depth === 0) return at;
      continue;
    }
    at += 1;
    if (code === 0x7b || code === 0x5b) depth += 1;
    else if (code === 0x7d || code === 0x5d) {
      depth -= 1;
      if (depth === 0) return at;
      if (depth < 0) return at - 1;
    } else if (depth === 0 && (code === 0x2c || code <= 0x20)) return at - 1;
  }
  throw new Malformed();
}

/** Returns the index behind a string's closing quote; `at` is behind the opening one. */
function endOfString(text: string, at: number): number {
  for (let end = text.indexOf('"', at); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return end + 1;
  }
  throw new Malformed();
}

function expectQuote(text: string, at: number): number {
  return expect(text, at, QUOTE);
}

function expect(text: string, at: number, code: number): number {
  if (text.charCodeAt(at) !== code) throw new Malformed();
  return at + 1;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at;
    at += 1;
  }
}

function parseSpan(text: string, { start, end }: Span): unknown {
  return JSON.parse(text.slice(start, end)) as unknown;
}

/** Sets a property as JSON.parse does: `__proto__` is a name like any other. */
function define(target: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(target, name, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}
