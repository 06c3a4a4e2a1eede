/** Path data as polylines: the distance of a point from them, the area inside them, and whether they touch a box. */

import { parsePath, type PathData } from "../../../board/path.ts";
import { type Box, containsPoint } from "./box.ts";
import { applyMatrix, type Matrix, type Point } from "./matrix.ts";
import { LENGTHS } from "./outline.ts";

/** Returns the polylines of path data, in its own plane; none when it cannot be parsed. */
export function linesOf(data: string): readonly Float32Array[] {
  const outline = parsePath(data);
  return outline ? flattenOutline(outline) : [];
}

/** Returns the outline as polylines: lists of x0, y0, x1, y1 ..., with each curve in eight straight pieces. */
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

/** True when the point is inside the area that the polylines surround, each of them closed, by a rule of SVG's `fill-rule`. */
export function isInside(
  lines: readonly Float32Array[],
  { x, y }: Point,
  rule: "nonzero" | "evenodd",
): boolean {
  /** The number of times that the lines cross the ray to the right downwards, less those upwards. */
  let crossings = 0;
  for (const line of lines) {
    let x0 = line.at(-2) as number;
    let y0 = line.at(-1) as number;
    for (let i = 0; i < line.length; i += 2) {
      const x1 = line[i] as number;
      const y1 = line[i + 1] as number;
      if (y0 <= y !== y1 <= y && x0 + ((y - y0) / (y1 - y0)) * (x1 - x0) > x)
        crossings += y1 > y0 ? 1 : -1;
      x0 = x1;
      y0 = y1;
    }
  }
  return rule === "evenodd" ? crossings % 2 !== 0 : crossings !== 0;
}

/** True when one of the polylines, mapped by `matrix`, touches the box. */
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

/** True when some of the segment lies in the box, by Liang and Barsky's clipping. */
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
