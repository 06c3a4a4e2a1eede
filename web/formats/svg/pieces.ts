/** Joins the pieces of a line that a file places one by one: letters, as Fabric does with a space between them, or words. */

import { type Fit, type Font, widthIn } from "./letters.ts";

/** Words with a position of their own. */
interface Piece {
  /** The words, in which nothing is collapsed any more. */
  readonly words: string;
  readonly x: number;
}

/** The part of their size by which pieces may be beside their place. */
const TOLERANCE = 0.1;
/** The space between letters, in sizes of them: beyond it the pieces do not belong together. */
const SPACING = { min: -0.5, max: 2 } as const;
/** The greatest number of pieces that are measured. */
const MAX_PIECES = 10_000;

/**
 * Returns the words of pieces beside each other, and the space between their letters; null where they are elsewhere, or
 * cannot be measured. `own`: the space that their style gives, in units of the element.
 */
export function joined(
  pieces: readonly Piece[],
  font: Font,
  own: number,
): { readonly words: string; readonly fit: Fit } | null {
  const widthOf = pieces.length > MAX_PIECES ? null : widthIn(font);
  const [first] = pieces;
  if (!widthOf || !first) return null;
  const letters = pieces.map(({ words }) => Array.from(words));
  /** The distance from each piece to the first one without any space between letters, and the letters before it. */
  const starts = [{ x: first.x, count: 0 }];
  for (const [at, { words }] of pieces.slice(0, -1).entries()) {
    const { x, count } = starts[at]!;
    const [last = "", next = ""] = [letters[at]!.at(-1), letters[at + 1]![0]];
    const kerning = widthOf(last + next) - widthOf(last) - widthOf(next);
    starts.push({ x: x + widthOf(words) + kerning, count: count + letters[at]!.length });
  }
  const last = starts.at(-1)!;
  const isSpaced = letters.every(({ length }) => length === 1);
  const spacing = isSpaced ? (pieces.at(-1)!.x - last.x) / (last.count || 1) : own;
  const isNear = pieces.every(
    ({ x }, at) =>
      Math.abs(x - starts[at]!.x - starts[at]!.count * spacing) <= TOLERANCE * font.size,
  );
  const inSizes = spacing / font.size;
  if (!isNear || inSizes < SPACING.min || inSizes > SPACING.max) return null;
  return { words: pieces.map(({ words }) => words).join(""), fit: { spacing } };
}
