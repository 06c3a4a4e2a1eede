/** The shapes that a stroke can mean: their outlines, and the way in which they follow the pointer while it is still pressed. */

import { encodeData } from "../../../board/path.ts";
import type { Point } from "../geometry/matrix.ts";
import { between, distance, pointOn, rotate } from "./resample.ts";

export type ShapeKind = "line" | "arrow" | "rectangle" | "ellipse" | "triangle" | "curve";

/**
 * A shape, given by its points. line: from, to. arrow: from, tip, and the length of its head as a share of the shaft.
 * curve: the four points of a cubic. rectangle and triangle: their corners. ellipse: the corners of the rectangle
 * around it.
 */
export interface Shape {
  readonly kind: ShapeKind;
  readonly points: readonly Point[];
  /** The head of an arrow, as a share of its shaft; 0 for other shapes. */
  readonly head: number;
}

/** The angle between the shaft of an arrow and each side of its head, in radians. */
const HEAD_ANGLE = Math.PI / 7;

/** The length of the handles of a cubic that draws a quarter of a circle of radius 1. */
const QUARTER = 0.5523;

type Command = readonly [letter: "M" | "L" | "C" | "Z", ...points: Point[]];

/** The outline as path text. */
export function outlineOf(shape: Shape): string {
  const commands = commandsOf(shape);
  return encodeData({
    commands: commands.map(([letter]) => letter).join(""),
    coords: commands.flatMap(([, ...points]) => points.flatMap(({ x, y }) => [x, y])),
  });
}

/** The points of a shape of straight lines, in the order in which it is drawn. */
export function cornersOf(shape: Shape): Point[] {
  return commandsOf(shape).flatMap(([, ...points]) => points);
}

/** The number of straight lines that stand for a curve. */
const CHORDS = 24;

/** The outline as a flat list of points, dense at the corners, so that ink through them looks like the outline. */
export function traceOf(shape: Shape): number[] {
  const trace: Point[] = [];
  for (const [letter, ...points] of commandsOf(shape)) {
    const from = trace.at(-1);
    if (letter === "M" || !from) trace.push(...points);
    else if (letter === "C")
      for (let i = 1; i <= CHORDS; i++) trace.push(pointOn([from, ...points], i / CHORDS));
    else trace.push(...side(from, points[0] ?? trace[0]!));
  }
  return trace.flatMap(({ x, y }) => [x, y]);
}

/** A straight side: ink bends only between a corner and the pixel beside it. */
function side(from: Point, to: Point): Point[] {
  const near = Math.min(0.5, 1 / (distance(from, to) || 1));
  return [between(from, to, near), between(from, to, 1 - near), to];
}

function commandsOf({ kind, points, head }: Shape): Command[] {
  const [a, b, c, d] = points as [Point, Point, Point, Point];
  switch (kind) {
    case "line":
      return [
        ["M", a],
        ["L", b],
      ];
    case "arrow": {
      const [left, right] = headOf(a, b, head);
      return [
        ["M", a],
        ["L", b],
        ["L", left],
        ["L", b],
        ["L", right],
      ];
    }
    case "curve":
      return [
        ["M", a],
        ["C", b, c, d],
      ];
    case "rectangle":
      return [["M", a], ["L", b], ["L", c], ["L", d], ["Z"]];
    case "triangle":
      return [["M", a], ["L", b], ["L", c], ["Z"]];
    case "ellipse":
      return ellipse([a, b, c, d]);
  }
}

/** The ends of an arrow's head. */
function headOf(from: Point, tip: Point, head: number): [Point, Point] {
  const back = { x: head * (from.x - tip.x), y: head * (from.y - tip.y) };
  const side = (angle: number): Point => {
    const turned = rotate([back], angle)[0]!;
    return { x: tip.x + turned.x, y: tip.y + turned.y };
  };
  return [side(HEAD_ANGLE), side(-HEAD_ANGLE)];
}

function ellipse(corners: readonly [Point, Point, Point, Point]): Command[] {
  const middles = corners.map((corner, i) => between(corner, corners[(i + 1) % 4]!, 0.5));
  const quarters = middles.map((from, i): Command => {
    const corner = corners[(i + 1) % 4]!;
    const to = middles[(i + 1) % 4]!;
    return ["C", between(from, corner, QUARTER), between(to, corner, QUARTER), to];
  });
  return [["M", middles[0]!], ...quarters, ["Z"]];
}

/**
 * The shape after the pointer moved from `from`, where it was recognised, to `to`. Lines, arrows and curves rotate
 * and stretch around their beginning; the others grow from the corner that is farthest from `from`.
 */
export function follow(shape: Shape, from: Point, to: Point): Shape {
  const { kind, points } = shape;
  if (kind === "line") return { ...shape, points: [points[0]!, to] };
  if (kind === "arrow") {
    const [tail, tip] = points as [Point, Point];
    return arrowBetween(tail, { x: tip.x + to.x - from.x, y: tip.y + to.y - from.y }, shape.head);
  }
  if (kind === "curve") return { ...shape, points: turned(points, points.at(-1)!, to) };
  const anchor = points.reduce((far, point) =>
    distance(point, from) > distance(far, from) ? point : far,
  );
  const reach = distance(anchor, from);
  if (reach === 0) return shape;
  const factor = Math.max(0.05, distance(anchor, to) / reach);
  return { ...shape, points: points.map((point) => between(anchor, point, factor)) };
}

/** The length of an arrow's head where its tool drew it: least and greatest in pixels, and as a share of the shaft. */
const HEAD = { min: 12, max: 40, share: 0.25 };

/** Returns an arrow; with a `head` of 0 the length of its head follows from that of the arrow. */
export function arrowBetween(tail: Point, tip: Point, head = 0): Shape {
  const length = distance(tail, tip) || 1;
  const own = Math.max(HEAD.min, Math.min(HEAD.max, HEAD.share * length)) / length;
  return { kind: "arrow", points: [tail, tip], head: head || Math.min(1, own) };
}

/** The points, rotated and stretched around the first one so that `end` is moved to `to`. */
function turned(points: readonly Point[], end: Point, to: Point): Point[] {
  const start = points[0]!;
  const [ux, uy] = [end.x - start.x, end.y - start.y];
  const [vx, vy] = [to.x - start.x, to.y - start.y];
  const square = ux * ux + uy * uy || 1;
  const [cos, sin] = [(ux * vx + uy * vy) / square, (ux * vy - uy * vx) / square];
  return points.map(({ x, y }) => {
    const [dx, dy] = [x - start.x, y - start.y];
    return { x: start.x + dx * cos - dy * sin, y: start.y + dx * sin + dy * cos };
  });
}
