/** Repaints of a rectangle of the picture in one go, and the observer that paints over the picture. */

import type { Box } from "../geometry/box.ts";
import type { Item } from "../scene/item.ts";
import type { Painter } from "./paint.ts";
import { clearArea } from "./scaled-picture.ts";
import type { Scene } from "../scene/scene.ts";
import type { RepaintRequest } from "./sliced-repaint.ts";
import type { CanvasStats } from "../scheduling/stats.ts";

/** The painter of what lies over the picture and is no part of it (the active stroke). Boxes are in device pixels. */
export interface RepaintObserver {
  /** Called before the picture within the box is painted: the observer removes what it painted over it. */
  beforeRepaint(box: Box): void;
  /** Called after the picture within the box was painted. */
  afterRepaint(box: Box): void;
  /** Called when the size, scale or viewport of the picture changed. */
  pictureMoved(): void;
}

/** The dependencies of the base canvas. */
export interface BaseCanvasDependencies {
  readonly scene: Scene;
  readonly painter: Painter;
  readonly stats: CanvasStats;
  /** Asks for a frame, in which `paintDirty` is called. */
  readonly wake: () => void;
}

export interface DirectRepaintRequest extends RepaintRequest {
  readonly context: CanvasRenderingContext2D;
}

/** Clears the rectangle and paints the items in it. */
export function repaintArea(request: DirectRepaintRequest): void {
  const { context, area, background, toDevice, items, painter } = request;
  context.save();
  context.resetTransform();
  context.beginPath();
  context.rect(area.left, area.top, area.right - area.left, area.bottom - area.top);
  context.clip();
  clearArea(context, area, background);
  context.setTransform(...toDevice);
  for (const item of items) if (!item.detached) painter.paint(context, item);
  context.restore();
}

/** True when the items have no more work than this. The frame counts effects, so items with effects never qualify. */
export function isWithin(items: readonly Item[], max: number): boolean {
  let work = 0;
  for (const { cost } of items) {
    work += cost.work;
    if (work > max || cost.effects > 0) return false;
  }
  return true;
}
