/** The door for one object: unknown in, an object of known properties or a reason out. */

import type { Json, NewObject, ObjectType } from "./drawing.ts";
import type { Props } from "./groups.ts";
import { isRecord, sameJson } from "./json.ts";
import { MOST_DEPTH, propertiesOf, typeByName } from "./schema.ts";
import type { Property } from "./schema.ts";
import { readValue } from "./values.ts";

/** How objects are taken. */
export interface Entry {
  /** Rounds, turns path arrays into text, and leaves default values out. */
  readonly compact: boolean;
  /** Leaves out what is wrong, instead of refusing the object. */
  readonly forgiving: boolean;
  /** What an object without a `version` of its own was written by; undefined when that is unknown. */
  readonly version: string | undefined;
  /** How many objects may still come in; counted down, those inside groups included. */
  readonly budget: { left: number };
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
export function readObject(input: unknown, entry: Entry): ReadObject {
  return readInside(input, entry, OUTSIDE);
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
  const entry: Entry = {
    compact: true,
    forgiving: true,
    version: undefined,
    budget: { left: Number.POSITIVE_INFINITY },
  };
  const read = readAny(property, value, entry, { around: OUTSIDE, ownScale: Math.max(1, scale) });
  return read instanceof Refusal ? undefined : read;
}

/** True when leaving the property out means the same. */
export function isStandard(type: ObjectType, name: string, value: Json): boolean {
  const standard = propertiesOf(type).get(name)?.standard;
  return standard !== undefined && sameJson(standard, value);
}

/** Why something was refused; told apart from every JSON value by its class. */
class Refusal {
  readonly reason: string;
  constructor(reason: string) {
    this.reason = reason;
  }
}

function readInside(input: unknown, entry: Entry, around: Surroundings): ReadObject {
  if (!isRecord(input)) return { ok: false, reason: "not an object" };
  if (around.depth > MOST_DEPTH) return { ok: false, reason: "nested too deeply" };
  entry.budget.left -= 1;
  if (entry.budget.left < 0) return { ok: false, reason: "too many objects" };
  const type = typeByName(ownValue(input, "type"));
  if (type === undefined) return { ok: false, reason: "unknown type" };
  const props: Props = {};
  const ownScale = around.scale * magnification(input);
  for (const [name, property] of propertiesOf(type)) {
    const value = ownValue(input, name);
    if (value === undefined) {
      if (property.required) return { ok: false, reason: `${name} is missing` };
      continue;
    }
    const read = readAny(property, value, entry, { around, ownScale });
    if (read instanceof Refusal) {
      if (!entry.forgiving || property.required)
        return { ok: false, reason: `${name}: ${read.reason}` };
    } else if (!(entry.compact && isStandard(type, name, read))) props[name] = read;
  }
  if (entry.compact) keepOrigins(input, props, entry);
  return { ok: true, object: { type, ...props } };
}

function readAny(
  property: Property,
  value: unknown,
  entry: Entry,
  where: { readonly around: Surroundings; readonly ownScale: number },
): Json | Refusal {
  const { of } = property;
  const inside: Surroundings = { depth: where.around.depth + 1, scale: where.ownScale };
  if (of.kind === "objects") return readObjects(value, entry, inside);
  if (of.kind === "object") {
    if (value === null) return null;
    const read = readInside(value, entry, inside);
    return read.ok ? (read.object as Json) : new Refusal(read.reason);
  }
  const read = readValue(of, value, {
    compact: entry.compact,
    clamp: entry.forgiving,
    ownScale: Math.max(1, where.ownScale),
    parentScale: Math.max(1, where.around.scale),
  });
  return read === undefined ? new Refusal(`not a ${of.kind}`) : read;
}

function readObjects(value: unknown, entry: Entry, inside: Surroundings): Json | Refusal {
  if (!Array.isArray(value)) return new Refusal("not a list");
  const objects: Json[] = [];
  for (const item of value as unknown[]) {
    const read = readInside(item, entry, inside);
    if (read.ok) objects.push(read.object as Json);
    else if (!entry.forgiving) return new Refusal(read.reason);
  }
  return objects;
}

/** Up to Fabric 6 the default origin was left and top; since 7 it is the centre. The object must not move. */
function keepOrigins(input: Input, props: Props, entry: Entry): void {
  const old = isBeforeSeven(ownValue(input, "version") ?? entry.version, ownValue(input, "type"));
  if (!old) return;
  if (ownValue(input, "originX") === undefined) props["originX"] = "left";
  if (ownValue(input, "originY") === undefined) props["originY"] = "top";
}

/** Without a version, a type in lower case tells of Fabric 5 or older. */
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
