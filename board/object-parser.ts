/** Parses one object: `unknown` in, an object of known properties or a reason out. */

import { LIMITS } from "./constants.ts";
import type { BoardObject, Json, NewObject, ObjectType } from "./drawing.ts";
import type { Props } from "./groups.ts";
import { isRecord, sameJson } from "./json.ts";
import { propertiesOf, typeByName, type Property } from "./schema.ts";
import { MAX_DEPTH } from "./limits.ts";
import { readValue } from "./values.ts";

/** The options of reading an object. */
export interface ParseOptions {
  /** True to round numbers, turn path arrays into text, and leave default values out. */
  readonly compact: boolean;
  /** True to leave out what is wrong instead of refusing the object. */
  readonly lenient: boolean;
  /** The version of Fabric that wrote an object without a `version` of its own; undefined when it is unknown. */
  readonly version: string | undefined;
  /** True to accept a picture without its source: the drawing is partial, and its readers have the picture. */
  readonly bare?: boolean;
  /** The number of objects, including those inside groups, that may still be read; counted down. */
  readonly budget: { left: number };
}

export type ReadObject =
  | { readonly ok: true; readonly object: NewObject }
  | { readonly ok: false; readonly reason: string };

/** The position of an object inside others: how deep it is, and how much it is magnified there. */
interface Surroundings {
  readonly depth: number;
  readonly scale: number;
}

type Input = Readonly<Record<string, unknown>>;

const OUTSIDE: Surroundings = { depth: 0, scale: 1 };

/** Reads one object, except for `life`, `id`, `z` and `stamps`. Never throws. */
export function readObject(input: unknown, options: ParseOptions): ReadObject {
  return readInside(input, options, OUTSIDE);
}

/** Reads one property of a known object; undefined when the value is invalid for it. */
export function readProperty(
  type: ObjectType,
  name: string,
  value: unknown,
  scale: number,
): Json | undefined {
  const property = propertiesOf(type).get(name);
  if (property === undefined) return undefined;
  const options: ParseOptions = {
    compact: true,
    lenient: true,
    version: undefined,
    budget: { left: Number.POSITIVE_INFINITY },
  };
  const read = readAny(property, value, options, { around: OUTSIDE, ownScale: Math.max(1, scale) });
  return read instanceof Rejection ? undefined : read;
}

/** True when the value is the default, so that the property may be left out. */
export function isDefault(type: ObjectType, name: string, value: Json): boolean {
  const fallback = propertiesOf(type).get(name)?.default;
  return fallback !== undefined && sameJson(fallback, value);
}

/** The reason for a refusal; its class distinguishes it from every JSON value. */
class Rejection {
  readonly reason: string;
  constructor(reason: string) {
    this.reason = reason;
  }
}

function readInside(input: unknown, options: ParseOptions, around: Surroundings): ReadObject {
  if (!isRecord(input)) return { ok: false, reason: "not an object" };
  if (around.depth > MAX_DEPTH) return { ok: false, reason: "nested too deeply" };
  options.budget.left -= 1;
  if (options.budget.left < 0) return { ok: false, reason: "too many objects" };
  const type = typeByName(ownValue(input, "type"));
  // A picture inside another object would be loaded by Fabric, and only Fabric knows filters.
  const filters = ownValue(input, "filters") as { readonly length?: unknown } | undefined;
  if (type === undefined || (type === "Image" && (around.depth > 0 || filters?.length)))
    return { ok: false, reason: "unknown type" };
  const props: Props = {};
  const ownScale = around.scale * magnification(input);
  for (const [name, property] of propertiesOf(type)) {
    const value = ownValue(input, name);
    if (value === undefined) {
      if (property.required && !(options.bare && name === "src"))
        return { ok: false, reason: `${name} is missing` };
      continue;
    }
    const read = readAny(property, value, options, { around, ownScale });
    if (read instanceof Rejection) {
      if (!options.lenient || property.required)
        return { ok: false, reason: `${name}: ${read.reason}` };
    } else if (!(options.compact && isDefault(type, name, read))) props[name] = read;
  }
  if (options.compact) keepOrigins(input, props, options);
  return { ok: true, object: { type, ...props } };
}

