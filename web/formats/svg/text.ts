/** Reads texts of an SVG file: lines with a position, of which those below each other become one text. */

import type { Json } from "../../../board/drawing.ts";
import type { Box } from "../../canvas/geometry/box.ts";
import type { Viewport } from "./geometry.ts";
import {
  charSpacingOf,
  type Fit,
  fitOf,
  fontOf,
  fontSizeOf,
  type Placing,
  placingOf,
  widthIn,
} from "./letters.ts";
import { joined as joinPieces } from "./pieces.ts";
import { lengthOf, type Style, styleOf } from "./style.ts";
import type { XmlElement } from "./xml.ts";

/** Lines of one style, the first of which has a position in the element's plane. */
export interface SvgText {
  readonly words: string;
  /** The number of lines. */
  readonly lines: number;
  readonly x: number;
  /** The first line's baseline. */
  readonly y: number;
  /** The distance between baselines; 0 for a single line. */
  readonly lineGap: number;
  readonly style: Style;
  /** The space and the scale of its letters where the file places them; absent elsewhere. */
  readonly fit?: Fit;
  /** The width of a line that begins at `x`; 0 where it is not known. */
  readonly width?: number;
  /** The part of each line that is before `x`, where their position shows it: 0.5 for lines in the middle. */
  readonly share?: number | undefined;
}

interface Line {
  words: string;
  /** The number of characters of its longest words of one style; 0 while there is nothing but space in it. */
  longest: number;
  readonly x: number;
  readonly y: number;
  /** The style of its longest words. */
  style: Style;
  /** Whether a part of it looks otherwise than its longest words, or is beside them. */
  isMixed: boolean;
  /** The places of its letters; undefined where they follow each other, null for places that no text can have. */
  placing?: Placing | null | undefined;
}

/** Height of a line of size 1 in Fabric, and the position of its baseline. */
const LINE = { height: 1.13, baseline: 1.13 * (1 - 0.222) } as const;
/**
 * The distance from the line that `dominant-baseline` names down to the baseline of letters of size 1, as Chromium
 * places them in Arial.
 */
const BASELINES = new Map([
  ["middle", 0.26],
  ["central", 0.35],
  ["hanging", 0.73],
]);
/** The least part of the size by which a line is below the one before it, and no raised or lowered part of the same. */
const NEXT_LINE = 0.8;
/** The parts of lines that are before their position: of lines that begin, are in the middle, or end there. */
const SHARES = [0, 0.5, 1];
const SIDES = ["left", "center", "right"] as const;
/** The part of the size by which the middles or ends of lines below each other may differ. */
const ALIGNED = 0.05;
/** The properties that a text of the board has once. */
export const LOOK = ["fill", "stroke", "font-family", "font-size", "font-weight", "font-style"];
/** The properties that no text of the board has, with the values that change nothing. */
const OTHER: readonly (readonly [string, RegExp])[] = [
  ["word-spacing", /^(normal|0[a-z]*)$/],
  ["writing-mode", /^(normal|horizontal-tb|lr|lr-tb|rl|rl-tb)$/],
  ["font-variant", /^normal$/],
];
/** The character that stands for a space which the file preserves, while others are collapsed. */
const PRESERVED = "\0";
const MAX_NESTING = 8;
const MAX_LINES = 10_000;
interface TextContext {
  readonly viewport: Viewport;
  /** Counts words that cannot be added, or are not where they are in the file. */
  readonly leaveOut: (kind: "unknown" | "look") => void;
}

/** Returns the texts of a `text` element, in reading order; null for one with too many lines. */
export function textsOf(element: XmlElement, style: Style, context: TextContext): SvgText[] | null {
  const lines: Line[] = [];
  readLines(element, style, { ...context, lines, x: 0, y: 0, depth: 0 });
  if (lines.length > MAX_LINES) return null;
  const isOther = OTHER.some(([property, none]) => !none.test(style[property] ?? "normal"));
  const texts: SvgText[] = [];
  for (const { longest, words, placing, isMixed, fit: given, ...line } of withWholeLines(lines)) {
    if (longest === 0) continue;
    const isFromStart = alignOf(line.style) === "left";
    const fit = given ?? (placing && placed(words, placing, line));
    if (placing === null || fit === null || isMixed || isOther) context.leaveOut("look");
    const above = texts.at(-1);
    const width = isFromStart ? widthOf(words, line.style, fit?.spacing) : 0;
    const one = { ...line, words, lines: 1, lineGap: 0, width, ...(fit && { fit }) };
    const joined = above && joinLines(above, one);
    if (joined) texts[texts.length - 1] = joined;
    else texts.push(one);
  }
  return texts;
}

