/**
 * The ink of one growing stroke. Its curve is that of `encodePath`, so that the finished stroke looks the same. The
 * points are smoothed as they arrive: each final one lies between the pointer's point and those before and after it,
 * so the newest is final when the next one has arrived. Until then it belongs to the tip.
 */

import { HIGHLIGHTER } from "../../../board/constants.ts";
import type { InkLook } from "../../../board/live.ts";
import { type Box, boxAroundPoints, inflate } from "../geometry/box.ts";
import type { Point } from "../geometry/matrix.ts";

/** Receives this visitor's fading ink. */
export interface FadingSink {
  /** Begins a stroke: earlier ones stay meanwhile. */
  begin(): void;
  /** Ends the stroke; undefined when it was cancelled. */
  end(ink: Ink | undefined): void;
}

/** The look of a stroke; a colour is a CSS colour, a width is in canvas pixels. */
interface InkStyle {
  readonly color: string;
  readonly width: number;
  readonly look?: InkLook | undefined;
}

/**
 * CSS pixels below which smoothing moves each point. The nearer a move would come to that, the more the point is a
 * corner, which stays.
 */
const JITTER = 3;

/** The weight of each neighbour in a final point. */
const WEIGHT = 0.3;

export class Ink {
  readonly color: string;
  readonly width: number;
  /** The final points as a flat list: x0, y0, x1, y1 ... in canvas pixels. */
  readonly points: number[] = [];
  /** The pointer's newest point, which is not final yet; empty after the first one and when the stroke is finished. */
  protected newest: readonly number[] = [];
  /** The pointer's point from which the last final one was made. */
  private before: readonly number[] = [];
  /** The number of points that are part of what was painted. */
  painted = 0;
  private measured = 0;
  private extent: Box | undefined;

  readonly look: InkLook;

  constructor(color: string, width: number, look: InkLook = "ink") {
    this.color = color;
    this.width = width;
    this.look = look;
  }

  /** Makes ink with a look from a flat list of final points. */
  static through({ color, width, look }: InkStyle, points: readonly number[]): Ink {
    const ink = new Ink(color, width, look);
    for (const number of points) ink.points.push(number);
    return ink;
  }

  /** Returns a copy of the ink, which must be finished, that goes on to a point. */
  withLine({ x, y }: Point): Ink {
    return Ink.through(this, [...this.points, x, y]);
  }

  /** True for translucent ink: painted in parts, it would be darker where they meet. */
  get isTranslucent(): boolean {
    return this.look === "highlighter";
  }

  /** The outline of the area that the ink covers, as path text to be filled; null for ink that is a line of one width. */
  get outline(): string | null {
    return null;
  }

  /**
   * Adds the pointer's next point in canvas pixels; `zoom`: CSS pixels in one of them. Only ink with a varying width
   * uses the pressure. Returns false, and adds nothing, within 0.05 px of the last one.
   */
  add(x: number, y: number, zoom = 1, _pressure?: number): boolean {
    const [lastX = NaN, lastY = NaN] = this.newest.length > 0 ? this.newest : this.before;
    if (Math.abs(lastX - x) < 0.05 && Math.abs(lastY - y) < 0.05) return false;
    if (this.newest.length > 0) this.smooth(x, y, JITTER / zoom);
    else if (this.points.length > 0) this.newest = [x, y];
    else this.points.push(...(this.before = [x, y]));
    return true;
  }

  /** Ends the stroke at its newest point, which stays unsmoothed. */
  finish(): void {
    if (this.newest.length === 0) return;
    this.points.push(...(this.before = this.newest));
    this.newest = [];
  }

  /** Makes the newest point final, a weighted mean of it and its neighbours unless it is a corner. */
  private smooth(nextX: number, nextY: number, limit: number): void {
    const [x, y] = this.newest as [number, number];
    const [beforeX, beforeY] = this.before as [number, number];
    const dx = (beforeX + nextX - 2 * x) * WEIGHT;
    const dy = (beforeY + nextY - 2 * y) * WEIGHT;
    const share = Math.max(0, 1 - (dx * dx + dy * dy) / (limit * limit));
    this.points.push(x + dx * share, y + dy * share);
    this.before = this.newest;
    this.newest = [nextX, nextY];
  }

  /** Paints the points that were added since the last call. */
  paintNew(context: CanvasRenderingContext2D): void {
    const count = this.points.length / 2;
    if (count === this.painted) return;
    this.paintRange(context, this.painted, count);
    this.painted = count;
  }

  /**
   * Paints what was painted before once more, from a point on, as far as it touches a box (canvas pixels). Returns the
   * number of points that it painted. Not for translucent ink.
   */
  paintAgain(context: CanvasRenderingContext2D, box: Box, from: number): number {
    const { painted } = this;
    const reach = this.inked(box);
    let [first, count] = [from, 0];
    for (let i = from; i <= painted; i++) {
      if (i < painted && this.mayTouch(i, reach)) continue;
      if (first < i) this.paintRange(context, first, i);
      count += i - first;
      first = i + 1;
    }
    return count;
  }

