/** Reads a drawing in any format that the page knows: ours and Fabric's, SVG, Excalidraw's. */

import type { NewObject } from "../../board/drawing.ts";
import { LIMITS } from "../../board/constants.ts";
import { MAX_OBJECTS } from "../../board/limits.ts";
import { parseDrawingSlices } from "../../board/parse.ts";
import { FABRIC_VERSION } from "../../board/schema.ts";
import { isExcalidraw, readExcalidraw } from "./excalidraw.ts";
import { fabricObjects } from "./fabric.ts";
import { withoutOwnFields } from "./fabric-json.ts";
import { type LeftOut, leaveOut } from "./left-out.ts";
import { type Converted, readSvg } from "./svg.ts";

export type ReadDrawing =
  | {
      readonly ok: true;
      /** Each has passed the parser of drawings. */
      readonly objects: readonly NewObject[];
      readonly leftOut: LeftOut;
    }
  /** One clause for a person, such as "it is cut off". */
  | { readonly ok: false; readonly reason: string };

/** Objects of the usual size between two pauses of the parser. */
const SLICE = 20;

const NO_DRAWING = "it is no drawing";
/** A reason. */
export const TOO_LARGE = "it is larger than 10 MB";
const TOO_MANY = `it has more than ${MAX_OBJECTS.toLocaleString("en")} objects`;

/**
 * The text of a file's bytes, in UTF-8, UTF-16 with a mark, or as an XML declaration says. A reason when it is no text,
 * or too large.
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
      // Not this encoding, or one that the browser does not know.
    }
  return { reason: "it is no text in UTF-8" };
}

/** Reads a drawing, with pauses, so that a large one does not hold the thread. Never throws. */
export function* readDrawing(text: string): Generator<void, ReadDrawing> {
  if (text.length > LIMITS.canvasBytes) return { ok: false, reason: TOO_LARGE };
  const trimmed = text.trim();
  if (trimmed === "") return { ok: false, reason: "it is empty" };
  const converted = trimmed.startsWith("<") ? yield* readSvg(trimmed) : yield* readJson(trimmed);
  return converted.ok ? yield* parseObjects(converted) : converted;
}

/** True for a text that looks like a drawing, so that pasting it does not mean its words. */
export function looksLikeDrawing(text: string): boolean {
  const start = text.slice(0, 2_000).trimStart();
  return (
    (/^(?:<\?xml|<!--|<!DOCTYPE svg|<svg[\s>])/i.test(start) && /<svg[\s>]/i.test(text)) ||
    (/^[{[]/.test(start) && /"(?:objects|elements)"\s*:\s*\[/.test(text))
  );
}

type Sources = Extract<Converted, { ok: true }> | FabricSources;

interface FabricSources {
  readonly ok: true;
  readonly objects: readonly unknown[];
  readonly version?: unknown;
  readonly leftOut: LeftOut;
}

function* readJson(text: string): Generator<void, Sources | Extract<Converted, { ok: false }>> {
  let input: unknown;
  try {
    input = JSON.parse(text);
  } catch {
    const isCut = /^[{[]/.test(text) && !/[}\]]$/.test(text);
    return { ok: false, reason: isCut ? "it is cut off" : NO_DRAWING };
  }
  yield;
  if (isExcalidraw(input)) {
    if ((input["elements"] as unknown[]).length > MAX_OBJECTS)
      return { ok: false, reason: TOO_MANY };
    return yield* readExcalidraw(input);
  }
  const leftOut: LeftOut = {};
  const objects = yield* fabricObjects(input, MAX_OBJECTS, leftOut);
  if (!objects) return { ok: false, reason: NO_DRAWING };
  const { version } = input as { version?: unknown };
  return { ok: true, objects, version, leftOut };
}

/** The one validator. */
function* parseObjects(sources: Sources): Generator<void, ReadDrawing> {
  const { objects, leftOut } = sources;
  if (objects.length > MAX_OBJECTS) return { ok: false, reason: TOO_MANY };
  const version = "version" in sources ? sources.version : FABRIC_VERSION;
  const parsed = yield* parseDrawingSlices({ version, objects }, SLICE);
  if (!parsed.ok)
    return { ok: false, reason: parsed.reason === "too many objects" ? TOO_MANY : NO_DRAWING };
  leaveOut(leftOut, "value", parsed.leftOut);
  return { ok: true, objects: parsed.drawing.objects.map(withoutOwnFields), leftOut };
}
