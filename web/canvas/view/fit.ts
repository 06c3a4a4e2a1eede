/** Computes views that show something: all of a box, a point in the middle, or just a little more than before. */

import { type Box, inflate } from "../geometry/box.ts";
import type { Point } from "../geometry/matrix.ts";
import { HOME, panBy, type View, viewOf, ZOOM } from "./view.ts";

/**
 * CSS pixels that `fitBox` and `showBox` leave around a box: around the caret fewer than a text that wraps leaves beside
 * itself, so that writing it does not move the view.
 */
const MARGIN = { fit: 40, show: 12 } as const;

/** The side on which something lies that the view does not show. */
export type Side = "right" | "left" | "below" | "above";

/** The view that shows `box` (board) in the middle of `area` (CSS pixels), with a margin, at most at `maxZoom`. */
export function fitBox(box: Box, area: Box, maxZoom: number): View {
  const across = (area.right - area.left - 2 * MARGIN.fit) / (box.right - box.left || 1);
  const down = (area.bottom - area.top - 2 * MARGIN.fit) / (box.bottom - box.top || 1);
  const zoom = Math.max(ZOOM.min, Math.min(maxZoom, across, down));
  const middle = { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 };
  return centreOn({ ...HOME, zoom }, middle, area);
}

/** Returns the view that shows the point (board) in the middle of `area` (CSS pixels). */
export function centreOn({ zoom }: View, at: Point, area: Box): View {
  const x = (area.left + area.right) / 2 - at.x * zoom;
  return viewOf(x, (area.top + area.bottom) / 2 - at.y * zoom, zoom);
}

/** Returns the view moved just far enough to show `box` (board) in `area` (CSS pixels) with a margin; its left and top edges if it is too large. */
export function showBox(view: View, box: Box, area: Box): View {
  const { left, top, right, bottom } = inflate(toCss(view, box), MARGIN.show);
  const along = (low: number, high: number, from: number, to: number): number =>
    low < from || high - low > to - from ? from - low : Math.min(0, to - high);
  return panBy(
    view,
    along(left, right, area.left, area.right),
    along(top, bottom, area.top, area.bottom),
  );
}

/** Returns the position of a box of the board, in CSS pixels. */
export function toCss({ x, y, zoom }: View, box: Box): Box {
  return {
    left: box.left * zoom + x,
    top: box.top * zoom + y,
    right: box.right * zoom + x,
    bottom: box.bottom * zoom + y,
  };
}

/** The side on which `box` extends furthest beyond `frame`; null when it lies within. */
export function sideBeyond(box: Box, frame: Box): Side | null {
  const beyond: readonly (readonly [Side, number])[] = [
    ["right", box.right - frame.right],
    ["left", frame.left - box.left],
    ["below", box.bottom - frame.bottom],
    ["above", frame.top - box.top],
  ];
  let found: readonly [Side | null, number] = [null, 0.5];
  for (const one of beyond) if (one[1] > found[1]) found = one;
  return found[0];
}
