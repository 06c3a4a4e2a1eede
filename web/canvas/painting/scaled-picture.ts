/** The present picture under a changed view: moved, or scaled until the objects are painted again. */

import type { Box } from "../geometry/box.ts";
import { invert, type Matrix, multiply } from "../geometry/matrix.ts";

/**
 * Milliseconds for which the copy stays after the last change of the scale, so that a gesture makes one copy, and not
 * one for each step.
 */
const QUIET = 70;

/** Device pixels by which the pixels of a copy may differ from those of the view that it shows: rounding causes as much. */
const EXACT = 0.001;

/** A copy of the base canvas, which is shown scaled from a change of the scale until the objects are painted again. */
export class ScaledPicture {
  /** True when it shows the present state of all objects, so that it can be shown again. */
  exact: boolean;
  /** True when something was painted over it, so that the next change of the scale needs another copy. */
  outdated = false;
  private readonly canvas: HTMLCanvasElement;
  private readonly toDevice: Matrix;
  private until = 0;

  /** Copies `element`. `toDevice`: the map from canvas pixels that it is painted with; `exact`: it shows all objects. */
  constructor(element: HTMLCanvasElement, toDevice: Matrix, exact: boolean) {
    this.canvas = copyOf(element);
    this.toDevice = toDevice;
    this.exact = exact;
  }

  /** Notes that the scale changes now. */
  stretch(): void {
    this.until = performance.now() + QUIET;
  }

  /** Returns false while the scale may still change. */
  isQuiet(): boolean {
    return performance.now() >= this.until;
  }

  /** Paints the copy at its position in a view. */
  paint(context: CanvasRenderingContext2D, toDevice: Matrix): void {
    const back = invert(this.toDevice);
    if (!back) return;
    context.setTransform(...multiply(toDevice, back));
    context.drawImage(this.canvas, 0, 0);
  }

  /** True when the copy equals the picture of a view, pixel by pixel. */
  shows(toDevice: Matrix): boolean {
    const back = invert(this.toDevice);
    if (!this.exact || !back) return false;
    const [a, b, c, d, e, f] = multiply(toDevice, back);
    const { width, height } = this.canvas;
    const shifts = [(a - 1) * width, b * width, c * height, (d - 1) * height, e, f];
    return shifts.every((shift) => Math.abs(shift) < EXACT);
  }

  /** Paints the copy unscaled. */
  restore(context: CanvasRenderingContext2D): void {
    context.resetTransform();
    context.drawImage(this.canvas, 0, 0);
  }

  /** Frees the memory immediately. */
  release(): undefined {
    this.canvas.width = this.canvas.height = 0;
  }
}

/** Makes an empty canvas of the size of a box. */
export function canvasFor({ left, top, right, bottom }: Box): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = right - left;
  canvas.height = bottom - top;
  return canvas;
}

/** A canvas with the same pixels, or with those of a part of them. */
export function copyOf(element: HTMLCanvasElement, part = canvasBox(element)): HTMLCanvasElement {
  const copy = canvasFor(part);
  copy.getContext("2d")?.drawImage(element, -part.left, -part.top);
  return copy;
}

/** Fills a rectangle of device pixels with the background. */
export function clearArea(
  context: CanvasRenderingContext2D,
  { left, top, right, bottom }: Box,
  background: string,
): void {
  context.resetTransform();
  context.clearRect(left, top, right - left, bottom - top);
  context.fillStyle = "white";
  context.fillStyle = background;
  context.fillRect(left, top, right - left, bottom - top);
}

/** The box of a whole canvas, in its pixels. */
export function canvasBox({ width, height }: HTMLCanvasElement): Box {
  return { left: 0, top: 0, right: width, bottom: height };
}

/** Returns the whole device pixels by which the picture moves; null when it is scaled as well, or moved by a fraction. */
export function shiftBetween(
  before: Matrix,
  after: Matrix,
): { readonly x: number; readonly y: number } | null {
  for (let i = 0; i < 4; i++) if (before[i] !== after[i]) return null;
  const [x, y] = [after[4] - before[4], after[5] - before[5]];
  const [wholeX, wholeY] = [Math.round(x), Math.round(y)];
  if (Math.abs(x - wholeX) > 1e-6 || Math.abs(y - wholeY) > 1e-6) return null;
  return { x: wholeX, y: wholeY };
}
