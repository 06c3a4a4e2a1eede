/** The bounds of path data as Fabric computes them. */

import type { PathData } from "../../../board/path.ts";
import type { Box } from "./box.ts";

/** The number of coordinates that follow each command. */
export const LENGTHS: Readonly<Record<string, number>> = { M: 2, L: 2, Q: 4, C: 6, Z: 0 };

/** The range of one coordinate. */
class Range {
  min = Infinity;
  max = -Infinity;

  add(value: number): void {
    if (value < this.min) this.min = value;
    if (value > this.max) this.max = value;
  }

  /** Adds the ends of a cubic and every value at which it turns, as Fabric's getBoundsOfCurve does. */
  cubic(v0: number, v1: number, v2: number, v3: number): void {
    this.add(v0);
    this.add(v3);
    // The curve lies between its ends and its control points.
    if (this.contains(v1) && this.contains(v2)) return;
    const b = 6 * v0 - 12 * v1 + 6 * v2;
    const a = -3 * v0 + 9 * v1 - 9 * v2 + 3 * v3;
    const c = 3 * v1 - 3 * v0;
    const root = Math.sqrt(b * b - 4 * c * a);
    const isQuadratic = Math.abs(a) < 1e-12;
    for (let sign = -1; sign <= 1; sign += 2) {
      // Infinite or NaN where the curve does not turn.
      const t = isQuadratic ? -c / b : (sign * root - b) / (2 * a);
      const u = 1 - t;
      if (t > 0 && t < 1)
        this.add(u * u * u * v0 + 3 * u * u * t * v1 + 3 * u * t * t * v2 + t * t * t * v3);
    }
  }

  private contains(value: number): boolean {
    return value >= this.min && value <= this.max;
  }
}

/**
 * The box that Fabric 7.4 gives a path (`Path._calcBoundsFromPath`), from which it places the object. It treats a
 * quadratic as a cubic with the same control point twice, so the box of a curve is larger than the curve. Ours must
 * be the same, or a saved `left` would mean another position.
 */
export function outlineBox(data: PathData): Box {
  const { commands, coords } = data;
  const [xs, ys] = [new Range(), new Range()];
  let x = 0;
  let y = 0;
  let startX = 0;
  let startY = 0;
  let i = -1;
  const n = (index: number): number => coords[i + index] as number;
  for (const command of commands) {
    if (command === "M") {
      x = startX = n(1);
      y = startY = n(2);
    } else if (command === "L") {
      x = n(1);
      y = n(2);
      xs.add(startX);
      ys.add(startY);
      xs.add(x);
      ys.add(y);
    } else if (command === "Q") {
      xs.cubic(x, n(1), n(1), (x = n(3)));
      ys.cubic(y, n(2), n(2), (y = n(4)));
    } else if (command === "C") {
      xs.cubic(x, n(1), n(3), (x = n(5)));
      ys.cubic(y, n(2), n(4), (y = n(6)));
    } else {
      x = startX;
      y = startY;
    }
    i += LENGTHS[command] ?? 0;
  }
  if (xs.max < xs.min) return { left: 0, top: 0, right: 0, bottom: 0 };
  return { left: xs.min, top: ys.min, right: xs.max, bottom: ys.max };
}
