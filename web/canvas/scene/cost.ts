/**
 * Estimates the cost of painting an object from its properties, since anybody may put any object on the board. Costly
 * objects are painted in slices, and the costliest features (effects) only for a limited number of objects.
 */

import type { BoardObject } from "../../../board/drawing.ts";
import { isRecord } from "../../../board/json.ts";
import { parsePath } from "../../../board/path.ts";
import { numberOr } from "../geometry/transform.ts";
import { isLayered } from "./layer.ts";

/** An object, or a part of one, as it is in the drawing. */
export type Part = Readonly<Record<string, unknown>>;

export interface PaintCost {
  /** The approximate time of painting, in units of 0.01 ms on a slow machine. */
  readonly work: number;
  /**
   * The number of pictures that the browser or Fabric paints on another canvas first. There is one for the shadow of
   * each shape, line of text or letter; one for each 40,000 pixels of an object with a clip path, or with a gradient
   * that becomes a picture.
   */
  readonly effects: number;
}

/** The greatest number of effects that are painted; any further object is painted without its own (see `effects.ts`). */
export const MAX_EFFECTS = 200;

/** The greatest number of parts of a group that are painted, including those of groups inside it. */
export const MAX_PARTS = 5000;

/** The greatest number of letters that are painted one by one; a longer text is painted line by line. */
export const MAX_LONE_LETTERS = 3000;

/** The greatest number of dashes of one outline; an outline with more is painted without gaps. */
export const MAX_DASHES = 5000;

/** The work of parts in units of `PaintCost.work`, from measurements in Chromium without a graphics card. */
const PART_WORK = { fabric: 3, shadow: 50, layer: 50, gradient: 10, dash: 0.05 } as const;
/** Pixels of one effect, and the greatest number of effects of one layer: Fabric makes it no larger than 2 ** 21 pixels. */
const LAYER = { pixels: 40_000, max: 53 } as const;
/** Pixels of a picture in one unit of work. */
const PICTURE_PIXELS = 20_000;
/** The number of pictures as which the layer of an object counts. */
const LAYERED = 10;
/** The number of shapes, each with a picture of its own, in one effect. */
const PICTURES = 10;
/** Characters of path data, points and letters in one unit of work. */
const PATH_CHARS = 100;
const POINTS = 10;
const LETTERS = { alone: 2, inLines: 10 } as const;

/** Estimates the cost of painting the object; `area` is the area that it covers, in canvas pixels squared. */
export function paintCost(object: BoardObject, area: number): PaintCost {
  const { type, visible } = object;
  if (visible === false) return { work: 0, effects: 0 };
  const isImage = type === "Image";
  const isPlain = type === "Path" || type === "Rect" || type === "Circle";
  const path = object["path"];
  const times = isLayered(object) ? LAYERED : isImage ? 1 : 0;
  const picture = times * (1 + area / PICTURE_PIXELS);
  if (isImage || (isPlain && !isRare(object)))
    return {
      work: 1 + picture + (typeof path === "string" ? path.length / PATH_CHARS : 0),
      effects: 0,
    };
  const pixels = Math.ceil(area / LAYER.pixels);
  const { work, effects } = costOfPart(object, Math.max(1, Math.min(LAYER.max, pixels)));
  return { work: work + picture, effects };
}

/** Returns the parts directly inside of a part: the objects of a group, a clip path, the path of a text. */
export function partsOf(part: Part): readonly Part[] {
  const parts: Part[] = [];
  for (const name of ["objects", "clipPath", "path"]) {
    const inner = part[name];
    if (Array.isArray(inner)) parts.push(...(inner as Part[]));
    else if (isRecord(inner)) parts.push(inner);
  }
  return parts;
}

/** True for a gradient that Fabric paints on a canvas of its own, as large as the object, before each use. */
function isPictureGradient(part: Part, name: "fill" | "stroke"): boolean {
  const paint = part[name];
  if (!isRecord(paint)) return false;
  if (paint["gradientUnits"] !== "percentage" && !paint["gradientTransform"]) return false;
  return name === "stroke" || isText(part);
}

/** True when the part has so many dashes that it is painted without gaps. */
export function hasTooManyDashes(part: Part): boolean {
  return dashesOf(part) > MAX_DASHES;
}

/** Returns at least the number of dashes of a part's outline; 0 when it has none. */
export function dashesOf(part: Part): number {
  const dashes = part["strokeDashArray"];
  if (!Array.isArray(dashes) || dashes.length === 0) return 0;
  let sum = 0;
  for (const dash of dashes) sum += numberOr(dash, 0);
  if (sum <= 0) return Infinity;
  // A uniform stroke has its dashes on the screen, however much the outline is scaled.
  const scale = part["strokeUniform"] === true ? scaleOf(part) : 1;
  return (strokeLength(part) * Math.max(1, scale) * dashes.length) / sum;
}