function readAny(
  property: Property,
  value: unknown,
  options: ParseOptions,
  where: { readonly around: Surroundings; readonly ownScale: number },
): Json | Rejection {
  const { of } = property;
  const inside: Surroundings = { depth: where.around.depth + 1, scale: where.ownScale };
  if (of.kind === "objects") return readObjects(value, options, inside);
  if (of.kind === "object") {
    if (value === null) return null;
    const read = readInside(value, options, inside);
    return read.ok ? (read.object as Json) : new Rejection(read.reason);
  }
  const read = readValue(of, value, {
    compact: options.compact,
    clamp: options.lenient,
    ownScale: Math.max(1, where.ownScale),
    parentScale: Math.max(1, where.around.scale),
  });
  return read === undefined ? new Rejection(`not a ${of.kind}`) : read;
}

function readObjects(
  value: unknown,
  options: ParseOptions,
  inside: Surroundings,
): Json | Rejection {
  if (!Array.isArray(value)) return new Rejection("not a list");
  const objects: Json[] = [];
  for (const item of value as unknown[]) {
    const read = readInside(item, options, inside);
    if (read.ok) objects.push(read.object as Json);
    else if (!options.lenient) return new Rejection(read.reason);
  }
  return objects;
}

const WHITE: ReadonlySet<unknown> = new Set(["white", "#fff", "#ffffff", "#FFF", "#FFFFFF"]);

/** The properties that an eraser stroke may have besides defaults. */
const ERASER_PROPS: ReadonlySet<string> = new Set([
  ...[
    "type",
    "id",
    "z",
    "life",
    "stamps",
    "path",
    "left",
    "top",
    "originX",
    "originY",
    "fill",
    "stroke",
    "strokeWidth",
  ],
  ...["strokeLineCap", "strokeLineJoin", "strokeMiterLimit", "eraser"],
]);

/**
 * True for a stroke as the eraser draws it: white, 20 px wide, without a fill, and nothing else. Nobody can select an
 * eraser stroke, so anything else that claims to be one counts as an ordinary object. The claim itself stays
 * unchanged: a merge may take it from one copy and the look from another, and every reader must come to the same
 * result.
 */
export function isEraserStroke(object: NewObject | BoardObject): boolean {
  return (
    object["eraser"] === true &&
    object.type === "Path" &&
    WHITE.has(object["stroke"]) &&
    object["strokeWidth"] === LIMITS.eraserWidth &&
    (object["fill"] === null || object["fill"] === "") &&
    Object.keys(object).every(
      (name) =>
        ERASER_PROPS.has(name) || isDefault(object.type, name, (object[name] ?? null) as Json),
    )
  );
}

/** Keeps an object where it was: the default origin is left and top up to Fabric 6, and the centre from 7 on. */
function keepOrigins(input: Input, props: Props, options: ParseOptions): void {
  const old = isBeforeSeven(ownValue(input, "version") ?? options.version, ownValue(input, "type"));
  if (!old) return;
  if (ownValue(input, "originX") === undefined) props["originX"] = "left";
  if (ownValue(input, "originY") === undefined) props["originY"] = "top";
}

/** Whether Fabric 6 or older wrote an object. Without a version, a type in lower case means Fabric 5 or older. */
function isBeforeSeven(version: unknown, type: unknown): boolean {
  const major = typeof version === "string" ? Number.parseInt(version, 10) : Number.NaN;
  return Number.isNaN(major) ? typeof type === "string" && /^[a-z]/.test(type) : major < 7;
}

/** The factor by which an object magnifies what it contains. */
export function magnification(input: Input): number {
  const x = ownValue(input, "scaleX");
  const y = ownValue(input, "scaleY");
  const both = Math.max(
    typeof x === "number" ? Math.abs(x) : 1,
    typeof y === "number" ? Math.abs(y) : 1,
  );
  return Number.isFinite(both) ? both : 1;
}

/** Reads an own property. A hostile object may have been given a prototype, whose properties do not count. */
export function ownValue(input: Input, name: string): unknown {
  return Object.hasOwn(input, name) ? input[name] : undefined;
}
