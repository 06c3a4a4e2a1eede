/** Turns strokes into evenly spaced points. */

import type { Point } from "../geometry/matrix.ts";

export function distance(a: Point, b: Point): number {
  return Math.hypot(b.x - a.x, b.y - a.y);
}

/** The length of the line through the points. */
export function lengthOf(points: readonly Point[]): number {
  let length = 0;
  for (let i = 1; i < points.length; i++) length += distance(points[i - 1]!, points[i]!);
  return length;
}

/** The point between two others: `a` at 0, `b` at 1. */
export function between(a: Point, b: Point, share: number): Point {
  return { x: a.x + share * (b.x - a.x), y: a.y + share * (b.y - a.y) };
}

/** The point of a Bezier curve at `t`, from 0 to 1, by de Casteljau's algorithm. `curve` has at least one point. */
export function pointOn(curve: readonly Point[], t: number): Point {
  let points = curve;
  while (points.length > 1)
    points = points.slice(1).map((point, i) => between(points[i]!, point, t));
  return points[0]!;
}

/** The points, rotated around the origin by an angle in radians. */
export function rotate(points: readonly Point[], angle: number): Point[] {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return points.map(({ x, y }) => ({ x: x * cos - y * sin, y: x * sin + y * cos }));
}

/** `count` points at equal distances along the line through `points`, its ends included. The line must have a length. */
export function resample(points: readonly Point[], count: number): Point[] {
  const step = lengthOf(points) / (count - 1);
  const result: Point[] = [points[0]!];
  let travelled = 0;
  for (let i = 1; i < points.length && result.length < count - 1; i++) {
    const [from, to] = [points[i - 1]!, points[i]!];
    const stretch = distance(from, to);
    while (travelled + stretch >= step * result.length && result.length < count - 1)
      result.push(between(from, to, (step * result.length - travelled) / stretch));
    travelled += stretch;
  }
  while (result.length < count) result.push(points.at(-1)!);
  return result;
}
