/** Reads a drawing in any format that the page knows: ours and Fabric's, SVG, Excalidraw's. */

import type { NewObject } from "../../board/drawing.ts";
import { LIMITS } from "../../board/constants.ts";
import { isRecord } from "../../board/json.ts";
import { MAX_OBJECTS } from "../../board/limits.ts";
import { readObject } from "../../board/object-parser.ts";
import { FABRIC_VERSION } from "../../board/schema.ts";
import { isExcalidraw, readExcalidraw } from "./excalidraw.ts";
import { fabricObjects } from "./fabric.ts";
import { type LeftOut, leaveOut } from "./left-out.ts";
import { type Converted, readSvg } from "./svg.ts";
import { refuseSvg } from "./svg-cost.ts";

export type ReadDrawing =
  | {
      readonly ok: true;
      /** The objects, each of which has passed the parser of objects. */
      readonly objects: readonly NewObject[];
      readonly leftOut: LeftOut;
    }
  /** One clause for a person, such as "it is cut off". */
  | { readonly ok: false; readonly reason: string };

/** A part of the result: a page receives a small message in a moment, and paints before the next one. */
export type ReadPart =
  | { readonly objects: readonly NewObject[] }
  | { readonly end: Extract<ReadDrawing, { ok: false }> | Omit<Sound, "objects"> };

type Sound = Extract<ReadDrawing, { ok: true }>;

/** Characters of JSON after which a part is full; a single object may be longer. */
const PART = 100_000;

const NO_DRAWING = "it is no drawing";
const TOO_LARGE = "it is larger than 10 MB";
/** A clause with the value of MAX_OBJECTS, which has translations. */
const TOO_MANY = "it has more than 100,000 objects";

/**
 * Decodes the text of a file's bytes, in UTF-8, UTF-16 with a byte order mark, or the encoding of an XML declaration.
 * Returns a reason when it is no text, or too large.
 */
export function decodeText(
  bytes: Uint8Array,
): { readonly text: string } | { readonly reason: string } {
  if (bytes.length > LIMITS.canvasBytes) return { reason: TOO_LARGE };
  const mark =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? "utf-16le"
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? "utf-16be"
        : null;
  const start = String.fromCharCode(...bytes.subarray(0, 200));
  const [, declared] = /^<\?xml[^>]*encoding=["']([\w-]{1,30})["']/.exec(start) ?? [];
  for (const encoding of mark ? [mark] : ["utf-8", ...(declared ? [declared] : [])])
    try {
      const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
      if (!text.includes("\0")) return { text };
    } catch {
      // The text has another encoding, or one that the browser does not know.
    }
  return { reason: "it is no text in UTF-8" };
}

/** A drawing to read: a file, or a text that was pasted; or the file of an SVG picture, which is only checked. */
export type Source = Blob | string | { readonly picture: Blob };

/** Reads a drawing. Never throws. */
export async function* readParts(source: Source): AsyncGenerator<ReadPart, void> {
  const read = await readSource(source);
  if (!read.ok) return yield { end: read };
  let part: NewObject[] = [];
  let chars = 0;
  for (const object of read.objects) {
    part.push(object);
    chars += JSON.stringify(object).length;
    if (chars < PART) continue;
    yield { objects: part };
    part = [];
    chars = 0;
  }
  yield { objects: part };
  yield { end: { ok: true, leftOut: read.leftOut } };
}

async function readSource(source: Source): Promise<ReadDrawing> {
  if (typeof source === "string") return readDrawing(source);
  const file = "picture" in source ? source.picture : source;
  if (file.size > LIMITS.canvasBytes) return { ok: false, reason: TOO_LARGE };
  const bytes = await bytesOf(file).catch(() => null);
  if (!bytes) return { ok: false, reason: "it could not be read" };
  const decoded = decodeText(bytes);
  if ("reason" in decoded) return { ok: false, ...decoded };
  return "picture" in source ? checkPicture(decoded.text) : readDrawing(decoded.text);
}

/** Returns the bytes of a file, unpacked where it is compressed as an SVG may be; no more than are too many. */
async function bytesOf(file: Blob): Promise<Uint8Array> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const reader = file.stream().pipeThrough(new DecompressionStream("gzip")).getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (let size = 0; size <= LIMITS.canvasBytes;) {
    const { value, done } = await reader.read();
    if (done) break;
    parts.push(value);
    size += value.length;
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

function checkPicture(svg: string): ReadDrawing {
  const reason = refuseSvg(svg);
  return reason === null ? { ok: true, objects: [], leftOut: {} } : { ok: false, reason };
}

/** Reads a drawing. Never throws. */
export function readDrawing(text: string): ReadDrawing {
  if (text.length > LIMITS.canvasBytes) return { ok: false, reason: TOO_LARGE };
  const trimmed = text.trim();
  if (trimmed === "") return { ok: false, reason: "it is empty" };
  const converted = trimmed.startsWith("<") ? readSvg(trimmed) : readJson(trimmed);
  return converted.ok ? parseObjects(converted) : converted;
}

type Sources = Extract<Converted, { ok: true }> | FabricSources;

interface FabricSources {
  readonly ok: true;
  readonly objects: readonly unknown[];
  readonly version?: unknown;
  readonly leftOut: LeftOut;
}

function readJson(text: string): Sources | Extract<Converted, { ok: false }> {
  let input: unknown;
  try {
    input = JSON.parse(text);
  } catch {
    const isCut = /^[{[]/.test(text) && !/[}\]]$/.test(text);
    return { ok: false, reason: isCut ? "it is cut off" : NO_DRAWING };
  }
  if (isRecord(input) && "tldrawFileFormatVersion" in input)
    return { ok: false, reason: "it is a drawing of tldraw: export it there as SVG" };
  if (isExcalidraw(input)) {
    if ((input["elements"] as unknown[]).length > MAX_OBJECTS)
      return { ok: false, reason: TOO_MANY };
    return readExcalidraw(input);
  }
  const leftOut: LeftOut = {};
  const objects = fabricObjects(input, MAX_OBJECTS, leftOut);
  if (!objects) return { ok: false, reason: NO_DRAWING };
  const { version } = input as { version?: unknown };
  return { ok: true, objects, version, leftOut };
}

/** Passes the objects through the parser of objects. */
function parseObjects(sources: Sources): ReadDrawing {
  const { objects, leftOut } = sources;
  if (objects.length > MAX_OBJECTS) return { ok: false, reason: TOO_MANY };
  const version = "version" in sources ? sources.version : FABRIC_VERSION;
  const options = {
    ...{ compact: true, lenient: false },
    version: typeof version === "string" ? version : undefined,
    budget: { left: MAX_OBJECTS },
  };
  const read: NewObject[] = [];
  for (const object of objects) {
    const one = readObject(object, options);
    if (options.budget.left < 0) return { ok: false, reason: TOO_MANY };
    if (one.ok) read.push(one.object);
    else leaveOut(leftOut, "value");
  }
  return { ok: true, objects: read, leftOut };
}
