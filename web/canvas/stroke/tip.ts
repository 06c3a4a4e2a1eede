/**
 * The tip of the active stroke: its last half step, which the next point will bend, and the points that the browser
 * predicts. It is painted so that the ink reaches the pointer, and removed before anything is painted over it: by the
 * backdrop's pixels and the final ink that crosses them. Reading pixels from the base canvas for each event would make
 * the browser copy all of it each time.
 */

import type { Box } from "../geometry/box.ts";
import { applyMatrixToBox, IDENTITY, invert } from "../geometry/matrix.ts";
import type { BaseCanvas } from "../painting/base.ts";
import type { Ink } from "../painting/ink.ts";
import type { Backdrop } from "./backdrop.ts";

export class StrokeTip {
  private readonly base: BaseCanvas;
  private readonly backdrop: Backdrop;
  /** The box of the pixels on the base canvas that show the tip; undefined without a tip. */
  private box: Box | undefined;

  constructor(base: BaseCanvas, backdrop: Backdrop) {
    this.base = base;
    this.backdrop = backdrop;
  }

  /**
   * Paints the tip of `ink`; an earlier tip must have been removed, and the backdrop must have its pixels. `predicted`
   * are flat points.
   */
  paint(ink: Ink, predicted: readonly number[]): void {
    const bounds = ink.tipBounds(predicted);
    const box = bounds && this.base.deviceBox(bounds);
    if (!box) return;
    this.box = box;
    this.base.paintOver((context) => ink.paintTip(context, predicted));
  }

  /** Gives the base canvas the pixels that it had before the tip of `ink`. */
  remove(ink: Ink): void {
    const { backdrop, base, box } = this;
    const back = invert(base.toDevice);
    this.box = undefined;
    if (!box || !back) return;
    backdrop.restore(box);
    base.paintOver((context) => {
      context.save();
      context.beginPath();
      context.rect(box.left, box.top, box.right - box.left, box.bottom - box.top);
      context.clip();
      context.setTransform(...base.toDevice);
      ink.paintAgain(context, applyMatrixToBox(back, box));
      context.restore();
    }, IDENTITY);
  }

  /** Forgets the tip, which was painted over. */
  forget(): void {
    this.box = undefined;
  }
}
