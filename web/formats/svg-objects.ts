/** Makes objects of the board from the shapes and texts of an SVG file, where they are and as they look there. */

import { ERASER_COLOR } from "../../board/constants.ts";
import type { Json } from "../../board/drawing.ts";
import { isTransparent } from "../../board/unpainted.ts";
import { type Box, inflate, overlaps } from "../canvas/geometry/box.ts";
import { applyMatrixToBox, type Matrix } from "../canvas/geometry/matrix.ts";
import { numberOr } from "../canvas/geometry/transform.ts";
import { type LeftOut, leaveOut } from "./left-out.ts";
import { type Clip, cut } from "./svg/clips.ts";
import { lengthsOf, magnified, placementOf, type Viewport } from "./svg/geometry.ts";
import { type FindElement, gradientOf } from "./svg/gradients.ts";
import { isLabel, labelOf, type TextPosition } from "./svg/labels.ts";
import type { Shape } from "./svg/shapes.ts";
import { lineWidthOf, lookOf, type Style } from "./svg/style.ts";
import { roughBoxOf, type SvgText, textProps, textsOf, topOf } from "./svg/text.ts";
import { allCharsOf, type XmlElement } from "./svg/xml.ts";

/** A file while it is read, and what became of it so far. */
export interface State {
  readonly elements: ReadonlyMap<string, XmlElement>;
  readonly objects: Record<string, Json>[];
  readonly leftOut: LeftOut;
  /** The style of the whole file. */
  readonly style: Style;
  /** The number of characters that were read. */
  chars: number;
}

/** An element that is translucent as a whole, which no object of the board is together with others. */
export interface Fade {
  /** The boxes of its objects so far, on the board. */
  readonly boxes: Box[];
  /** Whether two of them overlap, so that the lower one can be seen through the upper one. */
  isFound: boolean;
}

/** Pixels of the board by which boxes may overlap. */
const TOUCH = 0.25;
/** The number of objects of a translucent element that are compared; more of them count as overlapping. */
const MAX_COMPARED = 200;

/** The context that an element gets from those around it. */
export interface Around {
  readonly matrix: Matrix;
  readonly viewport: Viewport;
  readonly style: Style;
  readonly opacity: number;
  /** The blending of the innermost element that has one. */
  readonly blending?: string | undefined;
  readonly clips: readonly Clip[];
  readonly fades: readonly Fade[];
  readonly uses: number;
  /** Whether it is part of an eraser stroke, as an SVG of this page says. */
  readonly eraser?: boolean | undefined;
}

/** Adds a shape. */
export function addObject({ type, lengths, box, path }: Shape, around: Around, state: State): void {
  const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  const placement = placementOf(around.matrix, x, y);
  if (!placement) return;
  const { scale, props } = placement;
  const look = lookIn(around, scale, box, state);
  if (look["opacity"] === 0 || [look["fill"], look["stroke"]].every(isTransparent)) return;
  leaveOutLook(() => inflate(box, lineWidthOf(around.style) / 2), around, state);
  const sized = Object.entries(lengths).map(([key, value]) => [key, value * scale] as const);
  state.objects.push({
    ...{ type, originX: "center", originY: "center", ...props },
    ...Object.fromEntries(sized),
    ...(path && { path: magnified(path, scale) }),
    ...look,
    // The parser decides whether it is one.
    ...(around.eraser && { eraser: true, stroke: ERASER_COLOR }),
  });
}

/** Adds the texts of a `text` element. */
export function addTexts(element: XmlElement, around: Around, state: State): void {
  const texts = textsOf(element, around.style, {
    viewport: around.viewport,
    leaveOut: (kind) => leaveOut(state.leftOut, kind),
  });
  if (!texts) return leaveOut(state.leftOut, "value");
  for (const text of texts) {
    const isAdded = addText(text, { y: topOf(text), originY: "top" }, around, state);
    if (isAdded) leaveOutLook(() => roughBoxOf(text), around, state);
  }
}

/** Adds the label of a `foreignObject`; anything else in one is left out. */
export function addLabel(element: XmlElement, around: Around, state: State): void {
  if (!isLabel(element)) return leaveOut(state.leftOut, "page");
  const number = lengthsOf(element, around.viewport);
  const [left, top, width, height] = [number("x"), number("y"), number("width"), number("height")];
  const box = { left, top, right: left + width, bottom: top + height };
  const label = width > 0 && height > 0 ? labelOf(element, around.style, box) : null;
  if (label === "value") return leaveOut(state.leftOut, label);
  if (!label || !addText(label.text, label, around, state)) return;
  leaveOutLook(() => box, around, state);
  if (label.isMixed) leaveOut(state.leftOut, "look");
}

/** Adds a text; false for one whose plane is flattened. */
function addText(text: SvgText, at: TextPosition, around: Around, state: State): boolean {
  const { y, originY, originX, width, background } = at;
  const placement = placementOf(around.matrix, text.x, y);
  if (!placement) return false;
  const { scale, props } = placement;
  // The width of the words is only known where they are painted; gradients begin at the first one.
  const box = { left: text.x, top: y, right: text.x, bottom: y };
  // A flip leaves the origin at its side of the box: the first line of a mirrored text is its lowest one.
  const flipped = { top: "bottom", center: "center", bottom: "top" };
  state.objects.push({
    ...textProps(text, scale),
    ...props,
    ...(text.fit?.stretch && { scaleX: numberOr(props["scaleX"], 1) * text.fit.stretch }),
    ...lookIn({ ...around, style: text.style }, scale, box, state),
    ...(originX && { originX }),
    originY: props["flipY"] ? flipped[originY] : originY,
    ...(width !== undefined && { type: "Textbox", width: width * scale }),
    ...(background !== undefined && { textBackgroundColor: background }),
  });
  return true;
}

/**
 * Counts, each of them once, the clips that cut a box of the element's plane, and the translucent elements in which it
 * overlaps another one.
 */
function leaveOutLook(boxOf: () => Box, around: Around, { leftOut }: State): void {
  const { clips, fades, matrix } = around;
  if (clips.length === 0 && fades.length === 0) return;
  const box = applyMatrixToBox(matrix, boxOf());
  leaveOut(leftOut, "effect", cut(clips, box));
  leaveOut(
    leftOut,
    "look",
    fades.filter((fade) => isOverlapping(fade, inflate(box, -TOUCH))).length,
  );
}

/** Adds a box to a translucent element; returns whether it is the first one that overlaps another one. */
function isOverlapping(fade: Fade, box: Box): boolean {
  if (fade.isFound) return false;
  const { boxes } = fade;
  fade.isFound = boxes.length >= MAX_COMPARED || boxes.some((other) => overlaps(other, box));
  boxes.push(box);
  return fade.isFound;
}

/** Finds elements by their ids, and counts what is read with them. */
export function finder(state: State): FindElement {
  return (id) => {
    const found = state.elements.get(id);
    if (found) state.chars += allCharsOf(found);
    return found;
  };
}

function lookIn(
  { style, opacity, blending }: Around,
  scale: number,
  box: Box,
  state: State,
): Record<string, Json> {
  const find = finder(state);
  const gradients = (id: string): Json => {
    const gradient = gradientOf(id, { box, scale }, find);
    // It is a pattern.
    if (gradient === null && state.elements.has(id)) leaveOut(state.leftOut, "unknown");
    return gradient;
  };
  return {
    ...lookOf(style, scale, opacity, gradients),
    ...(blending !== undefined && { globalCompositeOperation: blending }),
  };
}
