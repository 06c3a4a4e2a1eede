/** What a changed view makes of the picture that is there: moved, or scaled until the objects are painted anew. */

import { areaOf, type Box } from "../geometry/box.ts";
import { invert, type Matrix, multiply } from "../geometry/matrix.ts";

/** After the last change of the scale the copy stays for this long, so that a gesture costs one copy for each step. In milliseconds. */
const QUIET = 70;

/** A copy also shows a view in which its pixels lie no further away, which is what rounding does. In device pixels. */
const EXACT = 0.001;

/** A copy of the base canvas. */
interface Copy {
  readonly canvas: HTMLCanvasElement;
  /** From the board to the copy. */
  readonly toDevice: Matrix;
  /** It shows all objects as they are, so that it can be shown again. */
  exact: boolean;
}

/** The picture before its scale changed, and the one of the scale before that: to go back to it paints no object. */
export class ScaledPictures {
  private current: Copy | undefined;
  private previous: Copy | undefined;
  /** Something was painted onto the picture after the copy. */
  private outdated = false;
  private until = 0;

  /** True while the picture is shown scaled. */
  get active(): boolean {
    return this.current !== undefined;
  }

  /** Must be called before each change of the scale. `toDevice`: what `element` is painted with; `complete`: it shows all objects. */
  begin(element: HTMLCanvasElement, toDevice: Matrix, complete: boolean): void {
    this.until = performance.now() + QUIET;
    if (this.current && !this.outdated) return;
    release(this.current);
    this.current = { canvas: copyOf(element), toDevice, exact: complete };
    this.outdated = false;
  }

  /** False while the scale may still change. */
  isQuiet(): boolean {
    return performance.now() >= this.until;
  }

  paint(context: CanvasRenderingContext2D, toDevice: Matrix): void {
    const { current } = this;
    const back = current && invert(current.toDevice);
    if (!back) return;
    context.setTransform(...multiply(toDevice, back));
    context.drawImage(current.canvas, 0, 0);
  }

  /** Paints the view when one of the copies shows it exactly, and ends. Returns false otherwise. */
  restore(context: CanvasRenderingContext2D, toDevice: Matrix): boolean {
    const copy = [this.current, this.previous].find((one) => one && isExact(one, toDevice));
    if (!copy) return false;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(copy.canvas, 0, 0);
    this.end();
    return true;
  }

  /** An object changed: no copy may be shown again. `painted`: it is on the picture already. */
  change(painted: boolean): void {
    if (this.current) this.current.exact = false;
    this.previous = release(this.previous);
    this.outdated ||= painted && this.active;
  }

  /** The objects were painted in the new scale. */
  end(): void {
    const { current } = this;
    this.current = undefined;
    this.outdated = false;
    if (!current) return;
    release(this.previous);
    this.previous = current.exact ? current : release(current);
  }

  /** Gives the memory back at once. */
  clear(): void {
    this.current = release(this.current);
    this.previous = release(this.previous);
    this.outdated = false;
  }
}

function release(copy: Copy | undefined): undefined {
  if (copy) copy.canvas.width = copy.canvas.height = 0;
}

function isExact({ canvas, exact, toDevice }: Copy, shown: Matrix): boolean {
  const back = invert(toDevice);
  if (!exact || !back) return false;
  const [a, b, c, d, e, f] = multiply(shown, back);
  const { width, height } = canvas;
  const shifts = [(a - 1) * width, b * width, c * height, (d - 1) * height, e, f];
  return shifts.every((shift) => Math.abs(shift) < EXACT);
}

/** A canvas with the same pixels, or with those of a part of them. */
export function copyOf(
  element: HTMLCanvasElement,
  { left, top, right, bottom }: Box = frameOf(element),
): HTMLCanvasElement {
  const copy = document.createElement("canvas");
  copy.width = right - left;
  copy.height = bottom - top;
  copy.getContext("2d")?.drawImage(element, -left, -top);
  return copy;
}

/** All of a canvas, in its pixels. */
export function frameOf({ width, height }: HTMLCanvasElement): Box {
  return { left: 0, top: 0, right: width, bottom: height };
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
