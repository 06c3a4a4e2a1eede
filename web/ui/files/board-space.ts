/** Whether a board takes more objects: their number, and the bytes of the drawing and its pictures as they would be saved. */

import { LIMITS } from "../../../board/constants.ts";
import type { BoardObject, NewObject } from "../../../board/drawing.ts";
import { sizeOf } from "../../../board/groups.ts";
import { MAX_OBJECTS } from "../../../board/limits.ts";
import { t } from "../language/text.ts";

/** What a new object gets: id and height in the stack. */
const OWN_BYTES = `"id":"${"x".repeat(24)}-1234567890","z":1234567890,`.length;
/** Characters of the sources of all pictures that a page adds to a board. */
const MAX_SOURCES = 6 * 1024 * 1024;
/** The rest of a drawing, and its causal context. */
const OTHER_BYTES = 64 * 1024;

/** Why the objects cannot be added, as a clause in the visitor's language; null when they can. Pauses after each object. */
export function* refuseObjects(
  board: readonly BoardObject[],
  added: readonly NewObject[],
): Generator<void, string | null> {
  const utf8 = new TextEncoder();
  let count = 0;
  let bytes = OTHER_BYTES + OWN_BYTES * added.length;
  let sources = 0;
  for (const list of [board, added])
    for (const object of list) {
      count += sizeOf(object);
      bytes += utf8.encode(JSON.stringify(object)).length + 1;
      if (typeof object["src"] === "string") sources += object["src"].length;
      yield;
    }
  if (sources > MAX_SOURCES && added.some(({ type }) => type === "Image"))
    return t("the board's pictures would take up more than 6 MB");
  if (count > MAX_OBJECTS)
    return t("the board would have more than {max} objects", { max: MAX_OBJECTS });
  return bytes > LIMITS.canvasBytes ? t("the board would become larger than 10 MB") : null;
}
