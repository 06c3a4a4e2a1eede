/**
 * Where an object lies, by Fabric 7's rules (ObjectGeometry.ts of Fabric 7.4): `left` and `top` name
 * the object's origin, the box includes the stroke, rotation is about the origin.
 */

import type { BoardObject, Json } from "../../board/drawing.ts";
import { multiply, type Box, type Matrix, transformBox } from "./matrix.ts";

/** The properties of the group "place" and the origin they refer to. Angles and skews in degrees. */
export interface Place {
  readonly left: number;
  readonly top: number;
  readonly scaleX: number;
  readonly scaleY: number;
  readonly angle: number;
  readonly skewX: number;
  readonly skewY: number;
  readonly flipX: boolean;
  readonly flipY: boolean;
  readonly originX: number;
  readonly originY: number;
}

/** What the object measures before it is placed. */
export interface Size {
  readonly width: number;
  readonly height: number;
  readonly strokeWidth: number;
  readonly strokeUniform: boolean;
}

/** The names that a move, a scaling or a rotation may change. */
export const PLACE_KEYS = [
  "left",
  "top",
  "scaleX",
  "scaleY",
  "angle",
  "skewX",
  "skewY",
  "flipX",
  "flipY",
] as const;

export function numberOr(value: unknown, otherwise: number): number {
  return typeof value === "number" && Number.isFinite(value) ? value : otherwise;
}

/** Fabric's origins as an offset from the centre, in parts of the size. Its default is the centre. */
function originOf(value: unknown): number {
  if (value === "left" || value === "top") return -0.5;
  if (value === "right" || value === "bottom") return 0.5;
  return typeof value === "number" && Number.isFinite(value) ? value - 0.5 : 0;
}

/** The place of an object, or of a part of one, with Fabric's defaults for what is missing. */
export function placeOf(object: { readonly [property: string]: unknown }): Place {
  return {
    left: numberOr(object["left"], 0),
    top: numberOr(object["top"], 0),
    scaleX: numberOr(object["scaleX"], 1),
    scaleY: numberOr(object["scaleY"], 1),
    angle: numberOr(object["angle"], 0),
    skewX: numberOr(object["skewX"], 0),
    skewY: numberOr(object["skewY"], 0),
    flipX: object["flipX"] === true,
    flipY: object["flipY"] === true,
    originX: originOf(object["originX"]),
    originY: originOf(object["originY"]),
  };
}

function radians(degrees: number): number {
  return (degrees / 180) * Math.PI;
}

/** The linear part of the map without the rotation: flips, scale, skew. */
function shapeMatrix(place: Place): Matrix {
  let matrix: Matrix = [
    place.flipX ? -place.scaleX : place.scaleX,
    0,
    0,
    place.flipY ? -place.scaleY : place.scaleY,
    0,
    0,
  ];
  if (place.skewX !== 0) matrix = multiply(matrix, [1, 0, Math.tan(radians(place.skewX)), 1, 0, 0]);
  if (place.skewY !== 0) matrix = multiply(matrix, [1, Math.tan(radians(place.skewY)), 0, 1, 0, 0]);
  return matrix;
}

/** Width and height of the unrotated box, stroke included. */
export function spanOf(place: Place, size: Size): { readonly x: number; readonly y: number } {
  const inner = size.strokeUniform ? 0 : size.strokeWidth;
  const outer = size.strokeUniform ? size.strokeWidth : 0;
  const width = size.width + inner;
  const height = size.height + inner;
  if (place.skewX === 0 && place.skewY === 0)
    return { x: width * place.scaleX + outer, y: height * place.scaleY + outer };
  const [a, b, c, d] = shapeMatrix({ ...place, flipX: false, flipY: false });
  return {
    x: Math.abs(a) * width + Math.abs(c) * height + outer,
    y: Math.abs(b) * width + Math.abs(d) * height + outer,
  };
}

/** The map from the object's own plane, whose zero is its centre, to the canvas. */
export function matrixOf(place: Place, size: Size): Matrix {
  const span = spanOf(place, size);
  const turn = radians(place.angle);
  const cos = Math.cos(turn);
  const sin = Math.sin(turn);
  const x = -place.originX * span.x;
  const y = -place.originY * span.y;
  return multiply(
    [cos, sin, -sin, cos, place.left + x * cos - y * sin, place.top + x * sin + y * cos],
    shapeMatrix(place),
  );
}

/** The place that gives this map, for an object whose origin stays as it is. Skew comes out along x only. */
export function placeFrom(matrix: Matrix, size: Size, origin: Place): Place {
  const [a, b, c, d, e, f] = matrix;
  const square = a * a + b * b;
  const scaleX = Math.sqrt(square) || Number.EPSILON;
  const turned: Place = {
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
  const place: Place =
    turned.scaleY < 0 ? { ...turned, scaleY: -turned.scaleY, flipY: true } : turned;
  const zero = matrixOf(place, size);
  return { ...place, left: e - zero[4], top: f - zero[5] };
}

/** The upright box around the object with its stroke. */
export function boxOf(place: Place, size: Size): Box {
  const matrix = matrixOf(place, size);
  const margin = size.strokeWidth / 2;
  return transformBox(matrix, {
    left: -size.width / 2 - margin,
    top: -size.height / 2 - margin,
    right: size.width / 2 + margin,
    bottom: size.height / 2 + margin,
  });
}

/** The properties of `place` that differ from those of `object`, rounded: lengths to 0.1, the rest to 0.0001. */
export function placeChange(object: BoardObject, place: Place): Record<string, Json> {
  const before = placeOf(object);
  const props: Record<string, Json> = {};
  for (const key of PLACE_KEYS) {
    const value = place[key];
    const rounded = typeof value === "number" ? roundPlace(key, value) : value;
    if (rounded !== before[key]) props[key] = rounded;
  }
  return props;
}

function roundPlace(key: string, value: number): number {
  const unit = key === "left" || key === "top" ? 10 : 10000;
  return Math.round(value * unit) / unit || 0;
}
