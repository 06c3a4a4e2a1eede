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

  /** Adds every point at which one of the cubic's coordinates turns, as Fabric's getBoundsOfCurve does. */
  cubic(p: readonly [number, number, number, number, number, number, number, number]): void {
    const [x0, y0, x1, y1, x2, y2, x3, y3] = p;
    this.add(x0, y0);
    this.add(x3, y3);
    this.addExtrema(p, x0, x1, x2, x3);
    this.addExtrema(p, y0, y1, y2, y3);
  }

  private addExtrema(
    p: readonly [number, number, number, number, number, number, number, number],
    ...[v0, v1, v2, v3]: [number, number, number, number]
  ): void {
    const b = 6 * v0 - 12 * v1 + 6 * v2;
    const a = -3 * v0 + 9 * v1 - 9 * v2 + 3 * v3;
    const c = 3 * v1 - 3 * v0;
    if (Math.abs(a) < 1e-12) {
      if (Math.abs(b) >= 1e-12) this.at(p, -c / b);
      return;
    }
    const square = b * b - 4 * c * a;
    if (square < 0) return;
    const root = Math.sqrt(square);
    this.at(p, (-b + root) / (2 * a));
    this.at(p, (-b - root) / (2 * a));
  }

  private at(
    p: readonly [number, number, number, number, number, number, number, number],
    t: number,
  ): void {
    if (!(t > 0 && t < 1)) return;
    const u = 1 - t;
    const k0 = u * u * u;
    const k1 = 3 * u * u * t;
    const k2 = 3 * u * t * t;
    const k3 = t * t * t;
    this.add(
      k0 * p[0] + k1 * p[2] + k2 * p[4] + k3 * p[6],
      k0 * p[1] + k1 * p[3] + k2 * p[5] + k3 * p[7],
    );
  }
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
