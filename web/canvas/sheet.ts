/**
 * A transparent canvas above the picture that is only as large as what is on it, since a browser copies
 * each canvas that is shown, and whole, for every frame in which anything changes.
 */

import { alignBox, clipBox } from "./dirty.ts";
import { showLayer } from "./host.ts";
import { type Box, IDENTITY, type Matrix, multiply, transformBox, union } from "./matrix.ts";
import { holds, NOWHERE, steps } from "./steps.ts";

export class Sheet {
  private readonly element: HTMLCanvasElement;
  private readonly context: CanvasRenderingContext2D;
  private frame = NOWHERE;
  private ratio = 1;
  /** From canvas pixels to device pixels. */
  private toDevice: Matrix = IDENTITY;
  /** Where the element lies, and what was painted since it was cleared; in device pixels. */
  private area = NOWHERE;
  private used: Box | undefined;

  constructor(element: HTMLCanvasElement) {
    this.element = element;
    const context = element.getContext("2d");
    if (!context) throw new Error("This browser has no canvas 2D context");
    this.context = context;
  }

  /** The size in CSS pixels, and from canvas pixels to these. What was painted is gone. */
  place(width: number, height: number, ratio: number, viewport: Matrix): void {
    const [right, bottom] = [Math.round(width * ratio), Math.round(height * ratio)];
    this.frame = { left: 0, top: 0, right, bottom };
    this.ratio = ratio;
    this.toDevice = multiply([ratio, 0, 0, ratio, 0, 0], viewport);
    this.clear();
    this.hideIfEmpty();
  }

  /** Lets `work` paint within `box`; both in canvas pixels. Answers whether what was there before is gone. */
  paint(box: Box, work: (context: CanvasRenderingContext2D) => void): boolean {
    const part = clipBox(alignBox(transformBox(this.toDevice, box), 2), this.frame);
    if (!part) return false;
    const lost = !holds(this.area, part) && this.grow(part);
    this.used = this.used ? union(this.used, part) : part;
    const [a, b, c, d, x, y] = this.toDevice;
    this.context.setTransform(a, b, c, d, x - this.area.left, y - this.area.top);
    work(this.context);
    showLayer(this.element, true);
    return lost;
  }

  clear(): void {
    if (!this.used) return;
    const { left, top, right, bottom } = this.used;
    this.context.setTransform(1, 0, 0, 1, 0, 0);
    this.context.clearRect(left - this.area.left, top - this.area.top, right - left, bottom - top);
    this.used = undefined;
  }

  /** An empty sheet costs nothing, and begins small again. */
  hideIfEmpty(): void {
    if (this.used) return;
    this.area = NOWHERE;
    showLayer(this.element, false);
  }

  dispose(): void {
    this.element.width = this.element.height = 0;
  }

  /** Answers whether it lost anything. */
  private grow(part: Box): boolean {
    const { element, ratio, used } = this;
    const next = steps(used ? union(this.area, part) : part, this.frame);
    const [width, height] = [next.right - next.left, next.bottom - next.top];
    element.width = width;
    element.height = height;
    const [left, top, wide, high] = [next.left, next.top, width, height].map(
      (pixels) => `${pixels / ratio}px`,
    );
    Object.assign(element.style, { left, top, width: wide, height: high });
    this.area = next;
    return used !== undefined;
  }
}
