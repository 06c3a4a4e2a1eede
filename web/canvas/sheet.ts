/**
 * A transparent canvas above the picture that is only as large as what is on it. A browser copies each
 * canvas that is shown, and whole, for every frame in which anything changes: one as large as the
 * picture would double what a move of the pen costs, and twice that on a screen with twice the pixels.
 */

import { alignBox, clipBox } from "./dirty.ts";
import { showLayer } from "./host.ts";
import { type Box, IDENTITY, type Matrix, multiply, transformBox, union } from "./matrix.ts";

/** It grows in steps of so many device pixels, so that it seldom does. */
const STEP = 256;

const NOWHERE: Box = { left: 0, top: 0, right: 0, bottom: 0 };

export class Sheet {
  private readonly element: HTMLCanvasElement;
  private readonly context: CanvasRenderingContext2D;
  private frame = NOWHERE;
  private ratio = 1;
  private viewport: Matrix = IDENTITY;
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
    this.clear();
    this.hideIfEmpty();
  }

  /** Sizes in CSS pixels. What was painted is gone. */
  resize(width: number, height: number, ratio: number): void {
    const [right, bottom] = [Math.round(width * ratio), Math.round(height * ratio)];
    this.frame = { left: 0, top: 0, right, bottom };
    this.ratio = ratio;
    this.setViewport(this.viewport);
  }

  /** From canvas pixels to CSS pixels. What was painted is gone. */
  setViewport(viewport: Matrix): void {
    this.viewport = viewport;
    this.toDevice = multiply([this.ratio, 0, 0, this.ratio, 0, 0], viewport);
    this.clear();
    this.hideIfEmpty();
  }

  /** Lets `work` paint within `box`; both in canvas pixels. */
  paint(box: Box, work: (context: CanvasRenderingContext2D) => void): void {
    const part = clipBox(alignBox(transformBox(this.toDevice, box), 2), this.frame);
    if (!part) return;
    if (!holds(this.area, part)) this.grow(part);
    this.used = this.used ? union(this.used, part) : part;
    const [a, b, c, d, x, y] = this.toDevice;
    this.context.setTransform(a, b, c, d, x - this.area.left, y - this.area.top);
    work(this.context);
    showLayer(this.element, true);
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

  private grow(part: Box): void {
    const { element, context, area, ratio } = this;
    const kept = this.used && copyOf(element);
    const next = steps(kept ? union(area, part) : part, this.frame);
    const [width, height] = [next.right - next.left, next.bottom - next.top];
    element.width = width;
    element.height = height;
    const [left, top, wide, high] = [next.left, next.top, width, height].map(
      (pixels) => `${pixels / ratio}px`,
    );
    Object.assign(element.style, { left, top, width: wide, height: high });
    this.area = next;
    if (!kept) return;
    context.drawImage(kept, area.left - next.left, area.top - next.top);
    kept.width = kept.height = 0;
  }
}

function holds(area: Box, part: Box): boolean {
  return (
    part.left >= area.left &&
    part.top >= area.top &&
    part.right <= area.right &&
    part.bottom <= area.bottom
  );
}

/** The box with its edges on whole steps, within the frame. */
function steps(box: Box, frame: Box): Box {
  const down = (value: number): number => Math.floor(value / STEP) * STEP;
  const up = (value: number): number => Math.ceil(value / STEP) * STEP;
  return {
    left: down(box.left),
    top: down(box.top),
    right: Math.min(up(box.right), frame.right),
    bottom: Math.min(up(box.bottom), frame.bottom),
  };
}

/** The canvas must have a size. */
export function copyOf(element: HTMLCanvasElement): HTMLCanvasElement {
  const copy = document.createElement("canvas");
  copy.width = element.width;
  copy.height = element.height;
  copy.getContext("2d")?.drawImage(element, 0, 0);
  return copy;
}
