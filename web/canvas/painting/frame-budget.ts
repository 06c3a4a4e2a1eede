/** The budget of one frame for painting, in milliseconds and in effects, so that the page stays responsive. */

import { MAX_EFFECTS } from "../scene/cost.ts";
import type { Item } from "../scene/item.ts";
import type { CanvasStats } from "../scheduling/stats.ts";

/**
 * Bounds of work (see `PaintCost`): a rectangle with more than `direct` is painted beside the picture, in slices; an
 * added object with more than `heavy` is heavy, and the heavy ones that are painted immediately between two frames
 * have at most `added` together (a stroke of 10,000 points has less); a picture with more than `whole` is made sharp
 * tile by tile, otherwise in one piece, so that each object is painted once.
 */
export const WORK_LIMITS = { direct: 500, heavy: 50, added: 3000, whole: 100_000 } as const;

/** Milliseconds by which a frame may be longer while a scaled picture becomes sharp. */
export const SHARPENING = 14;

/** Milliseconds of painting in one frame: the usual number, and the least one where frames are slow while the view moves. */
const FRAME_BUDGET = { usual: 8, min: 2 } as const;

/** Milliseconds between two frames from which the second one counts as slow. */
const SLOW = 22;

/** The time that each frame may paint; it is shorter while the view moves on a machine whose frames are slow. */
export class FrameAllowance {
  private allowed: number = FRAME_BUDGET.usual;
  /** The time at which the previous frame began; Infinity when the view did not move in it. */
  private before = Infinity;

  /** Returns the milliseconds for the next frame; it is called once in each frame. `moving`: the view moved. */
  next(moving: boolean): number {
    const now = performance.now();
    const { usual, min } = FRAME_BUDGET;
    const factor = now - this.before > SLOW ? 0.5 : 1.05;
    this.before = moving ? now : Infinity;
    this.allowed = Math.max(min, Math.min(usual, this.allowed * factor));
    return moving ? this.allowed : usual;
  }
}

/** Work (see `PaintCost`) from which time is measured: less takes well under a millisecond. */
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

  /** True when the time is used up; little work is not measured. */
  isDue(canvas: HTMLCanvasElement): boolean {
    if (this.work < MEASURED_WORK) return performance.now() > this.deadline;
    return this.timeLeft(canvas) < 0;
  }

  /**
   * Returns the milliseconds until the deadline, which are negative after it. A canvas is flushed before, so that
   * the clock measures what was painted on it.
   */
  timeLeft(canvas?: HTMLCanvasElement): number {
    if (canvas) {
      this.work = 0;
      flush(canvas);
    }
    return this.deadline - performance.now();
  }
}

let probe: CanvasRenderingContext2D | undefined;

/**
 * Makes the browser execute what was painted on `canvas`: browsers only record it, and execute all of it when the frame
 * ends, however long it takes. Copying one pixel does that. The copied pixel is cleared immediately: as long as
 * anything refers to the canvas's content, the browser copies all of it before the next thing is painted.
 */
export function flush(canvas: HTMLCanvasElement): void {
  probe ??= document.createElement("canvas").getContext("2d") ?? undefined;
  probe?.drawImage(canvas, 0, 0, 1, 1, 0, 0, 1, 1);
  probe?.clearRect(0, 0, probe.canvas.width, probe.canvas.height);
}

function effectsOf(item: Item): number {
  return item.plain ? 0 : item.cost.effects;
}
