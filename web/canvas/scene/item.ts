/** The item of an object on the canvas: the board's object, its position, and its shape. */

import type { BoardObject } from "../../../board/drawing.ts";
import { isEraserStroke } from "../../../board/object-parser.ts";
import { parsePath } from "../../../board/path.ts";
import { areaOf, type Box, EVERYWHERE, inflate } from "../geometry/box.ts";
import { dashesOf, MAX_DASHES, type PaintCost, paintCost } from "./cost.ts";
import type { Boxed } from "./grid.ts";
import { type Matrix, multiply, type Point, translation } from "../geometry/matrix.ts";
import { outlineBox } from "../geometry/outline.ts";
import {
  boxOf,
  matrixOf,
  numberOr,
  type ObjectTransform,
  type Size,
  stretchOf,
  transformOf,
} from "../geometry/transform.ts";

/** A shape that Fabric paints: its type or its look is too rare to have code of its own here. */
export interface FabricShape {
  readonly size: Size;
  /** The distance to which it may paint beyond its box, in its own plane: shadows, accents, swashes. */
  readonly overhang: number;
  /** The number of its parts: those of a group, otherwise 1. */
  readonly parts: number;
  /**
   * Paints it with its own transform into a context that has the viewport's; each step paints one part. After all
   * steps the context is as before. `plain`: without its effects.
   */
  paint(context: CanvasRenderingContext2D, plain: boolean): Iterable<void>;
  /** Takes over the object's transform; its other properties must be the same as before. */
  setTransform(object: BoardObject): void;
  /** Decodes all of a picture for the next `paint`; resolves to a function that frees the memory. */
  prepare?(): Promise<() => void>;
}

export type Shape =
  | { readonly kind: "path"; readonly data: string }
  | { readonly kind: "rect" }
  | { readonly kind: "circle" }
  /** A shape that Fabric paints; undefined while Fabric is still making it. */
  | { readonly kind: "fabric"; readonly fabric: FabricShape | undefined };

export interface Item extends Boxed {
  object: BoardObject;
  shape: Shape;
  size: Size;
  /** The middle of the shape in its own plane. */
  middle: Point;
  /** The map from the plane of the shape to the canvas. */
  matrix: Matrix;
  /** The upright box without shadows and mitres, in canvas pixels. */
  readonly bounds: Box;
  /** The box of the pixels that it may paint, in canvas pixels. */
  box: Box;
  readonly cost: PaintCost;
  /** True when the outline has dashes, and not too many of them. */
  readonly dashed: boolean;
  /** True for a stroke of the eraser. */
  readonly eraser: boolean;
  /** True when it is painted without its effects, since the board has too many (see `effects.ts`). */
  plain: boolean;
  /** True when the visitor or a peer drags or edits it: another layer shows it instead of the base canvas. */
  detached: boolean;
}

/** Composite operations that also change pixels outside the shape. */
const FAR_REACHING: ReadonlySet<unknown> = new Set([
  "copy",
  "source-in",
  "source-out",
  "destination-in",
  "destination-atop",
]);

function isColor(value: unknown): boolean {
  return value === undefined || value === null || typeof value === "string";
}

/** True for an object that `paint.ts` paints itself; Fabric paints the others. */
export function isPlain(object: BoardObject): boolean {
  if (object.type !== "Path" && object.type !== "Rect" && object.type !== "Circle") return false;
  if (!isColor(object["fill"]) || !isColor(object["stroke"])) return false;
  if (object["shadow"] || object["clipPath"] || object["backgroundColor"]) return false;
  return object["strokeUniform"] !== true || object.type !== "Path";
}

/** False for an object that is on the board and paints nothing. */
export function isVisible(object: BoardObject): boolean {
  return object["visible"] !== false && object["opacity"] !== 0;
}

/**
 * False for strokes of the eraser: they can neither be selected nor moved, or erased parts would reappear. Everything
 * else can be selected, even invisible objects, so that they can be removed.
 */
export function isSelectable(item: Item): boolean {
  return !item.eraser;
}

