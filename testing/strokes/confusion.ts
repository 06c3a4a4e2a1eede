/** The recognition of strokes whose pointer rests at the end, as in the page: its ink first, then the recogniser. */

import { Ink } from "../../web/canvas/painting/ink.ts";
import { recognize } from "../../web/canvas/recognition/recognize.ts";
import type { ShapeKind } from "../../web/canvas/recognition/shape.ts";
import type { Point } from "./motion.ts";

/** The kind of the shape that a stroke of a pointer becomes; "ink" where it stays what it is. */
export function takenFor(points: readonly Point[]): ShapeKind | "ink" {
  const ink = new Ink("#000000", 3);
  for (const { x, y } of points) ink.add(x, y);
  ink.finish();
  const smooth: Point[] = [];
  for (let i = 0; i + 1 < ink.points.length; i += 2)
    smooth.push({ x: ink.points[i] as number, y: ink.points[i + 1] as number });
  return recognize(smooth)?.kind ?? "ink";
}

/** Counts the strokes that are taken for each kind. */
export function confusion(
  strokes: readonly (readonly Point[])[],
): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const points of strokes) {
    const kind = takenFor(points);
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}
