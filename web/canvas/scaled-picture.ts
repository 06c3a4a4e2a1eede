/** What a changed view makes of the picture that is there: moved, or scaled until the objects are painted anew. */

import { areaOf, type Box } from "./box.ts";
import { invert, type Matrix, multiply } from "./matrix.ts";

/** After the last change of the scale the copy stays for this long, so that a gesture costs one copy for each step. In milliseconds. */
const QUIET = 120;

/** A copy of the picture, which is shown scaled. */
export class ScaledPicture {
  /** Something was painted onto the picture meanwhile. */
  outdated = false;
  private copy: HTMLCanvasElement;
  /** From the board to the copy. */
  private toDevice: Matrix;
  private until = 0;

  constructor(element: HTMLCanvasElement, toDevice: Matrix) {
    this.copy = copyOf(element);
    this.toDevice = toDevice;
  }

  /** Must be called before each change of the scale. `toDevice`: what `element` is painted with. */
  refresh(element: HTMLCanvasElement, toDevice: Matrix): void {
    this.until = performance.now() + QUIET;
    if (!this.outdated) return;
    this.dispose();
    this.copy = copyOf(element);
    this.toDevice = toDevice;
    this.outdated = false;
  }

  /** False while the scale may still change. */
  isQuiet(): boolean {
    return performance.now() >= this.until;
  }

  paint(context: CanvasRenderingContext2D, toDevice: Matrix): void {
    const back = invert(this.toDevice);
    if (!back) return;
    context.setTransform(...multiply(toDevice, back));
    context.drawImage(this.copy, 0, 0);
  }

  /** Gives the memory back at once. */
  dispose(): undefined {
    this.copy.width = this.copy.height = 0;
  }
}

/** A canvas with the same pixels. */
export function copyOf(element: HTMLCanvasElement): HTMLCanvasElement {
  const copy = document.createElement("canvas");
  copy.width = element.width;
  copy.height = element.height;
  copy.getContext("2d")?.drawImage(element, 0, 0);
  return copy;
}

/** Moves the context's picture by whole pixels, less than its size. Returns the rectangles that came into view. */
export function moveCopy(context: CanvasRenderingContext2D, x: number, y: number): Box[] {
  const { canvas } = context;
  const { width: right, height: bottom } = canvas;
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.globalCompositeOperation = "copy";
  context.drawImage(canvas, x, y);
  context.globalCompositeOperation = "source-over";
  const across = { left: x > 0 ? 0 : right + x, top: 0, right: x > 0 ? x : right, bottom };
  const down = { left: 0, top: y > 0 ? 0 : bottom + y, right, bottom: y > 0 ? y : bottom };
  return [across, down].filter((strip) => areaOf(strip) > 0);
}

/** By how many whole device pixels the picture moves; null when it is scaled as well, or moved by less. */
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
