/** Affine maps of the plane in the order of a canvas context: x' = a x + c y + e, y' = b x + d y + f. */

import type { Box } from "./box.ts";

export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The map that changes nothing. */
export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

/** The map that moves everything by (x, y). */
export function translation(x: number, y: number): Matrix {
  return [1, 0, 0, 1, x, y];
}

/** The map that applies `inner` first, then `outer`. */
export function multiply(outer: Matrix, inner: Matrix): Matrix {
  const [a, b, c, d, e, f] = outer;
  return [
    a * inner[0] + c * inner[1],
    b * inner[0] + d * inner[1],
    a * inner[2] + c * inner[3],
    b * inner[2] + d * inner[3],
    a * inner[4] + c * inner[5] + e,
    b * inner[4] + d * inner[5] + f,
  ];
}

/** The inverse, or null when the map flattens the plane. */
export function invert(matrix: Matrix): Matrix | null {
  const [a, b, c, d, e, f] = matrix;
  const determinant = a * d - b * c;
  if (!Number.isFinite(1 / determinant)) return null;
  return [
    d / determinant,
    -b / determinant,
    -c / determinant,
    a / determinant,
    (c * f - d * e) / determinant,
    (b * e - a * f) / determinant,
  ];
}

/** Returns the point that (x, y) is mapped to. */
export function applyMatrix(matrix: Matrix, x: number, y: number): Point {
  return {
    x: matrix[0] * x + matrix[2] * y + matrix[4],
    y: matrix[1] * x + matrix[3] * y + matrix[5],
  };
}

/** The upright box around a mapped box. */
export function applyMatrixToBox(matrix: Matrix, box: Box): Box {
  const [a, b, c, d, e, f] = matrix;
  const x = (box.left + box.right) / 2;
  const y = (box.top + box.bottom) / 2;
  const halfX = (box.right - box.left) / 2;
  const halfY = (box.bottom - box.top) / 2;
  const spanX = Math.abs(a) * halfX + Math.abs(c) * halfY;
  const spanY = Math.abs(b) * halfX + Math.abs(d) * halfY;
  const midX = a * x + c * y + e;
  const midY = b * x + d * y + f;
  return { left: midX - spanX, top: midY - spanY, right: midX + spanX, bottom: midY + spanY };
}

/** The larger of the two lengths to which unit steps along the axes are mapped. */
export function scaleOf(matrix: Matrix): number {
  return Math.max(Math.hypot(matrix[0], matrix[1]), Math.hypot(matrix[2], matrix[3]));
}

/** The mean of the points. */
export function middleOf(points: readonly Point[]): Point {
  let [x, y] = [0, 0];
  for (const point of points) {
    x += point.x / points.length;
    y += point.y / points.length;
  }
  return { x, y };
}
