/**
 * Describes an object by the facts from which its name is made, for screen readers, the list of objects, and
 * sentences about changes.
 */

import { COLORS, HIGHLIGHTER } from "./constants.ts";
import type { BoardObject, ObjectType } from "./drawing.ts";
import { parsePath } from "./path.ts";
import { safeLine } from "./presence.ts";
import { STICKERS } from "./stickers.ts";
import { isTransparent } from "./unpainted.ts";

/** Characters of a text that a name contains. */
const TEXT_LENGTH = 40;

/** The English names of shapes. */
export const SHAPES: Readonly<
  Record<
    | Exclude<ObjectType, "IText" | "Text" | "Textbox" | "Image" | "Group">
    | "Arrow"
    | "Curve"
    | "Highlighter",
    string
  >
> = {
  Path: "stroke",
  Arrow: "arrow",
  Curve: "curve",
  Highlighter: "highlighter stroke",
  Rect: "rectangle",
  Circle: "circle",
  Ellipse: "ellipse",
  Triangle: "triangle",
  Line: "line",
  Polyline: "polyline",
  Polygon: "polygon",
};

/** An object as a person would describe it. A text of a peer is on one line, without control characters. */
export type ObjectDescription =
  | { readonly kind: "eraser" }
  | { readonly kind: "text" | "picture"; readonly text: string }
  | { readonly kind: "sticker"; readonly sticker: string }
  | { readonly kind: "group"; readonly count: number }
  | {
      readonly kind: "shape";
      /** The English name of a colour; empty when it is unknown. */
      readonly color: string;
      readonly shape: string;
      /** The size in board pixels after scaling; null for a shape whose name mentions no size. */
      readonly size: { readonly width: number; readonly height: number } | null;
    };

export function describeObject(object: BoardObject): ObjectDescription {
  if (object["eraser"] === true) return { kind: "eraser" };
  if (object.type === "IText" || object.type === "Text" || object.type === "Textbox")
    return describeText(object["text"]);
  if (object.type === "Image") return { kind: "picture", text: firstLetters(object["alt"]) };
  if (object.type === "Group")
    return {
      kind: "group",
      count: Array.isArray(object["objects"]) ? object["objects"].length : 0,
    };
  return {
    kind: "shape",
    color: colorName(paintOf(object)),
    shape: SHAPES[object.type === "Path" ? kindOfPath(object) : object.type],
    size: sizeOfShape(object),
  };
}

/** Least length of a line in canvas pixels. */
const MIN_LINE = 1;
/** Greatest unevenness of a shape, whose numbers are rounded, in canvas pixels. */
const MAX_UNEVENNESS = 1;
/** Greatest number of characters of a path that may be a shape: an ellipse has the most. */
const MAX_SHAPE = 300;

/** Returns the kind of a path by its look: of one that a tool or a held stroke makes. */
function kindOfPath({ path, globalCompositeOperation }: BoardObject): keyof typeof SHAPES {
  if (globalCompositeOperation === HIGHLIGHTER.composite) return "Highlighter";
  const data = typeof path === "string" && path.length <= MAX_SHAPE ? parsePath(path) : null;
  if (!data) return "Path";
  const points: Point[] = [];
  for (let index = 0; index < data.coords.length; index += 2)
    points.push([data.coords[index] as number, data.coords[index + 1] as number]);
  const [kind, looks] = LOOKS[data.commands] ?? ["Path", () => true];
  return looks(points) ? kind : "Path";
}

type Point = readonly [x: number, y: number];

/** The kinds of paths by their commands, and what their points must be like. */
const LOOKS: Readonly<
  Record<string, readonly [keyof typeof SHAPES, (points: readonly Point[]) => boolean]>
> = {
  ML: ["Line", isLong],
  MLLLL: ["Arrow", isArrow],
  MLLZ: ["Triangle", isLong],
  MLLLZ: ["Rect", isRectangle],
  MCCCCZ: ["Ellipse", isEllipse],
  MC: ["Curve", () => true],
};

function isLong([from, to]: readonly Point[]): boolean {
  return lengthOf(from!, to!) >= MIN_LINE;
}

/** True for a way to the tip, back to it from one end of the head, and to the other end. */
function isArrow(points: readonly Point[]): boolean {
  const [, tip, left, back, right] = points as [Point, Point, Point, Point, Point];
  const isEven = Math.abs(lengthOf(left, tip) - lengthOf(right, tip)) < MAX_UNEVENNESS;
  return isLong(points) && lengthOf(back, tip) < MAX_UNEVENNESS && isEven;
}

/** True for corners whose diagonals are equally long and halve each other. */
function isRectangle(points: readonly Point[]): boolean {
  const [a, b, c, d] = points as [Point, Point, Point, Point];
  return isParallelogram(points) && Math.abs(lengthOf(a, c) - lengthOf(b, d)) < MAX_UNEVENNESS;
}

/** True for four quarters of an ellipse: between two ends of its axes each is as far from the middle as they are. */
function isEllipse(points: readonly Point[]): boolean {
  const ends = points.filter((_, index) => index % 3 === 0);
  if (!isParallelogram(ends)) return false;
  const [[x, y], , [farX, farY]] = ends as [Point, Point, Point];
  const middle = [(x + farX) / 2, (y + farY) / 2] as const;
  return [0, 3, 6, 9].every((start) => {
    const [from, near, far, to] = points.slice(start) as [Point, Point, Point, Point];
    const at = (axis: 0 | 1): number => (from[axis] + 3 * (near[axis] + far[axis]) + to[axis]) / 8;
    const on = (axis: 0 | 1): number =>
      middle[axis] + (from[axis] + to[axis] - 2 * middle[axis]) * Math.SQRT1_2;
    return lengthOf([at(0), at(1)], [on(0), on(1)]) < MAX_UNEVENNESS;
  });
}

