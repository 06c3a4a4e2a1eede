/** What the tools make (spec, section 4). Origins are explicit: Fabric 7's own is the centre. */

import type { NewObject } from "../../board/drawing.ts";
import { ERASER_COLOR, LIMITS, STICKER_FONT, type Tool } from "../../board/spec.ts";
import type { PenStyle } from "./pen.ts";

const AT = {
  left: LIMITS.insertLeft,
  top: LIMITS.insertTop,
  originX: "left",
  originY: "top",
} as const;

/** Freehand tools. */
export function isDrawing(tool: Tool): boolean {
  return tool === "draw" || tool === "eraser";
}

/** Tools with which a rubber band selects several objects. */
export function isSelecting(tool: Tool): boolean {
  return tool === "select" || tool === "stickers";
}

/** The pen of a freehand tool. */
export function penOf(tool: Tool, color: string): PenStyle | undefined {
  if (tool === "draw") return { color, width: LIMITS.brushWidth, eraser: false };
  if (tool === "eraser") return { color: ERASER_COLOR, width: LIMITS.eraserWidth, eraser: true };
  return undefined;
}

/** The shape that choosing the tool adds. Without a stroke its width counts nothing, so that the box is exact. */
export function shapeOf(tool: Tool, color: string): NewObject | undefined {
  const look = { fill: color, stroke: null, strokeWidth: 0 };
  if (tool === "rectangle")
    return {
      type: "Rect",
      ...AT,
      ...look,
      width: LIMITS.rectangleWidth,
      height: LIMITS.rectangleHeight,
    };
  if (tool === "circle") return { type: "Circle", ...AT, ...look, radius: LIMITS.circleRadius };
  return undefined;
}

export function stickerOf(emoji: string): NewObject {
  return {
    type: "IText",
    ...AT,
    text: emoji,
    fontSize: LIMITS.stickerSize,
    fontFamily: STICKER_FONT,
  };
}
