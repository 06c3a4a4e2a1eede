/** The object that a stroke becomes: a path, thinned, in the look of its pen. */

import { HIGHLIGHTER } from "../../../board/constants.ts";
import type { BoardEditor, BoardObject, NewObject } from "../../../board/drawing.ts";
import { encodePath, parsePath, thinStroke } from "../../../board/path.ts";
import { outlineBox } from "../geometry/outline.ts";
import type { Ink } from "../painting/ink.ts";
import type { PenStyle } from "./new-objects.ts";

/**
 * The distance by which a stroke may differ from the pointer's path, so that fewer points are stored: in canvas
 * pixels or, zoomed in, CSS pixels.
 */
const TOLERANCE = 0.35;

/** A stroke while it is drawn. */
export interface Stroke {
  readonly name: string;
  readonly style: PenStyle;
  readonly ink: Ink;
  /** True when the stroke continues an object of the same movement. */
  readonly continued: boolean;
  /** The number of ink points that were sent to the peers. */
  sent: number;
}

/** Returns the object that a finished stroke becomes; points are flat, in canvas pixels. Null without points. */
export function strokeObject(
  points: readonly number[],
  style: PenStyle,
  zoom = 1,
): NewObject | null {
  return pathObject(encodePath(thinStroke(points, TOLERANCE / Math.max(1, zoom))), style);
}

/** Returns the object of a finished stroke: its outline, filled, or else a path through its points. Null without points. */
export function inkObject(ink: Ink, style: PenStyle, zoom: number): NewObject | null {
  const { outline, points } = ink;
  const filled = outline === null ? null : pathObject(outline, style, true);
  return filled ?? strokeObject(points, style, zoom);
}

/** The object of a path in the look of a pen; null for text that is no path. `isFilled`: the path is an outline. */
export function pathObject(path: string, style: PenStyle, isFilled = false): NewObject | null {
  const data = parsePath(path);
  if (!data) return null;
  const box = outlineBox(data);
  const width = isFilled ? 0 : style.width;
  const round = (value: number): number => Math.round(value * 10) / 10 || 0;
  return {
    type: "Path",
    path,
    left: round(box.left - width / 2),
    top: round(box.top - width / 2),
    originX: "left",
    originY: "top",
    fill: isFilled ? style.color : null,
    stroke: isFilled ? null : style.color,
    strokeWidth: width,
    strokeLineCap: "round",
    strokeLineJoin: "round",
    ...(style.eraser && { eraser: true }),
    ...(style.look === "highlighter" && {
      opacity: HIGHLIGHTER.opacity,
      globalCompositeOperation: HIGHLIGHTER.composite,
    }),
  };
}

/**
 * Adds a stroke, or a shape. Where both are given, the stroke becomes the shape in a second step, so that undo
 * restores the stroke. Returns the added object; undefined when neither is given, or when the board is full.
 */
export function addStroke(
  editor: BoardEditor,
  stroke: NewObject | null,
  shape: NewObject | null,
): BoardObject | undefined {
  const only = stroke && shape ? null : (stroke ?? shape);
  if (only) return editor.add([only])[0];
  if (!stroke || !shape) return undefined;
  const { path, left, top, fill, stroke: color, strokeWidth } = shape;
  return editor.addChanged(stroke, { path, left, top, fill, stroke: color, strokeWidth });
}
