/**
 * Takes back what one visitor did in a span of time: what they added is removed, what they removed or changed returns
 * as it was, and what others have done since stays. Pure: it decides from the board, from drawings that were saved,
 * and from what a page saw (`ChangeLog`). What cannot be known is a doubt, about which the host decides.
 */

import { authorOf, baseAuthor } from "./author.ts";
import type { Board } from "./board.ts";
import { OTHER_PROGRAM, type Actor, type ChangeLog, type EarlierState } from "./change-log.ts";
import { BACKGROUND } from "./constants.ts";
import type { Author, BoardChanges, BoardObject, Group, ObjectId, Stamp } from "./drawing.ts";
import { changeBackground, changeObjects, removeObjects, restoreObjects } from "./edit.ts";
import {
  buildObject,
  groupOf,
  GROUPS,
  incarnationOf,
  propsOf,
  stampOf,
  type Props,
} from "./groups.ts";
import { sameJson } from "./json.ts";
import { keyOfAuthor } from "./peer-key.ts";
import { existed, type SavedStates } from "./saved-states.ts";

/** The keys of the clients whose work is taken back (see `keyOf`); `OTHER_PROGRAM` for plain clients. */
export type Culprits = ReadonlySet<Actor>;

export interface Evidence {
  readonly saved: SavedStates;
  readonly log: ChangeLog;
}

/**
 * A reason for doubt. `older`: it may have happened before the span. `shared`: others have changed it since.
 * `remover`: nobody saw who removed it.
 */
export type Doubt = "older" | "shared" | "remover";

export type Decision =
  | { readonly kind: "goes"; readonly doubt: Doubt | null }
  | { readonly kind: "returns"; readonly object: BoardObject; readonly doubt: Doubt | null }
  | { readonly kind: "changes"; readonly props: Props; readonly doubt: Doubt | null }
  /** The object was removed or changed, and its earlier state is unknown. */
  | { readonly kind: "lost" };

/** Decides what taking back means for one object that is or was on the board; null when nothing has to be done. */
export function decide(
  board: Board,
  id: ObjectId,
  culprits: Culprits,
  evidence: Evidence,
): Decision | null {
  const object = board.objects.get(id);
  return object === undefined
    ? decideMissing(id, culprits, evidence)
    : decideLiving(object, culprits, evidence);
}

/** Yields every object that may have to be decided about: those on the board, and those known to have been there. */
export function* candidates(board: Board, { saved, log }: Evidence): Generator<ObjectId, void> {
  yield* board.objects.keys();
  const visited = new Set<ObjectId>();
  for (const table of [saved.states, log.removed]) {
    for (const id of table.keys()) {
      if (board.objects.has(id) || visited.has(id)) continue;
      visited.add(id);
      yield id;
    }
  }
}

/** The background before one of them changed it; null when none of them did. */
export function earlierBackground(
  board: Board,
  culprits: Culprits,
  { saved }: Evidence,
): string | null {
  const { backgroundStamp: stamp, background } = board;
  if (stamp[0] === 0 || !isBy(culprits, stamp[1])) return null;
  let best: { readonly stamp: Stamp; readonly color: string } | undefined;
  for (const one of saved.backgrounds) {
    if (one.stamp[0] >= stamp[0]) {
      if (one.at <= saved.since) return null;
      continue;
    }
    const stays = one.stamp[0] === 0 || !isBy(culprits, one.stamp[1]) || one.at <= saved.since;
    if (stays && (best === undefined || best.stamp[0] < one.stamp[0])) best = one;
  }
  const before = best?.color ?? BACKGROUND;
  return before === background ? null : before;
}

/**
 * Takes back their work as far as `includes` allows it, with a pause after each `size` objects. Each object is
 * decided when it is reached, since others draw meanwhile. Removals are first, so that there is space for what
 * returns.
 */
