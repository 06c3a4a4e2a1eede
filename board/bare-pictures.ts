/**
 * Pictures without their source: what peers have of a picture never travels twice. A bare picture stands in partial
 * drawings only, and means the source that its receiver has; boards, rows and journals contain none.
 */

import { getObject, type Board } from "./board.ts";
import type { BoardObject, Drawing } from "./drawing.ts";
import { compareStamps, stampOf } from "./groups.ts";

/** The same picture without its source. */
export function withoutSource({ src: _src, ...rest }: BoardObject): BoardObject {
  return rest;
}

/**
 * The drawing with the sources that this board has. A bare picture that the board lacks, or has in another incarnation
 * or with other content, is left out: the row contains it.
 */
export function withSources(board: Board, drawing: Drawing): Drawing {
  const objects = drawing.objects.flatMap((object) => {
    if (object.type !== "Image" || object["src"] !== undefined) return object;
    const mine = getObject(board, object.id);
    return mine?.type === "Image" &&
      mine.life === object.life &&
      compareStamps(stampOf(mine, "content"), stampOf(object, "content")) === 0
      ? { ...object, src: mine["src"] }
      : [];
  });
  return { ...drawing, objects };
}
