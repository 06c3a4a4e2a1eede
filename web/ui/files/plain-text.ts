/** Makes an object of words that are pasted or opened. */

import { toast } from "sonner";
import { LIMITS, TEXT_FONT } from "../../../board/constants.ts";
import type { NewObject } from "../../../board/drawing.ts";
import { MAX_TEXT } from "../../../board/limits.ts";
import { FROM_RIGHT, textDirection } from "../../../board/text-direction.ts";
import { t } from "../language/text.ts";

const CUT = "A text has at most {max} characters; the rest was left out.";

/** Shows that words over the limit of a text were left out. */
export function showCut(): void {
  toast.error(t(CUT, { max: MAX_TEXT }), { id: CUT });
}

/** A plain text as an object of the board, in a colour (CSS); null for one without words. A notice says what was left out. */
export function textAsObject(text: string, color: string): NewObject | null {
  const all = text.replaceAll(/\r\n?/g, "\n").trim();
  if (all === "") return null;
  const words = all.slice(0, MAX_TEXT);
  if (words !== all) showCut();
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
