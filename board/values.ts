/** Reads one value of unknown origin by its kind. Undefined means that the value is invalid. */

import type { Json } from "./drawing.ts";
import { isRecord } from "./json.ts";
import { isWhole, isWithin } from "./message-fields.ts";
import { encodeCommands, isPath } from "./path.ts";
import { STYLE, type Kind } from "./schema.ts";
import {
  MAX_BLUR,
  MAX_COORDINATE,
  MAX_PATH_CHARS,
  MAX_POINTS,
  MAX_SIZE,
  MAX_SOURCE,
  MAX_STYLES,
} from "./limits.ts";

/** The options of reading a value. */
export interface ValueOptions {
  /** True to round numbers and turn path arrays into text; false for drawings that we wrote, whose values are final. */
  readonly compact: boolean;
  /** True to clamp numbers instead of refusing them, for what this page's own tools made. */
  readonly clamp: boolean;
  /** The magnification of the object by itself, and by the groups around it. At least 1. */
  readonly ownScale: number;
  readonly parentScale: number;
}

type NumberKind = Extract<Kind, { kind: "number" }>;

/** The kinds that are read here; the object parser reads those that contain whole objects. */
export type PlainKind = Exclude<Kind, { kind: "object" | "objects" }>;

/** Matches CSS names that mean the same colour everywhere. A canvas ignores any other word, and paints what it painted before. */
const COLOR_NAME =
  "(?:dark|light|medium)?(?:blue|seagreen)|(?:dark|light|pale)?green|(?:dark|medium|pale)?turquoise|" +
  "(?:dark|light)?(?:cyan|salmon|(?:slate)?gr[ae]y)|(?:dark|medium)?(?:orchid|slateblue)|" +
  "(?:dark|pale)?goldenrod|(?:dark)?(?:khaki|magenta|orange|red|violet)|(?:deep|light)?(?:pink|skyblue)|" +
  "(?:light)?(?:coral|steelblue|yellow)|(?:medium)?(?:aquamarine|purple|springgreen)|(?:medium|pale)violetred|" +
  "aliceblue|antiquewhite|aqua|azure|beige|bisque|black|blanchedalmond|blueviolet|brown|burlywood|cadetblue|" +
  "chartreuse|chocolate|cornflowerblue|cornsilk|crimson|darkolivegreen|dimgr[ae]y|dodgerblue|firebrick|" +
  "floralwhite|forestgreen|fuchsia|gainsboro|ghostwhite|gold|greenyellow|honeydew|hotpink|indianred|indigo|" +
  "ivory|lavender|lavenderblush|lawngreen|lemonchiffon|lightgoldenrodyellow|lime|limegreen|linen|maroon|" +
  "midnightblue|mintcream|mistyrose|moccasin|navajowhite|navy|oldlace|olive|olivedrab|orangered|papayawhip|" +
  "peachpuff|peru|plum|powderblue|rebeccapurple|rosybrown|royalblue|saddlebrown|sandybrown|seashell|sienna|" +
  "silver|snow|tan|teal|thistle|tomato|transparent|wheat|white|whitesmoke|yellowgreen";
const NUMBER = String.raw`[-+]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[-+]?\d+)?`;
const colorFunction = (separator: string, beforeOpacity: string): string =>
  `(?:rgba?\\( *${NUMBER}(?:(?:${separator}${NUMBER}){2}|%(?:${separator}${NUMBER}%){2})|` +
  `hsla?\\( *${NUMBER}(?:deg)?(?:${separator}${NUMBER}%){2})(?: *${beforeOpacity} *${NUMBER}%?)? *\\)`;
const COLOR = new RegExp(
  `^(?:${COLOR_NAME}|#(?:[0-9a-f]{3,4}|(?:[0-9a-f]{2}){3,4})|${colorFunction(" *, *", ",")}|${colorFunction(" +", "/")})$`,
  "i",
);
const FONT = /^[^\p{Cc}\p{Cs}<>{}();\\]{1,100}$/u;
/** Matches NUL and half surrogate pairs: a database stores no JSON with one of them, so a single text would stop all saving. */
const UNSTORABLE = /\0|\p{Cs}/gu;
/** Matches a picture inside the text itself, of a type that is decoded to pixels: no address and no SVG can pass. */
const SOURCE = /^data:image\/(?:png|jpeg|webp|gif);base64,[A-Za-z0-9+/]+={0,2}$/;
/** Greatest number that an origin may be, in sizes of the object. */
const MAX_ORIGIN = 1_000;
const WEIGHT = /^(?:normal|bold|bolder|lighter|[1-9][0-9]{0,3})$/;

