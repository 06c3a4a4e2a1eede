/**
 * Reads SVG files as objects of a drawing. Only visible elements are read: nothing is run, fetched or looked up
 * outside the text.
 */

import type { Json } from "../../board/drawing.ts";
import { MAX_OBJECTS } from "../../board/limits.ts";
import { SVG_MARKS } from "../../board/svg-marks.ts";
import { IDENTITY, multiply, translation } from "../canvas/geometry/matrix.ts";
import { type LeftOut, type LeftOutKind, leaveOut } from "./left-out.ts";
import { clipOf, viewportClip } from "./svg/clips.ts";
import { applySheets } from "./svg/rules.ts";
import { isLabel } from "./svg/labels.ts";
import { type Marker, markersOf } from "./svg/markers.ts";
import { addLabel, addObject, addTexts, type Around, finder, type State } from "./svg-objects.ts";
import { shapeOf } from "./svg/shapes.ts";
import {
  lengthsOf,
  markerMap,
  numbersOf,
  transformOf,
  viewBoxMap,
  type Viewport,
} from "./svg/geometry.ts";
import { blendingOf, contextOf, hasEffect, opacityOf, styleOf } from "./svg/style.ts";
import {
  allCharsOf,
  charsOf,
  contentsOf,
  MAX_READ,
  readXml,
  withEntities,
  type XmlElement,
} from "./svg/xml.ts";

export type Converted =
  | {
      readonly ok: true;
      /** The objects in Fabric 7's terms, unchecked; the parser of drawings reads them. */
      readonly objects: readonly Record<string, Json>[];
      readonly leftOut: LeftOut;
    }
  | { readonly ok: false; readonly reason: string };

/** The depth to which `use` may be nested. */
const MAX_USES = 8;

const CONTAINERS: ReadonlySet<string> = new Set(["g", "a", "svg", "switch"]);
/** Elements that are no objects themselves. */
const SILENT: ReadonlySet<string> = new Set([
  ...["defs", "style", "title", "desc", "metadata", "symbol", "clipPath", "mask", "filter"],
  ...["marker", "pattern", "linearGradient", "radialGradient", "view", "cursor", "font"],
  ...["color-profile"],
]);
const LEFT_OUT: Readonly<Record<string, LeftOutKind>> = {
  ...{ image: "picture", script: "script", iframe: "page", video: "page", audio: "page" },
  handler: "script",
};
/** Elements of which everything inside is read with them. */
const WHOLE: ReadonlySet<string> = new Set(["text", "foreignObject"]);

/** The reason why a small file may be refused: it refers to the same elements again and again. */
export const REPEATS_TOO_MUCH = "it is larger than 20 MB with what it repeats";

/** Converts the text of an SVG file. Never throws. */
export function readSvg(text: string): Converted {
  const xml = readXml(withEntities(text) ?? text);
  if (!xml.ok) return xml;
  if (xml.root.name !== "svg") return { ok: false, reason: "it is no drawing" };
  const { elements, sheets } = contentsOf(xml.root);
  applySheets(xml.root, sheets);
  const style = styleOf(xml.root, {});
  const state: State = { elements, style, objects: [], leftOut: {}, chars: 0 };
  const viewport = { width: Number.NaN, height: Number.NaN };
  const around = {
    matrix: IDENTITY,
    viewport,
    style: {},
    opacity: 1,
    clips: [],
    fades: [],
    uses: 0,
  };
  visit(xml.root, around, state);
  if (state.chars > MAX_READ) return { ok: false, reason: REPEATS_TOO_MUCH };
  return { ok: true, objects: state.objects, leftOut: state.leftOut };
}

function visit(element: XmlElement, around: Around, state: State): void {
  state.chars += WHOLE.has(element.name) ? allCharsOf(element) : charsOf(element);
  if (isFull(state)) return;
  const { name, attributes } = element;
  const kind = Object.hasOwn(LEFT_OUT, name) ? LEFT_OUT[name] : undefined;
  if (kind) return leaveOut(state.leftOut, kind);
  // These are notes of other programs, such as sodipodi:namedview.
  if (SILENT.has(name) || name.includes(":")) return;
  const mark = attributes.get("class");
  if (mark === SVG_MARKS.background) return;
  const style = styleOf(element, around.style);
  if (style["display"] === "none") return;
  const matrix = multiply(around.matrix, transformOf(attributes.get("transform")));
  const { viewport } = around;
  const named = style["clip-path"] ?? "none";
  const clip = named === "none" ? undefined : clipOf(named, { matrix, viewport }, finder(state));
  if (clip === null || hasEffect(style)) leaveOut(state.leftOut, "effect");
  const opacity = opacityOf(style["opacity"]);
  const isFaded = opacity < 1 && name !== "text" && name !== "foreignObject";
  const inner: Around = {
    matrix,
    viewport,
    clips: clip ? [...around.clips, clip] : around.clips,
    fades: isFaded ? [...around.fades, { boxes: [], isFound: false }] : around.fades,
    style,
    opacity: around.opacity * opacity,
    blending: blendingOf(style) ?? around.blending,
    uses: around.uses,
    eraser: mark === SVG_MARKS.eraser || around.eraser,
  };
  if (name === "use") visitUsed(element, inner, state);
  else if (CONTAINERS.has(name)) visitChildren(element, inner, state);
  else if (style["visibility"] !== "hidden" && style["visibility"] !== "collapse")
    addShape(element, inner, state);
}

