/**
 * Pictures without their source: a source that a peer already has is not sent again. A bare picture occurs in partial
 * drawings only and stands for the source that its receiver has; boards, rows and journals contain none.
 */

import { getObject, type Board } from "./board.ts";
import type { BoardObject, Drawing } from "./drawing.ts";
import { compareStamps, stampOf } from "./groups.ts";

/** Returns the picture without its source. */
export function withoutSource({ src: _src, ...rest }: BoardObject): BoardObject {
  return rest;
}

/**
 * Returns the drawing with the sources that this board has. A bare picture is left out when the board lacks it, or
 * has it in another incarnation or with other content: the row contains it.
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
