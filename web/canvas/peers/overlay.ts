/**
 * An overlay canvas: transparent, above the base canvas, and only as large as the painted area. A browser copies the
 * whole of each visible canvas for every frame in which anything changes.
 */

import {
  alignBox,
  alignToSteps,
  type Box,
  clipBox,
  containsBox,
  EMPTY_BOX,
  union,
} from "../geometry/box.ts";
import { showLayer } from "../view/host.ts";
import { applyMatrixToBox, IDENTITY, type Matrix, multiply } from "../geometry/matrix.ts";

/** Device pixels around a painted box that anti-aliasing may touch. */
const MARGIN = 2;

export class OverlayCanvas {
  private readonly element: HTMLCanvasElement;
  private readonly context: CanvasRenderingContext2D;
  private bounds = EMPTY_BOX;
  private ratio = 1;
  /** The map from canvas pixels to device pixels. */
  private toDevice: Matrix = IDENTITY;
  /** The box of the element, and the box that was painted since it was last cleared; in device pixels. */
  private area = EMPTY_BOX;
  private used: Box | undefined;

  /** Takes over the element. Throws in a browser without canvas 2D. */
  constructor(element: HTMLCanvasElement) {
    this.element = element;
    const context = element.getContext("2d");
    if (!context) throw new Error("No canvas 2D context");
    this.context = context;
  }

  /** Takes over a size in CSS pixels; `viewport` maps canvas pixels to these. Everything that was painted is cleared. */
  resize(
    { width, height }: { readonly width: number; readonly height: number },
    ratio: number,
    viewport: Matrix,
  ): void {
    const [right, bottom] = [Math.round(width * ratio), Math.round(height * ratio)];
    this.bounds = { left: 0, top: 0, right, bottom };
    this.ratio = ratio;
    this.toDevice = multiply([ratio, 0, 0, ratio, 0, 0], viewport);
    this.clear();
    this.hideIfEmpty();
  }

  /** Calls `work` to paint within `box`; both in canvas pixels. Returns true when the canvas grew and lost its pixels. */
  paint(box: Box, work: (context: CanvasRenderingContext2D) => void): boolean {
    const part = clipBox(alignBox(applyMatrixToBox(this.toDevice, box), MARGIN), this.bounds);
    if (!part) return false;
    const lost = !containsBox(this.area, part) && this.grow(part);
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
    this.context.resetTransform();
    this.context.clearRect(left - this.area.left, top - this.area.top, right - left, bottom - top);
    this.used = undefined;
  }

  /** Hides an empty canvas: it costs nothing then, and is small again when it is next painted. */
  hideIfEmpty(): void {
    if (this.used) return;
    this.area = EMPTY_BOX;
    showLayer(this.element, false);
  }

  dispose(): void {
    this.element.width = this.element.height = 0;
  }

  /** Makes the canvas large enough for `part`. Returns true when painted pixels were lost. */
  private grow(part: Box): boolean {
    const { element, ratio, used } = this;
    const next = alignToSteps(used ? union(this.area, part) : part, this.bounds);
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
