/** Reads the shapes of an SVG file in their own plane. */

import { MAX_PATH_CHARS } from "../../../board/limits.ts";
import { parsePath, type PathData } from "../../../board/path.ts";
import type { Box } from "../../canvas/geometry/box.ts";
import { outlineBox } from "../../canvas/geometry/outline.ts";
import { type Lengths, numbersOf } from "./geometry.ts";
import type { XmlElement } from "./xml.ts";

/**
 * Greatest number of characters of a shape's coordinates: written compactly they might still be a path that the board
 * accepts.
 */
const MAX_DATA = 4 * MAX_PATH_CHARS;

export interface Shape {
  /** The type of its object. */
  readonly type: string;
  /** Properties in units of the element. */
  readonly lengths: Readonly<Record<string, number>>;
  /** The box in units of the element. */
  readonly box: Box;
  /** The data of a line. */
  readonly path?: PathData;
}

/** Returns a shape; null for one that is not drawn, or the kind as which it is left out. */
export function shapeOf(
  { name, attributes }: XmlElement,
  number: Lengths,
): Shape | "unknown" | "value" | null {
  switch (name) {
    case "rect":
      return rectOf(number);
    case "circle":
      return ellipseOf("Circle", number, ["r", "r"]);
    case "ellipse": {
      const [first = "rx", second = first] = ["rx", "ry"].filter((one) => attributes.has(one));
      return ellipseOf("Ellipse", number, [first, second]);
    }
    case "line":
      return lineOf(`M${number("x1")} ${number("y1")}L${number("x2")} ${number("y2")}`);
    case "path":
      return lineOf(attributes.get("d")?.trim() ?? "");
    case "polyline":
    case "polygon": {
      const written = attributes.get("points") ?? "";
      if (written.length > MAX_DATA) return "value";
      const points = numbersOf(written);
      const end = name === "polygon" ? "Z" : "";
      if (points.length < 2) return null;
      return lineOf(`M${points.slice(0, points.length & ~1).join(" ")}${end}`);
    }
    default:
      return "unknown";
  }
}

function rectOf(number: Lengths): Shape | null {
  const [width, height] = [number("width"), number("height")];
  const [x, y] = [number("x"), number("y")];
  if (!(width > 0 && height > 0)) return null;
  const [rx, ry] = [number("rx") || number("ry"), number("ry") || number("rx")];
  const radii = { rx: Math.min(rx, width / 2), ry: Math.min(ry, height / 2) };
  const box = { left: x, top: y, right: x + width, bottom: y + height };
  return { type: "Rect", lengths: { width, height, ...radii }, box };
}

function ellipseOf(
  type: "Circle" | "Ellipse",
  number: Lengths,
  [across, down]: readonly [string, string],
): Shape | null {
  const [rx, ry] = [number(across), number(down)];
  const [x, y] = [number("cx"), number("cy")];
  if (!(rx > 0 && ry > 0)) return null;
  const box = { left: x - rx, top: y - ry, right: x + rx, bottom: y + ry };
  return { type, lengths: type === "Circle" ? { radius: rx } : { rx, ry }, box };
}

function lineOf(written: string): Shape | "value" | null {
  if (written === "") return null;
  const path = written.length > MAX_DATA ? null : parsePath(written);
  return path ? { type: "Path", lengths: {}, box: outlineBox(path), path } : "value";
}
