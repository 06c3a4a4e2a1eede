/** Measures the drawing of a `canvas-update` in one pass over its bytes: a hostile one would take JSON.parse seconds. */

import { MAX_OBJECTS } from "../../../board/limits.ts";
import type { MeasuredDrawing } from "../../access/port.ts";
import {
  isArray,
  isString,
  makeText,
  readMembers,
  readString,
  scanMembers,
  skipSpace,
  skipValue,
  type Span,
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
 * than a board, and where it, its message or its `inkpool` has more members than `readMembers` reads.
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
  const about = drawing.spans.get("inkpool");
  const meta = about && readMembers(text, about.from);
  if (meta === null) return UNREAD;
  const partial = meta?.spans.get("partial");
  const isPartial = partial !== undefined && isTrue(text, partial);
  return { value: { objects: found.objects, bytes, isPartial }, end: drawing.end };
}

function readObjects(text: Text, index: number): Read<Objects> {
  const objects: Objects[number][] = [];
  const end = scanMembers(text, index, (from) => {
    if (objects.length === MAX_OBJECTS) return -1;
    const { value: id, end: to } = readObject(text, from);
    objects.push({ id, bytes: to - from });
    return to;
  });
  return { value: objects, end };
}

const BACKSLASH = 0x5c;
const [I = 0, D = 0] = Buffer.from("id");

/**
 * Reads an object and its id: null for none, and where a name may be an escaped `id`. The names are compared as bytes,
 * since texts of all names would take most of the time.
 */
function readObject(text: Text, index: number): Read<string> {
  const { bytes } = text;
  let id: Span | null = null;
  let isDoubtful = false;
  const end = scanMembers(text, index, (from, name, nameEnd) => {
    const to = skipValue(text, from);
    if (bytes[name + 1] === BACKSLASH || bytes[name + 2] === BACKSLASH) isDoubtful = true;
    else if (nameEnd - name === 4 && bytes[name + 1] === I && bytes[name + 2] === D)
      id = { from, to };
    return to;
  });
  if (end < 0) return { value: null, end: skipValue(text, index) };
  const isKnown = id !== null && !isDoubtful && isString(text, (id as Span).from);
  return { value: isKnown ? readString(text, id!) : null, end };
}

const isTrue = ({ bytes }: Text, { from, to }: Span): boolean =>
  bytes.toString("latin1", from, to) === "true";
