/** The transform that a map gives an object, the change that stores it, and the one that peers are shown. */

import type { BoardObject, Json } from "../../../board/drawing.ts";
import type { LiveTransform } from "../../../board/live.ts";
import { invert, type Matrix, multiply } from "./matrix.ts";
import {
  matrixOf,
  type ObjectTransform,
  type Size,
  TOP_LEFT,
  TRANSFORM_KEYS,
  transformOf,
} from "./transform.ts";

/**
 * The transform by which peers show an object moved to a map: their pages keep its own flips and skew (see
 * `matrixWhenDragged`), so that a map which is mirrored beside them has a negative scale.
 */
export function liveTransform(
  matrix: Matrix,
  size: Size,
  own: ObjectTransform,
): Omit<LiveTransform, "id"> {
  const back = invert(matrixWhenDragged(own, UNMOVED, size));
  const [a, b, c, d] = back ? multiply(matrix, back) : matrix;
  const scaleX = Math.hypot(a, b) || Number.EPSILON;
  const scaleY = (a * d - b * c) / scaleX;
  const drag = { left: 0, top: 0, scaleX, scaleY, angle: (Math.atan2(b, a) * 180) / Math.PI };
  const zero = matrixWhenDragged(own, drag, size);
  return { ...drag, left: matrix[4] - zero[4], top: matrix[5] - zero[5] };
}

const UNMOVED = { left: 0, top: 0, scaleX: 1, scaleY: 1, angle: 0 };

/** The map of an object that a peer drags; `own`: its transform on the board. */
export function matrixWhenDragged(
  own: ObjectTransform,
  { left, top, scaleX, scaleY, angle }: Omit<LiveTransform, "id">,
  size: Size,
): Matrix {
  return matrixOf({ ...own, left, top, scaleX, scaleY, angle, ...TOP_LEFT }, size);
}

/** The transform that gives this map to an object of this size with the origin of `origin`. Skew is expressed along x only. */
export function transformFrom(
  matrix: Matrix,
  size: Size,
  origin: { readonly originX: number; readonly originY: number },
): ObjectTransform {
  const [a, b, c, d, e, f] = matrix;
  const square = a * a + b * b;
  const scaleX = Math.sqrt(square) || Number.EPSILON;
  const turned: ObjectTransform = {
    left: 0,
    top: 0,
    scaleX,
    scaleY: (a * d - c * b) / scaleX,
    angle: (Math.atan2(b, a) * 180) / Math.PI,
    skewX: (Math.atan2(a * c + b * d, square) * 180) / Math.PI,
    skewY: 0,
    flipX: false,
    flipY: false,
    originX: origin.originX,
    originY: origin.originY,
  };
  // A mirrored map is written as a flip: a negative scale would move the origin to the other side.
  const mirrored = turned.scaleY < 0;
  const transform = mirrored ? { ...turned, scaleY: -turned.scaleY, flipY: true } : turned;
  const zero = matrixOf(transform, size);
  return { ...transform, left: e - zero[4], top: f - zero[5] };
}

/**
 * The properties of `transform`, rounded: lengths to 0.1, the rest to 0.0001; none when all are those of `object`. They
 * include all that the object has, since a peer's change of another one, which is not shown yet, must not mix with them.
 */
export function transformChange(
  object: BoardObject,
  transform: ObjectTransform,
): Record<string, Json> {
  const before = transformOf(object);
  const props: Record<string, Json> = {};
  let differs = false;
  for (const key of TRANSFORM_KEYS) {
    const value = transform[key];
    const rounded = typeof value === "number" ? roundProperty(key, value) : value;
    differs ||= rounded !== before[key];
    if (rounded !== before[key] || key in object) props[key] = rounded;
  }
  return differs ? props : {};
}

function roundProperty(key: string, value: number): number {
  const unit = key === "left" || key === "top" ? 10 : 10000;
  return Math.round(value * unit) / unit || 0;
}
