/** The budget of one frame for painting, in milliseconds and in effects, so that the page answers meanwhile. */

import { MAX_EFFECTS } from "../scene/cost.ts";
import type { Item } from "../scene/item.ts";
import type { CanvasStats } from "../scheduling/stats.ts";

/**
 * Bounds of work (see `PaintCost`): a rectangle with more than `direct` is painted beside the picture, in slices; an
 * added object with more than `heavy` is heavy, and those that are painted at once between two frames have at most
 * `added` together (a stroke of 10,000 points is less); a picture with more than `whole` is made sharp tile by tile,
 * with less in one piece, so that each object is painted once.
 */
export const WORK_LIMITS = { direct: 500, heavy: 50, added: 3000, whole: 100_000 } as const;

/** Milliseconds that a frame may take longer while a picture that was scaled becomes sharp. */
export const SHARPENING = 14;

/** Milliseconds of painting in one frame: usually, and at least where frames are slow while the view moves. */
const FRAME_BUDGET = { usual: 8, min: 2 } as const;

/** Milliseconds between two frames from which on the second one is slow. */
const SLOW = 22;

/** The time that each frame may paint: less while the view moves on a machine whose frames are slow. */
export class FrameAllowance {
  private allowed: number = FRAME_BUDGET.usual;
  /** The time at which the frame before began; Infinity when the view did not move in it. */
  private before = Infinity;

  /** Returns the milliseconds for the next frame, in which it is called once. `moving`: the view moved. */
  next(moving: boolean): number {
    const now = performance.now();
    const { usual, min } = FRAME_BUDGET;
    const factor = now - this.before > SLOW ? 0.5 : 1.05;
    this.before = moving ? now : Infinity;
    this.allowed = Math.max(min, Math.min(usual, this.allowed * factor));
    return moving ? this.allowed : usual;
  }
}

/** Work (see `PaintCost`) from which on time is measured: less takes well under a millisecond. */
const MEASURED_WORK = 50;

export class FrameBudget {
  private readonly deadline: number;
  private readonly stats: CanvasStats;
  private effects = 0;
  /** The work that was counted since the browser last executed it. */
  private work = 0;

  /** Begins the budget of a frame. `deadline` is a time of performance.now(). */
  constructor(deadline: number, stats: CanvasStats) {
    this.deadline = deadline;
    this.stats = stats;
  }

  /** True when the item's effects may be painted in this frame. */
  fits(item: Item): boolean {
    return this.effects === 0 || this.effects + effectsOf(item) <= MAX_EFFECTS;
  }

  /** Counts an item that is painted in this frame. */
  count(item: Item): void {
    const { stats } = this;
    this.effects += effectsOf(item);
    this.work += item.cost.work;
    stats.painted++;
    stats.effects += effectsOf(item);
    stats.maxEffects = Math.max(stats.maxEffects, this.effects);
  }

  /** True when the time is over; little work is not measured. */
  isDue(canvas: HTMLCanvasElement): boolean {
    if (this.work < MEASURED_WORK) return performance.now() > this.deadline;
    return this.timeLeft(canvas) < 0;
  }

  /**
   * Milliseconds until the deadline; less than 0 after it. Browsers only record what is painted and execute it when the
   * frame ends, all at once, however long it takes. Copying one pixel of `canvas` makes them execute it now, so that
   * the clock measures it. The pixel is cleared at once, unseen: as long as somebody holds on to what the canvas shows,
   * the browser copies all of it before the next thing is painted onto it.
   */
  timeLeft(canvas?: HTMLCanvasElement): number {
    if (canvas) {
      this.work = 0;
      probe ??= document.createElement("canvas").getContext("2d") ?? undefined;
      probe?.drawImage(canvas, 0, 0, 1, 1, 0, 0, 1, 1);
      probe?.clearRect(0, 0, probe.canvas.width, probe.canvas.height);
    }
    return this.deadline - performance.now();
  }
}

let probe: CanvasRenderingContext2D | undefined;

function effectsOf(item: Item): number {
  return item.plain ? 0 : item.cost.effects;
}
