/**
 * The transform of an object (position, scale, rotation, skew, flips) by Fabric 7's rules (ObjectGeometry.ts of
 * Fabric 7.4): `left` and `top` name the object's origin, the box includes the stroke, rotation is about the origin.
 */

import { type Box, inflate } from "./box.ts";
import { applyMatrixToBox, multiply, type Matrix } from "./matrix.ts";

/** A transform: lengths in canvas pixels, angles and skews in degrees, the origin as an offset from the centre in parts of the size. */
export interface ObjectTransform {
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

/** The size of an object before it is transformed, in canvas pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
  readonly strokeWidth: number;
  readonly strokeUniform: boolean;
}

/** The properties that a move, a scaling or a rotation may change. */
export const TRANSFORM_KEYS = [
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

/** The origin at the top-left corner. */
export const TOP_LEFT = { originX: -0.5, originY: -0.5 } as const;

/** Returns the value when it is a finite number, or else `otherwise`. */
export function numberOr(value: unknown, otherwise: number): number {
  return typeof value === "number" && Number.isFinite(value) ? value : otherwise;
}

/** Returns one of Fabric's origins as an offset from the centre, in parts of the size. Its default is the centre. */
function originOf(value: unknown): number {
  if (value === "left" || value === "top") return -0.5;
  if (value === "right" || value === "bottom") return 0.5;
  return typeof value === "number" && Number.isFinite(value) ? value - 0.5 : 0;
}

/**
 * The transform of an object, or of a part of one, with Fabric's defaults for absent properties. As in Fabric a negative
 * scale is a flip, which leaves the object where it is.
 */
export function transformOf(object: { readonly [property: string]: unknown }): ObjectTransform {
  const [scaleX, scaleY] = [numberOr(object["scaleX"], 1), numberOr(object["scaleY"], 1)];
  return {
    left: numberOr(object["left"], 0),
    top: numberOr(object["top"], 0),
    scaleX: Math.abs(scaleX),
    scaleY: Math.abs(scaleY),
    angle: numberOr(object["angle"], 0),
    skewX: numberOr(object["skewX"], 0),
    skewY: numberOr(object["skewY"], 0),
    flipX: object["flipX"] === true || scaleX < 0,
    flipY: object["flipY"] === true || scaleY < 0,
    originX: originOf(object["originX"]),
    originY: originOf(object["originY"]),
  };
}

function radians(degrees: number): number {
  return (degrees / 180) * Math.PI;
}

/** The linear part of the map without the rotation: flips, scale, skew. */
function shapeMatrix(transform: ObjectTransform): Matrix {
  const { scaleX, scaleY, skewX, skewY, flipX, flipY } = transform;
  let matrix: Matrix = [flipX ? -scaleX : scaleX, 0, 0, flipY ? -scaleY : scaleY, 0, 0];
  if (skewX !== 0) matrix = multiply(matrix, [1, 0, Math.tan(radians(skewX)), 1, 0, 0]);
  if (skewY !== 0) matrix = multiply(matrix, [1, Math.tan(radians(skewY)), 0, 1, 0, 0]);
  return matrix;
}

/** Width and height of the unrotated box, stroke included. */
function spanOf(
  transform: ObjectTransform,
  size: Size,
): { readonly x: number; readonly y: number } {
  const { right, bottom } = centredBox(size);
  const [width, height] = [2 * right, 2 * bottom];
  const outer = size.strokeUniform ? size.strokeWidth : 0;
  if (transform.skewX === 0 && transform.skewY === 0)
    return { x: width * transform.scaleX + outer, y: height * transform.scaleY + outer };
  const [a, b, c, d] = shapeMatrix({ ...transform, flipX: false, flipY: false });
  return {
    x: Math.abs(a) * width + Math.abs(c) * height + outer,
    y: Math.abs(b) * width + Math.abs(d) * height + outer,
  };
}

/** The map from the object's own plane, whose zero is its centre, to the canvas. */
export function matrixOf(transform: ObjectTransform, size: Size): Matrix {
  const span = spanOf(transform, size);
  const turn = radians(transform.angle);
  const cos = Math.cos(turn);
  const sin = Math.sin(turn);
  const x = -transform.originX * span.x;
  const y = -transform.originY * span.y;
  return multiply(
    [cos, sin, -sin, cos, transform.left + x * cos - y * sin, transform.top + x * sin + y * cos],
    shapeMatrix(transform),
  );
}

/** Returns the box that Fabric gives an object of this size, in the plane around its centre. */
export function centredBox(size: Size): Box {
  const stroke = size.strokeUniform ? 0 : size.strokeWidth;
  const [x, y] = [(size.width + stroke) / 2, (size.height + stroke) / 2];
  return { left: -x, top: -y, right: x, bottom: y };
}

/** The upright box around the object with its stroke. `matrix`: its map to the canvas. */
export function boxOf(transform: ObjectTransform, size: Size, matrix: Matrix): Box {
  const margin = size.strokeWidth / 2;
  const box = applyMatrixToBox(matrix, centredBox(size));
  return size.strokeUniform ? inflate(box, margin * stretchOf(transform, true)) : box;
}

/**
 * Returns the greatest factor by which scale and skew lengthen a distance, or a greater one. With `isUniform` that of the
 * width of a uniform stroke, which only the skew lengthens.
 */
export function stretchOf(
  transform: Pick<ObjectTransform, "scaleX" | "scaleY" | "skewX" | "skewY">,
  isUniform = false,
): number {
  const { scaleX, scaleY, skewX, skewY } = transform;
  const slant = (skew: number) => 1 + Math.abs(Math.tan(radians(skew)));
  const scale = isUniform ? 1 : Math.max(Math.abs(scaleX), Math.abs(scaleY));
  return scale * slant(skewX) * slant(skewY);
}
