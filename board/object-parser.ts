/** Parses one object: `unknown` in, an object of known properties or a reason out. */

import { LIMITS } from "./constants.ts";
import type { BoardObject, Json, NewObject, ObjectType } from "./drawing.ts";
import type { Props } from "./groups.ts";
import { isRecord, sameJson } from "./json.ts";
import { propertiesOf, typeByName, type Property } from "./schema.ts";
import { MAX_DEPTH } from "./limits.ts";
import { readValue } from "./values.ts";

/** How objects are taken. */
export interface ParseOptions {
  /** Rounds, turns path arrays into text, and leaves default values out. */
  readonly compact: boolean;
  /** Leaves out what is wrong, instead of refusing the object. */
  readonly lenient: boolean;
  /** What an object without a `version` of its own was written by; undefined when that is unknown. */
  readonly version: string | undefined;
  /** Takes a picture without its source: the drawing is partial, and its readers have the picture. */
  readonly bare?: boolean;
  /** How many objects, those inside groups included, and how many shadows are left; counted down. */
  readonly budget: { left: number; shadows: number };
}

export type ReadObject =
  | { readonly ok: true; readonly object: NewObject }
  | { readonly ok: false; readonly reason: string };

/** Where an object stands inside others. */
interface Surroundings {
  readonly depth: number;
  readonly scale: number;
}

type Input = Readonly<Record<string, unknown>>;

const OUTSIDE: Surroundings = { depth: 0, scale: 1 };

/** Reads one object; `life`, `id`, `z` and `stamps` are not its business. Never throws. */
export function readObject(input: unknown, options: ParseOptions): ReadObject {
  return readInside(input, options, OUTSIDE);
}

/** One property of an object that is known already; undefined when it is not such a value. */
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
    budget: { left: Number.POSITIVE_INFINITY, shadows: Number.POSITIVE_INFINITY },
  };
  const read = readAny(property, value, options, { around: OUTSIDE, ownScale: Math.max(1, scale) });
  return read instanceof Rejection ? undefined : read;
}

/** True when leaving the property out means the same. */
export function isDefault(type: ObjectType, name: string, value: Json): boolean {
  const fallback = propertiesOf(type).get(name)?.default;
  return fallback !== undefined && sameJson(fallback, value);
}

/** Why something was refused; distinguished from every JSON value by its class. */
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
  // A picture inside of another object would be Fabric's to load, and only Fabric knows filters.
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
  if (props["shadow"] && --options.budget.shadows < 0) delete props["shadow"];
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

/** What an eraser stroke may have besides the defaults. */
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
 * True for a stroke as the eraser draws it: white, 20 px wide, without a fill, and nothing else. Nobody can
 * select an eraser stroke, so whatever else claims to be one is an ordinary object. The claim itself stays as it
 * came: a merge may take it from one copy and the look from another, and every reader has to get the same.
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

/** Up to Fabric 6 the default origin was left and top; since 7 it is the centre. The object must not move. */
function keepOrigins(input: Input, props: Props, options: ParseOptions): void {
  const old = isBeforeSeven(ownValue(input, "version") ?? options.version, ownValue(input, "type"));
  if (!old) return;
  if (ownValue(input, "originX") === undefined) props["originX"] = "left";
  if (ownValue(input, "originY") === undefined) props["originY"] = "top";
}

/** Without a version, a type in lower case means Fabric 5 or older. */
function isBeforeSeven(version: unknown, type: unknown): boolean {
  const major = typeof version === "string" ? Number.parseInt(version, 10) : Number.NaN;
  return Number.isNaN(major) ? typeof type === "string" && /^[a-z]/.test(type) : major < 7;
}

function magnification(input: Input): number {
  const x = ownValue(input, "scaleX");
  const y = ownValue(input, "scaleY");
  const both = Math.max(
    typeof x === "number" ? Math.abs(x) : 1,
    typeof y === "number" ? Math.abs(y) : 1,
  );
  return Number.isFinite(both) ? both : 1;
}

/** Not what a prototype says: a hostile object may have been given one. */
function ownValue(input: Input, name: string): unknown {
  return Object.hasOwn(input, name) ? input[name] : undefined;
}