function isText(part: Part): boolean {
  return part["type"] === "IText" || part["type"] === "Text" || part["type"] === "Textbox";
}

function isRare(part: Part): boolean {
  return Boolean(
    part["shadow"] ||
    part["clipPath"] ||
    part["strokeDashArray"] ||
    isRecord(part["fill"]) ||
    isRecord(part["stroke"]),
  );
}

/** Adds the costs of a part and of those inside it: each part of a group casts its shadow. `layer`: the effects of a layer. */
function costOfPart(part: Part, layer: number): PaintCost {
  let work: number = PART_WORK.fabric;
  let effects = 0;
  let shapes = paintedShapes(part);
  for (const inner of partsOf(part)) {
    const cost = costOfPart(inner, layer);
    work += cost.work;
    effects += cost.effects;
    shapes += paintedShapes(inner);
  }
  let own = part["clipPath"] ? layer : 0;
  for (const name of ["fill", "stroke"] as const) {
    if (isRecord(part[name])) work += PART_WORK.gradient;
    if (isPictureGradient(part, name)) own += layer * Math.ceil(paintedShapes(part) / PICTURES);
  }
  work += Math.min(own, LAYER.max) * PART_WORK.layer;
  if (part["shadow"]) {
    own += shapes;
    work += shapes * PART_WORK.shadow;
  }
  const { path, points } = part;
  if (typeof path === "string") work += path.length / PATH_CHARS;
  if (Array.isArray(points)) work += points.length / POINTS;
  if (isText(part))
    work += textOf(part).length / (hasLoneLetters(part) ? LETTERS.alone : LETTERS.inLines);
  work += PART_WORK.dash * Math.min(MAX_DASHES, dashesOf(part));
  return { work, effects: effects + own };
}

/** Returns the number of shapes that cast a shadow: one, or each line of a text, or each letter. */
function paintedShapes(part: Part): number {
  if (!isText(part)) return 1;
  const text = textOf(part);
  if (hasLoneLetters(part)) return Math.max(1, text.length);
  const wrapped = part["type"] === "Textbox" ? text.length / LETTERS.inLines : 0;
  return Math.ceil(wrapped) + text.split("\n").length;
}

function textOf(part: Part): string {
  return typeof part["text"] === "string" ? part["text"] : "";
}

/** True for a text that Fabric paints letter by letter; most are painted line by line. */
export function hasLoneLetters(part: Part): boolean {
  if (!isText(part)) return false;
  const { styles, charSpacing, textAlign, path } = part;
  if (numberOr(charSpacing, 0) !== 0 || isRecord(path)) return true;
  if (typeof textAlign === "string" && textAlign.startsWith("justify")) return true;
  return Array.isArray(styles) ? styles.length > 0 : isRecord(styles);
}

function scaleOf(part: Part): number {
  return Math.max(Math.abs(numberOr(part["scaleX"], 1)), Math.abs(numberOr(part["scaleY"], 1)));
}

/** Returns at least the length of the outline before it is scaled. */
function strokeLength(part: Part): number {
  const { type, path, points } = part;
  const n = (name: string, otherwise = 0): number => numberOr(part[name], otherwise);
  if (typeof path === "string") return lengthOfPath(path);
  if (Array.isArray(points)) return lengthOfPoints(points as Part[]);
  if (type === "Line") return Math.hypot(n("x2") - n("x1"), n("y2") - n("y1"));
  if (type === "Circle") return 2 * Math.PI * n("radius");
  if (type === "Ellipse") return 2 * Math.PI * Math.max(n("rx"), n("ry"));
  // The outline of a letter is about ten times as long as the letter is high.
  if (isText(part)) return 10 * n("fontSize", 40) * textOf(part).length;
  return 2 * (n("width", 100) + n("height", 100));
}

function lengthOfPath(path: string): number {
  const data = parsePath(path);
  if (!data) return 0;
  const { coords } = data;
  let length = 0;
  for (let i = 2; i < coords.length; i += 2)
    length += Math.hypot(
      (coords[i] as number) - (coords[i - 2] as number),
      (coords[i + 1] as number) - (coords[i - 1] as number),
    );
  return length;
}

function lengthOfPoints(points: readonly Part[]): number {
  let length = 0;
  for (const [i, point] of points.entries()) {
    const before = points[i - 1] ?? point;
    length += Math.hypot(
      numberOr(point["x"], 0) - numberOr(before["x"], 0),
      numberOr(point["y"], 0) - numberOr(before["y"], 0),
    );
  }
  return length;
}
