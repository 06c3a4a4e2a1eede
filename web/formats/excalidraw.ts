/** Reads drawings of Excalidraw, from its files and the clipboard, as objects of a drawing. */

import { TEXT_FONT } from "../../board/constants.ts";
import type { Json } from "../../board/drawing.ts";
import { isRecord } from "../../board/json.ts";
import { MAX_POINTS } from "../../board/limits.ts";
import { encodeData, encodePath, parsePath } from "../../board/path.ts";
import { textDirection } from "../../board/text-direction.ts";
import { outlineBox } from "../canvas/geometry/outline.ts";
import {
  arrowheadPath,
  cornerPath,
  curvePath,
  isSolidHead,
  linePath,
  type Point,
} from "./excalidraw-lines.ts";
import { type LeftOut, type LeftOutKind, leaveOut } from "./left-out.ts";
import type { Converted } from "./svg.ts";

/** Factor by which a line of Excalidraw's pen is wider than its stated width, and the height of a line of text. */
const PEN_FACTOR = 3;
const LINE_HEIGHT = 1.25;
/** Height of Fabric's line of size 1. */
const FABRIC_LINE = 1.13;
/**
 * Part of a side that Excalidraw's round corners take, and their largest radius in pixels; and the pixels of both
 * sides that the corner of an elbow arrow takes.
 */
const CORNER = { part: 0.25, max: 32, elbow: 16 } as const;
/** Pixels between the ends of a line that Excalidraw fills. */
const LOOP = 8;
const MONOSPACE = "monospace";
const MONOSPACED: ReadonlySet<unknown> = new Set([3, 8]);

const LEFT_OUT: Readonly<Record<string, LeftOutKind>> = {
  ...{ image: "picture", frame: "frame", magicframe: "frame", iframe: "page", embeddable: "page" },
};

type Element = Readonly<Record<string, unknown>>;
type Props = Record<string, Json>;

/** Whether a value is the content of a file of Excalidraw, or of its clipboard. */
export function isExcalidraw(input: unknown): input is Element {
  if (!isRecord(input) || !Array.isArray(input["elements"])) return false;
  return input["type"] === "excalidraw" || input["type"] === "excalidraw/clipboard";
}

/** Converts a drawing. Never throws; the values are unchecked. */
export function readExcalidraw(input: Element): Converted {
  const objects: Props[] = [];
  const leftOut: LeftOut = {};
  const elements = input["elements"] as readonly unknown[];
  for (const element of elements) {
    if (!isRecord(element)) leaveOut(leftOut, "value");
    else if (element["isDeleted"] !== true && !isEmptyText(element)) {
      const object = convert(element);
      if (typeof object === "string") leaveOut(leftOut, object);
      else objects.push(object);
    }
  }
  return { ok: true, objects, leftOut };
}

function isEmptyText({ type, text }: Element): boolean {
  return type === "text" && typeof text === "string" && text.trim() === "";
}

function convert(element: Element): Props | LeftOutKind {
  const { type } = element;
  switch (type) {
    case "rectangle":
      return { type: "Rect", ...boxProps(element), ...corners(element), ...look(element) };
    case "ellipse":
      return { type: "Ellipse", ...boxProps(element), ...radii(element), ...look(element) };
    case "diamond":
      return diamond(element);
    case "line":
    case "arrow":
      return linear(element);
    case "freedraw":
      return penStroke(element);
    case "text":
      return text(element);
    default:
      return typeof type === "string" && Object.hasOwn(LEFT_OUT, type)
        ? (LEFT_OUT[type] ?? "unknown")
        : "unknown";
  }
}

/** Reads a number; NaN where there is none: the parser of drawings refuses such an object. */
function number(element: Element, name: string): number {
  const value = element[name];
  return typeof value === "number" ? value : Number.NaN;
}

