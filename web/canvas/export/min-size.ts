/** Enlarges objects that would be too small to be seen in a picture of a large board. */

import type { BoardObject } from "../../../board/drawing.ts";
import { scaleOf, type Matrix } from "../geometry/matrix.ts";
import { numberOr } from "../geometry/transform.ts";
import { type Item, makePlainItem } from "../scene/item.ts";

/** Pixels on a side of the dot that stands for an object: wherever it is, it fills one of them. */
const DOT = 2;

/**
 * Returns an item as a picture that is smaller than the board shows it: with a line of at least one pixel, and as a dot
 * of its colour where it is smaller than a pixel. Strokes of the eraser stay as they are, or they would cover dots.
 */
export function enlarged(item: Item, toPicture: Matrix): Item {
  const scale = scaleOf(toPicture);
  if (scale >= 1 || item.eraser) return item;
  const { left, top, right, bottom } = item.box;
  if (scale * Math.max(right - left, bottom - top) >= 1) return thickened(item, 1 / scale);
  return dotOf(item, DOT / scale) ?? item;
}

/** Returns the item with a line of at least this width, in board pixels; for a picture only. */
export function thickened(item: Item, minWidth: number): Item {
  const { object, shape, matrix } = item;
  if (shape.kind === "fabric" || typeof object["stroke"] !== "string") return item;
  const before = numberOr(object["strokeWidth"], 1);
  const strokeWidth = minWidth / (scaleOf(matrix) || 1);
  if (before === 0 || before >= strokeWidth) return item;
  return { ...item, object: { ...object, strokeWidth } };
}

function dotOf({ object, box }: Item, side: number): Item | null {
  const { id, z, opacity = 1 } = object;
  const colour = [object["fill"], object["stroke"]].find((one) => one && typeof one === "string");
  const dot = {
    ...{ id, z, opacity, type: "Rect", originX: "center", originY: "center" },
    ...{ left: (box.left + box.right) / 2, top: (box.top + box.bottom) / 2 },
    ...{ width: side, height: side, strokeWidth: 0, fill: colour ?? "gray" },
  };
  return makePlainItem(dot as unknown as BoardObject);
}
