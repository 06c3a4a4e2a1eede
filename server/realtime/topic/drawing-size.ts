/** Measures the drawing of a `canvas-update` in one pass over its bytes: a hostile one would take JSON.parse seconds. */

import { MAX_DEPTH, MAX_OBJECTS } from "../../../board/limits.ts";
import type { MeasuredDrawing } from "../../access/port.ts";
import {
  isArray,
  isObject,
  isString,
  makeText,
  readMembers,
  readString,
  scanMembers,
  skipSpace,
  skipValue,
  type Text,
} from "../payloads/json-scan.ts";

type Objects = MeasuredDrawing["objects"];

/** A value that was read, and its end: -1 where it could not be read. */
interface Read<T> {
  readonly value: T | null;
  readonly end: number;
}

const UNREAD = { value: null, end: -1 } as const;

/** Bytes of a message around its drawing. */
const ENVELOPE = 256;

/**
 * Returns the size of the drawing in the payload as pages read it. Null where there is none, where it has more objects
 * than a board, and where it or its message has more members than `readMembers` reads.
 */
export function measureDrawing({ buffer, byteOffset, length }: Uint8Array): MeasuredDrawing | null {
  const text = makeText(Buffer.from(buffer, byteOffset, length));
  const bytes = Math.max(0, length - ENVELOPE);
  const found: { drawing: MeasuredDrawing | null } = { drawing: null };
  const message = readMembers(text, skipSpace(text, 0), (name, from) => {
    if (name !== "json") return undefined;
    const read = isString(text, from)
      ? readInText(text, from, bytes)
      : readDrawing(text, from, bytes);
    found.drawing = read.value;
    return read.end;
  });
  return message === null ? null : found.drawing;
}

/** Reads a drawing that is in a string. */
function readInText(text: Text, from: number, bytes: number): Read<MeasuredDrawing> {
  const to = skipValue(text, from);
  if (to < 0) return UNREAD;
  const inner = makeText(Buffer.from(readString(text, { from, to })));
  return { ...readDrawing(inner, skipSpace(inner, 0), bytes), end: to };
}

function readDrawing(text: Text, index: number, bytes: number): Read<MeasuredDrawing> {
  const found: { objects: Objects | null } = { objects: null };
  const drawing = readMembers(text, index, (name, from) => {
    if (name !== "objects" || !isArray(text, from)) return undefined;
    const read = readObjects(text, from);
    found.objects = read.value;
    return read.end;
  });
  if (drawing === null || found.objects === null) return UNREAD;
  const isForeign = !drawing.spans.has("inkpool");
  return { value: { objects: found.objects, bytes, isForeign }, end: drawing.end };
}

function readObjects(text: Text, index: number): Read<Objects> {
  const objects: Objects[number][] = [];
  const end = scanMembers(text, index, (from) => {
    if (objects.length === MAX_OBJECTS) return -1;
    const { id, count, end: to } = readObject(text, from, 0);
    objects.push({ id, bytes: to - from, count: Math.max(1, count) });
    return to;
  });
  return { value: objects, end };
}

const BACKSLASH = 0x5c;
/**
 * The first letters of `id`, and of the names that contain further objects. Gradients and shadows are some too, since
 * they have a type as well, and SQL counts those in a row (server/access/row-size.ts).
 */
const FIRST: ReadonlySet<number | undefined> = new Set([...Buffer.from("iocpfs"), BACKSLASH]);
const INNER: ReadonlySet<string> = new Set([
  ...["objects", "clipPath", "path"],
  ...["fill", "stroke", "shadow"],
]);
/** Length of the longest of these names if all its letters are escaped, with quotes. */
const LONGEST = 6 * "clipPath".length + 2;

/** Reads a name that may be one of those above; texts of all names would take most of the time. */
function readName(text: Text, from: number, to: number): string | null {
  const isOther = to - from < 4 || to - from > LONGEST || !FIRST.has(text.bytes[from + 1]);
  return isOther ? null : readString(text, { from, to });
}

interface MeasuredObject {
  readonly id: string | null;
  readonly count: number;
  readonly end: number;
}

/** Reads an object, its id, and the number of objects that it counts for; 0 where there is none. */
function readObject(text: Text, index: number, depth: number): MeasuredObject {
  let id: string | null = null;
  let count = isObject(text, index) ? 1 : 0;
  const readInner = (from: number): number => {
    const inner = readObject(text, from, depth + 1);
    count += inner.count;
    return inner.end;
  };
  const end = scanMembers(text, index, (from, start, nameEnd) => {
    const name = readName(text, start, nameEnd);
    if (name !== null && INNER.has(name) && depth < MAX_DEPTH)
      return isArray(text, from) ? scanMembers(text, from, readInner) : readInner(from);
    const to = skipValue(text, from);
    if (name === "id") id = to > 0 && isString(text, from) ? readString(text, { from, to }) : null;
    return to;
  });
  return { id, count, end: end < 0 ? skipValue(text, index) : end };
}
