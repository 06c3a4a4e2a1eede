/**
 * A log of what peers have done while this page watched, so that a host can take it back: who added and removed which
 * object and when, and how objects were before somebody else changed them. The author of a change is a claim, as
 * every name is. The log is bounded: the actor with the largest share loses its oldest entries first, so that a flood
 * under one name cannot push out what was done under another.
 */

import { baseAuthor } from "./author.ts";
import type { Author, BoardChanges, BoardObject, ObjectId } from "./drawing.ts";
import { GROUPS, incarnationOf, stampOf } from "./groups.ts";

/** The key of a client (see `keyOf`); `OTHER_PROGRAM` for a plain client. */
export type Actor = string;

/** All plain clients together: what they make has no author. */
export const OTHER_PROGRAM: Actor = "";

/** A change and the time when this page saw it, in milliseconds since 1970. */
export interface Sighting {
  readonly at: number;
  /** The actor; null for a change that the row brought, which may be older and of anybody. */
  readonly by: Actor | null;
}

/** An object as it was until `at`. */
export interface EarlierState {
  readonly object: BoardObject;
  readonly at: number;
}

/** The log. Read its fields, but change it with `logChanges` only. */
export interface ChangeLog {
  /** The time when this page began to watch. */
  readonly since: number;
  readonly added: Map<ObjectId, Sighting>;
  /** The last change of each object. */
  readonly changed: Map<ObjectId, Sighting>;
  /** The last removal of each object, which may have returned since. */
  readonly removed: Map<ObjectId, Sighting>;
  readonly states: Map<ObjectId, EarlierState[]>;
  /** Objects that an undo of this page changed: their present state may be somebody else's work. */
  readonly undone: Set<ObjectId>;
  readonly limits: LogLimits;
  /** Earlier states by actor, the oldest first. */
  readonly shares: Map<Actor, Share>;
  weight: number;
}

interface Share {
  entries: { readonly id: ObjectId; readonly state: EarlierState; readonly weight: number }[];
  weight: number;
}

interface LogLimits {
  /** The greatest number of entries of each table. */
  readonly entries: number;
  /** The greatest sum of the weights of all earlier states: about the characters of their JSON. */
  readonly weight: number;
}

const LIMITS: LogLimits = { entries: 200_000, weight: 20_000_000 };
/** Earlier states that are stored for one object; the first ones stay. */
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
 * Logs the effects of a change. An object that an undo removes keeps the remover that the log names: an undo counts
 * as nobody's work. The cost follows the change.
 */
export function logChanges(
  log: ChangeLog,
  changes: BoardChanges,
  sighting: Sighting,
  isUndo = false,
): void {
  const { entries } = log.limits;
  for (const object of changes.added) {
    // An object that returns existed before.
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

/** True when one author's values were replaced by another author's. */
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

/** Removes a tenth of the stored states: the older half of the largest share, and again until that is enough. */
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

/** Estimates the characters of an object's JSON without writing it. */
function weightOf(object: BoardObject): number {
  let weight = 100;
  for (const value of Object.values(object)) {
    if (typeof value === "string") weight += value.length;
    else if (Array.isArray(value)) weight += 20 * value.length;
    else if (typeof value === "object" && value !== null) weight += JSON.stringify(value).length;
  }
  return weight;
}