/** True for four points whose diagonals halve each other. */
function isParallelogram(points: readonly Point[]): boolean {
  const [a, b, c, d] = points as [Point, Point, Point, Point];
  return lengthOf([a[0] + c[0], a[1] + c[1]], [b[0] + d[0], b[1] + d[1]]) < MAX_UNEVENNESS;
}

function lengthOf([x, y]: Point, [toX, toY]: Point): number {
  return Math.hypot(toX - x, toY - y);
}

function describeText(text: unknown): ObjectDescription {
  const sticker = STICKERS.find(({ emoji }) => emoji === text);
  return sticker
    ? { kind: "sticker", sticker: sticker.name }
    : { kind: "text", text: firstLetters(text) };
}

/** The first letters of a text; empty for anything else. */
function firstLetters(text: unknown): string {
  if (typeof text !== "string") return "";
  // A text of a board has up to 10,000 characters, and only the first ones are read.
  const line = safeLine(text.slice(0, 4 * TEXT_LENGTH));
  const letters = Array.from(line);
  const isCut = letters.length > TEXT_LENGTH || text.length > 4 * TEXT_LENGTH;
  return isCut ? `${letters.slice(0, TEXT_LENGTH).join("").trim()}...` : line;
}

/** The visible paint: the fill, or else the outline, or null. An absent fill is black. */
function paintOf({ type, fill = "#000000", stroke = null }: BoardObject): unknown {
  return type === "Line" || isTransparent(fill) ? stroke : fill;
}

function sizeOfShape(object: BoardObject): { width: number; height: number } | null {
  const { width, height, radius, rx, ry, type } = object;
  const sides =
    type === "Circle"
      ? [double(radius), double(radius)]
      : type === "Ellipse"
        ? [double(rx), double(ry)]
        : type === "Rect" || type === "Triangle"
          ? [width, height]
          : [];
  const [across, down] = sides;
  if (typeof across !== "number" || typeof down !== "number") return null;
  const { scaleX = 1, scaleY = 1 } = object;
  return { width: scaled(across, scaleX), height: scaled(down, scaleY) };
}

function double(half: unknown): number | undefined {
  return typeof half === "number" ? 2 * half : undefined;
}

function scaled(length: number, scale: unknown): number {
  return Math.round(length * (typeof scale === "number" ? Math.abs(scale) : 1));
}

type Rgb = readonly [red: number, green: number, blue: number];

/** Colours beside the presets that have a name. */
const MORE: readonly { readonly name: string; readonly value: string }[] = [
  { name: "Grey", value: "#808080" },
  { name: "Light grey", value: "#c8c8c8" },
  { name: "Dark grey", value: "#404040" },
  { name: "Brown", value: "#8b4513" },
  { name: "Dark blue", value: "#0000a0" },
  { name: "Bright blue", value: "#0050ff" },
  { name: "Dark green", value: "#006400" },
  { name: "Bright green", value: "#00e000" },
  { name: "Dark red", value: "#8b0000" },
  { name: "Violet", value: "#7f00ff" },
  { name: "Magenta", value: "#ff00ff" },
  { name: "Cyan", value: "#00ffff" },
  { name: "Bright yellow", value: "#ffff00" },
  { name: "Beige", value: "#f5f5dc" },
];

/** The English names of colours. */
export const COLOR_NAMES: readonly string[] = [
  ...[...COLORS, ...MORE].map(({ name }) => name),
  ...["Transparent", "Gradient"],
];

const NAMED = [...COLORS, ...MORE].map(({ name, value }) => ({ name, rgb: rgbOf(value) as Rgb }));

/** The name of a preset, or of the nearest colour that has one; empty for an unknown paint. */
function colorName(paint: unknown): string {
  if (isTransparent(paint)) return "Transparent";
  if (typeof paint !== "string") return "Gradient";
  const rgb = rgbOf(paint);
  if (rgb === null) return /^[a-z]{3,20}$/i.test(paint) ? paint.toLowerCase() : "";
  let [nearest, min] = ["", Number.POSITIVE_INFINITY];
  for (const named of NAMED) {
    const far = distance(named.rgb, rgb);
    if (far < min) [nearest, min] = [named.name, far];
  }
  return nearest;
}

function rgbOf(color: string): Rgb | null {
  const digits = /^#([0-9a-f]{3,8})$/i.exec(color)?.[1] ?? "";
  const pairs =
    digits.length < 5 ? Array.from(digits).map((one) => one + one) : digits.match(/../g);
  if (pairs && pairs.length >= 3) return tripleOf(pairs.map((pair) => Number.parseInt(pair, 16)));
  const numbers = /^rgba?\(([^)]*)\)$/i.exec(color)?.[1]?.match(/[\d.]+/g);
  return numbers ? tripleOf(numbers.map(Number)) : null;
}

function tripleOf([red, green, blue]: readonly number[]): Rgb | null {
  return red === undefined || green === undefined || blue === undefined ? null : [red, green, blue];
}

/** The distance of two colours. The eye distinguishes greens best, and blues least. */
function distance([r1, g1, b1]: Rgb, [r2, g2, b2]: Rgb): number {
  return 3 * (r1 - r2) ** 2 + 4 * (g1 - g2) ** 2 + 2 * (b1 - b2) ** 2;
}