/** Positions an element by its middle, about which Excalidraw rotates it. */
function turned(element: Element, x: number, y: number): Props {
  const angle = element["angle"] === undefined ? 0 : number(element, "angle");
  return {
    ...{ originX: "center", originY: "center", left: x, top: y },
    angle: (angle / Math.PI) * 180,
  };
}

function boxProps(element: Element): Props {
  const [width, height] = [number(element, "width"), number(element, "height")];
  const middle = [number(element, "x") + width / 2, number(element, "y") + height / 2] as const;
  return { ...turned(element, ...middle), width, height };
}

function radii(element: Element): Props {
  return { rx: number(element, "width") / 2, ry: number(element, "height") / 2 };
}

function corners(element: Element): Props {
  if (!isRound(element)) return {};
  const { roundness } = element;
  const shorter = Math.min(number(element, "width"), number(element, "height"));
  const max = isRecord(roundness) && roundness["type"] === 3 ? CORNER.max : Infinity;
  const radius = Math.min(shorter * CORNER.part, max);
  return { rx: radius, ry: radius };
}

function isRound({ roundness, strokeSharpness }: Element): boolean {
  return isRecord(roundness) || strokeSharpness === "round";
}

function diamond(element: Element): Props | LeftOutKind {
  const [width, height] = [number(element, "width"), number(element, "height")];
  const [x, y] = [width / 2, height / 2];
  const points: readonly Point[] = [
    [x, 0],
    [width, y],
    [x, height],
    [0, y],
  ];
  const side: Point = [x / 2, y / 2];
  const path = isRound(element)
    ? cornerPath([side, ...points, side], Math.hypot(x, y) * CORNER.part)
    : linePath(points);
  return pathProps(element, `${path}Z`, [x, y]);
}

/** Returns the properties of a path in the element's own plane; the element is rotated about `pivot`, a point of that plane. */
function pathProps(element: Element, path: string, pivot: Point): Props | LeftOutKind {
  const data = parsePath(path);
  if (!data) return "value";
  const { left, top, right, bottom } = outlineBox(data);
  const [dx, dy] = [(left + right) / 2 - pivot[0], (top + bottom) / 2 - pivot[1]];
  const angle = element["angle"] === undefined ? 0 : number(element, "angle");
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
  const x = number(element, "x") + pivot[0] + dx * cos - dy * sin;
  const y = number(element, "y") + pivot[1] + dx * sin + dy * cos;
  return { type: "Path", path: encodeData(data), ...turned(element, x, y), ...look(element) };
}

/** Returns the points of a line or a stroke, in the element's own plane; undefined for anything else. */
function pointsOf({ points }: Element): Point[] | undefined {
  if (!Array.isArray(points) || points.length === 0 || points.length > MAX_POINTS) return undefined;
  const pairs = (points as unknown[]).map((point): Point => {
    const [x, y] = Array.isArray(point) ? (point as unknown[]) : [];
    return typeof x === "number" && typeof y === "number" ? [x, y] : [Number.NaN, Number.NaN];
  });
  return pairs.every(([x, y]) => Number.isFinite(x) && Number.isFinite(y)) ? pairs : undefined;
}

/** The middle of the points' box. */
function middleOf(points: readonly Point[]): Point {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y] of points) {
    [left, right] = [Math.min(left, x), Math.max(right, x)];
    [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
  }
  return [(left + right) / 2, (top + bottom) / 2];
}

