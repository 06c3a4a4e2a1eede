/** The outline of a selected object: the box around it, rotated with it. */

import { type Box, boxAround, inflate } from "../geometry/box.ts";
import { applyMatrix, type Matrix, type Point, scaleOf } from "../geometry/matrix.ts";
import { centredBox } from "../geometry/transform.ts";
import type { Item } from "./item.ts";

/** Screen pixels of an outline, and of the white around it, which makes it visible on every colour. */
const OUTLINE = { width: 2, halo: 4 };

/**
 * Returns the corners of an item's box, in canvas pixels, or of one that is larger by `outset` canvas pixels on each
 * side. `matrix` maps the plane of its shape to the canvas.
 */
export function cornersOf(item: Item, matrix: Matrix, outset = 0): readonly Point[] {
  const around = outset / (scaleOf(matrix) || 1);
  const { left, top, right, bottom } = inflate(centredBox(item.size), around);
  const { x, y } = item.middle;
  const corner = (dx: number, dy: number): Point => applyMatrix(matrix, x + dx, y + dy);
  return [corner(left, top), corner(right, top), corner(right, bottom), corner(left, bottom)];
}

/** Returns the corners of a box, in the order of `cornersOf`. */
export function cornersOfBox({ left, top, right, bottom }: Box): readonly Point[] {
  return [
    { x: left, y: top },
    { x: right, y: top },
    { x: right, y: bottom },
    { x: left, y: bottom },
  ];
}

/** Returns a box beyond which an outline paints nothing. `pixel`: the canvas pixels in a CSS pixel. */
export function outlineBox(corners: readonly Point[], pixel: number): Box | undefined {
  const box = boxAround(corners.map(({ x, y }) => ({ left: x, top: y, right: x, bottom: y })));
  return box && inflate(box, OUTLINE.halo * pixel);
}

/** Paints an outline through its corners. `pixel`: the canvas pixels in a CSS pixel. */
export function paintOutline(
  context: CanvasRenderingContext2D,
  corners: readonly Point[],
  color: string,
  pixel: number,
): void {
  context.beginPath();
  for (const { x, y } of corners) context.lineTo(x, y);
  context.closePath();
  context.lineJoin = "round";
  context.strokeStyle = "white";
  context.lineWidth = OUTLINE.halo * pixel;
  context.stroke();
  context.strokeStyle = color;
  context.lineWidth = OUTLINE.width * pixel;
  context.stroke();
}
