/**
 * The Protractor recogniser: a stroke is compared with templates by the angle between two vectors, at the
 * rotation where that angle is least, which has a closed form. Yang Li, "Protractor: A Fast and Accurate
 * Gesture Recognizer", CHI 2010.
 */

import { middleOf, type Point } from "../geometry/matrix.ts";
import { resample } from "./resample.ts";

/** The number of points by which strokes are compared. Li uses 16; the head of an arrow needs more. */
const COUNT = 32;

/** A stroke of length 1 around the origin: x0, y0, x1, y1 ... */
export type StrokeVector = readonly number[];

/** The vector of a stroke, independent of its position and size. The stroke must have a length. */
export function vectorOf(points: readonly Point[]): StrokeVector {
  const even = resample(points, COUNT);
  const middle = middleOf(even);
  const vector = even.flatMap(({ x, y }) => [x - middle.x, y - middle.y]);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/** The similarity of two strokes at their best rotation within `turn` radians: 1 for equal ones, down to -1. */
export function similarity(a: StrokeVector, b: StrokeVector, turn = Math.PI): number {
  let [cos, sin] = [0, 0];
  for (let i = 0; i < a.length; i += 2) {
    cos += a[i]! * b[i]! + a[i + 1]! * b[i + 1]!;
    sin += a[i]! * b[i + 1]! - a[i + 1]! * b[i]!;
  }
  const best = Math.atan2(sin, cos);
  const angle = Math.max(-turn, Math.min(turn, best));
  return cos * Math.cos(angle) + sin * Math.sin(angle);
}
