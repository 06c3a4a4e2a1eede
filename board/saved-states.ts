/** The history of a board as saved drawings show it: which objects existed, and how they looked. */

import { authorOf, sequenceOf } from "./author.ts";
import { decodeContext, knownIncarnation, type CausalContext } from "./causal-context.ts";
import type { EarlierState } from "./change-log.ts";
import type { Author, Drawing, ObjectId, Stamp } from "./drawing.ts";
import { GROUPS, incarnationOf, stampOf } from "./groups.ts";

/** The times between which a saved drawing was the row's, in milliseconds since 1970. */
export interface SavedTimes {
  readonly at: number;
  readonly until: number;
}

interface Snapshot extends SavedTimes {
  readonly context: CausalContext;
}

/** The collected states. Read its fields, but change it with `addSaved` only. */
export interface SavedStates {
  /** The beginning of the span, in milliseconds since 1970; -Infinity for a span without a beginning. */
  readonly since: number;
  /** The last drawing that was saved before the span, and the first one in it. */
  base: Snapshot | null;
  early: Snapshot | null;
  /** Whether `base` shows the board as it was when the span began, to within two minutes. */
  isExact: boolean;
  readonly states: Map<ObjectId, EarlierState[]>;
  readonly backgrounds: { readonly at: number; readonly stamp: Stamp; readonly color: string }[];
}

/**
 * Milliseconds before the span within which a version counts as its beginning: a stroke is saved within a minute, and
 * one version of each minute is stored.
 */
const CLOSE = 120_000;

const NO_STAMP: Stamp = [0, "" as Author];

export function createSavedStates(since: number): SavedStates {
  return { since, base: null, early: null, isExact: false, states: new Map(), backgrounds: [] };
}

/** Adds a drawing, with a pause after each `size` objects. Drawings may come in any order. */
export function* addSaved(
  saved: SavedStates,
  { objects, background, inkpool }: Drawing,
  { at, until }: SavedTimes,
  size = 500,
): Generator<void, void> {
  const snapshot = (): Snapshot => ({ at, until, context: decodeContext(inkpool.seen) });
  if (at <= saved.since) {
    if (saved.base === null || saved.base.at < at) saved.base = snapshot();
    saved.isExact = saved.base.until >= saved.since - CLOSE;
  } else if (saved.early === null || saved.early.at > at) saved.early = snapshot();
  saved.backgrounds.push({ at, stamp: inkpool.stamp ?? NO_STAMP, color: background });
  let count = 0;
  for (const object of objects) {
    if (++count % size === 0) yield;
    const states = saved.states.get(object.id);
    if (states === undefined) {
      saved.states.set(object.id, [{ object, at }]);
      continue;
    }
    const same = states.findIndex((one) => isSame(one.object, object));
    if (same < 0) states.push({ object, at });
    else if (at < (states[same] as EarlierState).at) states[same] = { object, at };
  }
}

/** Whether the drawing, or one before it, had the object. */
export function existed(saved: SavedStates, { context, at }: Snapshot, id: ObjectId): boolean {
  if (knownIncarnation(context, authorOf(id), sequenceOf(id)) >= 0) return true;
  return saved.states.get(id)?.some((state) => state.at <= at) === true;
}

function isSame(a: EarlierState["object"], b: EarlierState["object"]): boolean {
  return (
    incarnationOf(a) === incarnationOf(b) &&
    GROUPS.every((group) => {
      const [left, right] = [stampOf(a, group), stampOf(b, group)];
      return left[0] === right[0] && left[1] === right[1];
    })
  );
}
