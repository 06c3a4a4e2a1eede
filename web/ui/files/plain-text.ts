/** Makes an object of words that are pasted or opened. */

import { LIMITS, TEXT_FONT } from "../../../board/constants.ts";
import type { NewObject } from "../../../board/drawing.ts";
import { FROM_RIGHT, textDirection } from "../../../board/text-direction.ts";

/** Greatest number of lines of a text. */
const MAX_LINES = 500;

/** A plain text as an object of the board, in a colour (CSS); null for one without words. */
export function textAsObject(text: string, color: string): NewObject | null {
  const words = text.replaceAll(/\r\n?/g, "\n").split("\n").slice(0, MAX_LINES).join("\n").trim();
  if (words === "") return null;
  return {
    type: "IText",
    text: words,
    left: 0,
    top: 0,
    originX: "left",
    originY: "top",
    ...(textDirection(words) === "rtl" && FROM_RIGHT),
    fontSize: LIMITS.textSize,
    fontFamily: TEXT_FONT,
    fill: color,
  };
}
