/**
 * Reads the labels of an SVG file that are pages of words inside a `foreignObject`, as Mermaid and draw.io write them:
 * blocks below each other, in a box or in the middle of one.
 */

import type { Box } from "../../canvas/geometry/box.ts";
import { colorOf, lengthOf, type Style, styleOf } from "./style.ts";
import { fontSizeOf } from "./letters.ts";
import { LOOK, roughBoxOf, type SvgText } from "./text.ts";
import type { XmlElement } from "./xml.ts";

/** The position of a text in its element's plane, beside its `x`. */
export interface TextPosition {
  readonly y: number;
  /** The part of the text that is at `y`. */
  readonly originY: "top" | "center" | "bottom";
  /** The part of the text that is at its `x`; undefined for the side to which it is aligned. */
  readonly originX?: "left" | "center" | "right";
  /** The width at which its lines are wrapped; undefined where they fit. */
  readonly width?: number | undefined;
  /** The colour behind its letters; undefined for none. */
  readonly background?: string | undefined;
}

/** A text with its position, whose `y` counts instead of a baseline. */
export interface Label extends TextPosition {
  readonly text: SvgText;
  /** Whether a part of its words looks otherwise than the longest ones. */
  readonly isMixed: boolean;
}

const BLOCKS: ReadonlySet<string> = new Set([
  ...["address", "article", "body", "dd", "div", "dl", "dt", "footer", "h1", "h2", "h3", "h4"],
  ...["h5", "h6", "header", "html", "li", "main", "ol", "p", "pre", "section", "ul"],
]);
/** The elements inside a line, with the style that they have by themselves. */
const INLINE: Readonly<Record<string, Style>> = {
  ...{ a: {}, abbr: {}, cite: {}, code: {}, font: {}, label: {}, mark: {}, small: {}, span: {} },
  ...{ sub: {}, sup: {}, b: { "font-weight": "bold" }, strong: { "font-weight": "bold" } },
  ...{ em: { "font-style": "italic" }, i: { "font-style": "italic" } },
  ...{ s: { "text-decoration": "line-through" }, u: { "text-decoration": "underline" } },
};
const HEADING = /^h[1-6]$/;
/** The distance between baselines in sizes of the letters, where a file gives none: that of browsers in Arial. */
const LINE_GAP = 1.15;
/** Height of a line of size 1 in Fabric. */
const LINE = 1.13;
const MAX_LINES = 10_000;

/** Returns whether a `foreignObject` has nothing but words in it, which a text of the board can have. */
export function isLabel({ children }: XmlElement): boolean {
  return children.every(
    (child) =>
      typeof child === "string" ||
      child.name === "br" ||
      ((BLOCKS.has(child.name) || Object.hasOwn(INLINE, child.name)) && isLabel(child)),
  );
}

interface Reading {
  readonly lines: string[];
  /** The number of characters of the longest words of one style. */
  longest: number;
  /** The style of the longest words. */
  style: Style;
  /** The colour behind the longest words. */
  background: string | undefined;
  isMixed: boolean;
  box: Box;
  /** Sides to which a flexible box moves what is in it, from 0 to 1; undefined without one. */
  across: number | undefined;
  down: number;
}

/**
 * Returns the label of a `foreignObject` ({@link isLabel}); null for one without words, "value" for one with too many
 * lines.
 */
export function labelOf(element: XmlElement, style: Style, box: Box): Label | "value" | null {
  const reading: Reading = {
    ...{ lines: [""], longest: 0, style, background: undefined, isMixed: false },
    ...{ box, across: undefined, down: 0 },
  };
  readWords(element, style, {}, reading);
  const lines = reading.lines.map((line) => line.replace(/[ \t\r\n]+/g, " ").trim());
  const first = lines.findIndex((line) => line !== "");
  if (lines.length > MAX_LINES) return "value";
  if (first < 0) return null;
  return labelIn(lines.slice(first, lines.findLastIndex((line) => line !== "") + 1), reading);
}

const SIDES = ["left", "center", "right"] as const;
const LEVELS = ["top", "center", "bottom"] as const;
const ANCHORS = ["start", "middle", "end"] as const;

