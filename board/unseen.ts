/**
 * Finds objects that nobody can see, wherever they look. In doubt an object counts as visible, since what this finds
 * is removed.
 */

import type { BoardObject } from "./drawing.ts";
import { hasNoPaint } from "./unpainted.ts";

/** Distance in canvas pixels from the origin beyond which no visitor's view reaches. */
const REACH = 1_000_000;

/** Whether the object has no paint, no size or no position that a view reaches. */
export function isUnseen(object: BoardObject): boolean {
  return hasNoPaint(object) || isOutOfReach(object);
}

const number = (value: unknown, fallback: number): number =>
  typeof value === "number" ? value : fallback;

/** Whether even the nearest side is beyond the reach. A rotated object may extend back into it. */
function isOutOfReach({ left, top, angle, ...object }: BoardObject): boolean {
  if (number(angle, 0) !== 0) return false;
  if (number(left, 0) > REACH || number(top, 0) > REACH) return true;
  const ends = (side: unknown, size: unknown, scale: unknown): boolean =>
    typeof size === "number" &&
    number(side, 0) + size * Math.abs(number(scale, 1)) + number(object["strokeWidth"], 1) < -REACH;
  return (
    ends(left, object["width"], object["scaleX"]) || ends(top, object["height"], object["scaleY"])
  );
}