function widthOf(words: string, style: Style, spacing: number | undefined): number {
  const font = fontOf(style);
  const between = spacing ?? (charSpacingOf(style) * font.size) / 1000;
  return (widthIn(font)?.(words) ?? 0) + between * (words.length - 1);
}

/** Returns the fit of words whose length, or the places of whose letters, the file gives; null where no text has it. */
function placed(words: string, placing: Placing, line: Pick<Line, "style">): Fit | null {
  const { xs } = placing;
  if (xs.length === 0) return fitOf(words, placing, fontOf(line.style));
  const letters = Array.from(words);
  const pieces = letters.slice(0, xs.length).map((letter, at) => ({ words: letter, x: xs[at]! }));
  const last = pieces.at(-1);
  if (last) last.words += letters.slice(xs.length).join("");
  return joined(pieces, line.style)?.fit ?? null;
}

/** Joins pieces beside each other; null where they do not belong together. */
function joined(pieces: readonly { words: string; x: number }[], style: Style) {
  const own = (charSpacingOf(style) * fontSizeOf(style)) / 1000;
  return alignOf(style) === "left" ? joinPieces(pieces, fontOf(style), own) : null;
}

/** Returns the lines with their words as they are shown, and of the pieces of a line, which a file places, one. */
function withWholeLines(lines: readonly Line[]): (Line & { fit?: Fit })[] {
  const whole: (Line & { fit?: Fit })[] = [];
  const pieces: Line[] = [];
  const finish = (): void => {
    while (pieces.at(-1)?.longest === 0) pieces.pop();
    const [first] = pieces;
    const one = first && pieces.length > 1 ? joined(pieces, first.style) : null;
    whole.push(...(one ? [{ ...first!, ...one, longest: one.words.trim().length }] : pieces));
    pieces.length = 0;
  };
  for (const line of lines) {
    const words = line.words
      .replace(/[ \t\r\n]+/g, " ")
      .replace(/^ | $/g, "")
      .replaceAll(PRESERVED, " ");
    const last = pieces.at(-1);
    const isNext =
      last &&
      [last, line].every((one) => one.placing === undefined && !one.isMixed) &&
      last.y === line.y &&
      isSameStyle(last.style, line.style);
    if (!isNext) finish();
    // A space between pieces is one of the words.
    if (words !== "") pieces.push({ ...line, words });
    else if (isNext && line.words !== "") pieces.push({ ...line, words: " " });
  }
  finish();
  return whole;
}

interface Reading extends TextContext {
  readonly lines: Line[];
  x: number;
  y: number;
  readonly depth: number;
}

function readLines(element: XmlElement, style: Style, reading: Reading): void {
  const { attributes, children } = element;
  const { lines, viewport } = reading;
  if (lines.length > MAX_LINES) return;
  const size = fontSizeOf(style);
  const first = (name: string, whole: number): number | undefined => {
    const [written = ""] =
      attributes
        .get(name)
        ?.trim()
        .split(/[\s,]+/) ?? [];
    const number = lengthOf(written.replace(/em$/, ""), whole);
    return Number.isNaN(number) ? undefined : number * (written.endsWith("em") ? size : 1);
  };
  const [x, y] = [first("x", viewport.width), first("y", viewport.height)];
  const dx = first("dx", viewport.width) ?? 0;
  const dy = first("dy", viewport.height) ?? 0;
  const isPlaced = x !== undefined || y !== undefined;
  // A part of a line that is raised or lowered stays in it: no text of the board has such parts.
  const isInLine = !isPlaced && (lines.at(-1)?.longest ?? 0) > 0;
  const down = isInLine && Math.abs(dy) < NEXT_LINE * size ? 0 : dy;
  const begins = lines.length === 0 || isPlaced || down !== 0;
  reading.x = (x ?? reading.x) + dx;
  reading.y = (y ?? reading.y) + down;
  if (begins)
    lines.push({ words: "", longest: 0, x: reading.x, y: reading.y, style, isMixed: false });
  const line = lines.at(-1)!;
  if (isInLine && !begins && (dx !== 0 || dy !== 0)) line.isMixed = true;
  const placing = placingOf(element);
  if (placing !== undefined) line.placing = line.longest === 0 ? placing : null;
  for (const child of children) {
    if (typeof child === "string") addWords(lines.at(-1)!, child, style);
    else if ((child.name === "tspan" || child.name === "a") && reading.depth < MAX_NESTING) {
      const own = styleOf(child, style);
      if (own["display"] === "none") continue;
      const inner = { ...reading, depth: reading.depth + 1 };
      readLines(child, own, inner);
      reading.y = inner.y;
    } else if (child.name === "textPath") reading.leaveOut("unknown");
  }
  // The places are those of words in several lines.
  const last = lines.at(-1)!;
  if (placing && last !== line) (line.longest > 0 ? line : last).placing = null;
}