function labelIn(
  lines: readonly string[],
  { style, background, box, across, down, isMixed }: Reading,
): Label {
  const isFromRight = style["direction"] === "rtl";
  const aligned = alignOf(style["text-align"], isFromRight);
  const side = across ?? aligned;
  const size = fontSizeOf(style);
  const lineGap = lineGapOf(style["line-height"], size);
  // The letters of the first line are in the middle of its height.
  const lead = ((lineGap - LINE * size) / 2) * (1 - 2 * down);
  const y = box.top + down * (box.bottom - box.top) + lead;
  const text: SvgText = {
    words: lines.join("\n"),
    lines: lines.length,
    lineGap,
    ...{ x: box.left + side * (box.right - box.left), y },
    style: {
      ...style,
      ...{ fill: style["color"] ?? "black", stroke: "none", "fill-opacity": "1" },
      "text-anchor": ANCHORS[2 * (isFromRight ? 1 - aligned : aligned)]!,
    },
  };
  const rough = roughBoxOf(text);
  const width = box.right - box.left;
  const isNarrow = width > size && rough.right - rough.left > width;
  const wraps = isNarrow && !/^(nowrap|pre)$/.test(style["white-space"] ?? "");
  const behind = background === undefined ? null : colorOf(background, style);
  return {
    ...{ text, isMixed },
    y,
    originX: SIDES[2 * side]!,
    originY: LEVELS[2 * down]!,
    width: wraps ? width : undefined,
    background: typeof behind === "string" ? behind : undefined,
  };
}

/** Returns the side that `text-align` names: 0, 0.5 or 1, from the left. */
function alignOf(align: string | undefined, isFromRight: boolean): number {
  if (align === "center") return 0.5;
  if (align === "left" || align === "right") return align === "left" ? 0 : 1;
  return (align === "end") === isFromRight ? 0 : 1;
}

function lineGapOf(height: string | undefined, size: number): number {
  const isFactor = /^[\d.]+$/.test(height ?? "");
  const gap = isFactor ? Number(height) * size : lengthOf(height?.replace(/em$/, ""), size);
  const inSizes = height?.endsWith("em") ? gap * size : gap;
  return inSizes > 0 ? inSizes : LINE_GAP * size;
}

/** The colours behind words: that of the line, and that of the innermost block, which is that of a block in a line. */
interface Backgrounds {
  readonly line?: string | undefined;
  readonly block?: string | undefined;
}

function readWords(element: XmlElement, style: Style, behind: Backgrounds, reading: Reading): void {
  const { lines } = reading;
  for (const child of element.children) {
    if (lines.length > MAX_LINES) return;
    if (typeof child === "string") addWords(child, style, behind.line, reading);
    else if (child.name === "br") lines.push("");
    else {
      const look = HEADING.test(child.name) ? INLINE["b"]! : (INLINE[child.name] ?? {});
      const inner = styleOf(child, { ...style, ...look });
      if (inner["display"] === "none") continue;
      const own =
        inner["background-color"] === "transparent" ? undefined : inner["background-color"];
      if (!BLOCKS.has(child.name) && inner["display"] !== "block") {
        readWords(child, inner, { ...behind, line: own ?? behind.line }, reading);
        continue;
      }
      const block = own ?? behind.block;
      beginLine(lines);
      enterBox(child, reading);
      readWords(child, inner, { line: block, block }, reading);
      beginLine(lines);
    }
  }
}

function beginLine(lines: string[]): void {
  if (lines.at(-1)?.trim() !== "") lines.push("");
}

function addWords(
  words: string,
  style: Style,
  background: string | undefined,
  reading: Reading,
): void {
  const { lines } = reading;
  const preserves = /^(pre|break-spaces)/.test(style["white-space"] ?? "");
  const [first = "", ...more] = preserves ? words.split("\n", MAX_LINES + 2) : [words];
  lines[lines.length - 1] += first;
  lines.push(...more);
  const { length } = words.trim();
  if (length > 0 && reading.longest > 0)
    reading.isMixed ||= [...LOOK, "color"].some((name) => reading.style[name] !== style[name]);
  if (length > reading.longest) Object.assign(reading, { longest: length, style, background });
}

/** Takes over the box of a flexible one (draw.io), and where in it its only child is. */
function enterBox({ attributes }: XmlElement, reading: Reading): void {
  const css = attributes.get("style") ?? "";
  if (!/\bdisplay:\s*(inline-)?flex\b/.test(css) || reading.longest > 0) return;
  const value = (name: string): string =>
    new RegExp(`(?:^|;)\\s*${name}\\s*:([^;]{1,100})`).exec(css)?.[1]?.trim() ?? "";
  const { left, top, right, bottom } = reading.box;
  const length = (name: string, whole: number): number => lengthOf(value(name), whole);
  const sideOf = (name: string): number =>
    value(name).endsWith("center") ? 0.5 : value(name).endsWith("end") ? 1 : 0;
  const [width, height] = [length("width", right - left), length("height", bottom - top)];
  const x = left + (length("margin-left", right - left) || 0);
  const y = top + (length("padding-top", right - left) || 0);
  reading.box = {
    ...{ left: x, right: x + (Number.isNaN(width) ? right - left : width) },
    ...{ top: y, bottom: y + (Number.isNaN(height) ? bottom - top : height) },
  };
  reading.across = sideOf("justify-content");
  reading.down = sideOf("align-items");
}
