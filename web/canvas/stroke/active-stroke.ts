/**
 * The active stroke: this visitor's stroke while it grows. It is painted onto the base canvas itself, since a browser
 * copies the whole of each visible canvas for every frame in which anything changes: a second canvas would double the
 * cost of a pen move. The pixels under the stroke are stored in the backdrop. Before anything else is painted there, the
 * backdrop is restored; afterwards the stroke is painted again.
 */

import type { BaseCanvas } from "../painting/base.ts";
import { Backdrop } from "./backdrop.ts";
import { type Box, clipBox, containsBox, overlaps, union } from "../geometry/box.ts";
import type { Ink } from "../painting/ink.ts";
import type { RepaintObserver } from "../painting/repaint.ts";
import { StrokeTip } from "./tip.ts";

export class ActiveStroke implements RepaintObserver {
  private readonly base: BaseCanvas;
  private readonly wake: () => void;
  private readonly backdrop: Backdrop;
  private readonly tip: StrokeTip;
  /** Whether the tip has predicted points, which stay until the next event, or for one frame. */
  private prediction: "none" | "new" | "shown" = "none";
  private ink: Ink | undefined;
  /** True for ink that is painted anew each time, without a tip. */
  private isTrace = false;
  /** The part of the backdrop that was painted over since it was stored; there is no ink on the base canvas then. */
  private outdated: Box | undefined;
  /** The part of the base canvas that has ink on it; undefined without ink. */
  private inked: Box | undefined;

  /** Paints onto `base`. `wake` asks for a frame, in which `work` is called. */
  constructor(base: BaseCanvas, wake: () => void) {
    this.base = base;
    this.wake = wake;
    this.backdrop = new Backdrop(base);
    this.tip = new StrokeTip(base, this.backdrop);
    base.observe(this);
  }

  /** Begins a stroke with its ink, which `extend` paints; a stroke before it ends. */
  begin(ink: Ink): void {
    this.end();
    this.ink = ink;
  }

  /**
   * Shows all of `ink` in place of the stroke so far, for a shape that follows the pointer. The backdrop stays, and
   * nothing is read from the base canvas.
   */
  trace(ink: Ink): void {
    this.erase();
    this.ink = ink;
    this.isTrace = true;
    this.extend();
  }

  /**
   * Paints the points that were added to the ink, and its tip, immediately: the pen must not lag. The points of
   * `predicted`, a flat list, are shown until the next call, or until the pointer has rested for a frame.
   */
  extend(predicted: readonly number[] = []): void {
    const { backdrop, base, ink, tip } = this;
    const hasTip = !ink?.isTranslucent && !this.isTrace;
    if (!hasTip) this.erase();
    const ahead = ink?.tipBounds(predicted);
    const part = ink && base.deviceBox(ahead ? union(ink.bounds(), ahead) : ink.bounds());
    // A tip may have been the only part of the stroke in view.
    if (ink) tip.remove(ink);
    if (!ink || !part) return;
    const whole = !this.inked;
    this.refreshBackdrop();
    if (!containsBox(backdrop.area, part)) backdrop.cover(part);
    this.inked = part;
    base.paintOver((context) => {
      if (whole) ink.paintAll(context, !ink.isTranslucent && !hasTip);
      else ink.paintNew(context);
    });
    if (hasTip) tip.paint(ink, predicted);
    this.prediction = predicted.length > 0 ? "new" : "none";
    if (predicted.length > 0) this.wake();
  }

  /** Ends the stroke: the base canvas gets the pixels that it would have without it. */
  end(): void {
    this.erase();
    this.dropBackdrop();
    this.prediction = "none";
    this.ink = undefined;
    this.isTrace = false;
  }

  /** Paints the ink again when a repaint removed it, or when predicted points are shown although the pointer rests. */
  work(): void {
    if (!this.inked || this.prediction === "shown") return this.extend();
    if (this.prediction === "none") return;
    this.prediction = "shown";
    this.wake();
  }

  beforeRepaint(box: Box): void {
    if (this.inked && overlaps(box, this.backdrop.area)) this.erase();
  }

  afterRepaint(box: Box): void {
    const part = clipBox(box, this.backdrop.area);
    if (part) this.outdated = this.outdated ? union(this.outdated, part) : part;
    if (this.ink && !this.inked) this.wake();
  }

  pictureMoved(): void {
    this.dropBackdrop();
    if (this.ink) this.wake();
  }

  /** Removes the ink from the base canvas. */
  private erase(): void {
    const { backdrop, inked } = this;
    this.inked = undefined;
    this.tip.forget();
    if (inked) backdrop.restore(inked);
  }

  private refreshBackdrop(): void {
    const { backdrop, outdated } = this;
    if (outdated) backdrop.refresh(outdated);
    this.outdated = undefined;
  }

  private dropBackdrop(): void {
    this.backdrop.drop();
    this.outdated = undefined;
    this.inked = undefined;
    this.tip.forget();
  }
}
