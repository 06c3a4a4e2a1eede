/** Converts gradients of an SVG file to those of Fabric. */

import type { Json } from "../../../board/drawing.ts";
import type { Box } from "../../canvas/geometry/box.ts";
import { type Matrix, multiply, translation } from "../../canvas/geometry/matrix.ts";
import { transformOf } from "./geometry.ts";
import { colorOf, lengthOf, opacityOf, styleOf, withOpacity } from "./style.ts";
import type { XmlElement } from "./xml.ts";

/** Greatest length of the chain in which a gradient takes its stops from another one. */
const MAX_LINKS = 5;
const MAX_STOPS = 100;

/** The object that is painted: its box in its own plane, and its magnification. */
export interface Painted {
  readonly box: Box;
  readonly scale: number;
}

/** Finds the element of the file with an id. */
export type FindElement = (id: string) => XmlElement | undefined;

/** Returns the gradient with an id; null for anything else. */
export function gradientOf(id: string, { box, scale }: Painted, find: FindElement): Json {
  const chain = linked(id, find);
  const [first] = chain;
  const isLinear = first?.name === "linearGradient";
  if (!first || (!isLinear && first.name !== "radialGradient")) return null;
  const attribute = (name: string): string | undefined =>
    chain.find(({ attributes }) => attributes.has(name))?.attributes.get(name);
  const isOnBoard = attribute("gradientUnits") === "userSpaceOnUse";
  const size = isOnBoard ? scale : 1;
  const read = (name: string, otherwise: number): number => {
    const value = lengthOf(attribute(name), 1);
    return (Number.isNaN(value) ? otherwise : value) * size;
  };
  const corner = translation(-box.left * size, -box.top * size);
  const own = transformOf(attribute("gradientTransform"));
  const moved: Matrix = [own[0], own[1], own[2], own[3], own[4] * size, own[5] * size];
  const [cx, cy] = [read("cx", 0.5), read("cy", 0.5)];
  return {
    type: isLinear ? "linear" : "radial",
    gradientUnits: isOnBoard ? "pixels" : "percentage",
    coords: isLinear
      ? { x1: read("x1", 0), y1: read("y1", 0), x2: read("x2", 1), y2: read("y2", 0) }
      : {
          ...{
            x1: read("fx", cx / size),
            y1: read("fy", cy / size),
            r1: Math.max(0, read("fr", 0)),
          },
          ...{ x2: cx, y2: cy, r2: Math.max(0, read("r", 0.5)) },
        },
    gradientTransform: [...(isOnBoard ? multiply(corner, moved) : own)],
    colorStops: stopsOf(chain),
  };
}

function linked(id: string, find: FindElement): readonly XmlElement[] {
  const chain: XmlElement[] = [];
  let next = find(id);
  while (next && chain.length < MAX_LINKS) {
    chain.push(next);
    const href = next.attributes.get("href");
    next = href?.startsWith("#") ? find(href.slice(1)) : undefined;
  }
  return chain;
}

function stopsOf(chain: readonly XmlElement[]): Json[] {
  for (const { children } of chain) {
    const stops = children.filter((child) => typeof child !== "string" && child.name === "stop");
    if (stops.length > 0)
      return stops.slice(0, MAX_STOPS).map((stop) => oneStop(stop as XmlElement));
  }
  return [];
}

function oneStop(stop: XmlElement): Json {
  const style = styleOf(stop, {});
  const offset = lengthOf(stop.attributes.get("offset"), 1);
  return {
    offset: Number.isNaN(offset) ? 0 : Math.min(1, Math.max(0, offset)),
    color: withOpacity(
      colorOf(style["stop-color"] ?? "black", style) ?? "black",
      opacityOf(style["stop-opacity"]),
    ),
  };
}
