/** The list of objects: its content, the rows that are elements, and the effects of keys. */

import type { BoardObject } from "../../../board/drawing.ts";

/** The height of a row in CSS pixels; larger letters make it higher. */
export const ROW = 52;
/** Rows above and below the visible ones that are elements as well. */
const MARGIN = 4;

/**
 * Returns the objects, the topmost first, without the strokes of the eraser, which nobody can select. `stack`: the
 * topmost last.
 */
export function listedObjects(stack: readonly BoardObject[]): readonly BoardObject[] {
  return stack.filter((object) => object["eraser"] !== true).reverse();
}

/** Returns the rows that are elements, ascending: those in view and, wherever it is, the active one. */
export function rowsInView(
  count: number,
  active: number,
  scrollTop: number,
  height: number,
  rowHeight = ROW,
): readonly number[] {
  const first = Math.max(0, Math.floor(scrollTop / rowHeight) - MARGIN);
  const last = Math.min(count - 1, Math.ceil((scrollTop + height) / rowHeight) + MARGIN);
  const rows = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
  if (active >= 0 && active < first) return [active, ...rows];
  if (active > last && active < count) return [...rows, active];
  return rows;
}

/** Returns the row that a key makes the active one; null for other keys. */
export function moveActive(key: string, at: number, count: number, page: number): number | null {
  const steps: Readonly<Record<string, number>> = {
    ArrowUp: -1,
    ArrowDown: 1,
    PageUp: -page,
    PageDown: page,
    Home: -count,
    End: count,
  };
  const step = Object.hasOwn(steps, key) ? steps[key] : undefined;
  return step === undefined ? null : Math.max(0, Math.min(count - 1, at + step));
}
