/** Where the selection's toolbar stands: beside the selection, away from the handle that turns it, within the window. */

import type { SelectionFrame } from "../canvas/port.ts";

/** CSS pixels. `gap`: between the toolbar and the handles at the corners; `turn`: and the handle that turns. */
const DISTANCE = { gap: 14, turn: 58, edge: 8 } as const;

const BUTTONS = 5;
/** Padding and border on each side, and between two buttons; as in selection-bar.css. */
const PADDING = 4;
const BETWEEN = 2;

export interface BarSize {
  readonly button: number;
  readonly width: number;
  readonly height: number;
}

/** In CSS pixels. `coarse`: the pointer is a finger. */
export function barSize(coarse: boolean): BarSize {
  const button = coarse ? 44 : 36;
  const width = BUTTONS * button + (BUTTONS - 1) * BETWEEN + 2 * PADDING;
  return { button, width, height: button + 2 * PADDING };
}

/**
 * The toolbar's left top corner, in CSS pixels of the canvas; null when the selection is out of sight. `area`: the part
 * of the canvas that the dock leaves free. Where no side has space, the toolbar covers a part of the selection.
 */
export function positionBar(
  frame: SelectionFrame,
  { width, height }: BarSize,
  area: { readonly width: number; readonly height: number },
): { readonly x: number; readonly y: number } | null {
  const { left, top, right, bottom, turnedOver } = frame;
  if (right < 0 || bottom < 0 || left > area.width || top > area.height) return null;
  const { gap, turn, edge } = DISTANCE;
  const lowest = area.height - edge - height;
  const above = top - (turnedOver ? gap : turn) - height;
  const below = bottom + (turnedOver ? turn : gap);
  const sides = turnedOver ? [above, below] : [below, above];
  const y = sides.find((side) => side >= edge && side <= lowest) ?? clamp(sides[0]!, edge, lowest);
  const x = clamp((left + right - width) / 2, edge, area.width - edge - width);
  return { x: Math.round(x), y: Math.round(y) };
}

function clamp(value: number, min: number, max: number): number {
  return Math.max(min, Math.min(max, value));
}
