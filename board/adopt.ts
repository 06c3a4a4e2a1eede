/**
 * Applies the drawing of a plain client: a whole drawing without any of our fields. It replaces what its writer could
 * know. Two pages that apply the same drawing to equal boards get equal boards.
 */

import { authorOf, sequenceOf } from "./author.ts";
import { compareStack, dropObject, putObject, topZ, type Board } from "./board.ts";
import { knownIncarnation } from "./causal-context.ts";
import { contentKey, copyContentKey } from "./content-key.ts";
import type { Author, BoardChanges, BoardObject, Group, Json, ObjectId, Stamp } from "./drawing.ts";
import { buildObject, groupOf, incarnationOf, nextStamp, propsOf, type Props } from "./groups.ts";
import { hash53 } from "./hash.ts";
import { canonicalJson, sameJson } from "./json.ts";
import { MAX_COUNT, MAX_Z } from "./limits.ts";
import { addObjectsToContext, type Collected } from "./merge.ts";
import type { ParsedDrawing } from "./parse.ts";

type Foreign = Pick<Extract<ParsedDrawing, { ok: true }>, "drawing" | "givenIds">;

export interface AdoptOptions {
  /**
   * Whether nothing may happen to a living object: the writer cannot have known its latest state, or it is new and
   * copies an object that the writer cannot know to be removed.
   */
  readonly isRetained: (object: BoardObject) => boolean;
  /** Whether an object that is not in the drawing was removed. */
  readonly removes: boolean;
  /** The number of objects between two pauses; Infinity for no pause. */
  readonly size: number;
}

/** The author of a background that a plain client set. */
const PLAIN = "f" as Author;

/**
 * The author of a plain client's change of one group. It follows from the group's values, so that two pages that
 * apply different drawings never give different values the same stamp.
 */
function authorOfChange(group: Group, props: Props): Author {
  const values = Object.entries(props).filter(([name]) => groupOf(name) === group);
  return `${PLAIN}${hash53(canonicalJson(Object.fromEntries(values) as Json)).toString(36)}` as Author;
}

/**
 * Replaces the board by the drawing, except for retained objects, with a pause after each `size` objects. Each pause
 * yields what changed since the one before, and so does the end. Objects are matched by id, or else by content, so a
 * copy of an object counts as that object. What somebody else changes during a pause stays as it is then. O(board +
 * drawing).
 */
export function* adoptForeign(
  board: Board,
  foreign: Foreign,
  options: AdoptOptions,
): Generator<BoardChanges, void> {
  const { size } = options;
  let changes = noChanges();
  /** The board as this drawing found it, with the changes that the drawing has made since. */
  const expected = new Map(board.objects);
  const isAsExpected = (id: ObjectId): boolean => board.objects.get(id) === expected.get(id);
  const matches = yield* matchObjects(expected, foreign, size);
  const present = new Set(matches.flatMap(({ mine }) => mine?.id ?? []));
  let count = 0;
  for (const [id, object] of options.removes ? [...expected] : []) {
    if (++count % size === 0) {
      yield changes;
      changes = noChanges();
    }
    if (present.has(id) || !isAsExpected(id) || options.isRetained(object)) continue;
    const removed = dropObject(board, id);
    expected.delete(id);
    if (removed !== undefined) changes.removed.push(removed);
  }
  const heights = heightsOf(board, matches);
  for (const [index, { object, mine }] of matches.entries()) {
    if (++count % size === 0) {
      addObjectsToContext(board, changes.added);
      yield changes;
      changes = noChanges();
    }
    const { id } = mine ?? object;
    if (!isAsExpected(id) || options.isRetained(mine ?? object)) continue;
    // Everybody who reads a height out of this range takes it for 0.
    const z = Math.max(-MAX_Z, Math.min(heights[index] as number, MAX_Z));
    if (mine === undefined) addForeign(board, object, z, changes);
    else changeForeign(board, mine, object, z, changes);
    const now = board.objects.get(id);
    if (now !== undefined) expected.set(id, now);
  }
  addObjectsToContext(board, changes.added);
  if (board.background !== foreign.drawing.background) {
    const version = Math.min(board.backgroundStamp[0] + 1, MAX_COUNT);
    board.background = foreign.drawing.background;
    board.backgroundStamp = [version, PLAIN];
    changes.background = foreign.drawing.background;
  }
  yield changes;
}

function noChanges(): Collected {
  return { added: [], changed: [], removed: [], before: [] };
}

/** An object of the drawing, and the living object that it matches. */
interface Match {
  readonly object: BoardObject;
  readonly mine: BoardObject | undefined;
}

type Living = ReadonlyMap<ObjectId, BoardObject>;

