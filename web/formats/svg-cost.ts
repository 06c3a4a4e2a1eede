/**
 * Estimates the cost of drawing an SVG file as a picture, before a browser draws it: a small file may repeat itself
 * endlessly.
 */

import { LIMITS } from "../../board/constants.ts";
import { REPEATS_TOO_MUCH } from "./svg.ts";
import {
  CHILD_CHARS,
  contentsOf,
  MAX_READ,
  readXml,
  withEntities,
  type XmlElement,
} from "./svg/xml.ts";

/** Characters that count for an effect that is painted pixel by pixel, of which a file may have at most 2,000. */
const EFFECT = MAX_READ / 2_000;
/** Matches elements that are painted pixel by pixel, and such functions of style sheets. */
const EFFECTS = /^(?:mask|image|fe[A-Z]\w*)$/;
const FILTERS = /\b(?:blur|drop-shadow)\(/gi;
/** Elements that draw the element which their `href` names. */
const DRAWING: ReadonlySet<string> = new Set([
  ...["use", "pattern", "linearGradient", "radialGradient", "filter", "feImage", "textPath"],
]);
/** Matches the declarations that draw a marker at each point of a line. */
const AT_EACH_POINT = /\bmarker(?:-mid)?\s*:[^;}]*/gi;
/** The depth to which elements may be nested, or refer to each other in a chain. */
const MAX_CHAIN = 500;
/** The depth to which SVG files may be nested as data URLs. */
const MAX_INNER = 3;
/** Matches the prefix of a name: a file may give the names of SVG any. */
const ANY_PREFIX = /^[^:]*:/;
const INNER_SVG = /data:image\/svg\+xml[^,"')\s]{0,100},[^"')\s]*/gi;
/** Matches the characters that a browser leaves out of an address. */
const LEFT_OUT = /[\t\n\r]/g;

/** Returns why the text of an SVG file is not drawn, as one clause; null when it may be drawn. Never throws. */
export function refuseSvg(text: string): string | null {
  const cost = costOf(text, 0);
  if (typeof cost === "string") return cost;
  return cost > MAX_READ ? REPEATS_TOO_MUCH : null;
}

/**
 * Returns the number of characters that a file stands for, in which a reference counts each time, or the reason why
 * it is not drawn.
 */
function costOf(written: string, depth: number): number | string {
  if (written.length > LIMITS.canvasBytes) return "it is larger than 10 MB";
  const text = depth > MAX_INNER ? null : withEntities(written);
  if (text === null || hasOuterStyle(text)) return REPEATS_TOO_MUCH;
  const xml = readXml(text, ANY_PREFIX);
  if (!xml.ok) return xml.reason;
  const { elements, sheets } = contentsOf(xml.root);
  const counting = { elements, inner: (value: string) => innerCost(value, depth) };
  // A rule may apply to every element, so anything to which a style sheet refers counts for each.
  const style = sheets.join("\n");
  if (importsData(style)) return REPEATS_TOO_MUCH;
  const alone = createCount({ ...counting, each: 0, eachPoint: 0 });
  const shared = { each: alone.value(style), eachPoint: alone.value(markersIn(style)) };
  return createCount({ ...counting, ...shared }).element(xml.root, 0);
}

/** Whether a file names, outside of its elements, a style sheet that may be a data URL. */
function hasOuterStyle(text: string): boolean {
  let at = 0;
  for (;;) {
    const from = text.indexOf("<?xml-stylesheet", at);
    at = text.indexOf("?>", from);
    if (from < 0 || at < 0) return false;
    if (/data:|&/i.test(text.slice(from, at).replace(LEFT_OUT, ""))) return true;
  }
}

/** Whether a style sheet may import one that is a data URL. */
function importsData(style: string): boolean {
  const rules = withoutEscapes(style).replace(LEFT_OUT, "").split(";");
  return rules.some((rule) => /@import/i.test(rule) && /data:|\\/i.test(rule));
}

/**
 * Whether a style gives a variable something to draw, which any number of elements may use, or has a comment where its
 * markers would not be found.
 */
function isObscure(style: string): boolean {
  if (/\bmarker(?:-mid)?\s*\/\*/i.test(style)) return true;
  if (!style.includes("--")) return false;
  return style.split(/[;{}]/).some((one) => /(?:^|[\s/])--/.test(one) && /url\(/i.test(one));
}

/** Whether an element has others draw what they do not name: by an animation, or by a style sheet of HTML. */
function isUncountable({ name, attributes }: XmlElement): boolean {
  if (/^(?:set|animate)/.test(name))
    return /href|marker/.test(attributes.get("attributeName") ?? "");
  const isData = (value: string): boolean => /data:/i.test(value.replace(LEFT_OUT, ""));
  return name === "link" && [...attributes.values()].some(isData);
}

/** Returns the ids that the fragment of an address may mean. */
function idsOf(fragment: string): Iterable<string> {
  const plain = fragment.replace(LEFT_OUT, "");
  try {
    return new Set([plain, decodeURIComponent(plain)]);
  } catch {
    return [plain];
  }
}

/** Returns the fragments of the addresses that an element names. */
function fragmentsOf({ attributes }: XmlElement): string[] {
  return [...attributes]
    .filter(([name, value]) => /(?:^|:)href$/.test(name) && value.includes("#"))
    .map(([, value]) => value.slice(value.indexOf("#") + 1));
}

interface Counting {
  readonly elements: ReadonlyMap<string, XmlElement>;
  /** Returns the number of characters that the SVG files inside a value stand for. */
  readonly inner: (value: string) => number;
  /** Characters that count for each element. */
  readonly each: number;
  /** Characters that count for each point of a line. */
  readonly eachPoint: number;
}

/** Returns the declarations of a style that draw a marker at each point of a line. */
function markersIn(style: string): string {
  const found = withoutEscapes(style).match(AT_EACH_POINT) ?? [];
  return found.filter((one) => one.includes("(")).join(";");
}

/** Returns a text of CSS with the letters and digits that it writes as escapes. */
function withoutEscapes(css: string): string {
  if (!css.includes("\\")) return css;
  return css.replaceAll(
    /\\(?:0{0,4}([2-7][0-9a-f])\s?|([g-z]))/gi,
    (_, code?: string, letter = "") =>
      code === undefined ? String(letter) : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/** Returns functions that count the characters for which an element and a value stand; each element is visited once. */
function createCount({ elements, inner, each, eachPoint }: Counting) {
  /** Counts by element; infinite while one is being counted, since a circle of references is endless. */
  const counts = new Map<XmlElement, number>();
  const found = (fragment: string): XmlElement[] =>
    [...idsOf(fragment)].flatMap((id) => elements.get(id) ?? []);
  const target = (fragment: string, chain: number): number =>
    found(fragment).reduce((sum, one) => sum + count(one, chain + 1), 0);
  const pointCounts = new Map<XmlElement, number>();
  /** Returns the greatest number of points of the lines that an element draws, with those that it uses. */
  const countPoints = (element: XmlElement, chain: number): number => {
    const known = pointCounts.get(element);
    if (known !== undefined) return known;
    pointCounts.set(element, Number.POSITIVE_INFINITY);
    if (chain > MAX_CHAIN) return Number.POSITIVE_INFINITY;
    let sum = pointsOf(element);
    const used = element.name === "use" ? fragmentsOf(element).flatMap(found) : [];
    for (const child of [...element.children, ...used])
      if (typeof child !== "string") sum += countPoints(child, chain + 1);
    pointCounts.set(element, sum);
    return sum;
  };
  const countValue = (written: string, chain = 0): number => {
    const value = withoutEscapes(written).replace(LEFT_OUT, "");
    if (isObscure(value)) return Number.POSITIVE_INFINITY;
    let sum = value.length + inner(value);
    if (!value.includes("(")) return sum;
    for (const [, id = ""] of value.matchAll(/url\(\s*["']?#([^"')\s]+)/gi))
      sum += target(id, chain);
    return sum + EFFECT * [...value.matchAll(FILTERS)].length;
  };
  const count = (element: XmlElement, chain: number): number => {
    const known = counts.get(element);
    if (known !== undefined) return known;
    counts.set(element, Number.POSITIVE_INFINITY);
    if (chain > MAX_CHAIN || isUncountable(element)) return Number.POSITIVE_INFINITY;
    let sum = each + (EFFECTS.test(element.name) ? EFFECT : 0);
    sum += repeated(eachPoint, pointsOf(element));
    for (const [name, value] of element.attributes) {
      sum += name.length + countValue(value, chain);
      if (name === "style" || name.startsWith("marker")) {
        const markers = markersIn(name === "style" ? value : `${name}:${value}`);
        sum += repeated(countValue(markers, chain), countPoints(element, chain));
      }
    }
    if (DRAWING.has(element.name))
      for (const fragment of fragmentsOf(element)) sum += target(fragment, chain);
    for (const child of element.children)
      sum += typeof child === "string" ? child.length : CHILD_CHARS + count(child, chain + 1);
    counts.set(element, sum);
    return sum;
  };
  return { element: count, value: countValue };
}

/** Returns a count that is repeated. Either number may be infinite: nothing, however often, is nothing. */
function repeated(count: number, times: number): number {
  return count > 0 && times > 0 ? count * times : 0;
}

/** The attributes of lines that have points, and of their animations. */
const LINES = ["d", "points", "to", "values"];

/** Returns the greatest number of points of a line: each takes two characters. */
function pointsOf({ attributes }: XmlElement): number {
  return Math.max(...LINES.map((name) => attributes.get(name)?.length ?? 0)) / 2;
}

/** Returns the number of characters that the SVG files inside a value stand for; infinite where one of them is not drawn. */
function innerCost(value: string, depth: number): number {
  if (!/data:image\/svg/i.test(value)) return 0;
  const urls = /^data:/i.test(value) ? [value] : [...value.matchAll(INNER_SVG)].map(([url]) => url);
  let sum = 0;
  for (const url of urls) {
    const text = textOf(url);
    const cost = text === null ? null : costOf(text, depth + 1);
    if (typeof cost !== "number") return Number.POSITIVE_INFINITY;
    sum += cost;
  }
  return sum;
}

/** Returns the text of a data URL; null for one that cannot be read. */
function textOf(url: string): string | null {
  const comma = url.indexOf(",");
  const body = url.slice(comma + 1);
  try {
    return /;base64$/i.test(url.slice(0, comma)) ? atob(body) : decodeURIComponent(body);
  } catch {
    return null;
  }
}
