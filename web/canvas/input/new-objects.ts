/**
 * Objects that the rows of the tool table make: pens, shapes and stickers. Their origins are explicit, since Fabric
 * 7's default is the centre.
 */

import { ERASER_COLOR, LIMITS, STICKER_FONT } from "../../../board/constants.ts";
import type { NewObject } from "../../../board/drawing.ts";
import type { InkLook } from "../../../board/live.ts";
import { toolRow, type ToolRow } from "../../../board/tools.ts";
import type { Point } from "../geometry/matrix.ts";
import { numberOr } from "../geometry/transform.ts";

/** The look of a freehand stroke. */
export interface PenStyle {
  /** The colour of the line (CSS). */
  readonly color: string;
  /** The width of the line, in canvas pixels. */
  readonly width: number;
  /** True for a stroke that can neither be selected nor moved. */
  readonly eraser: boolean;
  /** The look of the ink; absent for "ink". */
  readonly look?: InkLook;
  /** The shape between a press and its release; absent for a freehand stroke. */
  readonly straight?: "line" | "arrow";
}

/** The position at which shapes and stickers are added. */
const INSERTED = {
  left: LIMITS.insertLeft,
  top: LIMITS.insertTop,
  originX: "left",
  originY: "top",
} as const;

/** The colour (CSS) and the pen width (canvas pixels) that the visitor chose. */
export interface PenChoice {
  readonly color: string;
  readonly width: number;
}

/** The pen of a tool that draws; undefined for any other tool. */
export function penStyle(tool: ToolRow, choice: PenChoice): PenStyle | undefined {
  if (tool.mode === "line")
    return { ...choice, eraser: false, straight: tool.arrow ? "arrow" : "line" };
  if (tool.mode !== "freehand") return undefined;
  const { color, width, eraser, look } = tool.pen;
  return {
    color: color ?? choice.color,
    width: width ?? choice.width,
    eraser,
    ...(look === "ink" ? {} : { look }),
  };
}

/** The style of the eraser end of a pen, whatever the tool is. */
export function eraserStyle(): PenStyle | undefined {
  const { eraserWidth: width } = LIMITS;
  return penStyle(toolRow("eraser"), { color: ERASER_COLOR, width });
}

/** The object that choosing a shape tool adds; undefined for any other tool. `color` is the visitor's (CSS). */
export function shapeObject(tool: ToolRow, color: string): NewObject | undefined {
  if (tool.mode !== "shape") return undefined;
  // Without a stroke its width must be 0, or the box would be larger than the shape.
  return { ...tool.shape, ...INSERTED, fill: color, stroke: null, strokeWidth: 0 };
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

/** Returns a new shape or sticker with its middle at a point of the board. */
export function centredAt(object: NewObject, { x, y }: Point): NewObject {
  const diameter = 2 * numberOr(object["radius"], 0);
  const letters = numberOr(object["fontSize"], 0);
  const width = numberOr(object["width"], diameter || letters * EMOJI.width);
  const height = numberOr(object["height"], diameter || letters * EMOJI.height);
  return { ...object, left: Math.round(x - width / 2), top: Math.round(y - height / 2) };
}

/** The approximate size of an emoji in parts of its font size: fonts differ. */
const EMOJI = { width: 1.25, height: 1.13 };