/** Whether a value is a CSS colour, by a whitelist: hex, rgb(), rgba(), hsl(), hsla(), or a name. No url() can pass. */
export function isColor(value: unknown): value is string {
  return typeof value === "string" && value.length <= 72 && COLOR.test(value);
}

export function readValue(of: PlainKind, value: unknown, manner: ValueOptions): Json | undefined {
  switch (of.kind) {
    case "number":
      return readNumber(of, value, manner);
    case "flag":
      return typeof value === "boolean" ? value : undefined;
    case "choice":
      if (of.orNumber && isWithin(value, -MAX_ORIGIN, MAX_ORIGIN)) return value;
      return typeof value === "string" && of.of.includes(value) ? value : undefined;
    case "color":
      return value === null || value === "" || isColor(value) ? value : undefined;
    case "paint":
      return readPaint(value, manner);
    case "text":
      if (typeof value !== "string" || (value.length > of.max && !manner.clamp)) return undefined;
      return value.slice(0, of.max).replace(UNSTORABLE, "\ufffd");
    case "font":
      return typeof value === "string" && FONT.test(value) ? value : undefined;
    case "weight":
      return readWeight(value);
    case "dashes":
      return readDashes(value);
    case "shadow":
      return readShadow(value);
    case "styles":
      return readStyles(value, manner);
    case "path":
      return readPath(value, manner);
    case "points":
      return readPoints(value, manner);
    case "source":
      return typeof value === "string" && value.length <= MAX_SOURCE && SOURCE.test(value)
        ? value
        : undefined;
  }
}

/** Rounds half up and never to -0, so that rounding twice changes nothing. */
export function round(value: number, digits: number): number {
  const unit = 10 ** digits;
  const rounded = Math.round(value * unit) / unit;
  return Object.is(rounded, -0) ? 0 : rounded;
}

/** The decimals that keep 0.1 px (0.2 up to a doubled size) on the screen at this magnification. */
export function digitsAt(scale: number): number {
  return scale <= 2 ? 1 : Math.min(6, 1 + Math.ceil(Math.log10(scale / 2)));
}

function readNumber(of: NumberKind, value: unknown, manner: ValueOptions): number | undefined {
  if (typeof value !== "number" || !Number.isFinite(value)) return undefined;
  if ((value < of.min || value > of.max) && !manner.clamp) return undefined;
  const inside = Math.min(of.max, Math.max(of.min, value));
  if (!manner.compact) return inside;
  if (of.length === undefined) return round(inside, of.digits);
  return round(inside, digitsAt(of.length === "own" ? manner.ownScale : manner.parentScale));
}

function readPaint(value: unknown, manner: ValueOptions): Json | undefined {
  if (value === null || value === "" || isColor(value)) return value;
  return isRecord(value) ? readGradient(value, manner) : undefined;
}

function readGradient(
  value: Readonly<Record<string, unknown>>,
  manner: ValueOptions,
): Json | undefined {
  const { type, coords, colorStops, gradientUnits, gradientTransform } = value;
  if (type !== "linear" && type !== "radial") return undefined;
  if (!isRecord(coords) || !Array.isArray(colorStops) || colorStops.length > 100) return undefined;
  const at: Record<string, number> = {};
  for (const name of type === "linear"
    ? ["x1", "y1", "x2", "y2"]
    : ["x1", "y1", "x2", "y2", "r1", "r2"]) {
    const given = coords[name] ?? 0;
    // Canvas throws for a negative radius.
    if (!isWithin(given, name.startsWith("r") ? 0 : -MAX_COORDINATE)) return undefined;
    at[name] = manner.compact ? round(given, 4) : given;
  }
  const stops: Json[] = [];
  for (const stop of colorStops as unknown[]) {
    if (!isRecord(stop) || !isColor(stop["color"])) return undefined;
    if (!isWithin(stop["offset"], 0, 1)) return undefined;
    const opacity = stop["opacity"];
    if (opacity !== undefined && opacity !== null && !isWithin(opacity, 0, 1)) return undefined;
    const read = { offset: stop["offset"], color: stop["color"] };
    stops.push(typeof opacity === "number" ? { ...read, opacity } : read);
  }
  const gradient: Record<string, Json> = { type, coords: at, colorStops: stops };
  for (const name of ["offsetX", "offsetY"]) {
    const offset = value[name] ?? 0;
    if (!isWithin(offset)) return undefined;
    if (offset !== 0) gradient[name] = offset;
  }
  if (gradientUnits === "percentage") gradient["gradientUnits"] = "percentage";
  if (gradientTransform !== undefined && gradientTransform !== null) {
    if (!Array.isArray(gradientTransform) || gradientTransform.length !== 6) return undefined;
    if (!gradientTransform.every((entry: unknown) => isWithin(entry))) return undefined;
    gradient["gradientTransform"] = gradientTransform.map(Number);
  }
  return gradient;
}

