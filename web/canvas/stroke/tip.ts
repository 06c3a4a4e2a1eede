/**
 * The tip of the active stroke: its last half step, which the next point will bend, and the points that the browser
 * predicts. It is painted so that the ink reaches the pointer, and removed before anything is painted over it. The
 * pixels around it, with the ink that is final, are stored in a small canvas off the page: reading them from the base
 * canvas for each event would make the browser copy all of it each time.
 */

import type { BaseCanvas } from "../painting/base.ts";
import type { Ink } from "../painting/ink.ts";
import { copyPixels } from "./backdrop.ts";
import { type Box, clipBox, containsBox, EMPTY_BOX, inflate, union } from "../geometry/box.ts";
import { IDENTITY, multiply, translation } from "../geometry/matrix.ts";

/** Device pixels around the tip that are stored as well, since the pen continues there. */
const AROUND = 128;

/** Device pixels of the steps in which the canvas off the page grows. */
const STEP = 128;

export class StrokeTip {
  private readonly base: BaseCanvas;
  private around: CanvasRenderingContext2D | undefined;
  /** The box of the stored part of the base canvas; undefined when its pixels have changed. */
  private area: Box | undefined;
  /** The box of the pixels on the base canvas that show the tip; undefined without a tip. */
  private box: Box | undefined;

  constructor(base: BaseCanvas) {
    this.base = base;
  }

  /** Paints the new part of the final ink, here and on the base canvas, in place of the tip. */
  paintNew(ink: Ink): void {
    const { area, base, around, box } = this;
    const part = base.deviceBox(ink.newBounds());
    if (around && area && part && containsBox(area, part)) {
      around.setTransform(...multiply(translation(-area.left, -area.top), base.toDevice));
      ink.paintNew(around);
      // One copy for both: a browser copies the whole canvas off the page for each one after it was painted on.
      this.box = box ? union(box, part) : part;
      this.remove();
    } else {
      this.remove();
      this.area = undefined;
      base.paintOver((context) => ink.paintNew(context));
    }
  }

  /**
   * Paints the tip of `ink`; an earlier tip must have been removed. `predicted` are flat points; `frame` is the box
   * outside of which no pixels are stored.
   */
  paint(ink: Ink, predicted: readonly number[], frame: Box): void {
    const { area, base } = this;
    const bounds = ink.tipBounds(predicted);
    const box = bounds && base.deviceBox(bounds);
    if (!box) return;
    if (!area || !containsBox(area, box)) this.keep(clipBox(inflate(box, AROUND), frame) ?? box);
    this.box = box;
    base.paintOver((context) => ink.paintTip(context, predicted));
  }

  /** Gives the base canvas the pixels that it had before the tip. */
  remove(): void {
    if (this.box) this.show(this.box);
    this.box = undefined;
  }

  /** Forgets the tip and the stored pixels, which were painted over. */
  forget(): void {
    this.box = this.area = undefined;
  }

  /** Copies stored pixels to the base canvas. */
  private show(box: Box): void {
    const { area, base, around } = this;
    if (!area || !around) return;
    base.paintOver((context) => copyPixels(around.canvas, context, box, area, EMPTY_BOX), IDENTITY);
  }

  private keep(area: Box): void {
    const { left, top, right, bottom } = area;
    const [width, height] = [right - left, bottom - top];
    this.around ??= document.createElement("canvas").getContext("2d") ?? undefined;
    const { around } = this;
    if (!around) return;
    const { canvas } = around;
    if (canvas.width < width || canvas.height < height) {
      canvas.width = Math.ceil(width / STEP) * STEP;
      canvas.height = Math.ceil(height / STEP) * STEP;
    }
    around.setTransform(...IDENTITY);
    copyPixels(this.base.element, around, area, EMPTY_BOX, area);
    this.area = area;
  }
}
