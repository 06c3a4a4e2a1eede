/** Writes JSON without the members of objects that are null, as PostgreSQL's `json_strip_nulls` does. */

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d];
const NULL_START = 0x6e;
const NULL_LENGTH = 4;

const isSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** Returns the end of a text that begins at its opening quote. */
function endOfText(json: Uint8Array, start: number): number {
  for (let at = start + 1; at < json.length; at += json[at] === BACKSLASH ? 2 : 1)
    if (json[at] === QUOTE) return at + 1;
  return json.length;
}

/** Returns the end of a number, `true`, `false` or `null`. */
function endOfWord(json: Uint8Array, start: number): number {
  let at = start;
  while (at < json.length && !isEnd(json[at]!)) at++;
  return Math.max(at, start + 1);
}

const isEnd = (byte: number): boolean =>
  byte === COMMA || byte === CLOSE_OBJECT || byte === CLOSE_LIST || isSpace(byte);

/**
 * Removes null members in one pass over the bytes: the depth costs no stack. White space is removed as well. `json`
 * is valid, in UTF-8.
 */
export function stripNulls(json: Uint8Array): Buffer {
  const out = Buffer.allocUnsafe(json.length);
  let length = 0;
  /** The open objects and lists: whether each is an object, and whether something of it was written. */
  const open: { readonly isObject: boolean; isFilled: boolean }[] = [];
  const skipSpace = (from: number): number => {
    let at = from;
    while (isSpace(json[at])) at++;
    return at;
  };
  const copy = (from: number, to: number): void => {
    out.set(json.subarray(from, to), length);
    length += to - from;
  };
  const separate = (container: { isFilled: boolean } | undefined): void => {
    if (container?.isFilled === true) out[length++] = COMMA;
    if (container !== undefined) container.isFilled = true;
  };
  let at = skipSpace(0);
  while (at < json.length) {
    const container = open.at(-1);
    const byte = json[at]!;
    if (byte === COMMA) at++;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      open.pop();
      copy(at, ++at);
    } else {
      let key: readonly [from: number, to: number] | null = null;
      if (container?.isObject === true) {
        key = [at, endOfText(json, at)];
        // A colon follows the key.
        at = skipSpace(skipSpace(key[1]) + 1);
      }
      if (key !== null && json[at] === NULL_START) at += NULL_LENGTH;
      else {
        separate(container);
        if (key !== null) {
          copy(...key);
          out[length++] = COLON;
        }
        const first = json[at];
        if (first === OPEN_OBJECT || first === OPEN_LIST) {
          open.push({ isObject: first === OPEN_OBJECT, isFilled: false });
          copy(at, ++at);
        } else {
          const end = first === QUOTE ? endOfText(json, at) : endOfWord(json, at);
          copy(at, end);
          at = end;
        }
      }
    }
    at = skipSpace(at);
  }
  return out.subarray(0, length);
}