function readWeight(value: unknown): Json | undefined {
  if (typeof value === "string") return value === "" || WEIGHT.test(value) ? value : undefined;
  return isWithin(value, 1, 1000) ? value : undefined;
}

/** Reads a dash pattern. Dashes that add up to less than a pixel would keep a browser busy for minutes on one long line. */
function readDashes(value: unknown): Json | undefined {
  if (value === null) return null;
  if (!Array.isArray(value) || value.length > 64) return undefined;
  if (!value.every((entry: unknown) => isWithin(entry, 0, MAX_SIZE))) return undefined;
  const dashes = (value as number[]).map((entry) => round(entry, 3));
  const sum = dashes.reduce((total, entry) => total + entry, 0);
  return dashes.length === 0 || sum >= 1 ? dashes : undefined;
}

function readShadow(value: unknown): Json | undefined {
  if (value === null || value === "") return null;
  if (!isRecord(value)) return undefined;
  const color = value["color"] ?? "rgb(0,0,0)";
  if (!isColor(color)) return undefined;
  const shadow: Record<string, Json> = { type: "shadow", color };
  const bounds = { blur: [0, MAX_BLUR], offsetX: [-10_000, 10_000], offsetY: [-10_000, 10_000] };
  for (const [name, [min, max]] of Object.entries(bounds)) {
    const given = value[name] ?? 0;
    if (!isWithin(given, min)) return undefined;
    const rounded = round(Math.min(given, max ?? given), 2);
    if (rounded !== 0) shadow[name] = rounded;
  }
  for (const name of ["affectStroke", "nonScaling"]) {
    if (value[name] === true) shadow[name] = true;
  }
  return shadow;
}

/**
 * Reads the styles of a text. Fabric 5 to 7 write a list of ranges, older ones write lines of characters; Fabric 7
 * reads both.
 */
function readStyles(value: unknown, manner: ValueOptions): Json | undefined {
  if (value === null) return [];
  if (Array.isArray(value)) {
    if (value.length > MAX_STYLES) return undefined;
    const ranges: Json[] = [];
    for (const range of value as unknown[]) {
      if (!isRecord(range)) return undefined;
      const { start, end } = range;
      if (!isIndex(start) || !isIndex(end)) return undefined;
      const style = readStyle(range["style"], manner);
      if (style === undefined) return undefined;
      ranges.push({ start, end, style });
    }
    return ranges;
  }
  if (!isRecord(value)) return undefined;
  let count = 0;
  const lines: Record<string, Json> = {};
  for (const [line, characters] of Object.entries(value)) {
    if (!isIndex(Number(line)) || !isRecord(characters)) return undefined;
    const styles: Record<string, Json> = {};
    for (const [at, given] of Object.entries(characters)) {
      count += 1;
      const style =
        isIndex(Number(at)) && count <= MAX_STYLES ? readStyle(given, manner) : undefined;
      if (style === undefined) return undefined;
      styles[String(Number(at))] = style;
    }
    if (Object.keys(styles).length > 0) lines[String(Number(line))] = styles;
  }
  return Object.keys(lines).length > 0 ? lines : [];
}

function readStyle(value: unknown, manner: ValueOptions): Json | undefined {
  if (!isRecord(value)) return undefined;
  const style: Record<string, Json> = {};
  for (const [name, property] of Object.entries(STYLE)) {
    if (!Object.hasOwn(value, name) || value[name] === undefined) continue;
    const read = readValue(property.of as PlainKind, value[name], manner);
    if (read === undefined) return undefined;
    style[name] = read;
  }
  return style;
}

function readPath(value: unknown, manner: ValueOptions): Json | undefined {
  const text: unknown =
    Array.isArray(value) && value.length <= MAX_PATH_CHARS
      ? encodeCommands(value, manner.compact ? digitsAt(manner.ownScale) : 6)
      : value;
  // What is written of commands may be out of range, such as a control point that T mirrors.
  return typeof text === "string" && text.length <= MAX_PATH_CHARS && isPath(text)
    ? text
    : undefined;
}

function readPoints(value: unknown, manner: ValueOptions): Json | undefined {
  if (!Array.isArray(value) || value.length > MAX_POINTS) return undefined;
  const digits = digitsAt(manner.ownScale);
  const points: Json[] = [];
  for (const point of value as unknown[]) {
    if (!isRecord(point)) return undefined;
    const { x, y } = point;
    if (!isWithin(x) || !isWithin(y)) return undefined;
    points.push(manner.compact ? { x: round(x, digits), y: round(y, digits) } : { x, y });
  }
  return points;
}

function isIndex(value: unknown): value is number {
  return isWhole(value, 1e6);
}
