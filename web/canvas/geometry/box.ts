/** Upright rectangles, in canvas pixels or in device pixels. */

/** An upright rectangle; empty when `right < left`. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The box without width and height at (0, 0). */
export const EMPTY_BOX: Box = { left: 0, top: 0, right: 0, bottom: 0 };

/** A box around everything that a board can contain. */
export const EVERYWHERE: Box = { left: -1e9, top: -1e9, right: 1e9, bottom: 1e9 };

/** The raster of `alignToSteps`, in device pixels. */
const STEP = 256;

/** True when the two boxes have a point in common, edges included. */
export function overlaps(a: Box, b: Box): boolean {
  return a.left <= b.right && b.left <= a.right && a.top <= b.bottom && b.top <= a.bottom;
}

/** True when the point lies in the box, edges included. */
export function containsPoint(box: Box, x: number, y: number): boolean {
  return x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
}

/** True when all of `part` lies in the box. */
export function containsBox(box: Box, part: Box): boolean {
  return (
    part.left >= box.left &&
    part.top >= box.top &&
    part.right <= box.right &&
    part.bottom <= box.bottom
  );
}

/** The smallest box around two boxes. */
export function union(a: Box, b: Box): Box {
  return {
    left: Math.min(a.left, b.left),
    top: Math.min(a.top, b.top),
    right: Math.max(a.right, b.right),
    bottom: Math.max(a.bottom, b.bottom),
  };
}

/** The smallest box around all boxes; undefined when there is none. */
export function boxAround(boxes: Iterable<Box>): Box | undefined {
  let around: Box | undefined;
  for (const box of boxes) around = around ? union(around, box) : box;
  return around;
}

/** The smallest box around the points of a flat list from an index on, and around `before`. */
export function boxAroundPoints(
  points: readonly number[],
  from = 0,
  before: Box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity },
): Box {
  let around = before;
  for (let i = from; i < points.length; i += 2) {
    const [x, y] = [points[i] as number, points[i + 1] as number];
    around = union(around, { left: x, top: y, right: x, bottom: y });
  }
  return around;
}

/** The part of `box` within `frame`, or null when there is none. */
export function clipBox(box: Box, frame: Box): Box | null {
  const left = Math.max(box.left, frame.left);
  const top = Math.max(box.top, frame.top);
  const right = Math.min(box.right, frame.right);
  const bottom = Math.min(box.bottom, frame.bottom);
  return left < right && top < bottom ? { left, top, right, bottom } : null;
}

/** Returns the parts of `box` outside of `other`: at most four boxes. */
export function subtractBox(box: Box, other: Box): Box[] {
  const { left, top, right, bottom } = box;
  const part = clipBox(box, other);
  if (!part) return [box];
  return [
    { left, top, right, bottom: part.top },
    { left, top: part.bottom, right, bottom },
    { left, top: part.top, right: part.left, bottom: part.bottom },
    { left: part.right, top: part.top, right, bottom: part.bottom },
  ].filter((rest) => rest.left < rest.right && rest.top < rest.bottom);
}

/** The box, moved. */
export function moveBox({ left, top, right, bottom }: Box, x: number, y: number): Box {
  return { left: left + x, top: top + y, right: right + x, bottom: bottom + y };
}

/** The box with `margin` added on each side. */
export function inflate(box: Box, margin: number): Box {
  return {
    left: box.left - margin,
    top: box.top - margin,
    right: box.right + margin,
    bottom: box.bottom + margin,
  };
}

/** The area of a box: width times height. */
export function areaOf(box: Box): number {
  return (box.right - box.left) * (box.bottom - box.top);
}

/** The smallest box of whole pixels around `box`, with `margin` added on each side. */
export function alignBox(box: Box, margin: number): Box {
  return {
    left: Math.floor(box.left) - margin,
    top: Math.floor(box.top) - margin,
    right: Math.ceil(box.right) + margin,
    bottom: Math.ceil(box.bottom) + margin,
  };
}

/** The box with its edges on multiples of 256, within `frame`: a canvas that grows by steps rarely grows. */
export function alignToSteps(box: Box, frame: Box): Box {
  const down = (value: number): number => Math.floor(value / STEP) * STEP;
  const up = (value: number): number => Math.ceil(value / STEP) * STEP;
  return {
    left: Math.max(down(box.left), frame.left),
    top: Math.max(down(box.top), frame.top),
    right: Math.min(up(box.right), frame.right),
    bottom: Math.min(up(box.bottom), frame.bottom),
  };
}
