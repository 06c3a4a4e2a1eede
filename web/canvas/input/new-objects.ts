/** Objects that the rows of the tool table make: pens, shapes and stickers. Origins are explicit: Fabric 7's own is the centre. */

import { ERASER_COLOR, LIMITS, STICKER_FONT, TEXT_FONT } from "../../../board/constants.ts";
import type { NewObject } from "../../../board/drawing.ts";
import { toolRow, type ToolRow } from "../../../board/tools.ts";
import type { Point } from "../geometry/matrix.ts";

/** The look of a freehand stroke. */
export interface PenStyle {
  /** The colour of the line (CSS). */
  readonly color: string;
  /** The width of the line, in canvas pixels. */
  readonly width: number;
  /** True for a stroke that can neither be selected nor moved. */
  readonly eraser: boolean;
}

/** The position at which shapes and stickers are added. */
const INSERTED = {
  left: LIMITS.insertLeft,
  top: LIMITS.insertTop,
  originX: "left",
  originY: "top",
} as const;

/** The pen of a freehand tool; undefined for any other tool. `color` is the visitor's (CSS). */
export function penStyle(tool: ToolRow, color: string): PenStyle | undefined {
  if (tool.mode !== "freehand") return undefined;
  const { pen } = tool;
  return { color: pen.color ?? color, width: pen.width, eraser: pen.eraser };
}

/** The pen of the eraser end of a pen, whatever the tool is. */
export function eraserStyle(): PenStyle | undefined {
  return penStyle(toolRow("eraser"), ERASER_COLOR);
}

/** The object that choosing a shape tool adds; undefined for any other tool. `color` is the visitor's (CSS). */
export function shapeObject(tool: ToolRow, color: string): NewObject | undefined {
  if (tool.mode !== "shape") return undefined;
  // Without a stroke its width must be 0, or the box would be larger than the shape.
  return { ...tool.shape, ...INSERTED, fill: color, stroke: null, strokeWidth: 0 };
}

/** A text without words, its first line's left end at a point of the board. `color` is the visitor's (CSS). */
export function textObject({ x, y }: Point, color: string): NewObject {
  return {
    type: "IText",
    text: "",
    left: Math.round(x),
    top: Math.round(y - LIMITS.textSize / 2),
    originX: "left",
    originY: "top",
    fontSize: LIMITS.textSize,
    fontFamily: TEXT_FONT,
    fill: color,
  };
}

/** The object that a sticker becomes. */
export function stickerObject(emoji: string): NewObject {
  return {
    type: "IText",
    ...INSERTED,
    text: emoji,
    fontSize: LIMITS.stickerSize,
    fontFamily: STICKER_FONT,
  };
}