/** True for an item that a press or a rubber band may take: it is selectable and paints something. */
export function isHittable({ object, shape, eraser }: Item): boolean {
  if (eraser || !isVisible(object)) return false;
  return shape.kind !== "fabric" || shape.fabric !== undefined;
}

/**
 * Returns the item of an object that `paint.ts` paints; null when its path cannot be parsed. Measures of the same
 * path are taken over from `before`, the object's present item.
 */
export function makePlainItem(object: BoardObject, before?: Item): Item | null {
  const strokeWidth = numberOr(object["strokeWidth"], 1);
  const sized = (width: number, height: number): Size => ({
    width,
    height,
    strokeWidth,
    strokeUniform: object["strokeUniform"] === true,
  });
  if (object.type === "Path") {
    const data = object["path"];
    if (before?.shape.kind === "path" && before.shape.data === data) {
      const { width, height } = before.size;
      return makeItem(object, before.shape, sized(width, height), before.middle);
    }
    const outline = typeof data === "string" ? parsePath(data) : null;
    if (!outline || typeof data !== "string") return null;
    const bounds = outlineBox(outline);
    const size = sized(bounds.right - bounds.left, bounds.bottom - bounds.top);
    const middle = {
      x: (bounds.left + bounds.right) / 2,
      y: (bounds.top + bounds.bottom) / 2,
    };
    return makeItem(object, { kind: "path", data }, size, middle);
  }
  if (object.type === "Circle") {
    const diameter = 2 * numberOr(object["radius"], 0);
    return makeItem(object, { kind: "circle" }, sized(diameter, diameter));
  }
  const width = numberOr(object["width"], 0);
  return makeItem(object, { kind: "rect" }, sized(width, numberOr(object["height"], 0)));
}

/**
 * Returns the item of an object that Fabric paints. It paints nothing as long as `fabric` is undefined, and then
 * its box is a point.
 */
export function makeFabricItem(object: BoardObject, fabric: FabricShape | undefined): Item {
  const size = fabric?.size ?? { width: 0, height: 0, strokeWidth: 0, strokeUniform: false };
  return makeItem(object, { kind: "fabric", fabric }, size);
}

const ZERO: Point = { x: 0, y: 0 };

function makeItem(object: BoardObject, shape: Shape, size: Size, middle: Point = ZERO): Item {
  const transform = transformOf(object);
  const centred = matrixOf(transform, size);
  const bounds = boxOf(transform, size, centred);
  const dashes = dashesOf(object);
  return {
    object,
    shape,
    size,
    middle,
    matrix: multiply(centred, translation(-middle.x, -middle.y)),
    bounds,
    box: paintedBox(object, shape, size, transform, bounds),
    cost: paintCost(object, areaOf(bounds)),
    dashed: dashes > 0 && dashes <= MAX_DASHES,
    eraser: isEraserStroke(object),
    plain: false,
    detached: false,
    visited: 0,
  };
}

function paintedBox(
  object: BoardObject,
  shape: Shape,
  size: Size,
  transform: ObjectTransform,
  bounds: Box,
): Box {
  if (FAR_REACHING.has(object["globalCompositeOperation"])) return EVERYWHERE;
  const stretch = stretchOf(transform, size.strokeUniform && shape.kind !== "fabric");
  return inflate(bounds, overhangOf(object, shape, size) * stretch);
}

/** Returns how far an object paints beyond Fabric's box: mitred and square ends, and the overhang of a Fabric shape. */
function overhangOf(object: BoardObject, shape: Shape, size: Size): number {
  if (shape.kind === "fabric") return shape.fabric?.overhang ?? 0;
  if (shape.kind !== "path" || !object["stroke"]) return 0;
  const half = size.strokeWidth / 2;
  const mitred = (object["strokeLineJoin"] ?? "miter") === "miter";
  const miter = mitred ? half * Math.max(1, numberOr(object["strokeMiterLimit"], 4)) : half;
  return Math.max(miter, half * Math.SQRT2) - half;
}