export function* takeBack(
  board: Board,
  author: Author,
  culprits: Culprits,
  given: {
    readonly evidence: Evidence;
    readonly ids: readonly ObjectId[];
    readonly includes: ReadonlySet<Doubt>;
    readonly size?: number;
  },
): Generator<BoardChanges, void> {
  const { evidence, ids, includes, size = 500 } = given;
  const decided = (from: number): [ObjectId, Decision][] =>
    ids.slice(from, from + size).flatMap((id): [ObjectId, Decision][] => {
      const decision = decide(board, id, culprits, evidence);
      return decision && isIncluded(decision, includes) ? [[id, decision]] : [];
    });
  for (let from = 0; from < ids.length; from += size) {
    const going = decided(from).flatMap(([id, { kind }]) => (kind === "goes" ? [id] : []));
    yield removeObjects(board, going);
  }
  for (let from = 0; from < ids.length; from += size) {
    const part = decided(from);
    const returning = part.flatMap(([, one]) => (one.kind === "returns" ? [one.object] : []));
    const back = part.flatMap(([id, one]) =>
      one.kind === "changes" ? [{ id, props: one.props }] : [],
    );
    const restored = restoreObjects(board, author, returning);
    const changed = changeObjects(board, author, back);
    yield { ...changed, added: [...restored.added, ...changed.added] };
  }
  const color = earlierBackground(board, culprits, evidence);
  if (color !== null) yield changeBackground(board, author, color);
}

export function isIncluded(decision: Decision, includes: ReadonlySet<Doubt>): boolean {
  return decision.kind !== "lost" && (decision.doubt === null || includes.has(decision.doubt));
}

/** Whether the author is a page load of one of them. */
export function isBy(culprits: Culprits, author: Author): boolean {
  const base = baseAuthor(author);
  return culprits.has(base === null ? OTHER_PROGRAM : keyOfAuthor(base));
}

function decideLiving(
  object: BoardObject,
  culprits: Culprits,
  evidence: Evidence,
): Decision | null {
  if (isBy(culprits, authorOf(object.id))) {
    const age = ageOfObject(object.id, evidence);
    if (age !== "old") {
      if (hasWorkOfPeers(object, culprits)) return { kind: "goes", doubt: "shared" };
      return { kind: "goes", doubt: age === "new" ? null : "older" };
    }
  }
  const reverted = revert(object, culprits, evidence);
  if (Object.keys(reverted.props).length > 0)
    return { kind: "changes", props: reverted.props, doubt: reverted.isDoubtful ? "older" : null };
  return reverted.isLost ? { kind: "lost" } : null;
}

function decideMissing(id: ObjectId, culprits: Culprits, evidence: Evidence): Decision | null {
  const { saved, log } = evidence;
  if (isBy(culprits, authorOf(id)) && ageOfObject(id, evidence) !== "old") return null;
  const removal = log.removed.get(id);
  const by = removal?.by ?? null;
  if (removal !== undefined && by !== null) {
    if (!culprits.has(by) || removal.at <= saved.since) return null;
  }
  const last = lastState(id, evidence);
  if (last === undefined) return by === null ? null : { kind: "lost" };
  const { object } = revert(last, culprits, evidence);
  return { kind: "returns", object, doubt: by === null ? "remover" : null };
}

function statesOf(id: ObjectId, { saved, log }: Evidence): readonly EarlierState[] {
  return [...(saved.states.get(id) ?? []), ...(log.states.get(id) ?? [])];
}

/** The state with the highest incarnation, and among those the latest. */
function lastState(id: ObjectId, evidence: Evidence): BoardObject | undefined {
  let last: { readonly object: BoardObject; readonly at: number } | undefined;
  for (const one of statesOf(id, evidence)) {
    const order = last ? incarnationOf(one.object) - incarnationOf(last.object) : 1;
    if (order > 0 || (order === 0 && last && one.at >= last.at)) last = one;
  }
  return last?.object;
}

/**
 * Whether others have rewritten, recoloured or moved the object. Its height in the stack does not count, since it
 * changes whenever somebody restacks.
 */
function hasWorkOfPeers(object: BoardObject, culprits: Culprits): boolean {
  return GROUPS.some((group) => {
    const [version, author] = stampOf(object, group);
    return group !== "order" && version > 0 && !isBy(culprits, author);
  });
}

type Age = "old" | "new" | "unknown";

/** Whether an object was there before the span. */
function ageOfObject(id: ObjectId, { saved, log }: Evidence): Age {
  const { since, base, early } = saved;
  if (since === Number.NEGATIVE_INFINITY) return "new";
  const sighting = log.added.get(id);
  if (sighting && (sighting.by !== null || sighting.at <= since))
    return sighting.at <= since ? "old" : "new";
  if (base && existed(saved, base, id)) return "old";
  if (saved.isExact || (early && !existed(saved, early, id))) return "new";
  return !sighting && log.since <= since ? "old" : "unknown";
}

