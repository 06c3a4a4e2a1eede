/** Fits shapes to strokes, and measures how far a stroke lies from its shape. */

import { middleOf, type Point } from "../geometry/matrix.ts";
import { between, distance, lengthOf, pointOn, rotate } from "./resample.ts";
import type { Shape } from "./shape.ts";

/** A shape and the mean distance of the stroke's points to it, as a share of the stroke's extent. */
export interface Fit {
  readonly shape: Shape;
  readonly error: number;
}

interface Extent {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The tilt, in radians, below which a shape counts as upright. */
const UPRIGHT = 0.2;

export function extentOf(points: readonly Point[]): Extent {
  const xs = points.map(({ x }) => x);
  const ys = points.map(({ y }) => y);
  return {
    left: Math.min(...xs),
    top: Math.min(...ys),
    right: Math.max(...xs),
    bottom: Math.max(...ys),
  };
}

export function diagonalOf(points: readonly Point[]): number {
  const { left, top, right, bottom } = extentOf(points);
  return Math.hypot(right - left, bottom - top);
}

/** The tilt of the smallest rectangle around the points: from -45 to 45 degrees, in radians; 0 for a small one. */
export function tiltOf(points: readonly Point[]): number {
  let [tilt, smallest] = [0, Infinity];
  for (let angle = -Math.PI / 4; angle < Math.PI / 4; angle += Math.PI / 90) {
    const { left, top, right, bottom } = extentOf(rotate(points, -angle));
    const area = (right - left) * (bottom - top);
    if (area < smallest) [tilt, smallest] = [angle, area];
  }
  return Math.abs(tilt) < UPRIGHT ? 0 : tilt;
}

/** The points in the unit square of the rectangle around them, at a tilt. */
export function normalize(points: readonly Point[], tilt: number): Point[] {
  const level = rotate(points, -tilt);
  const { left, top, right, bottom } = extentOf(level);
  const [width, height] = [right - left || 1, bottom - top || 1];
  return level.map(({ x, y }) => ({ x: (x - left) / width, y: (y - top) / height }));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / (values.length || 1);
}

/** The distance of a point to the segment between two others. */
export function distanceToSegment(point: Point, from: Point, to: Point): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const square = dx * dx + dy * dy;
  const share = square === 0 ? 0 : ((point.x - from.x) * dx + (point.y - from.y) * dy) / square;
  return distance(point, between(from, to, Math.max(0, Math.min(1, share))));
}

/** The mean distance of the points to the closed line through the corners. */
function errorToOutline(points: readonly Point[], corners: readonly Point[]): number {
  const sides = corners.map((corner, i) => [corner, corners[(i + 1) % corners.length]!] as const);
  const distances = points.map((point) =>
    Math.min(...sides.map(([from, to]) => distanceToSegment(point, from, to))),
  );
  return mean(distances) / diagonalOf(points);
}

export function fitLine(points: readonly Point[]): Fit {
  const [from, to] = [points[0]!, points.at(-1)!];
  const away = points.map((point) => distanceToSegment(point, from, to));
  return {
    shape: { kind: "line", points: [from, to], head: 0 },
    error: mean(away) / diagonalOf(points),
  };
}

/** The rectangle whose sides are at the average position of the points nearest to each. */
export function fitRectangle(points: readonly Point[], tilt: number): Fit {
  const level = rotate(points, -tilt);
  const { left, top, right, bottom } = extentOf(level);
  const sides: [number[], number[], number[], number[]] = [[], [], [], []];
  for (const { x, y } of level) {
    const away = [x - left, y - top, right - x, bottom - y];
    const nearest = away.indexOf(Math.min(...away));
    sides[nearest]!.push(nearest % 2 === 0 ? x : y);
  }
  const [l, t, r, b] = [left, top, right, bottom].map((edge, i) =>
    sides[i]!.length > 0 ? mean(sides[i]!) : edge,
  ) as [number, number, number, number];
  const corners = rotate(cornersOf({ left: l, top: t, right: r, bottom: b }), tilt);
  return {
    shape: { kind: "rectangle", points: corners, head: 0 },
    error: errorToOutline(points, corners),
  };
}

function cornersOf({ left, top, right, bottom }: Extent): Point[] {
  return [
    { x: left, y: top },
    { x: right, y: top },
    { x: right, y: bottom },
    { x: left, y: bottom },
  ];
}

/** The ellipse whose axes follow the spread of the points. */
export function fitEllipse(points: readonly Point[]): Fit {
  const tilt = spreadOf(points);
  const level = rotate(points, -tilt);
  const extent = extentOf(level);
  const [rx, ry] = [(extent.right - extent.left) / 2, (extent.bottom - extent.top) / 2];
  const away = level.map(({ x, y }) => {
    const [dx, dy] = [x - extent.left - rx, y - extent.top - ry];
    const share = Math.hypot(dx / (rx || 1), dy / (ry || 1));
    return share === 0 ? Math.min(rx, ry) : Math.abs(1 - 1 / share) * Math.hypot(dx, dy);
  });
  return {
    shape: { kind: "ellipse", points: rotate(cornersOf(extent), tilt), head: 0 },
    error: mean(away) / diagonalOf(points),
  };
}

