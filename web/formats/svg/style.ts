/** Computes the look of an element of an SVG file: attributes, `style`, simple style sheets, and inherited properties. */

import type { Json } from "../../../board/drawing.ts";
import { BLENDING } from "../../../board/schema.ts";
import { isColor } from "../../../board/values.ts";
import { CALL, resolved } from "./variables.ts";
import type { XmlElement } from "./xml.ts";

/** Properties by their names in CSS. */
export type Style = Readonly<Record<string, string>>;

const MARKERS = ["marker", "marker-start", "marker-mid", "marker-end"];
const INHERITED = [
  ...["color", "fill", "fill-opacity", "fill-rule", "stroke", "stroke-opacity", "stroke-width"],
  ...["stroke-linecap", "stroke-linejoin", "stroke-miterlimit", "stroke-dasharray"],
  ...["stroke-dashoffset", "visibility", "font-family", "font-size", "font-weight", "font-style"],
  ...["text-anchor", "text-decoration", "paint-order", "letter-spacing", "direction"],
  ...["dominant-baseline", "white-space", "xml:space", "context-fill", "context-stroke"],
  ...["text-align", "line-height", "word-spacing", "writing-mode", "font-variant"],
  ...MARKERS,
];
const OWN = [
  ...["display", "opacity", "mix-blend-mode", "vector-effect", "stop-color", "stop-opacity"],
  ...["clip-path", "background-color", "overflow"],
];
/** The size of letters where a file names none. */
export const DEFAULT_SIZE = 16;
/** The sizes of letters that have names. */
const SIZES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ "xx-small": "9", "x-small": "10", small: "13", medium: "16", large: "18" },
    ...{ "x-large": "24", "xx-large": "32", smaller: "0.83em", larger: "1.2em" },
  }),
);
const EFFECTS = ["mask", "filter"];
const PROPERTIES: ReadonlySet<string> = new Set([...INHERITED, ...OWN, ...EFFECTS]);

const PAINTS: ReadonlySet<string> = new Set([
  "color",
  "fill",
  "stroke",
  "stop-color",
  "background-color",
]);

/** Greatest number of characters of a value; a longer one is ignored, since every element inside inherits it. */
const MAX_VALUE = 500;

/** Greatest number of custom properties of an element; every element inside inherits them. */
const MAX_CUSTOM = 100;

/** The mark before the name of a property whose declaration is important: it applies after all others. */
const IMPORTANT = "!";

/** Reads declarations of CSS; those that are unknown here are left out. */
export function declarationsOf(css: string): Style {
  const style: Record<string, string> = {};
  for (const declaration of css.split(";")) {
    const colon = declaration.indexOf(":");
    const name = declaration.slice(0, colon).trim();
    if (colon < 0 || declaration.length - colon > MAX_VALUE) continue;
    const written = declaration.slice(colon + 1).trim();
    const value = written.replace(/!\s*important$/, "").trim();
    const mark = value === written ? "" : IMPORTANT;
    if (name === "font") Object.assign(style, fontOf(value));
    else if (isCustom(name) || (PROPERTIES.has(name) && isKnown(name, value, true)))
      style[mark + name] = value;
  }
  return style;
}

function isCustom(name: string): boolean {
  return name.startsWith("--");
}

/** Returns the properties that the shorthand `font` sets, without the height of lines; none where it has no size. */
function fontOf(font: string): Style {
  const [, words, size, family] =
    /^((?:[\w-]+\s+)*)([\d.]+[a-z]+)(?:\s*\/\s*\S+)?\s+(.+)$/i.exec(font) ?? [];
  if (words === undefined || size === undefined || family === undefined) return {};
  return {
    "font-style": words.includes("italic") ? "italic" : "normal",
    "font-weight": /bold|[1-9]00/.exec(words)?.[0] ?? "normal",
    ...{ "font-size": size, "font-family": family },
  };
}

/**
 * Returns whether a browser of some years ago knows a value; of one that it does not know it takes the value before. In
 * a style sheet, as not in an attribute, a space between letters has a unit.
 */
