/** The ink of one growing stroke. Its curve is that of `encodePath`, so that the finished stroke looks the same. */

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

  constructor(color: string, width: number) {
    this.color = color;
    this.width = width;
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
    context.stroke();
  }

  /** Paints the whole stroke so far, without the last half step, which is still to be bent. */
  paintAll(context: CanvasRenderingContext2D): void {
    this.painted = 0;
    this.paintNew(context);
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
  }
}
