/** Decides where a new text wraps: on a phone at the edge of the view, and nowhere else. */

import type { NewObject } from "../../../board/drawing.ts";
import { numberOr } from "../geometry/transform.ts";
import type { LayerSize } from "../view/host.ts";
import type { View } from "../view/view.ts";

/** CSS pixels of a window's width from which texts do not wrap. */
const WIDE = 700;

/** CSS pixels between a text and the edge of the view, and the least width at which it wraps. */
const MARGIN = 16;
const MIN_WIDTH = 160;

/** Scripts that are written without spaces, and wrap between any two letters. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Returns a new text that wraps at the edge of the view; near the edge it begins further to the left. */
export function wrappedDraft(draft: NewObject, view: View, size: LayerSize): NewObject {
  if (size.width >= WIDE) return draft;
  const edge = (size.width - MARGIN - view.x) / view.zoom;
  const narrowest = Math.min(MIN_WIDTH, size.width - 2 * MARGIN) / view.zoom;
  const left = Math.min(numberOr(draft.left, 0), edge - narrowest);
  return { ...draft, type: "Textbox", left: Math.floor(left), width: Math.floor(edge - left) };
}

/** True for words that wrap between any two letters. */
export function wrapsAnywhere(words: string): boolean {
  return UNSPACED.test(words);
}

/**
 * Returns the text that is stored for a draft with these words. A text that wraps keeps its width; any other is
 * stored without one, so that it grows when it is edited later. `lines`: the lines as they are shown.
 */
export function writtenText(
  draft: NewObject,
  words: string,
  shown: { readonly width: number; readonly lines: number },
): NewObject {
  if (draft.type !== "Textbox") return { ...draft, text: words };
  if (shown.lines <= words.split("\n").length) {
    const { width: _width, ...rest } = draft;
    return { ...rest, type: "IText", text: words };
  }
  return {
    ...{ ...draft, text: words, width: shown.width },
    ...(wrapsAnywhere(words) && { splitByGrapheme: true }),
  };
}
