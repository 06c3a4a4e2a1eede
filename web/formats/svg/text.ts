/** Reads texts of an SVG file: lines with a position, of which those below each other become one text. */

import { TEXT_FONT } from "../../../board/constants.ts";
import type { Json } from "../../../board/drawing.ts";
import type { Box } from "../../canvas/geometry/box.ts";
import type { Viewport } from "./geometry.ts";
import { type Fit, fitOf, type Font, type Placing, placingOf } from "./letters.ts";
import { DEFAULT_SIZE, lengthOf, type Style, styleOf } from "./style.ts";
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
/** The properties that a text of the board has once. */
const LOOK = ["fill", "stroke", "font-family", "font-size", "font-weight", "font-style"];
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
/** Greatest number of characters of a font on the board. */
const MAX_FAMILY = 100;

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
  for (const { longest, words: written, placing, isMixed, ...line } of lines) {
    if (longest === 0) continue;
    const words = written
      .replace(/[ \t\r\n]+/g, " ")
      .replace(/^ | $/g, "")
      .replaceAll(PRESERVED, " ");
    const isFromStart = alignOf(line.style) === "left";
    const fit = placing && fitOf(words, placing, fontOf(line.style), isFromStart);
    if (placing === null || fit === null || isMixed || isOther) context.leaveOut("look");
    const above = texts.at(-1);
    const joined = above && !fit && joinLines(above, { ...line, words });
    if (joined) texts[texts.length - 1] = joined;
    else texts.push({ ...line, words, lines: 1, lineGap: 0, ...(fit && { fit }) });
  }
  return texts;
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
function joinLines(
  above: SvgText,
  line: Pick<Line, "words" | "x" | "y" | "style">,
): SvgText | null {
  const gap = (line.y - above.y) / above.lines;
  const isNext = Math.abs(line.x - above.x) < 0.5 && gap > 0 && gap < 4 * fontSizeOf(line.style);
  const isEven = above.lineGap === 0 || Math.abs(gap - above.lineGap) < 0.05 * gap;
  const isAlike = isSameStyle(line.style, above.style) && !above.fit;
  if (!isNext || !isEven || !isAlike) return null;
  const words = `${above.words}\n${line.words}`;
  return { ...above, words, lines: above.lines + 1, lineGap: above.lineGap || gap };
}

function isSameStyle(a: Style, b: Style): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
}

/** The font size in units of the element. */
export function fontSizeOf(style: Style): number {
  const size = lengthOf(style["font-size"]);
  return size > 0 ? size : DEFAULT_SIZE;
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
  const left = x - width * { left: 0, center: 0.5, right: 1 }[alignOf(style)];
  return { left, top, right: left + width, bottom: top + size + (lines - 1) * lineGap };
}

/** The additional space between letters, in thousandths of their size as Fabric has it. */
function charSpacingOf(style: Style): number {
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

function alignOf({ direction, "text-anchor": anchor }: Style): "left" | "center" | "right" {
  if (anchor === "middle") return "center";
  return (anchor === "end") === (direction === "rtl") ? "left" : "right";
}

function fontOf(style: Style): Font {
  const weight = style["font-weight"] ?? "normal";
  return {
    size: fontSizeOf(style),
    fontFamily: familyOf(style),
    fontWeight: /^(bold|[1-9]00)$/.test(weight) ? weight : "normal",
    fontStyle: /^(italic|oblique)/.test(style["font-style"] ?? "") ? "italic" : "normal",
  };
}

/** Returns the properties of a text; `scale`: pixels of the board in one unit of the element. */
export function textProps(
  { words, lineGap, style, fit }: SvgText,
  scale: number,
): Record<string, Json> {
  const { size, ...font } = fontOf(style);
  const isFromRight = style["direction"] === "rtl";
  const align = alignOf(style);
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
