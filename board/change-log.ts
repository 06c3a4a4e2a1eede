/**
 * What one page has seen others do, so that a host can take it back: who added and removed which object and when, and how
 * objects were before somebody else changed them. Who did it is a claim, as every name is. Bounded: the largest share of
 * what is kept loses its oldest entries first, so that nobody's flood pushes out what they did under another name.
 */

import { baseAuthor } from "./author.ts";
import type { Author, BoardChanges, BoardObject, ObjectId } from "./drawing.ts";
import { GROUPS, incarnationOf, stampOf } from "./groups.ts";

/** The key of a client (see `keyOf`); `OTHER_PROGRAM` for a plain client. */
export type Actor = string;

/** All plain clients together: what they make has no author. */
export const OTHER_PROGRAM: Actor = "";

/** When this page saw something happen, in milliseconds since 1970. */
export interface Sighting {
  readonly at: number;
  /** Null where the row brought it: it may have happened earlier, and nobody knows by whom. */
  readonly by: Actor | null;
}

/** An object as it was until `at`. */
export interface EarlierState {
  readonly object: BoardObject;
  readonly at: number;
}

/** Opaque but for reading: write it with `logChanges`. */
export interface ChangeLog {
  /** When this page began to look. */
  readonly since: number;
  readonly added: Map<ObjectId, Sighting>;
  /** The last change of each object. */
  readonly changed: Map<ObjectId, Sighting>;
  /** The last removal of each object, which may have returned since. */
  readonly removed: Map<ObjectId, Sighting>;
  readonly states: Map<ObjectId, EarlierState[]>;
  /** Objects that an undo of this page changed: what they are now may be what somebody else made of them. */
  readonly undone: Set<ObjectId>;
  readonly limits: LogLimits;
  /** What is kept of each actor's doing, the oldest first. */
  readonly shares: Map<Actor, Share>;
  weight: number;
}

interface Share {
  entries: { readonly id: ObjectId; readonly state: EarlierState; readonly weight: number }[];
  weight: number;
}

interface LogLimits {
  /** Entries of each table. */
  readonly entries: number;
  /** About as many characters of JSON as all earlier states have together. */
  readonly weight: number;
}

const LIMITS: LogLimits = { entries: 200_000, weight: 20_000_000 };
/** Earlier states of one object; the first ones are kept. */
const MAX_STATES = 8;

export function createChangeLog(since: number, limits = LIMITS): ChangeLog {
  const shares = new Map<Actor, Share>();
  return {
    ...{ since, limits, shares, weight: 0 },
    ...{
      added: new Map(),
      changed: new Map(),
      removed: new Map(),
      states: new Map(),
      undone: new Set(),
    },
  };
}

/**
 * Notes what a change did. What `isUndo` removes was removed before by whom the log says: an undo takes no part in it.
 * Costs follow the change.
 */
export function logChanges(
  log: ChangeLog,
  changes: BoardChanges,
  sighting: Sighting,
  isUndo = false,
): void {
  const { entries } = log.limits;
  for (const object of changes.added) {
    // One that returns was there before.
    if (incarnationOf(object) === 0) note(log.added, object.id, sighting, entries);
  }
  const { before = [] } = changes;
  for (const [index, object] of changes.changed.entries()) {
    note(log.changed, object.id, sighting, entries);
    if (isUndo) log.undone.add(object.id);
    const was = before[index];
    if (was !== undefined && isOverwritten(was, object)) keep(log, was, sighting);
  }
  for (const object of changes.removed) {
    if (!isUndo || !log.removed.has(object.id)) note(log.removed, object.id, sighting, entries);
    keep(log, object, sighting);
  }
}

function note(
  table: Map<ObjectId, Sighting>,
  id: ObjectId,
  sighting: Sighting,
  limit: number,
): void {
  table.delete(id);
  table.set(id, sighting);
  if (table.size <= limit) return;
  const [oldest] = table.keys();
  if (oldest !== undefined) table.delete(oldest);
}

/** True when one author's values gave way to another one's. */
function isOverwritten(was: BoardObject, now: BoardObject): boolean {
  return GROUPS.some((group) => {
    const [a, b] = [stampOf(was, group), stampOf(now, group)];
    return a[0] !== b[0] && nameOf(a[1]) !== nameOf(b[1]);
  });
}

const nameOf = (author: Author): Author | null => baseAuthor(author);

function keep(log: ChangeLog, object: BoardObject, { at, by }: Sighting): void {
  const states = log.states.get(object.id) ?? [];
  if (states.length >= MAX_STATES) return;
  const weight = weightOf(object);
  const state: EarlierState = { object, at };
  const actor = by ?? OTHER_PROGRAM;
  const share = log.shares.get(actor) ?? { entries: [], weight: 0 };
  share.entries.push({ id: object.id, state, weight });
  share.weight += weight;
  log.shares.set(actor, share);
  log.states.set(object.id, [...states, state]);
  log.weight += weight;
  if (log.weight > log.limits.weight) shrink(log);
}

/** Takes a tenth off what is kept: of the largest share its older half, and so on. */
function shrink(log: ChangeLog): void {
  while (log.weight > 0.9 * log.limits.weight) {
    const [largest] = [...log.shares].sort((a, b) => b[1].weight - a[1].weight);
    if (largest === undefined) return;
    const [actor, share] = largest;
    const dropped = share.entries.slice(0, Math.ceil(share.entries.length / 2));
    for (const { id, state, weight } of dropped) {
      const rest = (log.states.get(id) ?? []).filter((one) => one !== state);
      if (rest.length > 0) log.states.set(id, rest);
      else log.states.delete(id);
      share.weight -= weight;
      log.weight -= weight;
    }
    share.entries = share.entries.slice(dropped.length);
    if (share.entries.length === 0) log.shares.delete(actor);
  }
}

/** About the characters of an object's JSON, without writing it. */
function weightOf(object: BoardObject): number {
  let weight = 100;
  for (const value of Object.values(object)) {
    if (typeof value === "string") weight += value.length;
    else if (Array.isArray(value)) weight += 20 * value.length;
    else if (typeof value === "object" && value !== null) weight += JSON.stringify(value).length;
  }
  return weight;
}
