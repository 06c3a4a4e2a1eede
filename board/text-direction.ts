/** The direction in which a text is written, decided by its words as `dir="auto"` decides it in a document. */

export type TextDirection = "ltr" | "rtl";

/** Matches words whose first letter is of a script that is written from right to left. */
const FROM_RIGHT =
  /^\P{L}*(?=\p{L})[\p{Script=Adlam}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Nko}\p{Script=Syriac}\p{Script=Thaana}]/u;

const LETTER = /\p{L}/u;

/** Returns the direction of the first letter; undefined for words without letters, which have no direction of their own. */
export function textDirection(words: string): TextDirection | undefined {
  if (FROM_RIGHT.test(words)) return "rtl";
  return LETTER.test(words) ? "ltr" : undefined;
}