interface Reverted {
  /** The properties in which the object differs now. */
  readonly props: Props;
  /** The object with these properties. */
  readonly object: BoardObject;
  readonly isDoubtful: boolean;
  /** Whether something was changed whose earlier value is unknown. */
  readonly isLost: boolean;
}

/**
 * Returns the object as it was before they changed it, property group by property group: what others have changed
 * since stays.
 */
function revert(object: BoardObject, culprits: Culprits, evidence: Evidence): Reverted {
  const props: Props = {};
  const stamps: Partial<Record<Group, Stamp>> = { ...object.stamps };
  let isDoubtful = false;
  let isLost = false;
  for (const group of GROUPS) {
    if (!isChangedBy(culprits, object, group, evidence)) continue;
    const age = ageOfChange(object, group, evidence);
    if (age === "old") continue;
    const before = earlier(object, group, culprits, evidence);
    isLost ||= before === undefined;
    if (before === undefined) continue;
    isDoubtful ||= age === "unknown";
    Object.assign(props, differences(object, before, group));
    const stamp = before.stamps?.[group];
    if (stamp) stamps[group] = stamp;
    else delete stamps[group];
  }
  const head = { type: object.type, id: object.id, incarnation: incarnationOf(object) };
  const reverted = buildObject(head, stamps, { ...propsOf(object), ...props });
  return { props, object: reverted, isDoubtful, isLost };
}

/** Whether the group is as one of them made it, even where an undo of others led back to that. */
function isChangedBy(
  culprits: Culprits,
  object: BoardObject,
  group: Group,
  evidence: Evidence,
): boolean {
  const isTheirs = (one: BoardObject): boolean => {
    const [version, author] = stampOf(one, group);
    return version > 0 && isBy(culprits, author);
  };
  if (isTheirs(object)) return true;
  if (!evidence.log.undone.has(object.id)) return false;
  return statesOf(object.id, evidence).some(
    ({ object: one }) => isTheirs(one) && differences(object, one, group) === null,
  );
}

/** The properties of one group that differ in another state; null when none does. */
function differences(now: BoardObject, was: BoardObject, group: Group): Props | null {
  const [all, before] = [propsOf(now), propsOf(was)];
  const props: Props = {};
  for (const name of new Set([...Object.keys(all), ...Object.keys(before)]))
    if (groupOf(name) === group && !sameJson(all[name], before[name])) props[name] = before[name];
  return Object.keys(props).length > 0 ? props : null;
}

/** The last known state of one group that is none of theirs, or from before the span. */
function earlier(
  object: BoardObject,
  group: Group,
  culprits: Culprits,
  evidence: Evidence,
): BoardObject | undefined {
  const [version] = stampOf(object, group);
  let best: BoardObject | undefined;
  for (const { object: one, at } of statesOf(object.id, evidence)) {
    const stamp = stampOf(one, group);
    if (one.type !== object.type || stamp[0] >= version) continue;
    if (stamp[0] > 0 && isBy(culprits, stamp[1]) && at > evidence.saved.since) continue;
    if (best === undefined || stampOf(best, group)[0] < stamp[0]) best = one;
  }
  return best;
}

/** Whether a change of theirs was made before the span. */
function ageOfChange(object: BoardObject, group: Group, { saved, log }: Evidence): Age {
  const { since, base, early, isExact } = saved;
  if (since === Number.NEGATIVE_INFINITY) return "new";
  const [version] = stampOf(object, group);
  const states = statesOf(object.id, { saved, log });
  const hasIt = (until: number): boolean =>
    states.some(({ object: one, at }) => at <= until && stampOf(one, group)[0] >= version);
  if (hasIt(since)) return "old";
  const sighting = log.changed.get(object.id);
  if (log.since <= since && (!sighting || sighting.at <= since)) return "old";
  const overwritten = (log.states.get(object.id) ?? []).some(
    ({ object: one, at }) => at > since && stampOf(one, group)[0] < version,
  );
  if (isExact && base) return "new";
  if ((early && !hasIt(early.at)) || overwritten) return "new";
  return "unknown";
}
