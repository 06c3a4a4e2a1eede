/** Paints a line or an arrow that a peer is drawing. */

import type { LiveLine } from "../../../board/live.ts";
import { type Box, boxAroundPoints, inflate } from "../geometry/box.ts";

/** Returns the box beyond which the line paints nothing, in canvas pixels. */
export function lineBox({ points, width }: LiveLine): Box {
  return inflate(boxAroundPoints(points), width / 2 + 1);
}

/** Paints the line through its points; `context` has the viewport's transform. */
export function paintLine(
  context: CanvasRenderingContext2D,
  { color, width, points }: LiveLine,
): void {
  context.save();
  context.strokeStyle = color;
  context.lineWidth = width;
  context.lineCap = "round";
  context.lineJoin = "round";
  context.beginPath();
  for (let i = 0; i + 1 < points.length; i += 2)
    context.lineTo(points[i] as number, points[i + 1] as number);
  context.stroke();
  context.restore();
}

/** True when nothing of the line has changed. */
export function isSameLine(a: LiveLine, b: LiveLine): boolean {
  const sameLook = a.color === b.color && a.width === b.width && a.of === b.of;
  return (
    sameLook && a.points.length === b.points.length && a.points.every((v, i) => v === b.points[i])
  );
}