  /** False when the ink that `paintRange` paints for a point lies on one side of a box. */
  private mayTouch(index: number, { left, top, right, bottom }: Box): boolean {
    const { points } = this;
    let [isLeft, isAbove, isRight, isBelow] = [true, true, true, true];
    for (let i = Math.max(0, 2 * index - 4); i < 2 * index + 2; i += 2) {
      const x = points[i] as number;
      const y = points[i + 1] as number;
      isLeft &&= x < left;
      isRight &&= x > right;
      isAbove &&= y < top;
      isBelow &&= y > bottom;
    }
    return !(isLeft || isRight || isAbove || isBelow);
  }

  /** Paints the ink of some points: for each one the curve from the middle before the previous point to the one after it. */
  protected paintRange(context: CanvasRenderingContext2D, from: number, to: number): void {
    context.save();
    this.prepare(context);
    const at = (index: number): number => this.points[index] as number;
    context.beginPath();
    if (from === 0) {
      context.moveTo(at(0), at(1));
      context.lineTo(at(0) + 0.1, at(1));
    }
    const first = Math.max(1, from);
    for (let i = first; i < to; i++) {
      const [x0, y0, x1, y1] = [at(2 * i - 2), at(2 * i - 1), at(2 * i), at(2 * i + 1)];
      const [middleX, middleY] = [(x0 + x1) / 2, (y0 + y1) / 2];
      if (i === 1) {
        context.moveTo(x0, y0);
        context.lineTo(middleX, middleY);
      } else {
        if (i === first) context.moveTo((at(2 * i - 4) + x0) / 2, (at(2 * i - 3) + y0) / 2);
        context.quadraticCurveTo(x0, y0, middleX, middleY);
      }
    }
    if (this.isTranslucent) this.lineToEnd(context);
    context.stroke();
    context.restore();
  }

  /**
   * Paints the tip: from the end of the painted ink through the last point and the points of `predicted`, a flat
   * list. It does not count as painted.
   */
  paintTip(context: CanvasRenderingContext2D, predicted: readonly number[]): void {
    const from = this.tipStart();
    if (!from) return;
    context.save();
    this.prepare(context);
    context.beginPath();
    context.moveTo(...from);
    const through = [...this.points.slice(-2), ...this.newest, ...predicted];
    for (let i = 0; i + 2 < through.length; i += 2) {
      const [x, y, nextX, nextY] = through.slice(i, i + 4) as [number, number, number, number];
      context.quadraticCurveTo(x, y, (x + nextX) / 2, (y + nextY) / 2);
    }
    context.lineTo(...(through.slice(-2) as [number, number]));
    context.stroke();
    context.restore();
  }

  /** Returns the box around the tip, in canvas pixels; undefined while the stroke is a dot without a tip. */
  tipBounds(predicted: readonly number[]): Box | undefined {
    const from = this.tipStart();
    if (!from) return undefined;
    const through = [...from, ...this.points.slice(-2), ...this.newest, ...predicted];
    return this.inked(boxAroundPoints(through));
  }

  /** Returns the box that the ink of points in a box covers. */
  private inked(box: Box): Box {
    return inflate(box, this.width / 2 + 1);
  }

  /** The point where the final ink ends: in the middle of the last two final points; undefined for a dot. */
  private tipStart(): [number, number] | undefined {
    const [x = 0, y = 0, lastX = x, lastY = y] = this.points.slice(-4);
    if (this.points.length + this.newest.length < 4) return undefined;
    return [(x + lastX) / 2, (y + lastY) / 2];
  }

  /** Continues the path to the last final point, and in a curve past it to the newest one. */
  private lineToEnd(context: CanvasRenderingContext2D): void {
    const [x, y, newestX, newestY] = [...this.points.slice(-2), ...this.newest];
    if (x === undefined || y === undefined) return;
    if (newestX === undefined || newestY === undefined) return context.lineTo(x, y);
    context.quadraticCurveTo(x, y, (x + newestX) / 2, (y + newestY) / 2);
    context.lineTo(newestX, newestY);
  }

  /**
   * Paints the whole stroke so far. The last half step, which the next point will bend, is left out unless the ink is
   * translucent or the stroke `isFinished`.
   */
  paintAll(context: CanvasRenderingContext2D, isFinished = false): void {
    this.painted = 0;
    this.paintNew(context);
    if (isFinished) this.paintTip(context, []);
  }

  /** Returns the box around all the ink, in canvas pixels. Each point is measured only once, so a call costs little. */
  bounds(): Box {
    this.extent = boxAroundPoints(this.points, this.measured, this.extent);
    this.measured = this.points.length;
    return this.inked(this.extent);
  }

  private prepare(context: CanvasRenderingContext2D): void {
    context.strokeStyle = this.color;
    context.lineWidth = this.width;
    context.lineCap = "round";
    context.lineJoin = "round";
    if (!this.isTranslucent) return;
    context.globalAlpha = HIGHLIGHTER.opacity;
    context.globalCompositeOperation = HIGHLIGHTER.composite;
  }
}
