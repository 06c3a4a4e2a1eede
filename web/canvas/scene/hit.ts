/** The hit test: finds the object under a point, and the objects that a rubber band touches. */

import { isTransparent } from "../../../board/unpainted.ts";
import { type Box, containsBox, containsPoint, overlaps } from "../geometry/box.ts";
import { RecentMap } from "../scheduling/recent-map.ts";
import { centredBox } from "../geometry/transform.ts";
import { isFilled } from "./fill.ts";
import { isHittable, type Item } from "./item.ts";
import { applyMatrix, invert, type Point, scaleOf } from "../geometry/matrix.ts";
import { isInside, linesTouchBox, nearLines, linesOf } from "../geometry/polylines.ts";
import { byStack, type Scene } from "./scene.ts";
import type { CanvasStats } from "../scheduling/stats.ts";

/** The distance from the ink at which a press still hits an object, by mouse or pen and by finger; in CSS pixels. */
export const REACH = 6;
export const TOUCH_REACH = 14;

/** The number of strokes, the latest near the pointer, whose polylines stay in memory. */
const RECENT_LINES = 500;

export class HitTest {
  private readonly scene: Scene;
  private readonly stats: CanvasStats;
  /** CSS pixels in one canvas pixel. */
  zoom = 1;
  private readonly lines = new RecentMap<string, readonly Float32Array[]>(RECENT_LINES);

  constructor(scene: Scene, stats: CanvasStats) {
    this.scene = scene;
    this.stats = stats;
  }

  /** Returns the topmost object that can be seen and selected within so many CSS pixels of the point (canvas pixels), or undefined. */
  at(x: number, y: number, within = REACH): Item | undefined {
    const reach = within / this.zoom;
    const around = { left: x - reach, top: y - reach, right: x + reach, bottom: y + reach };
    const near = this.scene.touching(around);
    for (let i = near.length - 1; i >= 0; i--) {
      const item = near[i] as Item;
      // An erased part is invisible, so it can't be hit.
      if (item.eraser && this.touches(item, x, y, 0)) return undefined;
      if (!isHittable(item)) continue;
      this.stats.tested++;
      if (this.touches(item, x, y, reach)) return item;
    }
    return undefined;
  }

  /** Returns the objects that can be seen and selected and that a rubber band touches, bottom first. */
  within(box: Box): Item[] {
    return this.scene.touching(box).filter((item) => {
      if (!isHittable(item)) return false;
      const { bounds } = item;
      if (!overlaps(bounds, box)) return false;
      if (containsBox(box, bounds)) return true;
      if (isHollow(item)) return !isWithinHollow(item, box);
      if (item.shape.kind !== "path") return true;
      return linesTouchBox(this.linesOf(item), item.matrix, box) || this.surrounds(item, box);
    });
  }

  /** True when the area of a path contains the whole box, whose sides its line does not touch. */
  private surrounds(item: Item, { left, top }: Box): boolean {
    const back = invert(item.matrix);
    return back !== null && this.isInArea(item, applyMatrix(back, left, top));
  }

  /** True for a point, in the plane of a path, inside the area that the path fills. */
  private isInArea(item: Item, at: Point): boolean {
    const rule = item.object["fillRule"] === "evenodd" ? "evenodd" : "nonzero";
    return isFilled(item.object) && isInside(this.linesOf(item), at, rule);
  }

  private touches(item: Item, x: number, y: number, reach: number): boolean {
    const back = invert(item.matrix);
    if (!back) return false;
    const at = applyMatrix(back, x, y);
    const scale = scaleOf(item.matrix) || 1;
    if (item.shape.kind === "path") {
      const distance = item.size.strokeWidth / 2 + reach / scale;
      return nearLines(this.linesOf(item), at, distance) || this.isInArea(item, at);
    }
    const local = { x: at.x - item.middle.x, y: at.y - item.middle.y };
    if (isHollow(item)) {
      const distance = distanceToLine(item, local);
      return Math.abs(distance) <= lineWidthOf(item) / 2 + reach;
    }
    if (!containsPoint(centredBox(item.size), local.x, local.y)) return false;
    if (item.shape.kind !== "circle") return true;
    const radius = item.size.width / 2 + item.size.strokeWidth / 2;
    return Math.hypot(local.x, local.y) <= radius;
  }

  private linesOf(item: Item): readonly Float32Array[] {
    const data = item.shape.kind === "path" ? item.shape.data : "";
    return this.lines.getOrMake(data, linesOf);
  }
}

/** True for a rectangle or a circle that is only a line, so that objects inside it can be pressed. */
function isHollow({ object, shape }: Item): boolean {
  if (shape.kind !== "rect" && shape.kind !== "circle") return false;
  return !isFilled(object) && !isTransparent(object["stroke"] ?? null);
}

/** Returns the factors by which lengths along the axes of the item's own plane are enlarged on the board. */
function stretchesOf({ matrix: [a, b, c, d] }: Item): Point {
  return { x: Math.hypot(a, b), y: Math.hypot(c, d) };
}

/** Returns the line width of a hollow shape, in canvas pixels; the greater one where it is stretched. */
function lineWidthOf(item: Item): number {
  const { strokeUniform, strokeWidth } = item.size;
  const { x, y } = stretchesOf(item);
  return strokeUniform ? strokeWidth : strokeWidth * Math.max(x, y);
}

/**
 * Returns the distance in canvas pixels of a point, given from the middle of the shape in its own plane, to the line
 * around it; negative inside.
 */
function distanceToLine(item: Item, { x, y }: Point): number {
  const stretch = stretchesOf(item);
  const [halfX, halfY] = [item.size.width / 2, item.size.height / 2];
  if (item.shape.kind !== "circle") {
    const [dx, dy] = [(Math.abs(x) - halfX) * stretch.x, (Math.abs(y) - halfY) * stretch.y];
    return dx > 0 && dy > 0 ? Math.hypot(dx, dy) : Math.max(dx, dy);
  }
  const part = Math.hypot(x / (halfX || 1), y / (halfY || 1));
  const length = Math.hypot(x * stretch.x, y * stretch.y);
  return part === 0 ? -Math.min(halfX * stretch.x, halfY * stretch.y) : length - length / part;
}

/** True when a box, in canvas pixels, lies inside the line of a hollow shape, which is convex. */
function isWithinHollow(item: Item, { left, top, right, bottom }: Box): boolean {
  const back = invert(item.matrix);
  if (!back) return false;
  const corners = [
    applyMatrix(back, left, top),
    applyMatrix(back, right, top),
    applyMatrix(back, right, bottom),
    applyMatrix(back, left, bottom),
  ];
  return corners.every((at) => distanceToLine(item, at) < -lineWidthOf(item) / 2);
}

/** Returns the items for which `wanted` is true, bottom first. */
export function inStackOrder(items: Iterable<Item>, wanted: (item: Item) => boolean): Item[] {
  return [...items].filter(wanted).sort(byStack);
}
