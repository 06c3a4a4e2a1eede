/** The drags of peers: whether one has moved, and where its object paints. */

import type { LiveTransform } from "../../../board/live.ts";
import { type Box, EVERYWHERE, inflate } from "../geometry/box.ts";
import {
  applyMatrixToBox,
  invert,
  type Matrix,
  multiply,
  translation,
} from "../geometry/matrix.ts";
import { transformOf } from "../geometry/transform.ts";
import { matrixWhenDragged } from "../geometry/transform-change.ts";
import type { Item } from "../scene/item.ts";

/** Returns a box, in canvas pixels, beyond which the item paints nothing when it is painted with this matrix. */
export function dragBox({ bounds, box, matrix: own, size }: Item, matrix: Matrix): Box {
  const back = invert(own);
  if (!back) return EVERYWHERE;
  // An outline and a shadow may stay as wide as they are where the object is scaled down.
  const margin = bounds.left - box.left + 2 * size.strokeWidth;
  return inflate(applyMatrixToBox(multiply(matrix, back), box), margin);
}

/** True when the object has not moved. */
export function isSameTransform(a: LiveTransform | undefined, b: LiveTransform): boolean {
  return (
    a !== undefined &&
    a.left === b.left &&
    a.top === b.top &&
    a.scaleX === b.scaleX &&
    a.scaleY === b.scaleY &&
    a.angle === b.angle
  );
}

/** Returns the matrix of an item at the position to which a peer has dragged it. */
export function draggedMatrix({ middle, object, size }: Item, drag: LiveTransform): Matrix {
  const matrix = matrixWhenDragged(transformOf(object), drag, size);
  return multiply(matrix, translation(-middle.x, -middle.y));
}
