/** The selected objects as they are shown: their look, and an outline for each of several. */

import { type Box, overlaps } from "../geometry/box.ts";
import { type Matrix, multiply } from "../geometry/matrix.ts";
import type { Item } from "../scene/item.ts";
import { cornersOf, paintOutline } from "../scene/item-outline.ts";
import { ACCENT } from "./handle.ts";
import { lookOf, type SelectionLook } from "./look.ts";

/** The greatest number of selected objects that have an outline each. */
const MAX_OUTLINES = 500;

/** The shadow under the outline of a raised object. */
const RAISED = { shadowColor: "rgb(15 23 42 / 0.75)", shadowBlur: 14, shadowOffsetY: 7 } as const;

export class ShownSelection {
  readonly look: SelectionLook;
  private readonly items: readonly Item[];
  private readonly raised: boolean;

  /** Takes over the items. `raised`: the only object covers another just like it, and is shown above it. */
  constructor(items: readonly Item[], raised = false) {
    this.items = items;
    this.raised = raised;
    this.look = lookOf(items.map(({ object }) => object));
  }

  /** Returns the number of objects that lie wholly outside a box, in canvas pixels. */
  countOutside(box: Box): number {
    let count = 0;
    for (const item of this.items) if (!overlaps(item.box, box)) count++;
    return count;
  }

  /** Paints the outlines. `moved`: the map of a drag; `pixel`: the canvas pixels in a CSS pixel. */
  paint(context: CanvasRenderingContext2D, moved: Matrix | undefined, pixel: number): void {
    if (this.items.length < 2 && !this.raised) return;
    context.save();
    if (this.raised) Object.assign(context, RAISED);
    for (const item of this.items.slice(0, MAX_OUTLINES)) {
      const matrix = moved ? multiply(moved, item.matrix) : item.matrix;
      paintOutline(context, cornersOf(item, matrix), ACCENT, pixel);
    }
    context.restore();
  }
}
