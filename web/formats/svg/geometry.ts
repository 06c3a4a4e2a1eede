/** The position of an element of an SVG file: transforms, and shapes as path data. */

import { encodeData, type PathData } from "../../../board/path.ts";
import {
  applyMatrix,
  IDENTITY,
  type Matrix,
  multiply,
  translation,
} from "../../canvas/geometry/matrix.ts";
import type { Marker } from "./markers.ts";
import { lengthOf, type Style } from "./style.ts";
import type { XmlElement } from "./xml.ts";

const TRANSFORM = /(matrix|translate|scale|rotate|skewX|skewY)\s*\(([^()]*)\)/g;
const MAX_TRANSFORMS = 100;

/** Reads the map in a `transform` attribute; functions that it does not know are left out. */
export function transformOf(text: string | undefined): Matrix {
  let matrix = IDENTITY;
  let count = 0;
  for (const [, name = "", list = ""] of (text ?? "").matchAll(TRANSFORM)) {
    const step = oneTransform(name, numbersOf(list));
    if (step.every((value) => Number.isFinite(value))) matrix = multiply(matrix, step);
    count += 1;
    if (count >= MAX_TRANSFORMS) break;
  }
  return matrix;
}

function oneTransform(name: string, n: readonly number[]): Matrix {
  const [a = 0, b, c, d = 0, e = 0, f = 0] = n;
  const slant = Math.tan((a / 180) * Math.PI);
  switch (name) {
    case "matrix":
      return [a, b ?? 0, c ?? 0, d, e, f];
    case "translate":
      return translation(a, b ?? 0);
    case "scale":
      return [a, 0, 0, b ?? a, 0, 0];
    case "rotate": {
      const angle = (a / 180) * Math.PI;
      const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
      const turn: Matrix = [cos, sin, -sin, cos, 0, 0];
      const [x, y] = [b ?? 0, c ?? 0];
      return multiply(translation(x, y), multiply(turn, translation(-x, -y)));
    }
    case "skewX":
      return [1, 0, slant, 1, 0, 0];
    default:
      return [1, slant, 0, 1, 0, 0];
  }
}

/** Reads the numbers of a list that is separated by spaces and commas. */
export function numbersOf(text: string | undefined): number[] {
  return (text ?? "").match(/[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d{1,3})?/gi)?.map(Number) ?? [];
}

/** The part of the free space that is before a drawing, by the names of `preserveAspectRatio`. */
const ALIGNED: Readonly<Record<string, number>> = { Min: 0, Max: 1 };

/** Returns the map from the plane inside an `svg`, `symbol` or `marker` element to the one around it. */
export function viewBoxMap({ attributes }: XmlElement, width: number, height: number): Matrix {
  const box = numbersOf(attributes.get("viewBox"));
  const [left = 0, top = 0, across = 0, down = 0] = box;
  if (box.length !== 4 || !(across > 0) || !(down > 0)) return IDENTITY;
  const [byWidth, byHeight] = [width / across, height / down];
  const fits = [byWidth, byHeight].filter((scale) => scale > 0 && Number.isFinite(scale));
  const ratio = attributes.get("preserveAspectRatio")?.trim() ?? "";
  if (ratio === "none" && fits.length === 2)
    return [byWidth, 0, 0, byHeight, -left * byWidth, -top * byHeight];
  const [, x, y, slice] = /^x(M\w\w)Y(M\w\w)(\s+slice)?/.exec(ratio) ?? [];
  const scale = fits.length > 0 ? Math[slice ? "max" : "min"](...fits) : 1;
  const before = (rest: number, side = "Mid"): number =>
    Number.isFinite(rest) ? rest * (ALIGNED[side] ?? 0.5) : 0;
  const dx = before(width - scale * across, x);
  const dy = before(height - scale * down, y);
  return [scale, 0, 0, scale, dx - left * scale, dy - top * scale];
}

/** The size of the innermost `svg` or `symbol` in units of what it contains; percentages refer to it. */
export interface Viewport {
  readonly width: number;
  readonly height: number;
}

/** Reads a length of an element by the name of its attribute, in pixels; 0 where there is none. */
export type Lengths = (name: string) => number;

/** Returns the function that reads the lengths of an element. */
export function lengthsOf({ attributes }: XmlElement, { width, height }: Viewport): Lengths {
  return (name) => {
    const down = name === "r" ? Math.hypot(width, height) / Math.SQRT2 : height;
    const whole = /[xw]/.test(name) ? width : down;
    return lengthOf(attributes.get(name), whole) || 0;
  };
}

/** The sides of a marker whose file gives none. */
const MARKER_SIZE = 3;

/**
 * Returns the map from the plane inside a `marker` element to that of the line that has it. A marker without an extent,
 * and one on a line without a width, is magnified by 0, so that nothing of it is drawn.
 */
export function markerMap(
  element: XmlElement,
  { at, angle, isStart }: Marker,
  style: Style,
): Matrix {
  const { attributes } = element;
  const number = lengthsOf(element, { width: MARKER_SIZE, height: MARKER_SIZE });
  const sideOf = (name: string): number => (attributes.has(name) ? number(name) : MARKER_SIZE);
  const [width, height] = [sideOf("markerWidth"), sideOf("markerHeight")];
  const inner = viewBoxMap(element, width, height);
  const corner = applyMatrix(inner, number("refX"), number("refY"));
  const orient = attributes.get("orient") ?? "";
  const back = isStart && orient === "auto-start-reverse" ? 180 : 0;
  const along = (angle / Math.PI) * 180 + back;
  const degrees = orient.startsWith("auto") ? along : Number.parseFloat(orient) || 0;
  const isInPixels = attributes.get("markerUnits") === "userSpaceOnUse";
  const unit = isInPixels ? 1 : lengthOf(style["stroke-width"] ?? "1");
  const scale = width > 0 && height > 0 ? unit : 0;
  const steps: readonly Matrix[] = [
    translation(at.x, at.y),
    oneTransform("rotate", [degrees]),
    [scale, 0, 0, scale, 0, 0],
    translation(-corner.x, -corner.y),
    inner,
  ];
  return steps.reduce((outer, step) => multiply(outer, step));
}

/** A map as the properties of an object, and its magnification as a whole. */
export interface Placement {
  /** Factor of all the object's measures. */
  readonly scale: number;
  readonly props: Readonly<Record<string, number | true>>;
}

/**
 * Returns the placement of a map; null for one that flattens the plane. `x` and `y`: the point that becomes the
 * object's position.
 */
export function placementOf(matrix: Matrix, x: number, y: number): Placement | null {
  const [a, b, c, d] = matrix;
  const determinant = a * d - b * c;
  const scale = Math.sqrt(Math.abs(determinant));
  const square = a * a + b * b;
  if (!(scale > 1e-9) || !(square > 0) || !Number.isFinite(scale)) return null;
  const across = Math.sqrt(square);
  const at = applyMatrix(matrix, x, y);
  const degrees = (angle: number): number => (angle / Math.PI) * 180;
  return {
    scale,
    props: {
      left: at.x,
      top: at.y,
      angle: degrees(Math.atan2(b, a)),
      scaleX: across / scale,
      scaleY: Math.abs(determinant) / across / scale,
      ...(determinant < 0 && { flipY: true }),
      skewX: degrees(Math.atan2(a * c + b * d, square)),
    },
  };
}

/** Returns path data magnified, with two decimals. */
export function magnified(data: PathData, scale: number): string {
  return encodeData({ commands: data.commands, coords: data.coords.map((n) => n * scale) }, 2);
}
