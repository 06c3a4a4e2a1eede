/** Prepares drawings of Fabric 4 to 7 for the parser of drawings, so that a part which it refuses is left out alone. */

import type { Json } from "../../board/drawing.ts";
import { isRecord } from "../../board/json.ts";
import { MAX_DEPTH } from "../../board/limits.ts";
import { readProperty } from "../../board/object-parser.ts";
import { typeByName } from "../../board/schema.ts";
import { type LeftOut, leaveOut } from "./left-out.ts";
import { withOpacity } from "./svg/style.ts";

type Source = Readonly<Record<string, unknown>>;

/** The version of Fabric since which the angles of a circle are in degrees; they were in radians before. */
const DEGREES_SINCE = 5;
/** The version of Fabric since which a colour of a gradient has no opacity beside it. */
const OPAQUE_SINCE = 7;

/**
 * Returns the objects of a drawing, of a list of objects, or of a single object; undefined for anything else. A list
 * longer than `max` is returned unchanged. Pictures, wherever they are, and types that no board has are counted in
 * `leftOut`.
 */
export function fabricObjects(
  input: unknown,
  max: number,
  leftOut: LeftOut,
): readonly unknown[] | undefined {
  const list = listOf(input);
  if (!list || list.length > max) return list;
  const version = isRecord(input) ? input["version"] : undefined;
  if (isRecord(input))
    for (const name of ["backgroundImage", "overlayImage"])
      if (isRecord(input[name])) leaveOut(leftOut, "picture");
  return convertAll(list, { version, depth: 0 }, leftOut);
}

function convertAll(list: readonly unknown[], where: Where, leftOut: LeftOut): Source[] {
  return list.map((one) => convert(one, where, leftOut)).filter((one) => one !== undefined);
}

function listOf(input: unknown): readonly unknown[] | undefined {
  if (Array.isArray(input)) return input.every((one) => isRecord(one)) ? input : undefined;
  if (!isRecord(input)) return undefined;
  if (Array.isArray(input["objects"]) && !isGroup(input["type"])) return input["objects"];
  return typeof input["type"] === "string" && typeByName(input["type"]) ? [input] : undefined;
}

function isGroup(type: unknown): boolean {
  return typeof type === "string" && /^(group|activeselection)$/i.test(type);
}

interface Where {
  readonly version: unknown;
  readonly depth: number;
}

/** Converts one object; undefined for one that is left out. */
function convert(one: unknown, where: Where, leftOut: LeftOut): Source | undefined {
  if (!isRecord(one)) {
    leaveOut(leftOut, "value");
    return undefined;
  }
  const { type } = one;
  if (typeof type === "string" && /^(fabric)?(image|video)$/i.test(type) && !isOurs(one, where)) {
    leaveOut(leftOut, "picture");
    return undefined;
  }
  const own = Object.hasOwn(one, "version") ? one["version"] : where.version;
  const inner = { version: own, depth: where.depth + 1 };
  if (isGroup(type)) return convertGroup(one, inner, leftOut);
  if (!typeByName(type)) {
    leaveOut(leftOut, "unknown");
    return undefined;
  }
  const copy: Record<string, unknown> = { ...one };
  // The first belongs to Fabric's eraser, which ours is not: it contains what was erased of the object. The board paints
  // pictures without the others.
  const isPicture = typeByName(type) === "Image";
  for (const effect of isPicture ? ["eraser", "clipPath", "shadow"] : ["eraser"])
    if (isRecord(copy[effect])) {
      delete copy[effect];
      leaveOut(leftOut, "effect");
    }
  if (isRecord(copy["clipPath"]) && !typeByName(copy["clipPath"]["type"])) {
    delete copy["clipPath"];
    leaveOut(leftOut, "effect");
  }
  // A pattern is a picture.
  for (const paint of ["fill", "stroke"])
    if (isPattern(copy[paint])) {
      copy[paint] = null;
      leaveOut(leftOut, "picture");
    }
  if (isOlder(own, OPAQUE_SINCE))
    for (const paint of ["fill", "stroke"]) copy[paint] = withOpaqueStops(copy[paint]);
  if (/^circle$/i.test(type as string) && isOlder(own, DEGREES_SINCE))
    for (const name of ["startAngle", "endAngle"])
      if (typeof copy[name] === "number") copy[name] = (copy[name] / Math.PI) * 180;
  return copy;
}

/** Whether a picture is such as a board has: small, and contained in the file. */
function isOurs({ type, src }: Source, { depth }: Where): boolean {
  return (
    depth === 0 &&
    typeof src === "string" &&
    typeByName(type) === "Image" &&
    readProperty("Image", "src", src, 1) === src
  );
}

function convertGroup(group: Source, where: Where, leftOut: LeftOut): Source | undefined {
  const { objects } = group;
  if (!Array.isArray(objects) || where.depth > MAX_DEPTH + 1) {
    leaveOut(leftOut, "value");
    return undefined;
  }
  const parts = convertAll(objects, where, leftOut);
  if (parts.length === 0) return undefined;
  return { ...group, type: group["type"] === "Group" ? "Group" : oldOrNew(group), objects: parts };
}

/**
 * Returns the type of a selection of several objects, which is written as a group; lower case shows that an old
 * Fabric wrote it.
 */
function oldOrNew({ type }: Source): Json {
  return typeof type === "string" && /^[a-z]/.test(type) ? "group" : "Group";
}

function isPattern(paint: unknown): boolean {
  return isRecord(paint) && paint["type"] !== "linear" && paint["type"] !== "radial";
}

/** Returns a gradient whose colours have the opacity beside them; any other value as it is. */
function withOpaqueStops(paint: unknown): unknown {
  const stops = isRecord(paint) && paint["colorStops"];
  if (!Array.isArray(stops)) return paint;
  const colorStops = (stops as unknown[]).map((stop) => {
    if (!isRecord(stop)) return stop;
    const { color, opacity } = stop;
    return typeof color === "string" && typeof opacity === "number"
      ? { ...stop, color: withOpacity(color, opacity) }
      : stop;
  });
  return { ...(paint as Source), colorStops };
}

function isOlder(version: unknown, than: number): boolean {
  return typeof version === "string" && Number.parseInt(version, 10) < than;
}