function* matchObjects(
  living: Living,
  { drawing, givenIds }: Foreign,
  size: number,
): Generator<BoardChanges, Match[]> {
  const taken = new Set<ObjectId>();
  const byId = (id: ObjectId, { type }: BoardObject): BoardObject | undefined => {
    const mine = taken.has(id) ? undefined : living.get(id);
    if (mine?.type !== type) return undefined;
    taken.add(id);
    return mine;
  };
  const found = drawing.objects.map(
    (object) => byId(givenIds.get(object.id) ?? object.id, object) ?? byId(object.id, object),
  );
  const rest = yield* byContent(living, taken, size);
  return drawing.objects.map((object, index) => ({
    object,
    mine: found[index] ?? (rest.size === 0 ? undefined : rest.get(contentKey(object))?.pop()),
  }));
}

/** The living objects that are not matched yet, by their content; of equal ones the lowest is last. */
function* byContent(
  living: Living,
  taken: ReadonlySet<ObjectId>,
  size: number,
): Generator<BoardChanges, Map<string, BoardObject[]>> {
  const objects = new Map<string, BoardObject[]>();
  let count = 0;
  for (const object of living.values()) {
    if (taken.has(object.id)) continue;
    if (++count % size === 0) yield noChanges();
    const key = contentKey(object);
    const same = objects.get(key);
    if (same === undefined) objects.set(key, [object]);
    else same.push(object);
  }
  for (const same of objects.values()) same.sort((a, b) => compareStack(b, a));
  return objects;
}

/**
 * The z of each object of the drawing. Objects that are already in the drawing's order keep theirs, and new ones go
 * between their neighbours; otherwise the whole stack follows the drawing.
 */
function heightsOf(board: Board, matches: readonly Match[]): number[] {
  const known = matches.flatMap(({ mine }) => mine ?? []);
  const inOrder = known.every(
    (object, index) => index === 0 || compareStack(known[index - 1] as BoardObject, object) < 0,
  );
  if (!inOrder || known.length === 0) return matches.map((_, index) => index + 1);
  const heights: number[] = [];
  let next = 0;
  for (let index = 0; index < matches.length; index = next) {
    const mine = matches[index]?.mine;
    next = index + 1;
    if (mine !== undefined) {
      heights.push(mine.z);
      continue;
    }
    while (next < matches.length && matches[next]?.mine === undefined) next += 1;
    heights.push(...between(heights.at(-1), matches[next]?.mine?.z, next - index, topZ(board)));
  }
  return heights;
}

/** Returns `count` ascending heights above `low` and below `high`, or above the whole board where `high` is absent. */
function between(
  low: number | undefined,
  high: number | undefined,
  count: number,
  top: number,
): number[] {
  const from = high === undefined ? Math.floor(top) : (low ?? high - count - 1);
  const step = high === undefined ? 1 : (high - from) / (count + 1);
  return Array.from({ length: count }, (_, at) => from + step * (at + 1));
}

function addForeign(board: Board, object: BoardObject, z: number, changes: Collected): void {
  const known = knownIncarnation(board.context, authorOf(object.id), sequenceOf(object.id));
  const incarnation = Math.min(known + 1, MAX_COUNT);
  const head = { type: object.type, id: object.id, incarnation };
  const added = buildObject(head, {}, { ...propsOf(object), z });
  copyContentKey(object, added);
  putObject(board, added);
  changes.added.push(added);
}

/** Applies an object of which the client kept the id or the content: what differs is a change that the client made. */
function changeForeign(
  board: Board,
  mine: BoardObject,
  object: BoardObject,
  z: number,
  changes: Collected,
): void {
  const before = propsOf(mine);
  // A client that writes whole drawings keeps none of our fields.
  const own = Object.fromEntries(
    ["eraser", "alt"].flatMap((name) => (name in before ? [[name, before[name]]] : [])),
  ) as Props;
  const props: Props =
    contentKey(mine) === contentKey(object) ? { ...before, z } : { ...propsOf(object), ...own, z };
  const groups = new Set<Group>();
  for (const name of new Set([...Object.keys(before), ...Object.keys(props)])) {
    const group = groupOf(name);
    if (group !== undefined && !sameJson(before[name], props[name])) groups.add(group);
  }
  if (groups.size === 0) return;
  const stamps: Partial<Record<Group, Stamp>> = { ...mine.stamps };
  for (const group of groups) {
    const stamp = nextStamp(mine, group, authorOfChange(group, props));
    // An exhausted group can only be changed under a new id, which only an edit of this page makes.
    if (stamp[0] > MAX_COUNT) return;
    stamps[group] = stamp;
  }
  const head = { type: mine.type, id: mine.id, incarnation: incarnationOf(mine) };
  const changed = buildObject(head, stamps, props);
  putObject(board, changed);
  changes.changed.push(changed);
  changes.before.push(mine);
}
