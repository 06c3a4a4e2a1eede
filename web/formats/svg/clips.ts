/** Clips of an SVG file. The board has none, but most of them cut nothing: they are rectangles around what they clip. */

import { parsePath } from "../../../board/path.ts";
import { areaOf, type Box, containsBox, inflate } from "../../canvas/geometry/box.ts";
import { applyMatrixToBox, type Matrix, multiply } from "../../canvas/geometry/matrix.ts";
import { outlineBox } from "../../canvas/geometry/outline.ts";
import { lengthsOf, transformOf, type Viewport } from "./geometry.ts";
import type { FindElement } from "./gradients.ts";
import type { XmlElement } from "./xml.ts";

/** A rectangle outside of which nothing of an element is shown. */
export interface Clip {
  /** The rectangle on the board. */
  readonly box: Box;
  /** Whether an object was found that it cuts. */
  isCutting: boolean;
}

/** Pixels of the board that may be cut off without a notice. */
const TOLERANCE = 0.5;

/** The plane of the element that is clipped. */
interface Clipped {
  readonly matrix: Matrix;
  readonly viewport: Viewport;
}

/** Returns the clip that a value of `clip-path` names; null for one that is no upright rectangle on the board. */
export function clipOf(value: string, clipped: Clipped, find: FindElement): Clip | null {
  const id = /^url\(\s*["']?#([^"')\s]+)["']?\s*\)$/.exec(value)?.[1];
  const clip = id === undefined ? undefined : find(id);
  if (clip?.name !== "clipPath" || isChanged(clip)) return null;
  const [shape, ...more] = clip.children.filter((child) => typeof child !== "string");
  if (!shape || more.length > 0 || isChanged(shape)) return null;
  const box = rectangleOf(shape, clipped.viewport);
  const matrix = [clip, shape].reduce(
    (outer, { attributes }) => multiply(outer, transformOf(attributes.get("transform"))),
    clipped.matrix,
  );
  if (!box || matrix[1] !== 0 || matrix[2] !== 0) return null;
  return { box: inflate(applyMatrixToBox(matrix, box), TOLERANCE), isCutting: false };
}

/**
 * Returns the clip of a viewport in the plane around it; null for one without a size, or that is not upright on the board.
 */
export function viewportClip(plane: Matrix, width: number, height: number): Clip | null {
  if (!(width > 0 && height > 0) || plane[1] !== 0 || plane[2] !== 0) return null;
  const box = applyMatrixToBox(plane, { left: 0, top: 0, right: width, bottom: height });
  return { box: inflate(box, TOLERANCE), isCutting: false };
}

/** Notes which of the clips cut a box on the board; returns how many had not cut anything before. */
export function cut(clips: readonly Clip[], box: Box): number {
  let found = 0;
  for (const clip of clips) {
    if (clip.isCutting || containsBox(clip.box, box)) continue;
    clip.isCutting = true;
    found++;
  }
  return found;
}

function isChanged({ attributes }: XmlElement): boolean {
  const names = ["clip-path", "display", "visibility", "style"];
  return (
    names.some((name) => attributes.has(name)) ||
    attributes.get("clipPathUnits") === "objectBoundingBox"
  );
}

/** Returns the box of a shape that is an upright rectangle; null for any other. */
function rectangleOf(shape: XmlElement, viewport: Viewport): Box | null {
  if (shape.name === "path") return rectangleOfPath(shape.attributes.get("d") ?? "");
  const number = lengthsOf(shape, viewport);
  const [left, top, width, height] = [number("x"), number("y"), number("width"), number("height")];
  const isRectangle = shape.name === "rect" && width > 0 && height > 0;
  if (!isRectangle || number("rx") || number("ry")) return null;
  return { left, top, right: left + width, bottom: top + height };
}

/** Greatest number of characters of a path that is looked at. */
const MAX_RECTANGLE = 500;

function rectangleOfPath(path: string): Box | null {
  const data = path.length > MAX_RECTANGLE ? null : parsePath(path);
  // Cairo moves on at the end.
  const lines = data && /^(MLLLL?)Z?M?$/.exec(data.commands)?.[1];
  if (!data || !lines) return null;
  const box = outlineBox(data);
  // In its box it is as large as all of it.
  const { coords } = data;
  let area = 0;
  for (let at = 0; at < 2 * lines.length; at += 2) {
    const next = (at + 2) % (2 * lines.length);
    area += coords[at]! * coords[next + 1]! - coords[next]! * coords[at + 1]!;
  }
  const whole = areaOf(box);
  return Math.abs(Math.abs(area) / 2 - whole) < 1e-6 * whole ? box : null;
}
