/** The ink of one growing stroke. Its curve is that of `encodePath`, so that the finished stroke looks the same. */

import { HIGHLIGHTER } from "../../../board/constants.ts";
import type { InkLook } from "../../../board/live.ts";
import { type Box, inflate } from "../geometry/box.ts";

export class Ink {
  readonly color: string;
  readonly width: number;
  /** The points as a flat list: x0, y0, x1, y1 ... in canvas pixels. */
  readonly points: number[] = [];
  /** The number of points that are part of what was painted. */
  private painted = 0;
  private measured = 0;
  private extent: Box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };

  readonly look: InkLook;

  constructor(color: string, width: number, look: InkLook = "ink") {
    this.color = color;
    this.width = width;
    this.look = look;
  }

  /** True for ink that is seen through: painted in parts, it would be darker where they meet. */
  get isTranslucent(): boolean {
    return this.look === "highlighter";
  }

  get length(): number {
    return this.points.length / 2;
  }

  /** Adds a point in canvas pixels. Returns false, and adds nothing, within 0.05 px of the last one. */
  add(x: number, y: number): boolean {
    const { points } = this;
    const last = points.length - 2;
    if (
      last >= 0 &&
      Math.abs((points[last] as number) - x) < 0.05 &&
      Math.abs((points[last + 1] as number) - y) < 0.05
    )
      return false;
    points.push(x, y);
    return true;
  }

  /** Paints the points that were added since the last call. */
  paintNew(context: CanvasRenderingContext2D): void {
    const count = this.length;
    if (count === this.painted) return;
    context.save();
    this.prepare(context);
    const at = (index: number): number => this.points[index] as number;
    context.beginPath();
    if (this.painted === 0) {
      context.moveTo(at(0), at(1));
      context.lineTo(at(0) + 0.1, at(1));
      this.painted = 1;
    }
    for (let i = this.painted; i < count; i++) {
      const [x0, y0, x1, y1] = [at(2 * i - 2), at(2 * i - 1), at(2 * i), at(2 * i + 1)];
      const [middleX, middleY] = [(x0 + x1) / 2, (y0 + y1) / 2];
      if (i === 1) {
        context.moveTo(x0, y0);
        context.lineTo(middleX, middleY);
      } else {
        if (i === this.painted) context.moveTo((at(2 * i - 4) + x0) / 2, (at(2 * i - 3) + y0) / 2);
        context.quadraticCurveTo(x0, y0, middleX, middleY);
      }
    }
    this.painted = count;
    if (this.isTranslucent) context.lineTo(at(2 * count - 2), at(2 * count - 1));
    context.stroke();
    context.restore();
  }

  /**
   * Paints the tip: from where the painted ink ends through the last point and the points of `predicted`, a flat
   * list. Nothing of it counts as painted.
   */
  paintTip(context: CanvasRenderingContext2D, predicted: readonly number[]): void {
    const from = this.tipStart();
    if (!from) return;
    context.save();
    this.prepare(context);
    context.beginPath();
    context.moveTo(...from);
    const through = [...this.points.slice(-2), ...predicted];
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
    const through = [...from, ...this.points.slice(-2), ...predicted];
    const xs = through.filter((_, index) => index % 2 === 0);
    const ys = through.filter((_, index) => index % 2 === 1);
    const box = {
      left: Math.min(...xs),
      top: Math.min(...ys),
      right: Math.max(...xs),
      bottom: Math.max(...ys),
    };
    return inflate(box, this.width / 2 + 1);
  }

  /** Where the final ink ends: in the middle of the last two points. */
  private tipStart(): [number, number] | undefined {
    if (this.length < 2) return undefined;
    const [x, y, lastX, lastY] = this.points.slice(-4) as [number, number, number, number];
    return [(x + lastX) / 2, (y + lastY) / 2];
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

  /** Returns the box around all the ink, in canvas pixels. Each point is measured once, so that a call costs little. */
  bounds(): Box {
    for (; this.measured < this.points.length; this.measured += 2) {
      const x = this.points[this.measured] as number;
      const y = this.points[this.measured + 1] as number;
      const { left, top, right, bottom } = this.extent;
      this.extent = {
        left: Math.min(left, x),
        top: Math.min(top, y),
        right: Math.max(right, x),
        bottom: Math.max(bottom, y),
      };
    }
    return inflate(this.extent, this.width / 2 + 1);
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
