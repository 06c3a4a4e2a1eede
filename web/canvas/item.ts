/** One object as the canvas keeps it: the board's object, where it paints, and how. */

import type { BoardObject } from "../../board/drawing.ts";
import { parsePath } from "../../board/path.ts";
import { type Box, inflate, type Matrix, multiply, type Point, translation } from "./matrix.ts";
import { flattenOutline, outlineBox } from "./outline.ts";
import { boxOf, matrixOf, numberOr, placeOf, type Place, type Size } from "./place.ts";
import type { Boxed } from "./grid.ts";

/** Something that Fabric paints for us: types and looks too rare to have code of their own. */
export interface Guest {
  readonly size: Size;
  /** How far it may paint beyond its box, in its own plane: shadows, accents, swashes. */
  readonly overhang: number;
  /** Paints it at its own place into a context that has the viewport's transform. */
  paint(context: CanvasRenderingContext2D): void;
  /** Takes over a new place without being made again. */
  move(place: BoardObject): void;
}

export type Shape =
  | { readonly kind: "path"; readonly data: string }
  | { readonly kind: "rect" }
  | { readonly kind: "circle" }
  /** `guest` is undefined while Fabric is still making it. */
  | { readonly kind: "guest"; readonly guest: Guest | undefined };

export interface Item extends Boxed {
  object: BoardObject;
  shape: Shape;
  size: Size;
  /** The middle of the shape in the plane that it is drawn in. */
  middle: Point;
  /** From the plane that the shape is drawn in to the canvas. */
  matrix: Matrix;
  /** Where it may paint, in canvas pixels. */
  box: Box;
  /** Held by somebody and painted on another layer meanwhile. */
  lifted: boolean;
}

const EVERYWHERE: Box = { left: -1e9, top: -1e9, right: 1e9, bottom: 1e9 };

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

/** True for what `paint.ts` paints itself; the rest is left to Fabric. */
export function isPlain(object: BoardObject): boolean {
  if (object.type !== "Path" && object.type !== "Rect" && object.type !== "Circle") return false;
  if (!isColor(object["fill"]) || !isColor(object["stroke"])) return false;
  if (object["shadow"] || object["clipPath"] || object["backgroundColor"]) return false;
  return object["strokeUniform"] !== true;
}

/** False for what is on the board and not to be seen. */
export function isVisible(object: BoardObject): boolean {
  return object["visible"] !== false && object["opacity"] !== 0;
}

/** Strokes of the eraser can neither be selected nor moved, or erased parts would come back. */
export function isSelectable(object: BoardObject): boolean {
  return object["eraser"] !== true && isVisible(object);
}

/**
 * The item of an object that is painted by `paint.ts`; null when its path is not for us. What `before`,
 * the object's item so far, knows of the same path is not computed again.
 */
export function makePlainItem(object: BoardObject, before?: Item): Item | null {
  const strokeWidth = numberOr(object["strokeWidth"], 1);
  const sized = (width: number, height: number): Size => ({
    width,
    height,
    strokeWidth,
    strokeUniform: false,
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

/** The item of an object that Fabric paints, or will paint as soon as it is made. */
export function makeGuestItem(object: BoardObject, guest: Guest | undefined): Item {
  const size = guest?.size ?? { width: 0, height: 0, strokeWidth: 0, strokeUniform: false };
  return makeItem(object, { kind: "guest", guest }, size);
}

const ZERO: Point = { x: 0, y: 0 };

function makeItem(object: BoardObject, shape: Shape, size: Size, middle: Point = ZERO): Item {
  const place = placeOf(object);
  return {
    object,
    shape,
    size,
    middle,
    matrix: multiply(matrixOf(place, size), translation(-middle.x, -middle.y)),
    box: paintedBox(object, shape, size, place),
    lifted: false,
    seen: 0,
  };
}

/** The matrix of an item if it lay at another place. */
export function matrixAt(item: Item, place: Place): Matrix {
  return multiply(matrixOf(place, item.size), translation(-item.middle.x, -item.middle.y));
}

/** The item's upright box without what it paints beyond it. */
export function frameOf(item: Item): Box {
  return boxOf(placeOf(item.object), item.size);
}

function paintedBox(object: BoardObject, shape: Shape, size: Size, place: Place): Box {
  if (FAR_REACHING.has(object["globalCompositeOperation"])) return EVERYWHERE;
  const box = boxOf(place, size);
  const scale = Math.max(Math.abs(place.scaleX), Math.abs(place.scaleY));
  return inflate(box, overhangOf(object, shape, size) * scale);
}

/** How far it paints beyond Fabric's box: the points of mitred and square ends, and what a guest says. */
function overhangOf(object: BoardObject, shape: Shape, size: Size): number {
  if (shape.kind === "guest") return shape.guest?.overhang ?? 0;
  if (shape.kind !== "path" || !object["stroke"]) return 0;
  const half = size.strokeWidth / 2;
  const mitred = (object["strokeLineJoin"] ?? "miter") === "miter";
  const miter = mitred ? half * Math.max(1, numberOr(object["strokeMiterLimit"], 4)) : half;
  return Math.max(miter, half * Math.SQRT2) - half;
}

/** The corners of the box that Fabric gives the item, as a box in the plane around its centre. */
export function centredBox(size: Size): Box {
  const x = (size.width + (size.strokeUniform ? 0 : size.strokeWidth)) / 2;
  const y = (size.height + (size.strokeUniform ? 0 : size.strokeWidth)) / 2;
  return { left: -x, top: -y, right: x, bottom: y };
}

/** The polylines of a path, in the plane of its data. */
export function linesOf(data: string): readonly Float32Array[] {
  const outline = parsePath(data);
  return outline ? flattenOutline(outline) : [];
}
