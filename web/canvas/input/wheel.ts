/** The meaning of wheel events for the view. Trackpads send them too: two fingers pan, and a pinch has Ctrl. */

import type { Point } from "../geometry/matrix.ts";

/** CSS pixels of a line, for wheels that count in lines. */
const LINE = 32;

/** Pixels of a pinch that zoom as far as one notch of a mouse wheel does, whatever delta the wheel sends. */
const MAX_ZOOM_STEP = 24;

export interface WheelInput {
  readonly deltaX: number;
  readonly deltaY: number;
  /** The unit of the deltas: 0 for pixels, 1 for lines, 2 for pages. */
  readonly deltaMode: number;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
}

export type WheelMove =
  | { readonly kind: "pan"; readonly dx: number; readonly dy: number }
  | { readonly kind: "zoom"; readonly factor: number };

/** Returns the effect of an event on the view. `page`: the height of the canvas, for wheels that count in pages. */
export function wheelMove(event: WheelInput, page: number): WheelMove {
  const unit = [1, LINE, page][event.deltaMode] ?? 1;
  const delta: Point = { x: event.deltaX * unit, y: event.deltaY * unit };
  if (event.ctrlKey || event.metaKey) {
    const step = Math.max(-MAX_ZOOM_STEP, Math.min(MAX_ZOOM_STEP, delta.y));
    return { kind: "zoom", factor: Math.exp(-step / 100) };
  }
  // Some systems themselves make a wheel with Shift scroll sideways.
  const turned = event.shiftKey && delta.x === 0;
  return { kind: "pan", dx: -(turned ? delta.y : delta.x), dy: turned ? 0 : -delta.y };
}
