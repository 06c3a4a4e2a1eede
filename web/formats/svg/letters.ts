/** Letters of an SVG's text that the file places itself: by the length of all words, or one by one. */

import { lengthOf } from "./style.ts";
import type { XmlElement } from "./xml.ts";

/** The places that a file gives letters. */
export interface Placing {
  /** The length of the words, in units of the element; undefined where it is not given. */
  readonly length: number | undefined;
  /** Whether the letters themselves become longer or shorter, not only the space between them. */
  readonly stretches: boolean;
  /** The places of the first letters; empty where only the first one has a place. */
  readonly xs: readonly number[];
}

/** The space and the scale with which words of the board are as long as in the file. */
export interface Fit {
  /** The space after each letter, in units of the element; undefined to leave it as it is. */
  readonly spacing?: number;
  /** The factor by which letters are longer. */
  readonly stretch?: number;
}

/** The part of their size by which letters may be beside their place. */
const TOLERANCE = 0.1;
/** The greatest number of letters that are measured. */
const MAX_LETTERS = 10_000;

/** Reads the places of letters; undefined for none, null for places that no text of the board can have. */
export function placingOf({ attributes }: XmlElement): Placing | undefined | null {
  const list = (name: string): number[] =>
    (
      attributes
        .get(name)
        ?.trim()
        .split(/[\s,]+/) ?? []
    ).map((one) => lengthOf(one));
  const [y, ...ys] = list("y");
  const moves = [...list("dx").slice(1), ...list("dy").slice(1), ...list("rotate")];
  if (moves.some((move) => move !== 0) || ys.some((other) => other !== y)) return null;
  const xs = list("x");
  const length = lengthOf(attributes.get("textLength"));
  const isPlaced = xs.length > 1;
  if (!(length > 0)) return isPlaced ? { length: undefined, stretches: false, xs } : undefined;
  const stretches = attributes.get("lengthAdjust") === "spacingAndGlyphs";
  return isPlaced ? null : { length, stretches, xs: [] };
}

let context: OffscreenCanvasRenderingContext2D | null = null;
/** The size in which letters are measured: as in Fabric, far larger than they are shown. */
const MEASURED = 400;

/** A font as words are shown in. */
export interface Font {
  readonly fontFamily: string;
  readonly fontWeight: string;
  readonly fontStyle: string;
  readonly size: number;
}

/**
 * Returns how words get to the places of the file; null where no text of the board does, or nothing can be measured.
 * `isFromStart`: whether the place is that of the first letter.
 */
export function fitOf(
  words: string,
  { length, stretches, xs }: Placing,
  { fontFamily, fontWeight, fontStyle, size }: Font,
  isFromStart: boolean,
): Fit | null {
  if (words.length > MAX_LETTERS || (xs.length > 0 && !isFromStart)) return null;
  if (typeof OffscreenCanvas !== "undefined")
    context ??= new OffscreenCanvas(1, 1).getContext("2d");
  if (!context) return null;
  context.font = `${fontStyle} ${fontWeight} ${MEASURED}px ${fontFamily}`;
  const canvas = context;
  const widthOf = (part: string): number => (canvas.measureText(part).width * size) / MEASURED;
  const letters = Array.from(words);
  if (length !== undefined && stretches) return { stretch: length / (widthOf(words) || length) };
  const gaps = (length === undefined ? Math.min(xs.length, letters.length) : letters.length) - 1;
  if (gaps < 1) return {};
  const [first = 0] = xs;
  // Each letter is measured alone: words of every length would cost the square of their letters.
  let end = first;
  const starts = xs
    .slice(0, gaps + 1)
    .map((_x, at) => (end += at > 0 ? widthOf(letters[at - 1]!) : 0));
  const spacing =
    length === undefined ? ((xs[gaps] ?? 0) - end) / gaps : (length - widthOf(words)) / gaps;
  const isNear = (distance: number): boolean => Math.abs(distance) <= TOLERANCE * size;
  const isEven =
    (xs.length === 0 || xs.length >= letters.length || isNear(spacing)) &&
    starts.every((start, at) => isNear((xs[at] ?? 0) - start - at * spacing));
  return isEven ? { spacing } : null;
}
