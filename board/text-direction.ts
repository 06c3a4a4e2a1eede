/** The direction in which a text is written, decided by its words as `dir="auto"` decides it in a document. */

export type TextDirection = "ltr" | "rtl";

/** The properties of a text that is written from right to left, and ends at its position. */
export const FROM_RIGHT = { originX: "right", direction: "rtl", textAlign: "right" } as const;

/** Matches words whose first letter is of a script that is written from right to left. */
const RIGHT_TO_LEFT =
  /^\P{L}*(?=\p{L})[\p{Script=Adlam}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Nko}\p{Script=Syriac}\p{Script=Thaana}]/u;

const LETTER = /\p{L}/u;

/** Returns the direction of the first letter; undefined for words without letters, which have no direction of their own. */
export function textDirection(words: string): TextDirection | undefined {
  if (RIGHT_TO_LEFT.test(words)) return "rtl";
  return LETTER.test(words) ? "ltr" : undefined;
}
