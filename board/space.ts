/**
 * Decides whether a board has space for more objects: by their number, and by the bytes of the drawing and its
 * pictures when saved.
 */

import { LIMITS } from "./constants.ts";
import type { BoardObject, NewObject } from "./drawing.ts";
import { sizeOf } from "./groups.ts";
import { MAX_OBJECTS } from "./limits.ts";
import { utf8Length } from "./validate.ts";

/** The limit that a board would exceed: the bytes of its pictures, the number of its objects, or the bytes of the drawing. */
export type SpaceLimit = "pictures" | "objects" | "bytes";

/** Bytes of the id and the height in the stack that a new object gets. */
const OWN_BYTES = `"id":"${"x".repeat(24)}-1234567890","z":1234567890,`.length;
/** Greatest number of characters of the sources of all pictures, as far as a page adds them. */
const MAX_SOURCES = 6 * 1024 * 1024;
/** Bytes of a drawing beside its objects, mainly for the causal context. */
const OTHER_BYTES = 64 * 1024;

/** Bytes of an object and its comma. An object is never changed, so each is measured once. */
const measured = new WeakMap<object, number>();

function bytesOf(object: object): number {
  const known = measured.get(object);
  if (known !== undefined) return known;
  const bytes = utf8Length(JSON.stringify(object)) + 1;
  measured.set(object, bytes);
  return bytes;
}

/** Returns the limit that a board would exceed with more objects; null when it has space for them. Pauses after each object. */
export function* exceededLimit(
  board: Iterable<BoardObject>,
  added: readonly NewObject[],
): Generator<void, SpaceLimit | null> {
  let count = 0;
  let bytes = OTHER_BYTES + OWN_BYTES * added.length;
  let sources = 0;
  for (const list of [board, added])
    for (const object of list) {
      count += sizeOf(object);
      bytes += bytesOf(object);
      if (typeof object["src"] === "string") sources += object["src"].length;
      yield;
    }
  if (sources > MAX_SOURCES && added.some(({ type }) => type === "Image")) return "pictures";
  if (count > MAX_OBJECTS) return "objects";
  return bytes > LIMITS.canvasBytes ? "bytes" : null;
}
