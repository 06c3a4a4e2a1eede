/** The bounds of path data as Fabric computes them, and the distance of a point to a path. */

import type { PathData } from "../../../board/path.ts";
import { type Box, containsPoint } from "./box.ts";
import { applyMatrix, type Matrix, type Point } from "./matrix.ts";

/** The number of coordinates that follow each command. */
const LENGTHS: Readonly<Record<string, number>> = { M: 2, L: 2, Q: 4, C: 6, Z: 0 };

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

  /** Adds every point where one of the two coordinates of the cubic turns, as Fabric's getBoundsOfCurve takes them. */
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
 * The box that Fabric 7.4 gives a path (`Path._calcBoundsFromPath`), from which it places the object.
 * It takes a quadratic for a cubic whose two control points are that of the quadratic, so the box of a
 * curve is larger than the curve: ours must be the same, or a saved `left` would mean another position.
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

/** Returns the outline as polylines: lists of x0, y0, x1, y1 ..., curves in eight straight pieces. */
export function flattenOutline(data: PathData): readonly Float32Array[] {
  const lines: Float32Array[] = [];
  let line: number[] = [];
  let startX = 0;
  let startY = 0;
  const close = (): void => {
    if (line.length > 0) lines.push(Float32Array.from(line));
    line = [];
  };
  let i = -1;
  const n = (index: number): number => data.coords[i + index] as number;
  for (const command of data.commands) {
    const x = line.at(-2) ?? startX;
    const y = line.at(-1) ?? startY;
    if (command === "M") {
      close();
      startX = n(1);
      startY = n(2);
      line = [startX, startY];
    } else if (command === "L") line.push(n(1), n(2));
    else if (command === "Q" || command === "C") {
      const last = command === "C";
      for (let step = 1; step <= 8; step++) {
        const t = step / 8;
        const u = 1 - t;
        if (last)
          line.push(
            u * u * u * x + 3 * u * u * t * n(1) + 3 * u * t * t * n(3) + t * t * t * n(5),
            u * u * u * y + 3 * u * u * t * n(2) + 3 * u * t * t * n(4) + t * t * t * n(6),
          );
        else
          line.push(
            u * u * x + 2 * u * t * n(1) + t * t * n(3),
            u * u * y + 2 * u * t * n(2) + t * t * n(4),
          );
      }
    } else {
      line.push(startX, startY);
      const [againX, againY] = [startX, startY];
      close();
      line = [againX, againY];
    }
    i += LENGTHS[command] ?? 0;
  }
  close();
  return lines;
}

/** True when the point is at most `distance` away from one of the polylines. */
export function nearLines(
  lines: readonly Float32Array[],
  at: { readonly x: number; readonly y: number },
  distance: number,
): boolean {
  const limit = distance * distance;
  for (const line of lines) {
    let x0 = line[0] as number;
    let y0 = line[1] as number;
    if ((x0 - at.x) ** 2 + (y0 - at.y) ** 2 <= limit) return true;
    for (let i = 2; i < line.length; i += 2) {
      const x1 = line[i] as number;
      const y1 = line[i + 1] as number;
      const dx = x1 - x0;
      const dy = y1 - y0;
      const square = dx * dx + dy * dy;
      const along =
        square === 0 ? 0 : Math.max(0, Math.min(1, ((at.x - x0) * dx + (at.y - y0) * dy) / square));
      if ((x0 + along * dx - at.x) ** 2 + (y0 + along * dy - at.y) ** 2 <= limit) return true;
      x0 = x1;
      y0 = y1;
    }
  }
  return false;
}

/** True when one of the polylines, mapped by `matrix`, meets the box. */
export function linesTouchBox(lines: readonly Float32Array[], matrix: Matrix, box: Box): boolean {
  for (const line of lines) {
    let before = applyMatrix(matrix, line[0] as number, line[1] as number);
    if (containsPoint(box, before.x, before.y)) return true;
    for (let i = 2; i < line.length; i += 2) {
      const at = applyMatrix(matrix, line[i] as number, line[i + 1] as number);
      if (segmentMeetsBox(before, at, box)) return true;
      before = at;
    }
  }
  return false;
}

/** True when Liang and Barsky's clipping leaves something of the segment. */
function segmentMeetsBox(from: Point, to: Point, box: Box): boolean {
  let enter = 0;
  let leave = 1;
  const sides: readonly (readonly [number, number])[] = [
    [from.x - to.x, from.x - box.left],
    [to.x - from.x, box.right - from.x],
    [from.y - to.y, from.y - box.top],
    [to.y - from.y, box.bottom - from.y],
  ];
  for (const [direction, distance] of sides) {
    if (direction === 0) {
      if (distance < 0) return false;
      continue;
    }
    const t = distance / direction;
    if (direction < 0) enter = Math.max(enter, t);
    else leave = Math.min(leave, t);
  }
  return enter <= leave;
}
