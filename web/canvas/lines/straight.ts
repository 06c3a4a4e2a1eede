/** Lines and arrows on the board: their ends, as read from their paths, and the change that moves an end. */

import type { BoardObject, ObjectChange } from "../../../board/drawing.ts";
import { parsePath, type PathData } from "../../../board/path.ts";
import { applyMatrix, invert, type Point } from "../geometry/matrix.ts";
import { transformOf } from "../geometry/transform.ts";
import { distance } from "../recognition/resample.ts";
import { arrowBetween, cornersOf, outlineOf, type Shape } from "../recognition/shape.ts";
import { type Item, makePlainItem } from "../scene/item.ts";

/** An end of a line: 0 where it begins, 1 where it leads, which is an arrow's tip. */
export type End = 0 | 1;

/** Canvas pixels by which a path, whose numbers are rounded, may differ from an exact arrow. */
const NEAR = 0.4;

/** Least length of a line in canvas pixels: nobody would see a shorter one. */
const MIN_LENGTH = 1;

/** Returns the line or the arrow that path text draws, in the path's own plane; null for any other path. */
export function straightOf(path: string): Shape | null {
  // Longer text draws more than an arrow; the parser need not read it.
  const data = path.length > 200 ? null : parsePath(path);
  if (!data) return null;
  const [from, to, left] = pointsOf(data);
  if (!from || !to || distance(from, to) < MIN_LENGTH) return null;
  if (data.commands === "ML") return { kind: "line", points: [from, to], head: 0 };
  if (data.commands !== "MLLLL" || !left) return null;
  const head = distance(left, to) / distance(from, to);
  const arrow: Shape = { kind: "arrow", points: [from, to], head };
  const expected = cornersOf(arrow);
  const isArrow = pointsOf(data).every((point, i) => {
    const other = expected[i];
    return other !== undefined && distance(point, other) <= NEAR;
  });
  return isArrow ? arrow : null;
}

/** Returns the line or the arrow of an item, in the plane of its path; null for any other item. */
function shapeOf({ shape }: Item): Shape | null {
  return shape.kind === "path" ? straightOf(shape.data) : null;
}

/** Returns the ends of a line or an arrow in canvas pixels; null for any other item. */
export function endsOf(item: Item): readonly [Point, Point] | null {
  const shape = shapeOf(item);
  if (!shape || !invert(item.matrix)) return null;
  const [from, to] = shape.points.map(({ x, y }) => applyMatrix(item.matrix, x, y));
  return from && to ? [from, to] : null;
}

/** Returns the points that a line or an arrow connects, flat, in canvas pixels; none for any other item. */
export function cornersOn(item: Item): number[] {
  const shape = shapeOf(item);
  return (shape ? cornersOf(shape) : []).flatMap(({ x, y }) => {
    const at = applyMatrix(item.matrix, x, y);
    return [at.x, at.y];
  });
}

/** A line with a moved end: the properties that differ, and the resulting item. */
export interface MovedEnd {
  readonly props: ObjectChange["props"];
  readonly item: Item;
}

/**
 * Moves an end of a line or an arrow to a point, in canvas pixels; the other end stays. Returns null where the line
 * would have no length, and for any other item.
 */
export function moveEnd(item: Item, end: End, to: Point): MovedEnd | null {
  const back = invert(item.matrix);
  const shape = shapeOf(item);
  const [from, tip] = shape?.points ?? [];
  if (!back || !shape || !from || !tip) return null;
  const moved = applyMatrix(back, to.x, to.y);
  const next = end === 0 ? between(shape, moved, tip) : between(shape, from, moved);
  if (distance(...(next.points as [Point, Point])) < MIN_LENGTH) return null;
  const fixed = end === 0 ? tip : from;
  return placed(item, outlineOf(next), fixed);
}

/** Returns the properties that turn a line into an arrow; null for anything else. */
export function arrowProps(item: Item): ObjectChange["props"] | null {
  const shape = shapeOf(item);
  const [from, to] = shape?.points ?? [];
  if (shape?.kind !== "line" || !from || !to) return null;
  return placed(item, outlineOf(arrowBetween(from, to)), from)?.props ?? null;
}

/** Gives the item another path, in the same plane, in which the point `fixed` stays where it is on the canvas. */
function placed(item: Item, path: string, fixed: Point): MovedEnd | null {
  const { object } = item;
  const at = (props: ObjectChange["props"]): Item | null =>
    makePlainItem({ ...object, ...props } as BoardObject);
  const before = applyMatrix(item.matrix, fixed.x, fixed.y);
  const moved = at({ path });
  if (!moved) return null;
  const after = applyMatrix(moved.matrix, fixed.x, fixed.y);
  const { left, top } = transformOf(object);
  const props = {
    path,
    left: rounded(left + before.x - after.x),
    top: rounded(top + before.y - after.y),
  };
  const next = at(props);
  return next && { props, item: next };
}

/** The shape between two points. An arrow's head follows the same rule as before: that of the tool, or a share of the shaft. */
function between(shape: Shape, from: Point, to: Point): Shape {
  if (shape.kind !== "arrow") return { ...shape, points: [from, to] };
  const [a, b] = shape.points as [Point, Point];
  const isByRule = Math.abs(arrowBetween(a, b).head - shape.head) * distance(a, b) <= NEAR;
  return arrowBetween(from, to, isByRule ? 0 : shape.head);
}

function pointsOf({ coords }: PathData): Point[] {
  const points: Point[] = [];
  for (let i = 0; i + 1 < coords.length; i += 2)
    points.push({ x: coords[i] as number, y: coords[i + 1] as number });
  return points;
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10 || 0;
}
