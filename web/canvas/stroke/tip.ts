/**
 * The tip of the active stroke: its last half step, which the next point will bend, and the points that the browser
 * predicts. It is painted so that the ink reaches the pointer, and removed before anything is painted over it: by the
 * backdrop's pixels and the final ink that crosses them. Reading pixels from the base canvas for each event would make
 * the browser copy all of it each time. Only where much ink crosses the tip are its pixels read as well.
 */

import { type Box, containsBox } from "../geometry/box.ts";
import { applyMatrixToBox, IDENTITY, invert } from "../geometry/matrix.ts";
import type { BaseCanvas } from "../painting/base.ts";
import type { Ink } from "../painting/ink.ts";
import { Backdrop } from "./backdrop.ts";

/** The number of points that may be painted again for each event: a visitor may rub one spot for thousands. */
const MANY = 100;

export class StrokeTip {
  private readonly base: BaseCanvas;
  private readonly backdrop: Backdrop;
  /** The pixels around a tip that many points crossed, with the ink of the first `stored` points. */
  private readonly crossed: Backdrop;
  private stored = 0;
  /** The box of the pixels on the base canvas that show the tip; undefined without a tip. */
  private box: Box | undefined;

  constructor(base: BaseCanvas, backdrop: Backdrop) {
    this.base = base;
    this.backdrop = backdrop;
    this.crossed = new Backdrop(base);
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
    const { backdrop, base, box, crossed } = this;
    const back = invert(base.toDevice);
    this.box = undefined;
    if (!box || !back) return;
    const isStored = containsBox(crossed.area, box);
    (isStored ? crossed : backdrop).restore(box);
    let count = 0;
    base.paintOver((context) => {
      context.save();
      context.beginPath();
      context.rect(box.left, box.top, box.right - box.left, box.bottom - box.top);
      context.clip();
      context.setTransform(...base.toDevice);
      count = ink.paintAgain(context, applyMatrixToBox(back, box), isStored ? this.stored : 0);
      context.restore();
    }, IDENTITY);
    if (count <= MANY) return;
    crossed.refresh(crossed.area);
    // Without more around it, it lies within the backdrop, outside of which the picture may change unnoticed.
    crossed.cover(box, 0);
    this.stored = ink.painted;
  }

  /** Forgets the tip and the pixels around it, which were painted over. */
  forget(): void {
    this.box = undefined;
    this.crossed.drop();
  }
}
