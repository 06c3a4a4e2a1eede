/** Makes an object of words that are pasted, where they can be read. */

import { toast } from "sonner";
import { LIMITS, TEXT_FONT } from "../../../board/constants.ts";
import type { NewObject } from "../../../board/drawing.ts";
import { MAX_TEXT } from "../../../board/limits.ts";
import { FROM_RIGHT, textDirection } from "../../../board/text-direction.ts";
import { wrapsAnywhere } from "../../../board/text-wrapping.ts";
import { boxOfObjects } from "../../canvas/export/picture.ts";
import type { Box } from "../../canvas/geometry/box.ts";
import type { Slices } from "../../canvas/scheduling/slices.ts";
import type { Controller } from "../controller/controller.ts";
import { t } from "../language/text.ts";
import { only } from "../kit/only-toast.ts";

/** The part of the window's edges that the text stays out of, in CSS pixels: above and below are the controls. */
const MARGIN = { sides: 16, ends: LIMITS.headerHeight };

/** The least width at which a pasted text wraps, in board pixels. */
const MIN_WIDTH = 160;

type View = NonNullable<Controller["canvas"]>["view"];

type Point = { readonly x: number; readonly y: number };

const CUT = "A text has at most {max} characters; the rest was left out.";

/** Shows that words over the limit of a text were left out. */
export function showCut(): void {
  toast.error(t(CUT, { max: MAX_TEXT }), only(CUT));
}

/** A plain text as an object of the board, in a colour (CSS); null for one without words. A notice says what was left out. */
export function textAsObject(text: string, color: string): NewObject | null {
  const all = text.replaceAll(/\r\n?/g, "\n").trim();
  if (all === "") return null;
  // The limit may divide the two halves of an emoji.
  const words = all.slice(0, MAX_TEXT).replace(/[\ud800-\udbff]$/, "");
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

/**
 * Returns a text whose lines wrap where they are wider than the view, and the position of its middle, nearest to `at`,
 * with which all of it is in view, or at least its beginning. Null when it cannot be measured.
 */
export async function positionText(
  words: NewObject,
  at: Point,
  view: View,
  slices: Slices,
): Promise<{ readonly text: NewObject; readonly middle: Point } | null> {
  const shown = shownBox(view);
  const line = await boxOfObjects([words], slices);
  if (!line) return null;
  const widest = shown.right - shown.left;
  // The lines begin at 0, and letters may reach beyond their ends.
  const overhang = Math.min(-line.left, line.right);
  const wraps = line.right - line.left > widest;
  const text = wraps ? wrapped(words, Math.max(widest - 2 * overhang, MIN_WIDTH)) : words;
  const box = wraps ? await boxOfObjects([text], slices) : line;
  if (!box) return null;
  const across = (box.right - box.left) / 2;
  const down = (box.bottom - box.top) / 2;
  const [first, last] = [shown.left + across, shown.right - across];
  const x =
    words["originX"] === "right"
      ? Math.min(Math.max(at.x, first), last)
      : Math.max(Math.min(at.x, last), first);
  const y = Math.max(Math.min(at.y, shown.bottom - down), shown.top + down);
  return { text, middle: { x, y } };
}

function shownBox(view: View): Box {
  const { sides, ends } = MARGIN;
  const { clientWidth, clientHeight } = document.documentElement;
  const { x: left, y: top } = view.pointOf({ clientX: sides, clientY: ends });
  const far = { clientX: clientWidth - sides, clientY: clientHeight - ends };
  const { x: right, y: bottom } = view.pointOf(far);
  return { left, top, right, bottom };
}

function wrapped(words: NewObject, width: number): NewObject {
  const { text } = words;
  const splits = typeof text === "string" && wrapsAnywhere(text);
  return {
    ...words,
    type: "Textbox",
    width: Math.floor(width),
    ...(splits && { splitByGrapheme: true }),
  };
}
