/** The drags of peers: whether one has moved, and where its object paints. */

import type { LiveTransform } from "../../../board/live.ts";
import { type Box, EMPTY_BOX, inflate, moveBox } from "../geometry/box.ts";
import { applyMatrixToBox, type Matrix, multiply, translation } from "../geometry/matrix.ts";
import { transformOf } from "../geometry/transform.ts";
import { matrixWhenDragged } from "../geometry/transform-change.ts";
import type { Item } from "../scene/item.ts";

/** Returns a box, in canvas pixels, beyond which the item paints nothing when it is painted with this matrix. */
export function dragBox(item: Item, matrix: Matrix): Box {
  const { middle, size } = item;
  const half = Math.max(size.width, size.height) / 2 + size.strokeWidth * 2 + 40;
  const around = moveBox(inflate(EMPTY_BOX, half), middle.x, middle.y);
  return applyMatrixToBox(matrix, around);
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
