/**
 * Checks JSON text and finds where values stand in it, in one pass over the bytes and without making
 * objects: JSON.parse of a large drawing would cost more than sending it to ten people.
 */

/** From the first byte to the one after the last. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A container that was read: its members by name (or elements by index), and where it ends. */
export interface Members {
  readonly spans: ReadonlyMap<string | number, Span>;
  readonly end: number;
}

/** Deeper nesting is refused: nothing that people draw needs it. */
const DEPTH = 1_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const UNICODE = 0x75;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

function table(wanted: (code: number) => boolean): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, code) => (wanted(code) ? 1 : 0));
}

const PLAIN = table((code) => code >= 0x20 && code !== QUOTE && code !== BACKSLASH);
const ESCAPED = table((code) => '"\\/bfnrt'.includes(String.fromCharCode(code)));
const HEX = table((code) => /[0-9a-fA-F]/.test(String.fromCharCode(code)));
const DIGIT = table((code) => /[0-9]/.test(String.fromCharCode(code)));
const SPACE = table((code) => " \t\n\r".includes(String.fromCharCode(code)));
const EXPONENT = table((code) => "eE".includes(String.fromCharCode(code)));
const SIGN = table((code) => "+-".includes(String.fromCharCode(code)));

const LITERALS = ["true", "false", "null"].map((word) => Buffer.from(word));

/** Every function below answers the place after what it read, or -1 where that is not JSON. Beyond the end, a byte is 0. */
const at = (bytes: Buffer, place: number): number => (place < bytes.length ? bytes[place]! : 0);

export function skipSpace(bytes: Buffer, place: number): number {
  while (SPACE[at(bytes, place)]) place++;
  return place;
}

function skipString(bytes: Buffer, place: number): number {
  if (at(bytes, place) !== QUOTE) return -1;
  for (;;) {
    do place++;
    while (PLAIN[at(bytes, place)]);
    const code = at(bytes, place);
    if (code === QUOTE) return place + 1;
    if (code !== BACKSLASH) return -1;
    const escape = at(bytes, ++place);
    if (escape === UNICODE) {
      for (let n = 0; n < 4; n++) if (!HEX[at(bytes, ++place)]) return -1;
    } else if (!ESCAPED[escape]) return -1;
  }
}

function skipDigits(bytes: Buffer, place: number): number {
  if (!DIGIT[at(bytes, place)]) return -1;
  while (DIGIT[at(bytes, place)]) place++;
  return place;
}

function skipNumber(bytes: Buffer, place: number): number {
  if (at(bytes, place) === MINUS) place++;
  place = at(bytes, place) === ZERO ? place + 1 : skipDigits(bytes, place);
  if (place > 0 && at(bytes, place) === DOT) place = skipDigits(bytes, place + 1);
  if (place < 0 || !EXPONENT[at(bytes, place)]) return place;
  place++;
  if (SIGN[at(bytes, place)]) place++;
  return skipDigits(bytes, place);
}

function skipScalar(bytes: Buffer, place: number): number {
  const code = at(bytes, place);
  if (code === QUOTE) return skipString(bytes, place);
  if (code === MINUS || DIGIT[code]) return skipNumber(bytes, place);
  for (const word of LITERALS)
    if (
      bytes.compare(word, 0, word.length, place, Math.min(bytes.length, place + word.length)) === 0
    )
      return place + word.length;
  return -1;
}

/** A name and its colon; answers where the value begins. */
function skipName(bytes: Buffer, place: number): number {
  place = skipString(bytes, place);
  if (place < 0) return -1;
  place = skipSpace(bytes, place);
  return at(bytes, place) === COLON ? skipSpace(bytes, place + 1) : -1;
}

/** Without recursion. */
function skipValue(bytes: Buffer, place: number): number {
  const closers: number[] = [];
  for (;;) {
    const code = at(bytes, place);
    if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      const closer = code === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_ARRAY;
      place = skipSpace(bytes, place + 1);
      if (at(bytes, place) !== closer) {
        if (closers.push(closer) > DEPTH) return -1;
        if (closer === CLOSE_OBJECT) place = skipName(bytes, place);
        if (place < 0) return -1;
        continue;
      }
      place++;
    } else {
      place = skipScalar(bytes, place);
      if (place < 0) return -1;
    }
    for (;;) {
      const closer = closers.at(-1);
      if (closer === undefined) return place;
      place = skipSpace(bytes, place);
      const next = at(bytes, place++);
      if (next === COMMA) {
        place = skipSpace(bytes, place);
        if (closer === CLOSE_OBJECT) place = skipName(bytes, place);
        if (place < 0) return -1;
        break;
      }
      if (next !== closer) return -1;
      closers.pop();
    }
  }
}

/** The text between the quotes. */
export function readString(bytes: Buffer, { from, to }: Span): string {
  const raw = bytes.toString("utf8", from + 1, to - 1);
  return raw.includes("\\") ? (JSON.parse(`"${raw}"`) as string) : raw;
}

export const isString = (bytes: Buffer, span: Span): boolean => at(bytes, span.from) === QUOTE;

/**
 * Reads the object or array at `place`; null where there is none, or where it is not JSON. A name that
 * stands twice means the last one, as with JSON.parse. `inner` may read a member's value itself, and
 * answers where it ends; undefined leaves it to this function.
 */
export function readMembers(
  bytes: Buffer,
  place: number,
  inner?: (name: string | number, from: number) => number | undefined,
): Members | null {
  const open = at(bytes, place);
  if (open !== OPEN_OBJECT && open !== OPEN_ARRAY) return null;
  const closer = open === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_ARRAY;
  const spans = new Map<string | number, Span>();
  place = skipSpace(bytes, place + 1);
  if (at(bytes, place) === closer) return { spans, end: place + 1 };
  for (let index = 0; ; index++) {
    let name: string | number = index;
    let from = place;
    if (closer === CLOSE_OBJECT) {
      const end = skipString(bytes, place);
      from = skipName(bytes, place);
      if (from < 0) return null;
      name = readString(bytes, { from: place, to: end });
    }
    const to = inner?.(name, from) ?? skipValue(bytes, from);
    if (to < 0) return null;
    spans.set(name, { from, to });
    place = skipSpace(bytes, to);
    const next = at(bytes, place);
    if (next === closer) return { spans, end: place + 1 };
    if (next !== COMMA) return null;
    place = skipSpace(bytes, place + 1);
  }
}

/** Whether the bytes are one JSON value and nothing else. They must be valid UTF-8. */
export function isJson(bytes: Buffer): boolean {
  const end = skipValue(bytes, skipSpace(bytes, 0));
  return end >= 0 && skipSpace(bytes, end) === bytes.length;
}
