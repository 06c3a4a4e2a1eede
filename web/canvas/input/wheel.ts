/** What a wheel event means for the view. Trackpads send wheel events too: two fingers pan, a pinch comes with Ctrl. */

import type { Point } from "../geometry/matrix.ts";

/** CSS pixels of a line, for wheels that count in lines. */
const LINE = 32;

/** The zoom of one notch of a mouse wheel is that of so many pixels of a pinch, whatever the wheel sends. */
const MAX_ZOOM_STEP = 24;

export interface WheelInput {
  readonly deltaX: number;
  readonly deltaY: number;
  /** 0: pixels, 1: lines, 2: pages. */
  readonly deltaMode: number;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
}

export type WheelMove =
  | { readonly kind: "pan"; readonly dx: number; readonly dy: number }
  | { readonly kind: "zoom"; readonly factor: number };

/** `page`: the height of the canvas, for wheels that count in pages. */
export function wheelMove(event: WheelInput, page: number): WheelMove {
  const unit = [1, LINE, page][event.deltaMode] ?? 1;
  const delta: Point = { x: event.deltaX * unit, y: event.deltaY * unit };
  if (event.ctrlKey || event.metaKey) {
    const step = Math.max(-MAX_ZOOM_STEP, Math.min(MAX_ZOOM_STEP, delta.y));
    return { kind: "zoom", factor: Math.exp(-step / 100) };
  }
  // Some systems turn a wheel with Shift sideways themselves.
  const turned = event.shiftKey && delta.x === 0;
  return { kind: "pan", dx: -(turned ? delta.y : delta.x), dy: turned ? 0 : -delta.y };
}
