/** What lies under a point, or within a rubber band. */

import { RecentMap } from "./cache.ts";
import { centredBox, frameOf, isSelectable, type Item, linesOf } from "./item.ts";
import { type Box, contains, invert, overlaps, scaleOf, transform } from "./matrix.ts";
import { linesTouchBox, nearLines } from "./outline.ts";
import { byStack, type Scene } from "./scene.ts";
import type { CanvasStats } from "./stats.ts";

/** How far from the ink a press still takes a stroke, in canvas pixels. */
const REACH = 6;

/** Polylines are kept for the strokes that the pointer was near lately. */
const MOST_LINES = 500;

export class HitTest {
  private readonly scene: Scene;
  private readonly stats: CanvasStats;
  private readonly lines = new RecentMap<string, readonly Float32Array[]>(MOST_LINES);

  constructor(scene: Scene, stats: CanvasStats) {
    this.scene = scene;
    this.stats = stats;
  }

  /** The topmost object there that can be selected. `reach` in canvas pixels. */
  at(x: number, y: number, reach = REACH): Item | undefined {
    const around = { left: x - reach, top: y - reach, right: x + reach, bottom: y + reach };
    const near = this.scene.touching(around);
    for (let i = near.length - 1; i >= 0; i--) {
      const item = near[i] as Item;
      // What was erased there is not to be seen, so it can't be taken there.
      if (item.object["eraser"] === true && this.touches(item, x, y, 0)) return undefined;
      if (!isSelectable(item.object)) continue;
      this.stats.tested++;
      if (this.touches(item, x, y, reach)) return item;
    }
    return undefined;
  }

  /** The objects that a rubber band touches, bottom first. */
  within(box: Box): Item[] {
    return this.scene.touching(box).filter((item) => {
      if (!isSelectable(item.object)) return false;
      const frame = frameOf(item);
      if (!overlaps(frame, box)) return false;
      if (contains(box, frame.left, frame.top) && contains(box, frame.right, frame.bottom))
        return true;
      return !isLine(item) || linesTouchBox(this.linesOf(item), item.matrix, box);
    });
  }

  private touches(item: Item, x: number, y: number, reach: number): boolean {
    const back = invert(item.matrix);
    if (!back) return false;
    const at = transform(back, x, y);
    const scale = scaleOf(item.matrix) || 1;
    if (isLine(item))
      return nearLines(this.linesOf(item), at, item.size.strokeWidth / 2 + reach / scale);
    const local = { x: at.x - item.middle.x, y: at.y - item.middle.y };
    if (!contains(centredBox(item.size), local.x, local.y)) return false;
    if (item.shape.kind !== "circle") return true;
    const radius = item.size.width / 2 + item.size.strokeWidth / 2;
    return Math.hypot(local.x, local.y) <= radius;
  }

  private linesOf(item: Item): readonly Float32Array[] {
    const data = item.shape.kind === "path" ? item.shape.data : "";
    const known = this.lines.get(data);
    if (known) return known;
    const made = linesOf(data);
    this.lines.set(data, made);
    return made;
  }
}

/** True for a path that is only a line: what it surrounds is not it. */
function isLine(item: Item): boolean {
  if (item.shape.kind !== "path") return false;
  const fill = item.object["fill"];
  return fill === null || fill === "" || fill === "transparent";
}

/** The topmost of two orders first, for cycling through objects by keyboard. */
export function inReadingOrder(items: readonly Item[]): Item[] {
  return items.filter((item) => isSelectable(item.object)).sort(byStack);
}
