/**
 * A repaint of a rectangle that takes longer than a frame. It is painted on a canvas of its own, item by item, as
 * long as each frame allows, and shown when it is complete. Changes meanwhile are repainted after it.
 */

import { areaOf, type Box, clipBox, moveBox } from "../geometry/box.ts";
import type { FrameBudget } from "./frame-budget.ts";
import type { Item } from "../scene/item.ts";
import {
  applyMatrixToBox,
  invert,
  type Matrix,
  multiply,
  translation,
} from "../geometry/matrix.ts";
import type { Painter } from "./paint.ts";
import { canvasBox, canvasFor, clearArea } from "./scaled-picture.ts";

/**
 * Work (see `PaintCost`) after which the clock is read, for which the browser executes what it has recorded: the
 * first amount, for a machine about which nothing is known yet, and the greatest factor by which the amount grows,
 * since an estimate can be wrong.
 */
const STEP_WORK = { first: 100, growth: 4 } as const;

/** The share of its time with which a frame ends early: reading the clock once more would cost as much. */
const WORTH_READING = 0.2;

/** Device pixels of an item's box that count as one unit of work. */
const PIXELS = 4000;

export interface RepaintRequest {
  /** The rectangle, in device pixels. */
  readonly area: Box;
  /** The map from canvas pixels to device pixels. */
  readonly toDevice: Matrix;
  /** The colour of the background (CSS). */
  readonly background: string;
  /** The items that touch the rectangle, bottom first. */
  readonly items: readonly Item[];
  readonly painter: Painter;
}

/** An area that came into view, or is about to, and is not painted yet. */
export interface Exposed {
  /** The box of the area, in device pixels; it moves with the picture. */
  area: Box;
}

export class SlicedRepaint {
  area: Box;
  /** True when an object within the rectangle changed meanwhile. */
  outdated = false;
  /** The exposed area, when the rectangle is not a dirty one. */
  readonly exposed: Exposed | undefined;
  readonly canvas: HTMLCanvasElement;
  private readonly request: RepaintRequest;
  private readonly context: CanvasRenderingContext2D;
  /** The rectangle, in canvas pixels. */
  private readonly region: Box;
  /** Device pixels squared in a canvas pixel squared. */
  private readonly scale: number;
  /** The index of the next item to paint. */
  private next = 0;
  /** Milliseconds for one unit of work, as last measured. */
  private rate = Infinity;
  /** The work between the last two readings of the clock. */
  private measured: number = STEP_WORK.first;
  /** Device pixels of the previous item's box, as far as they are painted. */
  private lastArea = 0;
  /** The remaining steps of the previous item. */
  private steps: Generator<number> | undefined;

  /** Begins a repaint. Throws in a browser without canvas 2D. */
  constructor(request: RepaintRequest, exposed?: Exposed) {
    this.exposed = exposed;
    const { area, toDevice, background } = request;
    this.request = request;
    this.area = area;
    this.region = applyMatrixToBox(invert(toDevice) ?? toDevice, area);
    this.scale = areaOf(area) / areaOf(this.region);
    this.canvas = canvasFor(area);
    const context = this.canvas.getContext("2d");
    if (!context) throw new Error("No canvas 2D context");
    this.context = context;
    clearArea(context, canvasBox(this.canvas), background);
    context.setTransform(...multiply(translation(-area.left, -area.top), toDevice));
  }

  /** Paints until the budget is spent. Returns true when the picture is complete. */
  work(budget: FrameBudget): boolean {
    let left = budget.timeLeft();
    const enough = left * WORTH_READING;
    let work = 0;
    for (;;) {
      const steps = this.steps ?? this.nextSteps(budget);
      if (!steps) {
        // It is measured here, so that nobody makes the browser execute the commands that wait on the base canvas.
        budget.timeLeft(this.canvas);
        return this.next === this.request.items.length;
      }
      const step = steps.next();
      this.steps = step.done === true ? undefined : steps;
      work += step.done === true ? this.lastArea / PIXELS : step.value;
      if (work < this.affordable(left)) continue;
      const before = left;
      left = budget.timeLeft(this.canvas);
      this.rate = (before - left) / work;
      this.measured = work;
      work = 0;
      if (left < Math.max(enough, this.rate * (STEP_WORK.first / 2))) return false;
    }
  }

  /** Returns the work until the clock is read again. `left`: milliseconds until the deadline. */
  private affordable(left: number): number {
    const max = this.measured * STEP_WORK.growth;
    return Math.max(STEP_WORK.first, Math.min(max, left / this.rate));
  }

  /** Moves the rectangle with the picture, by whole device pixels. The part painted so far stays valid. */
  move(x: number, y: number): void {
    this.area = moveBox(this.area, x, y);
  }

  /** Frees the memory immediately. */
  dispose(): void {
    this.canvas.width = this.canvas.height = 0;
  }

  private areaOf(item: Item): number {
    const box = clipBox(item.box, this.region);
    return box ? areaOf(box) * this.scale : 0;
  }

  /** Returns the steps of the next item; undefined when there is none, or when its effects are too many for this frame. */
  private nextSteps(budget: FrameBudget): Generator<number> | undefined {
    const { items, painter } = this.request;
    while (items[this.next]?.detached === true) this.next++;
    const item = items[this.next];
    if (!item || !budget.fits(item)) return undefined;
    this.next++;
    this.lastArea = this.areaOf(item);
    budget.count(item);
    return painter.steps(this.context, item, this.region);
  }
}
