/** The transform that a map gives an object, and the properties in which it differs from the object's. */

import type { BoardObject, Json } from "../../../board/drawing.ts";
import type { Matrix } from "./matrix.ts";
import {
  matrixOf,
  type ObjectTransform,
  type Size,
  TRANSFORM_KEYS,
  transformOf,
} from "./transform.ts";

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

/** The properties of `transform` that differ from those of `object`, rounded: lengths to 0.1, the rest to 0.0001. */
export function transformChange(
  object: BoardObject,
  transform: ObjectTransform,
): Record<string, Json> {
  const before = transformOf(object);
  const props: Record<string, Json> = {};
  for (const key of TRANSFORM_KEYS) {
    const value = transform[key];
    const rounded = typeof value === "number" ? roundProperty(key, value) : value;
    if (rounded !== before[key]) props[key] = rounded;
  }
  return props;
}

function roundProperty(key: string, value: number): number {
  const unit = key === "left" || key === "top" ? 10 : 10000;
  return Math.round(value * unit) / unit || 0;
}
