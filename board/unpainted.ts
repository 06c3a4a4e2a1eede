/** Finds objects that paint nothing. In doubt an object counts as painted. */

import type { BoardObject } from "./drawing.ts";

/** Least opacity that paints anything: opacity has 255 steps. */
const MIN_OPACITY = 1 / 512;

/** The properties without which an object has no area. The parser leaves out one that is 0, which is the default. */
const AREA: Readonly<Record<string, readonly string[]>> = {
  Rect: ["width", "height"],
  Circle: ["radius"],
  Ellipse: ["rx", "ry"],
};

/** Matches the opacity of a colour: in hex digits, or as a number. */
const OPACITY = /^(?:#(?:...|.{6})(..?)|.*(?:\/|,.*,.*,)(.*)\))$/;

interface Gradient {
  readonly colorStops: readonly { readonly color: string }[];
}

/** Whether the object is invisible, or has no paint, opacity, size or letters. */
export function hasNoPaint(object: BoardObject): boolean {
  const { type, visible, opacity, scaleX, scaleY, text, fill } = object;
  if (visible === false || (opacity as number) < MIN_OPACITY) return true;
  if (scaleX === 0 || scaleY === 0) return true;
  if (type === "Image" || object["styles"]) return false;
  const isClear = (name: string): boolean => isTransparent(object[name] ?? null);
  if (!isClear("backgroundColor") || !isClear("textBackgroundColor")) return false;
  if (text === "") return true;
  if (type === "Group") return (object["objects"] as unknown as BoardObject[]).every(hasNoPaint);
  if (object["strokeWidth"] !== 0 && !isClear("stroke")) return false;
  return isTransparent(fill) || !!AREA[type]?.some((name) => !object[name]);
}

/**
 * Whether a paint is transparent; an undefined one, which is the absent fill of an object, is black. The canvas ignores
 * the opacity of a gradient's stop.
 */
export function isTransparent(paint: unknown): boolean {
  if (typeof paint !== "string") {
    const stops = (paint as Gradient | null | undefined)?.colorStops;
    return stops ? stops.every(({ color }) => isTransparent(color)) : paint === null;
  }
  const [, hex = "1", opacity = "1"] = OPACITY.exec(paint) ?? [];
  return (
    /^(transparent)?$/i.test(paint) ||
    Number.parseInt(hex, 16) === 0 ||
    Number.parseFloat(opacity) < MIN_OPACITY
  );
}
