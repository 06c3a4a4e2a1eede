/**
 * The layout of a text that is being written: it wraps on a phone, at the edge of the view, and nowhere else; a text
 * that is written from right to left ends where it was begun.
 */

import type { IText } from "fabric";
import { LIMITS, TEXT_FONT } from "../../../board/constants.ts";
import type { BoardObject, NewObject } from "../../../board/drawing.ts";
import { FROM_RIGHT, textDirection, type TextDirection } from "../../../board/text-direction.ts";
import { wrapsAnywhere } from "../../../board/text-wrapping.ts";
import type { Point } from "../geometry/matrix.ts";
import { numberOr } from "../geometry/transform.ts";
import type { LayerSize } from "../view/host.ts";
import type { View } from "../view/view.ts";

/** CSS pixels of a window's width from which texts do not wrap. */
const WIDE = 700;

/** CSS pixels between a text and the edge of the view, and the least width at which it wraps. */
const MARGIN = 16;
const MIN_WIDTH = 160;

/** Returns a text whose first line begins at a point of the board. `color` is the visitor's (CSS). */
export function textObject({ x, y }: Point, color: string, text: string): NewObject {
  return {
    type: "IText",
    text,
    left: Math.round(x),
    top: Math.round(y - LIMITS.textSize / 2),
    originX: "left",
    originY: "top",
    fontSize: LIMITS.textSize,
    fontFamily: TEXT_FONT,
    fill: color,
  };
}

/**
 * Returns the draft of a text whose lines begin at the left edge of `words`. In a narrow window they wrap at the edge of
 * the view that they run to, and begin further from that edge if it is too near.
 */
export function draftOf(words: NewObject, view: View, { width }: LayerSize): NewObject {
  const { text } = words;
  const isRtl = typeof text === "string" && textDirection(text) === "rtl";
  const draft: NewObject = isRtl ? { ...words, ...FROM_RIGHT } : words;
  if (width >= WIDE) return draft;
  const edge = ((isRtl ? MARGIN : width - MARGIN) - view.x) / view.zoom;
  const narrowest = Math.min(MIN_WIDTH, width - 2 * MARGIN) / view.zoom;
  const start = numberOr(words.left, 0);
  const left = isRtl
    ? Math.ceil(Math.max(start, edge + narrowest))
    : Math.floor(Math.min(start, edge - narrowest));
  return { ...draft, type: "Textbox", left, width: Math.floor(Math.abs(edge - left)) };
}

/**
 * Returns the text that is stored for a draft with these words. A text that wraps keeps its width; any other is
 * stored without one, so that it grows when it is edited later. `lines`: the number of lines that are shown.
 */
export function writtenText(draft: NewObject, words: string, lines: number): NewObject {
  if (draft.type !== "Textbox") return { ...draft, text: words };
  if (lines <= words.split("\n").length) {
    const { width: _width, ...rest } = draft;
    return { ...rest, type: "IText", text: words };
  }
  return {
    ...draft,
    text: words,
    ...(wrapsAnywhere(words) && { splitByGrapheme: true }),
  };
}

/** The alignments that mean the opposite edge in the other direction. */
const OPPOSITE: Readonly<Record<string, string>> = { left: "right", right: "left" };

/** Returns the alignment of a text whose direction changes. */
export function mirroredAlign(textAlign: string): string {
  return OPPOSITE[textAlign] ?? textAlign;
}

/** Gives a text the other direction, with its lines at the other edge of its box. */
export function turnAround(text: IText, direction: TextDirection): void {
  text.set({ direction, textAlign: mirroredAlign(text.textAlign) });
}

/** The words of a text and their layout, for a comparison. */
export interface TextState {
  readonly words: string;
  readonly left: number;
  readonly top: number;
  readonly direction: string;
}

/** Returns the words of a text and their layout as they are now. */
export function stateOf({ text: words, left, top, direction }: IText): TextState {
  return { words, left, top, direction };
}

/** The least change of a position that is stored, in canvas pixels. */
const MOVED = 0.05;

/**
 * Returns the properties with which a text stays where it was written: while its width changes, Fabric keeps the edge at
 * which its lines begin, whatever its origin is.
 */
export function layoutChange(
  object: BoardObject,
  text: IText,
  before: TextState,
): Partial<NewObject> {
  const { direction, originX, textAlign } = text;
  const x = text.left - before.left;
  const y = text.top - before.top;
  const isMoved = Math.hypot(x, y) > MOVED;
  return {
    ...(direction !== before.direction && { direction, originX, textAlign }),
    ...(isMoved && { left: numberOr(object.left, 0) + x, top: numberOr(object.top, 0) + y }),
  };
}
