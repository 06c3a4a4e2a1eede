/** The bounds of path data as Fabric computes them. */

import type { PathData } from "../../../board/path.ts";
import type { Box } from "./box.ts";

/** The number of coordinates that follow each command. */
export const LENGTHS: Readonly<Record<string, number>> = { M: 2, L: 2, Q: 4, C: 6, Z: 0 };

class Extent {
  left = Infinity;
  top = Infinity;
  right = -Infinity;
  bottom = -Infinity;

  add(x: number, y: number): void {
    if (x < this.left) this.left = x;
    if (x > this.right) this.right = x;
    if (y < this.top) this.top = y;
    if (y > this.bottom) this.bottom = y;
  }

  /** Adds the ends of a cubic and every point where one of its coordinates turns, as Fabric's getBoundsOfCurve does. */
  cubic(p: readonly [number, number, number, number, number, number, number, number]): void {
    const [x0, y0, x1, y1, x2, y2, x3, y3] = p;
    this.add(x0, y0);
    this.add(x3, y3);
    // The curve lies between its ends and its control points.
    if (this.contains(x1, y1) && this.contains(x2, y2)) return;
    for (const t of [...turnsOf(x0, x1, x2, x3), ...turnsOf(y0, y1, y2, y3)])
      if (t > 0 && t < 1) this.add(at(t, x0, x1, x2, x3), at(t, y0, y1, y2, y3));
  }

  private contains(x: number, y: number): boolean {
    return x >= this.left && x <= this.right && y >= this.top && y <= this.bottom;
  }
}

/** Returns where the derivative of a cubic is zero; NaN and infinite where it is nowhere. */
function turnsOf(v0: number, v1: number, v2: number, v3: number): readonly number[] {
  const b = 6 * v0 - 12 * v1 + 6 * v2;
  const a = -3 * v0 + 9 * v1 - 9 * v2 + 3 * v3;
  const c = 3 * v1 - 3 * v0;
  if (Math.abs(a) < 1e-12) return [-c / b];
  const root = Math.sqrt(b * b - 4 * c * a);
  return [(-b + root) / (2 * a), (-b - root) / (2 * a)];
}

function at(t: number, v0: number, v1: number, v2: number, v3: number): number {
  const u = 1 - t;
  return u * u * u * v0 + 3 * u * u * t * v1 + 3 * u * t * t * v2 + t * t * t * v3;
}

/**
 * The box that Fabric 7.4 gives a path (`Path._calcBoundsFromPath`), from which it places the object. It treats a
 * quadratic as a cubic with the same control point twice, so the box of a curve is larger than the curve. Ours must
 * be the same, or a saved `left` would mean another position.
 */
export function outlineBox(data: PathData): Box {
  const extent = new Extent();
  let x = 0;
  let y = 0;
  let startX = 0;
  let startY = 0;
  let i = -1;
  const n = (index: number): number => data.coords[i + index] as number;
  for (const command of data.commands) {
    if (command === "M") {
      x = startX = n(1);
      y = startY = n(2);
    } else if (command === "L") {
      x = n(1);
      y = n(2);
      extent.add(startX, startY);
      extent.add(x, y);
    } else if (command === "Q") {
      extent.cubic([x, y, n(1), n(2), n(1), n(2), n(3), n(4)]);
      x = n(3);
      y = n(4);
    } else if (command === "C") {
      extent.cubic([x, y, n(1), n(2), n(3), n(4), n(5), n(6)]);
      x = n(5);
      y = n(6);
    } else {
      x = startX;
      y = startY;
    }
    i += LENGTHS[command] ?? 0;
  }
  const { left, top, right, bottom } = extent;
  return right < left ? { left: 0, top: 0, right: 0, bottom: 0 } : { left, top, right, bottom };
}
