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

/** JSON text. `words` are the bytes four at a time, from `shift` bytes before the text's first on. */
export interface Text {
  readonly bytes: Buffer;
  readonly words: Int32Array;
  readonly shift: number;
}

/** Short texts are not worth a second view. */
const WORDS_FROM = 1_024;
const NO_WORDS = new Int32Array(0);

/** `bytes` must be valid UTF-8. */
export function makeText(bytes: Buffer): Text {
  const shift = bytes.byteOffset;
  const words =
    bytes.length < WORDS_FROM
      ? NO_WORDS
      : new Int32Array(bytes.buffer, 0, (shift + bytes.length) >> 2);
  return { bytes, words, shift };
}

/** Every function below answers the place after what it read, or -1 where that is not JSON. Beyond the end, a byte is 0. */
const at = ({ bytes }: Text, place: number): number => (place < bytes.length ? bytes[place]! : 0);

export function skipSpace(text: Text, place: number): number {
  while (SPACE[at(text, place)]) place++;
  return place;
}

/**
 * What a string holds, up to a quote, a backslash or a control character: most bytes of a drawing. Four
 * bytes at a time: `(x - 0x01010101) & ~x & 0x80808080` is not 0 when a byte of x is 0 (and seldom
 * otherwise, then the rest is looked at byte by byte).
 */
function skipPlain(text: Text, place: number): number {
  const { words, shift } = text;
  while (((place + shift) & 3) !== 0) {
    if (!PLAIN[at(text, place)]) return place;
    place++;
  }
  let word = (place + shift) >> 2;
  for (; word < words.length; word++) {
    const x = words[word]!;
    const quote = x ^ 0x22222222;
    const slash = x ^ 0x5c5c5c5c;
    const control = (x - 0x20202020) & ~x;
    const found = control | ((quote - 0x01010101) & ~quote) | ((slash - 0x01010101) & ~slash);
    if ((found & 0x80808080) !== 0) break;
  }
  place = (word << 2) - shift;
  while (PLAIN[at(text, place)]) place++;
  return place;
}

function skipString(text: Text, place: number): number {
  if (at(text, place) !== QUOTE) return -1;
  for (;;) {
    place = skipPlain(text, place + 1);
    const code = at(text, place);
    if (code === QUOTE) return place + 1;
    if (code !== BACKSLASH) return -1;
    const escape = at(text, ++place);
    if (escape === UNICODE) {
      for (let n = 0; n < 4; n++) if (!HEX[at(text, ++place)]) return -1;
    } else if (!ESCAPED[escape]) return -1;
  }
}

function skipDigits(text: Text, place: number): number {
  if (!DIGIT[at(text, place)]) return -1;
  while (DIGIT[at(text, place)]) place++;
  return place;
}

function skipNumber(text: Text, place: number): number {
  if (at(text, place) === MINUS) place++;
  place = at(text, place) === ZERO ? place + 1 : skipDigits(text, place);
  if (place > 0 && at(text, place) === DOT) place = skipDigits(text, place + 1);
  if (place < 0 || !EXPONENT[at(text, place)]) return place;
  place++;
  if (SIGN[at(text, place)]) place++;
  return skipDigits(text, place);
}

function skipScalar(text: Text, place: number): number {
  const code = at(text, place);
  if (code === QUOTE) return skipString(text, place);
  if (code === MINUS || DIGIT[code]) return skipNumber(text, place);
  for (const word of LITERALS)
    if (word[0] === code && text.bytes.subarray(place, place + word.length).equals(word))
      return place + word.length;
  return -1;
}

/** A name and its colon; answers where the value begins. */
function skipName(text: Text, place: number): number {
  place = skipString(text, place);
  if (place < 0) return -1;
  place = skipSpace(text, place);
  return at(text, place) === COLON ? skipSpace(text, place + 1) : -1;
}

/** Without recursion. */
function skipValue(text: Text, place: number): number {
  const closers: number[] = [];
  for (;;) {
    const code = at(text, place);
    if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      const closer = code === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_ARRAY;
      place = skipSpace(text, place + 1);
      if (at(text, place) !== closer) {
        if (closers.push(closer) > DEPTH) return -1;
        if (closer === CLOSE_OBJECT) place = skipName(text, place);
        if (place < 0) return -1;
        continue;
      }
      place++;
    } else {
      place = skipScalar(text, place);
      if (place < 0) return -1;
    }
    for (;;) {
      const closer = closers.at(-1);
      if (closer === undefined) return place;
      place = skipSpace(text, place);
      const next = at(text, place++);
      if (next === COMMA) {
        place = skipSpace(text, place);
        if (closer === CLOSE_OBJECT) place = skipName(text, place);
        if (place < 0) return -1;
        break;
      }
      if (next !== closer) return -1;
      closers.pop();
    }
  }
}

/** The text between the quotes. */
export function readString({ bytes }: Text, { from, to }: Span): string {
  const raw = bytes.toString("utf8", from + 1, to - 1);
  return raw.includes("\\") ? (JSON.parse(`"${raw}"`) as string) : raw;
}

export const isString = (text: Text, span: Span): boolean => at(text, span.from) === QUOTE;

/**
 * Reads the object or array at `place`; null where there is none, or where it is not JSON. A name that
 * stands twice means the last one, as with JSON.parse. `inner` may read a member's value itself, and
 * answers where it ends; undefined leaves it to this function.
 */
export function readMembers(
  text: Text,
  place: number,
  inner?: (name: string | number, from: number) => number | undefined,
): Members | null {
  const open = at(text, place);
  if (open !== OPEN_OBJECT && open !== OPEN_ARRAY) return null;
  const closer = open === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_ARRAY;
  const spans = new Map<string | number, Span>();
  place = skipSpace(text, place + 1);
  if (at(text, place) === closer) return { spans, end: place + 1 };
  for (let index = 0; ; index++) {
    let name: string | number = index;
    let from = place;
    if (closer === CLOSE_OBJECT) {
      const end = skipString(text, place);
      from = skipName(text, place);
      if (from < 0) return null;
      name = readString(text, { from: place, to: end });
    }
    const to = inner?.(name, from) ?? skipValue(text, from);
    if (to < 0) return null;
    spans.set(name, { from, to });
    place = skipSpace(text, to);
    const next = at(text, place);
    if (next === closer) return { spans, end: place + 1 };
    if (next !== COMMA) return null;
    place = skipSpace(text, place + 1);
  }
}

/** Whether the bytes are one JSON value and nothing else. They must be valid UTF-8. */
export function isJson(bytes: Buffer): boolean {
  const text = makeText(bytes);
  const end = skipValue(text, skipSpace(text, 0));
  return end >= 0 && skipSpace(text, end) === bytes.length;
}