function addWords(line: Line, words: string, style: Style): void {
  const isPreserved = /^pre(serve|-wrap)?$/.test(style["white-space"] ?? style["xml:space"] ?? "");
  line.words += isPreserved ? words.replace(/[ \t\r\n]/g, PRESERVED) : words;
  const { length } = words.trim();
  if (length > 0 && line.longest > 0)
    line.isMixed ||= LOOK.some((name) => line.style[name] !== style[name]);
  if (length > line.longest) Object.assign(line, { longest: length, style });
}

/** Joins a line to the text above it; null when they do not belong together. */
function joinLines(above: SvgText, line: SvgText): SvgText | null {
  const gap = (line.y - above.y) / above.lines;
  const size = fontSizeOf(line.style);
  const isEven = above.lineGap === 0 || Math.abs(gap - above.lineGap) < 0.05 * gap;
  const isAlike = isSameStyle(line.style, above.style) && isSameFit(line.fit, above.fit, size);
  if (!(gap > 0 && gap < 4 * size) || !isEven || !isAlike) return null;
  const xOf = ({ x, width = 0 }: SvgText, share: number): number => x + width * share;
  const shares = above.lines > 1 ? [above.share ?? 0] : above.width && line.width ? SHARES : [0];
  const share = shares.find(
    (one) => Math.abs(xOf(line, one) - xOf(above, one)) < (one > 0 ? ALIGNED * size : 0.5),
  );
  if (share === undefined) return null;
  return {
    ...{ ...above, words: `${above.words}\n${line.words}`, lines: above.lines + 1 },
    ...{ lineGap: above.lineGap || gap, x: xOf(above, share), width: 0, share },
  };
}

function isSameFit(one: Fit | undefined, other: Fit | undefined, size: number): boolean {
  if (!one || !other) return one === other;
  const isStretched = one.stretch !== undefined || other.stretch !== undefined;
  return !isStretched && Math.abs((one.spacing ?? 0) - (other.spacing ?? 0)) < ALIGNED * size;
}

function isSameStyle(a: Style, b: Style): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
}

/** The upper edge of the first line, in units of the element. */
export function topOf({ y, style }: SvgText): number {
  const below = BASELINES.get(style["dominant-baseline"] ?? "") ?? 0;
  return y + (below - LINE.baseline) * fontSizeOf(style);
}

/** The width of a letter in sizes of it, roughly: the width of the words is only known where they are painted. */
const LETTER = 0.6;

/** Returns roughly the box of a text in its plane. */
export function roughBoxOf(text: SvgText): Box {
  const { words, lines, lineGap, style, x } = text;
  const [top, size] = [topOf(text), fontSizeOf(style)];
  const width = Math.max(...words.split("\n").map((line) => line.length)) * size * LETTER;
  const left = x - width * SHARES[SIDES.indexOf(sideOf(text))]!;
  return { left, top, right: left + width, bottom: top + size + (lines - 1) * lineGap };
}

function sideOf({ share, style }: Pick<SvgText, "share" | "style">): (typeof SIDES)[number] {
  return share ? SIDES[2 * share]! : alignOf(style);
}

function alignOf({ direction, "text-anchor": anchor }: Style): (typeof SIDES)[number] {
  if (anchor === "middle") return "center";
  return (anchor === "end") === (direction === "rtl") ? "left" : "right";
}

/** Returns the properties of a text; `scale`: pixels of the board in one unit of the element. */
export function textProps(
  { words, lineGap, style, fit, share }: SvgText,
  scale: number,
): Record<string, Json> {
  const { size, ...font } = fontOf(style);
  const isFromRight = style["direction"] === "rtl";
  const align = sideOf({ share, style });
  const decoration = style["text-decoration"] ?? "";
  return {
    type: "IText",
    text: words,
    fontSize: size * scale,
    ...font,
    underline: decoration.includes("underline"),
    linethrough: decoration.includes("line-through"),
    textAlign: align,
    ...(isFromRight && { direction: "rtl" }),
    charSpacing:
      fit?.spacing === undefined ? charSpacingOf(style) : Math.round((1000 * fit.spacing) / size),
    ...(lineGap > 0 && { lineHeight: lineGap / size / LINE.height }),
    originX: align,
  };
}
