/**
 * The active stroke: this visitor's stroke while it grows. It is painted onto the base canvas itself, since a browser
 * copies the whole of each visible canvas for every frame in which anything changes: a second canvas would double the
 * cost of a pen move. The pixels under the stroke are saved in a canvas off the page, the backdrop. Before anything
 * else is painted there, the backdrop is restored; afterwards the stroke is painted again.
 */

import type { BaseCanvas } from "../painting/base.ts";
import {
  alignToSteps,
  type Box,
  clipBox,
  containsBox,
  EMPTY_BOX,
  inflate,
  overlaps,
  union,
} from "../geometry/box.ts";
import type { Ink } from "../painting/ink.ts";
import { IDENTITY } from "../geometry/matrix.ts";
import type { RepaintObserver } from "../painting/repaint.ts";
import { StrokeTip } from "./stroke-tip.ts";

/** Device pixels by which the backdrop extends beyond the ink, since the stroke is about to grow there. */
const AHEAD = 192;

export class ActiveStroke implements RepaintObserver {
  private readonly base: BaseCanvas;
  private readonly wake: () => void;
  private readonly tip: StrokeTip;
  /** Whether the tip has predicted points, which stay until the next event, or for one frame. */
  private prediction: "none" | "new" | "shown" = "none";
  private ink: Ink | undefined;
  /** True for ink that is painted anew each time, without a tip. */
  private isTrace = false;
  /** The base canvas without the ink, within `area`. */
  private backdrop: CanvasRenderingContext2D | undefined;
  private area = EMPTY_BOX;
  /** The part of `area` that was painted since it was saved; there is no ink on the base canvas then. */
  private outdated: Box | undefined;
  /** The part of the base canvas that has ink on it; undefined without ink. */
  private inked: Box | undefined;

  /** Paints onto `base`. `wake` asks for a frame, in which `work` is called. */
  constructor(base: BaseCanvas, wake: () => void) {
    this.base = base;
    this.wake = wake;
    this.tip = new StrokeTip(base);
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
    const { base, ink, tip } = this;
    const hasTip = !ink?.isTranslucent && !this.isTrace;
    if (!hasTip) this.erase();
    const ahead = ink?.tipBounds(predicted);
    const part = ink && base.deviceBox(ahead ? union(ink.bounds(), ahead) : ink.bounds());
    if (!ink || !part) return;
    const whole = !this.inked;
    this.refreshBackdrop();
    if (!containsBox(this.area, part)) {
      // The new backdrop begins without a tip, so that nobody would remove this one.
      tip.remove();
      this.saveBackdrop(part);
    }
    this.inked = part;
    if (whole) base.paintOver((context) => ink.paintAll(context, !ink.isTranslucent && !hasTip));
    else tip.paintNew(ink);
    if (hasTip) tip.paint(ink, predicted, this.area);
    this.prediction = predicted.length > 0 ? "new" : "none";
    if (predicted.length > 0) this.wake();
  }

  /** Ends the stroke: the base canvas gets the pixels that it would have without it. */
  end(): void {
    this.erase();
    this.dropBackdrop();
    this.tip.dispose();
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
    if (this.inked && overlaps(box, this.area)) this.erase();
  }

  afterRepaint(box: Box): void {
    const part = clipBox(box, this.area);
    if (part) this.outdated = this.outdated ? union(this.outdated, part) : part;
    if (this.ink && !this.inked) this.wake();
  }

  pictureMoved(): void {
    this.dropBackdrop();
    if (this.ink) this.wake();
  }

  /** Removes the ink from the base canvas. */
  private erase(): void {
    const { base, backdrop, inked } = this;
    this.inked = undefined;
    this.tip.forget();
    if (inked && backdrop)
      base.paintOver(
        (context) =>
          copyPixels(
            { canvas: backdrop.canvas, area: this.area },
            { context, area: EMPTY_BOX },
            inked,
          ),
        IDENTITY,
      );
  }

  private refreshBackdrop(): void {
    const { base, backdrop, area, outdated } = this;
    if (outdated && backdrop)
      copyPixels({ canvas: base.element, area: EMPTY_BOX }, { context: backdrop, area }, outdated);
    this.outdated = undefined;
  }

  /** Makes the backdrop large enough for `part` and some pixels around it. */
  private saveBackdrop(part: Box): void {
    const { base, backdrop, area } = this;
    const next = alignToSteps(inflate(backdrop ? union(area, part) : part, AHEAD), base.bounds);
    const canvas = document.createElement("canvas");
    canvas.width = next.right - next.left;
    canvas.height = next.bottom - next.top;
    const context = canvas.getContext("2d");
    if (!context) return;
    copyPixels({ canvas: base.element, area: EMPTY_BOX }, { context, area: next }, next);
    if (backdrop) copyPixels({ canvas: backdrop.canvas, area }, { context, area: next }, area);
    this.dropBackdrop();
    this.backdrop = context;
    this.area = next;
  }

  private dropBackdrop(): void {
    if (this.backdrop) this.backdrop.canvas.width = this.backdrop.canvas.height = 0;
    this.backdrop = undefined;
    this.area = EMPTY_BOX;
    this.outdated = undefined;
    this.inked = undefined;
    this.tip.forget();
  }
}

/** Copies a box. `area` gives the position of the canvas's first pixel; all in device pixels of the base canvas. */
function copyPixels(
  from: { readonly canvas: HTMLCanvasElement; readonly area: Box },
  to: { readonly context: CanvasRenderingContext2D; readonly area: Box },
  { left, top, right, bottom }: Box,
): void {
  const size = [right - left, bottom - top] as const;
  const at = [left - to.area.left, top - to.area.top] as const;
  to.context.clearRect(...at, ...size);
  to.context.drawImage(
    from.canvas,
    left - from.area.left,
    top - from.area.top,
    ...size,
    ...at,
    ...size,
  );
}
