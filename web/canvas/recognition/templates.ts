/**
 * The templates with which strokes are compared: every shape as people draw it. They are made once, when they are
 * first needed.
 */

import type { Point } from "../geometry/matrix.ts";
import { type StrokeVector, vectorOf } from "./protractor.ts";
import { resample, rotate } from "./resample.ts";
import type { ShapeKind } from "./shape.ts";

export interface Template {
  readonly kind: ShapeKind;
  readonly vector: StrokeVector;
}

const at = (x: number, y: number): Point => ({ x, y });

/** A stroke in both directions. */
const bothWays = (points: readonly Point[]): Point[][] => [[...points], points.toReversed()];

/** The outline of a closed shape in both directions, begun at each of `count` points. */
function closed(kind: ShapeKind, outline: readonly Point[], count: number): Template[] {
  const even = resample([...outline, outline[0]!], 48).slice(0, -1);
  return Array.from({ length: count }, (_, i) => {
    const start = Math.round((i * even.length) / count);
    const begun = [...even.slice(start), ...even.slice(0, start)];
    return bothWays([...begun, begun[0]!]);
  })
    .flat()
    .map((points) => ({ kind, vector: vectorOf(points) }));
}

function circle(): Point[] {
  return Array.from({ length: 48 }, (_, i) => {
    const angle = (2 * Math.PI * i) / 48;
    return at(0.5 + Math.cos(angle) / 2, 0.5 + Math.sin(angle) / 2);
  });
}

/** Closed shapes in the unit square. A triangle has one side on it, and its third corner anywhere opposite. */
export const CLOSED: () => readonly Template[] = once(() => [
  ...closed("rectangle", [at(0, 0), at(1, 0), at(1, 1), at(0, 1)], 8),
  ...closed("ellipse", circle(), 8),
  ...[0, 0.25, 0.5, 0.75, 1].flatMap((apex) =>
    [0, 1, 2, 3].flatMap((side) => {
      const corners = [at(-0.5, 0.5), at(0.5, 0.5), at(apex - 0.5, -0.5)];
      return closed("triangle", rotate(corners, (side * Math.PI) / 2), 6);
    }),
  ),
]);

/** Arrows in one stroke: the shaft, then one side of the head, then the other, over the tip or straight across. */
function arrows(): Point[][] {
  return [0.15, 0.25, 0.4].flatMap((reach) =>
    [0.45, 0.75].flatMap((angle) => {
      const [back, side] = [1 - reach * Math.cos(angle), reach * Math.sin(angle)];
      const [tip, left, right] = [at(1, 0), at(back, side), at(back, -side)];
      return [
        [at(0, 0), tip, left, tip, right],
        [at(0, 0), tip, left, right],
        [at(0, 0), tip, left, right, tip],
      ].flatMap((points) => [points, points.map(({ x, y }) => at(x, -y))]);
    }),
  );
}

/** Arcs from a slight bend to more than half a circle, and a bend that is sharper at one end. */
function curves(): Point[][] {
  return [0.8, 1.4, 2.2, 3, 3.8].flatMap((span) =>
    [1, 1.5].flatMap((bend) => {
      const points = Array.from({ length: 32 }, (_, i) => {
        const angle = span * (i / 31) ** bend;
        return at(Math.cos(angle), Math.sin(angle));
      });
      return [...bothWays(points), ...bothWays(points.map(({ x, y }) => at(x, -y)))];
    }),
  );
}

/** Open shapes, whose direction on the board does not matter. */
export const OPEN: () => readonly Template[] = once(() => [
  { kind: "line", vector: vectorOf([at(0, 0), at(1, 0)]) },
  ...arrows().map((points): Template => ({ kind: "arrow", vector: vectorOf(points) })),
  ...curves().map((points): Template => ({ kind: "curve", vector: vectorOf(points) })),
]);

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