function isKnown(property: string, value: string, isDeclared = false): boolean {
  if (isDeclared && property === "letter-spacing" && /^[-+\d.]*[1-9][\d.]*$/.test(value))
    return false;
  const isOther = /^(inherit$|none$|currentcolor$|context-(fill|stroke)$|url\()/i.test(value);
  return !PAINTS.has(property) || isColor(value) || isOther || CALL.test(value);
}

/** Returns the element's properties, including inherited ones. */
export function styleOf({ attributes, declared }: XmlElement, parent: Style): Style {
  const style: Record<string, string> = {};
  for (const property of INHERITED) {
    const value = parent[property];
    if (value !== undefined) style[property] = value;
  }
  const custom = Object.keys(parent).filter(isCustom);
  for (const name of custom.slice(0, MAX_CUSTOM)) style[name] = parent[name]!;
  const [calls, important] = [new Set<string>(), new Set<string>()];
  const set = (source: Style | undefined): void => {
    for (const [property, value] of Object.entries(source ?? {})) {
      if (value !== "inherit") style[property] = value;
      const name = property.replace(IMPORTANT, "");
      if (name !== property) important.add(name);
      if (value.includes("(") && !isCustom(name)) calls.add(name);
    }
  };
  for (const [property, value] of attributes)
    if (PROPERTIES.has(property) && value.length <= MAX_VALUE && isKnown(property, value.trim()))
      set({ [property]: value.trim() });
  set(declared);
  const own = attributes.get("style");
  if (own !== undefined) set(declarationsOf(own));
  for (const name of important) {
    style[name] = style[IMPORTANT + name] ?? "";
    delete style[IMPORTANT + name];
  }
  for (const property of calls) {
    const value = resolved(style[property] ?? "", style);
    const isValid = value !== undefined && isKnown(property, value);
    style[property] = isValid ? value : parent[property]!;
    if (!isValid && !(INHERITED.includes(property) && property in parent)) delete style[property];
  }
  const size = SIZES.get(style["font-size"] ?? "") ?? style["font-size"] ?? "";
  if (style["font-weight"] === "bolder") style["font-weight"] = "bold";
  // An inherited size is in pixels by now.
  if (/[\d.](em|%)$/.test(size)) {
    const around = lengthOf(parent["font-size"]) || DEFAULT_SIZE;
    style["font-size"] = `${(Number.parseFloat(size) * around) / (size.endsWith("%") ? 100 : 1)}`;
  } else if (size) style["font-size"] = size;
  return style;
}

/** Whether the element has an effect, other than a clip, that no object of the board has. */
export function hasEffect(style: Style): boolean {
  return EFFECTS.some((property) => (style[property] ?? "none") !== "none");
}

/** CSS pixels of each unit. */
const UNITS: Readonly<Record<string, number>> = {
  ...{ px: 1, pt: 4 / 3, pc: 16, in: 96, cm: 96 / 2.54, mm: 9.6 / 2.54, q: 2.4 / 2.54, em: 16 },
  ...{ rem: 16, ex: 8 },
};

/** Reads a length in pixels; `whole` stands for 100 %. NaN for anything else. */
export function lengthOf(value: string | undefined, whole = Number.NaN): number {
  const [, number = "", unit = ""] =
    /^([-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d{1,3})?)\s*([a-z]*|%)$/i.exec((value ?? "").trim()) ??
    [];
  if (number === "") return Number.NaN;
  if (unit === "%") return (Number(number) / 100) * whole;
  const factor =
    unit === "" ? 1 : Object.hasOwn(UNITS, unit.toLowerCase()) && UNITS[unit.toLowerCase()];
  return factor === undefined || factor === false ? Number.NaN : Number(number) * factor;
}

/** Reads a number from 0 to 1, also as a percentage; 1 for anything else. */
export function opacityOf(value: string | undefined): number {
  const opacity = lengthOf(value, 1);
  return Number.isNaN(opacity) ? 1 : Math.min(1, Math.max(0, opacity));
}

/** Returns the element's own blending; undefined for none. */
export function blendingOf(style: Style): string | undefined {
  return BLENDING.find((mode) => mode === style["mix-blend-mode"]);
}

/** Converts a paint that an SVG file names by reference to one of the board; null for one that is not in the file. */
export type Gradients = (id: string) => Json;

/** Returns a paint of the board; null for none. */
export function paintOf(value: string, style: Style, gradients: Gradients): Json {
  const [, id, fallback] = /^url\(\s*["']?#([^"')\s]+)["']?\s*\)\s*(.*)$/.exec(value) ?? [];
  return id === undefined
    ? colorOf(value, style)
    : (gradients(id) ?? colorOf(fallback || "none", style));
}

/** Returns the paints of a line for its markers, which may refer to them. */
export function contextOf({ fill = "black", stroke = "none" }: Style): Style {
  return { "context-fill": fill, "context-stroke": stroke };
}

/** Returns a colour; null for none. */
export function colorOf(value: string, style: Style): Json {
  const name = value.toLowerCase();
  const color =
    name === "currentcolor"
      ? (style["color"] ?? "black")
      : /^context-(fill|stroke)$/.test(name)
        ? (style[name] ?? "none")
        : value;
  return isColor(color) ? color : null;
}

/** Returns the look of an object: paints, line, opacity. `scale`: pixels of the board in one unit of the element. */
export function lookOf(
  style: Style,
  scale: number,
  opacity: number,
  gradients: Gradients,
): Record<string, Json> {
  const fill = paintOf(style["fill"] ?? "black", style, gradients);
  const strokeWidth = lengthOf(style["stroke-width"] ?? "1") * scale;
  const line = paintOf(style["stroke"] ?? "none", style, gradients);
  const stroke = strokeWidth > 0 ? line : null;
  const [fillOpacity, strokeOpacity] = [style["fill-opacity"], style["stroke-opacity"]].map(
    opacityOf,
  ) as [number, number];
  // Where there are both, the fill is seen through the inner half of the line.
  const isOne = fill === null || stroke === null;
  const look: Record<string, Json> = {
    fill: isOne ? fill : withOpacity(fill, fillOpacity),
    stroke: isOne ? stroke : withOpacity(stroke, strokeOpacity),
    strokeWidth: stroke === null ? 0 : strokeWidth,
    opacity: opacity * (stroke === null ? fillOpacity : fill === null ? strokeOpacity : 1),
  };
  if (style["fill-rule"] === "evenodd") look["fillRule"] = "evenodd";
  return stroke === null ? look : { ...look, ...lineOf(style, scale) };
}

/** Returns the width of the line around a shape, in units of the element. */
export function lineWidthOf(style: Style): number {
  const width = lengthOf(style["stroke-width"] ?? "1");
  return (style["stroke"] ?? "none") === "none" || !(width > 0) ? 0 : width;
}

function lineOf(style: Style, scale: number): Record<string, Json> {
  const dashes = (style["stroke-dasharray"] ?? "none")
    .split(/[\s,]+/)
    .map((dash) => lengthOf(dash) * scale);
  // A line of dashes too short to be seen, or without any length, is whole.
  const isDashed =
    dashes.length <= 64 &&
    dashes.every((dash) => dash >= 0) &&
    dashes.reduce((sum, dash) => sum + dash, 0) >= 1;
  const limit = lengthOf(style["stroke-miterlimit"]);
  const offset = lengthOf(style["stroke-dashoffset"]) * scale;
  return {
    strokeLineCap: oneOf(style["stroke-linecap"], ["butt", "round", "square"]),
    strokeLineJoin: oneOf(style["stroke-linejoin"], ["miter", "round", "bevel"]),
    ...(limit >= 0 && { strokeMiterLimit: limit }),
    ...(isDashed && { strokeDashArray: dashes }),
    ...(isDashed && Number.isFinite(offset) && { strokeDashOffset: offset }),
    ...(style["vector-effect"] === "non-scaling-stroke" && { strokeUniform: true }),
    ...(style["paint-order"]?.startsWith("stroke") && { paintFirst: "stroke" }),
  };
}

function oneOf(value: string | undefined, choices: readonly [string, ...string[]]): string {
  return choices.find((choice) => choice === value) ?? choices[0];
}

/** Converts colours by name; null outside of a browser, where these stay opaque. */
const names =
  typeof OffscreenCanvas === "undefined" ? null : new OffscreenCanvas(1, 1).getContext("2d");

/** Applies an opacity to a paint. In a gradient the colours have it: Fabric 7 knows no opacity beside them. */
export function withOpacity(paint: Json, opacity: number): Json {
  if (opacity >= 1) return paint;
  if (typeof paint !== "string") return gradientWithOpacity(paint, opacity);
  if (names && isColor(paint) && /^[a-z]+$/i.test(paint)) {
    names.fillStyle = paint;
    return withOpacity(names.fillStyle, opacity);
  }
  const [, digits, name, list = ""] = /^(?:#([\da-f]+)|(rgb|hsl)a?\((.*)\))$/i.exec(paint) ?? [];
  if (digits !== undefined) {
    const [r, g, b, a = "ff"] = digits.match(digits.length < 6 ? /./g : /../g) ?? [];
    const two = (text = "") => text.padStart(2, text);
    const alpha = Math.round(opacity * Number.parseInt(two(a), 16));
    return `#${two(r)}${two(g)}${two(b)}${alpha.toString(16).padStart(2, "0")}`;
  }
  if (name === undefined) return paint;
  const [a, b, c, alpha] = list.trim().split(/[\s,/]+/);
  return `${name}a(${a}, ${b}, ${c}, ${(opacity * opacityOf(alpha)).toFixed(3)})`;
}

function gradientWithOpacity(paint: Json, opacity: number): Json {
  if (typeof paint !== "object" || paint === null || !("colorStops" in paint)) return paint;
  const stops = paint["colorStops"] as readonly { readonly color: string }[];
  const colorStops = stops.map((one) => ({ ...one, color: withOpacity(one.color, opacity) }));
  return { ...paint, colorStops };
}
