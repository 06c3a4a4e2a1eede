/**
 * Finds objects that nobody can see, wherever they look. In doubt an object counts as visible, since what this finds
 * is removed.
 */

import type { BoardObject } from "./drawing.ts";

/** Distance in canvas pixels from the origin beyond which no visitor's view reaches. */
const REACH = 1_000_000;

/** Least opacity that paints anything: opacity has 255 steps. */
const MIN_OPACITY = 1 / 512;

type Properties = Readonly<Record<string, unknown>>;

/** Whether the object has no paint, no size or no position that a view reaches. */
export function isUnseen(object: BoardObject): boolean {
  return isUnseenPart(object);
}

function isUnseenPart(object: Properties): boolean {
  const { visible, opacity, scaleX, scaleY } = object;
  if (visible === false || isWithin(opacity, MIN_OPACITY)) return true;
  if (scaleX === 0 || scaleY === 0) return true;
  return isOutOfReach(object) || hasNoPaint(object);
}

const isWithin = (value: unknown, limit: number): boolean =>
  typeof value === "number" && value < limit;

const number = (value: unknown, fallback: number): number =>
  typeof value === "number" ? value : fallback;

/** Whether even the nearest side is beyond the reach. A rotated object may extend back into it. */
function isOutOfReach({ left, top, angle, ...object }: Properties): boolean {
  if (number(angle, 0) !== 0) return false;
  if (number(left, 0) > REACH || number(top, 0) > REACH) return true;
  const ends = (side: unknown, size: unknown, scale: unknown): boolean =>
    typeof size === "number" &&
    number(side, 0) + size * Math.abs(number(scale, 1)) + number(object["strokeWidth"], 1) < -REACH;
  return (
    ends(left, object["width"], object["scaleX"]) || ends(top, object["height"], object["scaleY"])
  );
}

const TEXTS: ReadonlySet<unknown> = new Set(["Text", "IText", "Textbox"]);
const PAINTED: ReadonlySet<unknown> = new Set([
  ...["Rect", "Circle", "Ellipse", "Triangle", "Line", "Polyline", "Polygon", "Path"],
  ...TEXTS,
]);

function hasNoPaint(object: Properties): boolean {
  const { type, objects, text, backgroundColor, shadow } = object;
  if (backgroundColor || shadow || object["textBackgroundColor"]) return false;
  if (type === "Group" && Array.isArray(objects))
    return objects.every((child: unknown) => isUnseenPart(child as Properties));
  // It is not known here what another type paints.
  if (!PAINTED.has(type)) return false;
  if (TEXTS.has(type) && text === "") return true;
  const hasStroke = !isTransparent(object["stroke"] ?? null) && object["strokeWidth"] !== 0;
  return !hasStroke && (isTransparent(object["fill"]) || hasNoArea(object));
}

function hasNoArea({ type, width, height, radius, rx, ry }: Properties): boolean {
  if (type === "Rect") return width === 0 || height === 0;
  if (type === "Circle") return radius === 0;
  return type === "Ellipse" && (rx === 0 || ry === 0);
}

/** Matches a colour without opacity: `#rgb0`, `#rrggbb00`, or a function whose value after the three of the colour is 0. */
const CLEAR =
  /^(?:transparent|#[0-9a-f]{3}0|#[0-9a-f]{6}00|(?:rgb|hsl)a?\([^(),/]+(?:,[^(),/]+,[^(),/]+,|\/)\s*0(?:\.0*)?%?\s*\))$/i;

/** Whether a paint is transparent. An absent fill is black. */
function isTransparent(paint: unknown): boolean {
  return paint === null || paint === "" || (typeof paint === "string" && CLEAR.test(paint.trim()));
}
