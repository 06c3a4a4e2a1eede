/** Recognises the shape that a stroke means: Protractor finds the kind, and the fitted shape must lie close to the stroke. */

import type { Point } from "../geometry/matrix.ts";
import * as fit from "./fit.ts";
import { HeldShape } from "./held-shape.ts";
import { similarity, vectorOf } from "./protractor.ts";
import { distance, lengthOf, resample } from "./resample.ts";
import type { Shape, ShapeKind } from "./shape.ts";
import { CLOSED, OPEN, type Template } from "./templates.ts";

/** The length, in CSS pixels, below which a stroke stays ink. */
const SHORTEST = 24;

/** CSS pixels within which a pointer that rests still trembles. */
const TREMOR = 4;

/** Points of a stroke that shapes are fitted to. */
const COUNT = 48;

/** The distance of a closed stroke's ends, as a share of its length, at most. */
const GAP = 0.14;

/** The share of a stroke at each end within which its ends may meet, so that a stroke that overshoots counts as closed. */
const OVERSHOOT = 0.1;

/** The least similarity of a stroke to a template. */
const SIMILAR = 0.9;

/** The distance from the best similarity within which further templates are tried. */
const TIE = 0.03;

/** The greatest mean distance of a stroke from its shape, as a share of its extent. */
const ERROR: Readonly<Record<ShapeKind, number>> = {
  line: 0.03,
  arrow: 0.03,
  rectangle: 0.02,
  ellipse: 0.024,
  triangle: 0.036,
  curve: 0.018,
};

/** The greatest rotation of a closed stroke from its template, in radians: the rest of its tilt. */
const TURN = 0.3;

/** Returns the shape that a stroke means, or null for a scribble. The points are in canvas pixels; `zoom`: CSS pixels in one of them. */
export function recognize(drawn: readonly Point[], zoom = 1): Shape | null {
  const points = withoutRest(drawn, TREMOR / zoom);
  const length = lengthOf(points);
  if (!(length * zoom >= SHORTEST)) return null;
  const even = resample(points, COUNT);
  const loop = closedPart(even, length);
  return loop ? closedShape(resample(loop, COUNT)) : openShape(even);
}

/** The stroke up to where the pointer rested: a hand that trembles there adds length that nobody drew. */
function withoutRest(points: readonly Point[], tremor: number): readonly Point[] {
  const last = points.at(-1);
  const end = last ? points.findLastIndex((point) => distance(point, last) > tremor) + 1 : 0;
  return last ? [...points.slice(0, end), last] : points;
}

/** The part of a closed stroke between the two points where its ends meet; undefined for an open one. */
function closedPart(points: readonly Point[], length: number): Point[] | undefined {
  const ends = Math.round(OVERSHOOT * points.length);
  let [from, to] = [0, points.length - 1];
  for (let i = 0; i < ends; i++)
    for (let j = points.length - 1; j >= points.length - ends; j--)
      if (distance(points[i]!, points[j]!) < distance(points[from]!, points[to]!))
        [from, to] = [i, j];
  const isClosed = distance(points[from]!, points[to]!) <= GAP * length;
  return isClosed ? points.slice(from, to + 1) : undefined;
}

/** The kinds whose templates are about as similar to the stroke as the most similar one. */
function candidates(
  templates: readonly Template[],
  points: readonly Point[],
  turn?: number,
): Set<ShapeKind> {
  const vector = vectorOf(points);
  const scored = templates.map(({ kind, vector: other }) => ({
    kind,
    score: similarity(vector, other, turn),
  }));
  const limit = Math.max(SIMILAR, Math.max(...scored.map(({ score }) => score)) - TIE);
  return new Set(scored.filter(({ score }) => score >= limit).map(({ kind }) => kind));
}

function closest(fits: readonly fit.Fit[]): Shape | null {
  const near = fits.filter(({ shape, error }) => error <= ERROR[shape.kind]);
  return near.toSorted((a, b) => a.error - b.error)[0]?.shape ?? null;
}

function closedShape(points: readonly Point[]): Shape | null {
  const tilt = fit.tiltOf(points);
  const unit = fit.normalize(points, tilt);
  const kinds = candidates(CLOSED(), [...unit, unit[0]!], TURN);
  const fits = [fit.fitRectangle(points, tilt), fit.fitEllipse(points), fit.fitTriangle(points)];
  return closest(fits.filter(({ shape }) => kinds.has(shape.kind)));
}

function openShape(points: readonly Point[]): Shape | null {
  const chord = distance(points[0]!, points.at(-1)!);
  const line = fit.fitLine(points);
  if (line.error < ERROR.line && lengthOf(points) < 1.1 * chord) return line.shape;
  const kinds = candidates(OPEN(), points);
  const arrow = fit.fitArrow(points);
  if (kinds.has("arrow") && arrow.error <= ERROR.arrow) return arrow.shape;
  const curve = fit.fitCurve(points);
  const isBend = curve.error < 0.5 * fit.cornerError(points);
  return kinds.has("curve") && isBend ? closest([curve]) : null;
}

/**
 * Returns the shape that a stroke means, which then follows the pointer; null for a scribble. `points` is a flat
 * list; `zoom`: CSS pixels in a canvas pixel.
 */
export function shapeOfStroke(points: readonly number[], zoom?: number): HeldShape | null {
  const stroke: Point[] = [];
  for (let i = 0; i + 1 < points.length; i += 2)
    stroke.push({ x: points[i] as number, y: points[i + 1] as number });
  const shape = recognize(stroke, zoom);
  const last = stroke.at(-1);
  return shape && last ? new HeldShape(shape, last, points.length, zoom) : null;
}
