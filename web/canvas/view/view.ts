/** The view: the part of the board that this page shows, and its scale. It belongs to the page and is never sent or saved. */

import { type Matrix, middleOf, type Point } from "../geometry/matrix.ts";

/** A view: a point p of the board is shown at p * zoom + (x, y), in CSS pixels of the canvas. */
export interface View {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

/** The view of every start. */
export const HOME: View = { x: 0, y: 0, zoom: 1 };

export const ZOOM = { min: 0.1, max: 8 } as const;

/** The greatest distance of the view from the origin, in CSS pixels: numbers stay exact. */
const MAX_SHIFT = 1e8;

/** Returns a view within the limits. */
export function viewOf(x: number, y: number, zoom: number): View {
  const clamp = (value: number): number => Math.max(-MAX_SHIFT, Math.min(MAX_SHIFT, value)) || 0;
  return { x: clamp(x), y: clamp(y), zoom };
}

/** Returns the view with the picture moved by (dx, dy) CSS pixels. */
export function panBy({ x, y, zoom }: View, dx: number, dy: number): View {
  return viewOf(x + dx, y + dy, zoom);
}

/** Returns the view zoomed by `factor`, within the limits; the board point at `at` (CSS pixels) stays there. */
export function zoomAt(view: View, factor: number, at: Point): View {
  const zoom = Math.max(ZOOM.min, Math.min(ZOOM.max, view.zoom * factor));
  const scale = zoom / view.zoom;
  return viewOf(at.x - (at.x - view.x) * scale, at.y - (at.y - view.y) * scale, zoom);
}

/** Returns the view moved and zoomed as fingers (or one pointer) moved, each from a point to a point, in CSS pixels. */
export function dragBy(view: View, from: readonly Point[], to: readonly Point[]): View {
  const [a, b] = [middleOf(from), middleOf(to)];
  const before = lengthOf(from);
  const factor = before > 0 ? Math.max(lengthOf(to), 1) / before : 1;
  return zoomAt(panBy(view, b.x - a.x, b.y - a.y), factor, b);
}

function lengthOf([a, b]: readonly Point[]): number {
  return a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0;
}

/** The map from the board to CSS pixels. It moves by whole device pixels, so that a pan can copy the picture. */
export function matrixOfView({ x, y, zoom }: View, ratio: number): Matrix {
  return [zoom, 0, 0, zoom, Math.round(x * ratio) / ratio, Math.round(y * ratio) / ratio];
}

/** Returns the view with a board point in the middle of a canvas of that size (CSS pixels), its zoom within the limits. */
export function viewAt(
  at: View,
  { width, height }: { readonly width: number; readonly height: number },
): View {
  const zoom = Math.max(ZOOM.min, Math.min(ZOOM.max, at.zoom));
  return viewOf(width / 2 - at.x * zoom, height / 2 - at.y * zoom, zoom);
}