function visitChildren(element: XmlElement, around: Around, state: State): void {
  const isSvg = element.name === "svg" || element.name === "symbol";
  const inner = isSvg ? insideViewport(element, around) : around;
  for (const child of shownChildren(element)) visit(child, inner, state);
}

/** Returns the elements inside another one, of a `switch` one that can be read, and those that count as left out. */
function shownChildren({ name, children }: XmlElement): readonly XmlElement[] {
  const elements = children.filter((child) => typeof child !== "string");
  if (name !== "switch") return elements;
  const isReadable = (one: XmlElement): boolean =>
    one.name === "foreignObject" ? isLabel(one) : !Object.hasOwn(LEFT_OUT, one.name);
  const shown =
    elements.find((one) => isReadable(one) && !one.attributes.has("systemLanguage")) ??
    elements.find(isReadable);
  return elements.filter((one) => one === shown || !isReadable(one));
}

/** The size of a viewport of which the file gives none, as in browsers. */
const NO_SIZE: Viewport = { width: 300, height: 150 };

function insideViewport(element: XmlElement, around: Around): Around {
  const number = lengthsOf(element, around.viewport);
  const [width, height] = [number("width") || Number.NaN, number("height") || Number.NaN];
  const corner = translation(number("x"), number("y"));
  const box = numbersOf(element.attributes.get("viewBox"));
  const [, , across = width || NO_SIZE.width, down = height || NO_SIZE.height] = box;
  const plane = multiply(around.matrix, corner);
  const isInner = !Number.isNaN(around.viewport.width);
  const isCut = isInner && styleOf(element, {})["overflow"] !== "visible";
  const clip = isCut ? viewportClip(plane, width, height) : null;
  return {
    ...around,
    matrix: multiply(plane, viewBoxMap(element, width, height)),
    viewport: { width: across, height: down },
    clips: clip ? [...around.clips, clip] : around.clips,
  };
}

function visitUsed(use: XmlElement, around: Around, state: State): void {
  const href = use.attributes.get("href") ?? "";
  const target = href.startsWith("#") ? state.elements.get(href.slice(1)) : undefined;
  if (!target || around.uses >= MAX_USES) return leaveOut(state.leftOut, "reference");
  const number = lengthsOf(use, around.viewport);
  const inner = {
    ...around,
    matrix: multiply(around.matrix, translation(number("x"), number("y"))),
    uses: around.uses + 1,
  };
  const isSymbol = target.name === "symbol";
  if (isSymbol) state.chars += charsOf(target);
  const shown = isSymbol || target.name === "svg" ? resized(target, use) : target;
  if (isSymbol) visitChildren(shown, inner, state);
  else visit(shown, inner, state);
}

/** Returns a viewport in the size that the element which refers to it gives, if any. */
function resized(viewport: XmlElement, { attributes }: XmlElement): XmlElement {
  const own = [...attributes].filter(([name]) => name === "width" || name === "height");
  return { ...viewport, attributes: new Map([...viewport.attributes, ...own]) };
}

function addShape(element: XmlElement, around: Around, state: State): void {
  if (element.name === "text") return addTexts(element, around, state);
  if (element.name === "foreignObject") return addLabel(element, around, state);
  const shape = shapeOf(element, lengthsOf(element, around.viewport));
  if (typeof shape === "string") return leaveOut(state.leftOut, shape);
  if (!shape) return;
  addObject(shape, around, state);
  if (!shape.path) return;
  for (const marker of markersOf(shape.path, around.style)) visitMarker(marker, around, state);
}

/** Whether so much was read that nothing more is. */
function isFull({ chars, objects }: State): boolean {
  return chars > MAX_READ || objects.length > MAX_OBJECTS;
}

function visitMarker(marker: Marker, around: Around, state: State): void {
  const element = state.elements.get(marker.id);
  if (element?.name !== "marker" || isFull(state)) return;
  if (around.uses >= MAX_USES) return leaveOut(state.leftOut, "reference");
  state.chars += charsOf(element);
  const inner = {
    ...around,
    matrix: multiply(around.matrix, markerMap(element, marker, around.style)),
    style: styleOf(element, { ...state.style, ...contextOf(around.style) }),
    uses: around.uses + 1,
  };
  visitChildren(element, inner, state);
}
