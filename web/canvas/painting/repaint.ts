/** Painting a rectangle of the picture anew, at once; and who else paints on the picture. */

import type { Box } from "../geometry/box.ts";
import type { Item } from "../scene/item.ts";
import type { Painter } from "./paint.ts";
import type { Scene } from "../scene/scene.ts";
import type { SlicedRepaintParts } from "./sliced-repaint.ts";
import type { CanvasStats } from "../scheduling/stats.ts";

/** Paints over the picture without being part of it (the active stroke). Boxes in device pixels. */
export interface RepaintObserver {
  /** The picture within the box is about to be painted: the observer removes what it painted over it. */
  beforeRepaint(box: Box): void;
  /** The picture within the box was painted. */
  afterRepaint(box: Box): void;
  /** The picture got another size, scale or viewport. */
  pictureMoved(): void;
}

/** What the base canvas needs. */
export interface BaseParts {
  readonly scene: Scene;
  readonly painter: Painter;
  readonly stats: CanvasStats;
  /** Asks for a frame, in which `paintDirty` is called. */
  readonly wake: () => void;
}

/** Fills a rectangle of device pixels with the background. */
export function clearArea(
  context: CanvasRenderingContext2D,
  { left, top, right, bottom }: Box,
  background: string,
): void {
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(left, top, right - left, bottom - top);
  context.fillStyle = "white";
  context.fillStyle = background;
  context.fillRect(left, top, right - left, bottom - top);
}

export interface RepaintParts extends SlicedRepaintParts {
  readonly context: CanvasRenderingContext2D;
}

/** Clears the rectangle and paints the items in it. */
export function repaintArea(parts: RepaintParts): void {
  const { context, area, background, toDevice, items, painter } = parts;
  context.save();
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.beginPath();
  context.rect(area.left, area.top, area.right - area.left, area.bottom - area.top);
  context.clip();
  clearArea(context, area, background);
  context.setTransform(...toDevice);
  for (const item of items) if (!item.detached) painter.paint(context, item);
  context.restore();
}

/** True when the items have no more work than this. Effects are counted by the frame, so items with effects are never within. */
export function isWithin(items: readonly Item[], max: number): boolean {
  let work = 0;
  for (const { cost } of items) {
    work += cost.work;
    if (work > max || cost.effects > 0) return false;
  }
  return true;
}
