/** The property groups of an object, and the merge of two copies of one incarnation. */

import { authorOf } from "./author.ts";
import type { Author, BoardObject, Group, Json, ObjectId, Stamp } from "./drawing.ts";
import { canonicalJson, sameJson } from "./json.ts";
import { groupOfProperty } from "./schema.ts";

export const GROUPS: readonly Group[] = ["place", "look", "content", "order"];

/** Our own fields, which no property group settles. */
const OWN = new Set(["type", "id", "life", "stamps"]);

export type Props = Record<string, Json | undefined>;

export function incarnationOf(object: BoardObject): number {
  return object.life ?? 0;
}

/** The number of objects that an object counts for in a drawing's limit: itself, and those inside of it (groups, clip paths). */
export function sizeOf(object: object): number {
  let size = 1;
  for (const name of ["objects", "clipPath", "path"] as const) {
    const inner = (object as Readonly<Record<string, unknown>>)[name];
    if (Array.isArray(inner)) for (const one of inner) size += sizeOf(one as object);
    else if (typeof inner === "object" && inner !== null) size += sizeOf(inner);
  }
  return size;
}

/** The stamp of a group; a group that nobody changed has version 0 of the object's author. */
export function stampOf(object: BoardObject, group: Group): Stamp {
  return object.stamps?.[group] ?? [0, authorOf(object.id)];
}

/** Fabric's properties of the object and `z`, without our own fields. */
export function propsOf(object: BoardObject): Props {
  const props: Props = {};
  for (const [name, value] of Object.entries(object)) {
    if (!OWN.has(name)) props[name] = value as Json | undefined;
  }
  return props;
}

/** The group of a property, `z` included; undefined for our own fields. */
export function groupOf(name: string): Group | undefined {
  if (name === "z") return "order";
  return OWN.has(name) ? undefined : groupOfProperty(name);
}

/** Builds a board object with its fields in the order in which they are written. */
export function buildObject(
  head: { readonly type: BoardObject["type"]; readonly id: ObjectId; readonly incarnation: number },
  stamps: Readonly<Partial<Record<Group, Stamp>>>,
  props: Props,
): BoardObject {
  const { z, ...rest } = props;
  const object: Record<string, unknown> = { type: head.type, id: head.id };
  if (head.incarnation > 0) object["life"] = head.incarnation;
  object["z"] = z ?? 0;
  if (Object.keys(stamps).length > 0) object["stamps"] = stamps;
  for (const [name, value] of Object.entries(rest)) {
    if (value !== undefined) object[name] = value;
  }
  return object as unknown as BoardObject;
}

/**
 * Merges two copies of the same incarnation. Returns `a` itself when `b` adds nothing. Each group is taken whole from
 * the copy with the greater stamp; where equal stamps have different values, which only a broken or hostile peer
 * makes, from the copy with the greater canonical JSON.
 */
export function mergeObjects(a: BoardObject, b: BoardObject): BoardObject {
  if (a === b) return a;
  // A type never changes, so two types under one id are hostile: one copy is taken whole.
  if (a.type !== b.type) return a.type > b.type ? a : b;
  const differing = differingGroups(a, b);
  if (differing === null) return a;
  const winners = new Map<Group, BoardObject>();
  let unchanged = true;
  for (const group of GROUPS) {
    const winner = wins(a, b, group, differing.has(group)) ? a : b;
    winners.set(group, winner);
    if (winner === b) unchanged = false;
  }
  if (unchanged) return a;
  const stamps: Partial<Record<Group, Stamp>> = {};
  for (const [group, winner] of winners) {
    const stamp = winner.stamps?.[group];
    if (stamp !== undefined) stamps[group] = stamp;
  }
  const props: Props = {};
  for (const source of [a, b]) {
    for (const [name, value] of Object.entries(source)) {
      const group = groupOf(name);
      if (group !== undefined && winners.get(group) === source) props[name] = value as Json;
    }
  }
  return buildObject({ type: a.type, id: a.id, incarnation: incarnationOf(a) }, stamps, props);
}

/** True when the incarnation of `a`, or the stamp of one of its groups, is behind that of `b`. */
export function isOlder(a: BoardObject, b: BoardObject): boolean {
  if (incarnationOf(a) !== incarnationOf(b)) return incarnationOf(a) < incarnationOf(b);
  if (a.stamps === undefined && b.stamps === undefined) return false;
  return GROUPS.some((group) => compareStamps(stampOf(a, group), stampOf(b, group)) < 0);
}

/** Compares stamps by version, then by author. Negative when `b` is greater. */
export function compareStamps(a: Stamp, b: Stamp): number {
  if (a[0] !== b[0]) return a[0] - b[0];
  if (a[1] === b[1]) return 0;
  return a[1] < b[1] ? -1 : 1;
}

/** True when the copy `a` wins a group, or when both have it alike. */
function wins(a: BoardObject, b: BoardObject, group: Group, differs: boolean): boolean {
  const order = compareStamps(stampOf(a, group), stampOf(b, group));
  if (order !== 0) return order > 0;
  return !differs || canonicalJson(groupProps(a, group)) >= canonicalJson(groupProps(b, group));
}

function groupProps(object: BoardObject, group: Group): { readonly [name: string]: Json } {
  const props: Record<string, Json> = {};
  for (const [name, value] of Object.entries(object)) {
    if (groupOf(name) === group && value !== undefined) props[name] = value as Json;
  }
  return props;
}

/** The groups whose values differ; null when the stamps are equal as well, so that nothing is left to merge. */
function differingGroups(a: BoardObject, b: BoardObject): ReadonlySet<Group> | null {
  const groups = new Set<Group>();
  compareInto(groups, a, b);
  compareInto(groups, b, a);
  if (groups.size > 0) return groups;
  if (a.stamps === undefined && b.stamps === undefined) return null;
  const equal = GROUPS.every((group) => compareStamps(stampOf(a, group), stampOf(b, group)) === 0);
  return equal ? null : groups;
}

function compareInto(groups: Set<Group>, a: BoardObject, b: BoardObject): void {
  for (const name in a) {
    if (a[name] === b[name]) continue;
    const group = groupOf(name);
    if (group === undefined || groups.has(group)) continue;
    if (!sameJson(a[name] as Json | undefined, b[name] as Json | undefined)) groups.add(group);
  }
}

/** The stamp of the next local change of a group. */
export function nextStamp(object: BoardObject, group: Group, author: Author): Stamp {
  return [stampOf(object, group)[0] + 1, author];
}