function linear(element: Element): Props | LeftOutKind {
  const points = pointsOf(element);
  if (!points) return "value";
  const back = points.toReversed();
  const [path, pathBack] = [points, back].map((way) =>
    element["elbowed"] === true
      ? cornerPath(way, CORNER.elbow)
      : isRound(element)
        ? curvePath(way)
        : linePath(way),
  ) as [string, string];
  if (element["type"] === "line") return filled(points, pathProps(element, path, middleOf(points)));
  const { startArrowhead, endArrowhead = "arrow", strokeStyle } = element;
  const heads = arrowheadPath(points, endArrowhead) + arrowheadPath(back, startArrowhead);
  const isStraight = points.length === 2;
  // Dashes of the way back would lie between the others.
  const isSolid =
    (isStraight || strokeStyle === "solid" || strokeStyle === undefined) &&
    [startArrowhead, endArrowhead].some(isSolidHead);
  // A line that is straight, or drawn there and back, has no area, and so a colour fills its heads alone.
  const line = isSolid && !isStraight ? path + pathBack : path;
  const props = pathProps(element, line + heads, middleOf(points));
  if (typeof props === "string") return props;
  return { ...props, fill: isSolid ? (props["stroke"] as Json) : null };
}

/** Returns a line's properties without a fill, unless its ends meet. */
function filled(points: readonly Point[], props: Props | LeftOutKind): Props | LeftOutKind {
  const [first, last] = [points[0]!, points.at(-1)!];
  const isLoop = points.length > 2 && Math.hypot(first[0] - last[0], first[1] - last[1]) <= LOOP;
  return typeof props === "string" || isLoop ? props : { ...props, fill: null };
}

function penStroke(element: Element): Props | LeftOutKind {
  const points = pointsOf(element);
  if (!points) return "value";
  const path = encodePath(points.flat());
  const props = filled(points, pathProps(element, path, middleOf(points)));
  if (typeof props === "string") return props;
  const { strokeDashArray: _dashes, ...rest } = props;
  return { ...rest, strokeWidth: number(element, "strokeWidth") * PEN_FACTOR };
}

function text(element: Element): Props {
  const { width: _width, height: _height, left, ...position } = boxProps(element);
  const { textAlign, fontFamily, text: words } = element;
  const align = textAlign === "center" || textAlign === "right" ? textAlign : "left";
  const isTurned = position["angle"] !== 0;
  const x = number(element, "x");
  const edge = { left: x, center: left as number, right: x + number(element, "width") }[align];
  const lines = element["lineHeight"] === undefined ? LINE_HEIGHT : number(element, "lineHeight");
  return {
    ...{ type: "IText", ...position, text: words as Json },
    // Our fonts have other widths than theirs: the edge at which the lines begin stays in its position.
    ...(isTurned ? { left: left as number } : { left: edge, originX: align }),
    fontSize: number(element, "fontSize"),
    fontFamily: MONOSPACED.has(fontFamily) ? MONOSPACE : TEXT_FONT,
    ...(typeof words === "string" && textDirection(words) === "rtl" && { direction: "rtl" }),
    ...{ textAlign: align, lineHeight: lines / FABRIC_LINE },
    fill: colorOf(element["strokeColor"], "#1e1e1e"),
    ...{ strokeWidth: 0, opacity: opacityOf(element) },
  };
}

function look(element: Element): Props {
  const { strokeStyle } = element;
  const width = element["strokeWidth"] === undefined ? 2 : number(element, "strokeWidth");
  const dashes = { dashed: [8, 8 + width], dotted: [1.5, 6 + width] };
  const isBroken = strokeStyle === "dashed" || strokeStyle === "dotted";
  const background = element["backgroundColor"] ?? "transparent";
  return {
    stroke: colorOf(element["strokeColor"], "#1e1e1e"),
    fill: background === "transparent" ? null : (background as Json),
    strokeWidth: width,
    ...{ strokeLineCap: "round", strokeLineJoin: "round", opacity: opacityOf(element) },
    ...(isBroken && { strokeDashArray: dashes[strokeStyle] }),
  };
}

/** Returns a colour, unchecked; an invisible element has none. */
function colorOf(color: unknown, otherwise: string): Json {
  return color === "transparent" ? null : ((color ?? otherwise) as Json);
}

function opacityOf(element: Element): number {
  return element["opacity"] === undefined ? 1 : number(element, "opacity") / 100;
}
