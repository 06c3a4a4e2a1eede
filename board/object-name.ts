/** What an object is called: by screen readers, in the list of objects, and in sentences about changes. */

import { COLORS } from "./constants.ts";
import type { BoardObject, ObjectType } from "./drawing.ts";
import { safeLine } from "./presence.ts";
import { STICKERS } from "./stickers.ts";

/** Characters of a text that its name contains. */
const TEXT_LENGTH = 40;

const SHAPES: Readonly<
  Record<Exclude<ObjectType, "IText" | "Text" | "Textbox" | "Image" | "Group">, string>
> = {
  Path: "stroke",
  Rect: "rectangle",
  Circle: "circle",
  Ellipse: "ellipse",
  Triangle: "triangle",
  Line: "line",
  Polyline: "polyline",
  Polygon: "polygon",
};

/** Such as `Text "Good morning"`, `Sticker rainbow`, `Red rectangle, 150 by 100` and `Teal stroke`. On one line, without control characters. */
export function objectName(object: BoardObject): string {
  if (object["eraser"] === true) return "Eraser stroke";
  if (object.type === "IText" || object.type === "Text" || object.type === "Textbox")
    return textName("Text", object["text"]);
  if (object.type === "Image") return textName("Picture", object["alt"]);
  if (object.type === "Group") {
    const count = Array.isArray(object["objects"]) ? object["objects"].length : 0;
    return count === 1 ? "Group of 1 object" : `Group of ${count} objects`;
  }
  const size = sizeOfShape(object);
  const words = [colorName(paintOf(object)), SHAPES[object.type]].filter(Boolean).join(" ");
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${size && `, ${size}`}`;
}

/** The same in the middle of a sentence. */
export function objectPhrase(object: BoardObject): string {
  const name = objectName(object);
  return `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
}

/** The words, in quotes behind the name of what they belong to. */
function textName(kind: string, text: unknown): string {
  if (typeof text !== "string") return kind;
  const sticker = STICKERS.find(({ emoji }) => emoji === text);
  if (sticker) return `Sticker ${sticker.name}`;
  // A text of a board has up to 10,000 characters, and only the first ones are read.
  const line = safeLine(text.slice(0, 4 * TEXT_LENGTH));
  const letters = Array.from(line);
  if (letters.length === 0) return kind;
  const isCut = letters.length > TEXT_LENGTH || text.length > 4 * TEXT_LENGTH;
  return `${kind} "${isCut ? `${letters.slice(0, TEXT_LENGTH).join("").trim()}...` : line}"`;
}

/** What is seen of the colours: the fill, else the outline. An absent fill is black. */
function paintOf(object: BoardObject): unknown {
  const { fill = "#000000", stroke } = object;
  const isOpen = object.type === "Line" || isNone(fill);
  return isOpen ? stroke : fill;
}

function isNone(paint: unknown): boolean {
  return paint === null || paint === undefined || paint === "" || paint === "transparent";
}

/** Width by height in pixels of the board, as it is scaled; empty for what has no measures of its own. */
function sizeOfShape(object: BoardObject): string {
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
  if (typeof across !== "number" || typeof down !== "number") return "";
  const { scaleX = 1, scaleY = 1 } = object;
  return `${scaled(across, scaleX)} by ${scaled(down, scaleY)}`;
}

function double(half: unknown): number | undefined {
  return typeof half === "number" ? 2 * half : undefined;
}

function scaled(length: number, scale: unknown): number {
  return Math.round(length * (typeof scale === "number" ? Math.abs(scale) : 1));
}

type Rgb = readonly [red: number, green: number, blue: number];

/** Further colours that have a name of their own. */
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

const NAMED = [...COLORS, ...MORE].map(({ name, value }) => ({ name, rgb: rgbOf(value) as Rgb }));

/** In lower case: a preset's name, or that of the nearest colour that has one. Empty where nothing is known of it. */
function colorName(paint: unknown): string {
  if (isNone(paint)) return "transparent";
  if (typeof paint !== "string") return "gradient";
  const rgb = rgbOf(paint);
  if (rgb === null) return /^[a-z]{3,20}$/i.test(paint) ? paint.toLowerCase() : "";
  let [nearest, min] = ["", Number.POSITIVE_INFINITY];
  for (const named of NAMED) {
    const far = distance(named.rgb, rgb);
    if (far < min) [nearest, min] = [named.name, far];
  }
  return nearest.toLowerCase();
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

/** The eye tells greens apart best, and blues min. */
function distance([r1, g1, b1]: Rgb, [r2, g2, b2]: Rgb): number {
  return 3 * (r1 - r2) ** 2 + 4 * (g1 - g2) ** 2 + 2 * (b1 - b2) ** 2;
}
