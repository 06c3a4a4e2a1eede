/** Letters of an SVG's text: their font, and where the file places them itself, by the length of all words or one by one. */

import { TEXT_FONT } from "../../../board/constants.ts";
import { DEFAULT_SIZE, lengthOf, type Style } from "./style.ts";
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

/** Greatest number of characters of a font on the board. */
const MAX_FAMILY = 100;
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

/** Returns the function that measures words in a font, in units of the element; null where nothing can be measured. */
export function widthIn({ fontFamily, fontWeight, fontStyle, size }: Font) {
  if (typeof OffscreenCanvas !== "undefined")
    context ??= new OffscreenCanvas(1, 1).getContext("2d");
  if (!context) return null;
  const canvas = context;
  const font = `${fontStyle} ${fontWeight} ${MEASURED}px ${fontFamily}`;
  return (words: string): number => {
    canvas.font = font;
    return (canvas.measureText(words).width * size) / MEASURED;
  };
}

/** Returns how words get as long as the file says; null where nothing can be measured. */
export function fitOf(words: string, { length = 0, stretches }: Placing, font: Font): Fit | null {
  const widthOf = words.length > MAX_LETTERS ? null : widthIn(font);
  if (!widthOf) return null;
  const width = widthOf(words);
  if (stretches) return { stretch: length / (width || length) };
  const gaps = Array.from(words).length - 1;
  return gaps < 1 ? {} : { spacing: (length - width) / gaps };
}

/** The font size in units of the element. */
export function fontSizeOf(style: Style): number {
  const size = lengthOf(style["font-size"]);
  return size > 0 ? size : DEFAULT_SIZE;
}

/** The additional space between letters, in thousandths of their size as Fabric has it. */
export function charSpacingOf(style: Style): number {
  const spacing = style["letter-spacing"] ?? "";
  const inSizes = /^\s*([-+.\d]+)em\s*$/.exec(spacing)?.[1];
  const size = inSizes === undefined ? lengthOf(spacing) / fontSizeOf(style) : Number(inSizes);
  return Math.round(size * 1000) || 0;
}

/** The font, and those that stand in for it where it is not installed, as far as their names are short and plain. */
function familyOf(style: Style): string {
  const [name = "", ...rest] = (style["font-family"] ?? "")
    .split(",")
    .map((one) => one.replace(/["']/g, "").trim());
  const isPlain = (one: string): boolean => /^[\p{L}\p{N} _-]{1,100}$/u.test(one);
  if (!isPlain(name) || /^(sans-serif|serif|initial)$/.test(name)) return TEXT_FONT;
  const quoted = [name, ...rest.filter(isPlain)].map((one) =>
    /^(sans-serif|serif|monospace|cursive)$/.test(one) ? one : `'${one}'`,
  );
  const list = quoted.join(", ");
  return quoted.length > 1 && list.length <= MAX_FAMILY ? list : name;
}

/** The font of words. */
export function fontOf(style: Style): Font {
  const weight = style["font-weight"] ?? "normal";
  return {
    size: fontSizeOf(style),
    fontFamily: familyOf(style),
    fontWeight: /^(bold|[1-9]00)$/.test(weight) ? weight : "normal",
    fontStyle: /^(italic|oblique)/.test(style["font-style"] ?? "") ? "italic" : "normal",
  };
}