/** The direction in which the points spread most, in radians; 0 for a small tilt. */
function spreadOf(points: readonly Point[]): number {
  const middle = middleOf(points);
  let [xx, xy, yy] = [0, 0, 0];
  for (const { x, y } of points) {
    xx += (x - middle.x) ** 2;
    xy += (x - middle.x) * (y - middle.y);
    yy += (y - middle.y) ** 2;
  }
  const angle = Math.atan2(2 * xy, xx - yy) / 2;
  const tilt = angle - Math.round(angle / (Math.PI / 2)) * (Math.PI / 2);
  return Math.abs(tilt) < UPRIGHT / 2 ? 0 : angle;
}

/** The largest triangle whose corners are points of the stroke. */
export function fitTriangle(points: readonly Point[]): Fit {
  let corners: readonly Point[] = points.slice(0, 3);
  let largest = 0;
  for (let i = 0; i < points.length; i++)
    for (let j = i + 1; j < points.length; j++)
      for (let k = j + 1; k < points.length; k++) {
        const [a, b, c] = [points[i]!, points[j]!, points[k]!];
        const area = Math.abs((b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y));
        if (area > largest) [largest, corners] = [area, [a, b, c]];
      }
  return {
    shape: { kind: "triangle", points: corners, head: 0 },
    error: errorToOutline(points, corners),
  };
}

/** The arrow whose tip is the point farthest from the beginning. The error is infinite where that gives no arrow. */
export function fitArrow(points: readonly Point[]): Fit {
  const tail = points[0]!;
  const index = tipOf(points);
  const tip = points[index]!;
  const shaft = distance(tail, tip);
  const rest = points.slice(index);
  const [ux, uy] = [(tip.x - tail.x) / shaft, (tip.y - tail.y) / shaft];
  const across = rest.map(({ x, y }) => (x - tip.x) * uy - (y - tip.y) * ux);
  const sides = [Math.max(...across), -Math.min(...across)] as const;
  const reach = Math.max(...rest.map((point) => distance(point, tip)));
  const isHead =
    Math.min(...sides) > 0.04 * shaft &&
    Math.min(...sides) > 0.3 * Math.max(...sides) &&
    reach < 0.6 * shaft &&
    lengthOf(rest) < 6 * reach;
  const away = points.slice(0, index + 1).map((point) => distanceToSegment(point, tail, tip));
  const head = Math.max(0.1, Math.min(0.5, reach / shaft));
  return {
    shape: { kind: "arrow", points: [tail, tip], head },
    error: isHead ? mean(away) / diagonalOf(points) : Infinity,
  };
}

/** The first point that is about as far from the beginning as any: a stroke may return to its tip. */
function tipOf(points: readonly Point[]): number {
  const away = points.map((point) => distance(point, points[0]!));
  const far = 0.9 * Math.max(...away);
  let index = away.findIndex((one) => one >= far);
  while (index + 1 < away.length && away[index + 1]! > away[index]!) index++;
  return index;
}

/** The distance of the points from two straight lines with a corner, as an error. */
export function cornerError(points: readonly Point[]): number {
  const [from, to] = [points[0]!, points.at(-1)!];
  const away = (point: Point): number => distanceToSegment(point, from, to);
  const corner = points.reduce((far, point) => (away(point) > away(far) ? point : far));
  const distances = points.map((point) =>
    Math.min(distanceToSegment(point, from, corner), distanceToSegment(point, corner, to)),
  );
  return mean(distances) / diagonalOf(points);
}

/** Times that a cubic is fitted, each time with its own nearest points instead of points at even lengths. */
const PASSES = 4;

/** Points of a cubic among which the nearest one is looked for, without its beginning. */
const CHORDS = 64;

/** The cubic between the ends of the stroke with about the smallest squares of distances. */
export function fitCurve(points: readonly Point[]): Fit {
  let shares = points.map((_, i) => i / (points.length - 1));
  let curve: Point[] = [];
  let away: number[] = [];
  for (let pass = 0; pass < PASSES; pass++) {
    curve = cubicThrough(points, shares);
    const drawn = Array.from({ length: CHORDS + 1 }, (_, i) => pointOn(curve, i / CHORDS));
    const distances = points.map((point) => drawn.map((one) => distance(one, point)));
    away = distances.map((one) => Math.min(...one));
    shares = distances.map((one, i) => one.indexOf(away[i]!) / CHORDS);
  }
  return {
    shape: { kind: "curve", points: curve, head: 0 },
    error: mean(away) / diagonalOf(points),
  };
}

/** The cubic between the ends of the stroke that comes nearest to its points, each at its share of the way. */
function cubicThrough(points: readonly Point[], shares: readonly number[]): Point[] {
  const [from, to] = [points[0]!, points.at(-1)!];
  let [aa, ab, bb, ax, ay, bx, by] = [0, 0, 0, 0, 0, 0, 0];
  points.forEach((point, i) => {
    const t = shares[i]!;
    const [a, b] = [3 * t * (1 - t) ** 2, 3 * t * t * (1 - t)];
    const [start, end] = [(1 - t) ** 3, t ** 3];
    const x = point.x - start * from.x - end * to.x;
    const y = point.y - start * from.y - end * to.y;
    aa += a * a;
    ab += a * b;
    bb += b * b;
    ax += a * x;
    ay += a * y;
    bx += b * x;
    by += b * y;
  });
  const det = aa * bb - ab * ab || 1;
  const first = { x: (ax * bb - bx * ab) / det, y: (ay * bb - by * ab) / det };
  const second = { x: (bx * aa - ax * ab) / det, y: (by * aa - ay * ab) / det };
  return [from, first, second, to];
}
