/** The edits that this page makes on its board. Each function returns what changed, and its cost follows the change. */

import { authorOf, sequenceOf } from "./author.ts";
import { dropObject, putObject, stackedObjects, topZ, type Board } from "./board.ts";
import { compactObject } from "./compact-object.ts";
import { isDefault, magnification, readProperty } from "./object-parser.ts";
import type {
  Author,
  BoardChanges,
  BoardObject,
  Group,
  Json,
  NewObject,
  ObjectChange,
  ObjectId,
  Stamp,
} from "./drawing.ts";
import {
  buildObject,
  groupOf,
  incarnationOf,
  nextStamp,
  propsOf,
  stampOf,
  type Props,
} from "./groups.ts";
import { sameJson } from "./json.ts";
import { MAX_COUNT, MAX_Z } from "./limits.ts";
import { takeId } from "./own-objects.ts";
import { addToContext, knownIncarnation } from "./causal-context.ts";
import { isColor } from "./values.ts";

/** The first version or incarnation that counts as exhausted: only a hostile peer counts that far. */
const EXHAUSTED_VERSION = 2 ** 31 - 2 ** 20;
const EXHAUSTED_INCARNATION = 2 ** 20;

/** The z above which the top of the stack is lowered before something is put on it; only a hostile peer stacks so high. */
const HIGHEST_Z = 2 ** 39;
const COMPACTED_Z = 2 ** 38;

interface Collected {
  added: BoardObject[];
  changed: BoardObject[];
  removed: BoardObject[];
}

/**
 * Adds objects on top of the stack, each compacted (see `compactObject`). `added` begins with them, in the
 * same order, with their ids.
 * @throws TypeError for an object that a board cannot contain; nothing is added then.
 */
export function addObjects(
  board: Board,
  author: Author,
  objects: readonly NewObject[],
): BoardChanges {
  const compact = objects.map(compactObject);
  const changes = nothing();
  const lowered = lowerStack(board, author);
  let z = topZ(board);
  for (const object of compact) {
    z = Math.floor(z) + 1;
    changes.added.push(addFresh(board, author, object, z));
  }
  changes.added.push(...lowered.added);
  changes.changed.push(...lowered.changed);
  changes.removed.push(...lowered.removed);
  return changes;
}

/**
 * Changes properties, and `z`. Unknown ids, unknown properties, invalid values and equal values are ignored;
 * undefined sets the default. An object whose versions a hostile peer has exhausted is removed and added again under
 * a fresh id.
 */
export function changeObjects(
  board: Board,
  author: Author,
  changes: readonly ObjectChange[],
): Required<Omit<BoardChanges, "background">> {
  const made = nothing();
  const changed = new Map<ObjectId, BoardObject>();
  const before = new Map<ObjectId, BoardObject>();
  for (const change of changes) {
    const object = board.objects.get(change.id);
    if (object === undefined) continue;
    const { props, groups } = changedProps(object, change.props);
    if (groups.size === 0) continue;
    if (isExhausted(object, groups)) {
      dropObject(board, object.id);
      changed.delete(object.id);
      made.removed.push(object);
      before.delete(object.id);
      const { z, ...rest } = props;
      const fresh = { ...rest, type: object.type } as NewObject;
      made.added.push(addFresh(board, author, fresh, typeof z === "number" ? z : object.z));
      continue;
    }
    const stamps: Partial<Record<Group, Stamp>> = { ...object.stamps };
    for (const group of groups) stamps[group] = nextStamp(object, group, author);
    const head = { type: object.type, id: object.id, incarnation: incarnationOf(object) };
    const next = buildObject(head, stamps, props);
    putObject(board, next);
    changed.set(next.id, next);
    if (!before.has(next.id)) before.set(next.id, object);
  }
  return { ...made, changed: [...changed.values()], before: [...before.values()] };
}

/** Removes objects; unknown ids are ignored. */
export function removeObjects(board: Board, ids: Iterable<ObjectId>): BoardChanges {
  const changes = nothing();
  for (const id of ids) {
    const removed = dropObject(board, id);
    if (removed !== undefined) changes.removed.push(removed);
  }
  return changes;
}

/**
 * Restores removed objects in the state given and at their height in the stack, with the next incarnation; living
 * ones are left alone. An object whose incarnations a hostile peer has exhausted gets a fresh id.
 */
export function restoreObjects(
  board: Board,
  author: Author,
  objects: readonly BoardObject[],
): BoardChanges {
  const changes = nothing();
  for (const object of objects) {
    if (board.objects.has(object.id)) continue;
    const by = authorOf(object.id);
    const seq = sequenceOf(object.id);
    const incarnation = Math.max(
      knownIncarnation(board.context, by, seq) + 1,
      incarnationOf(object),
    );
    if (incarnation >= EXHAUSTED_INCARNATION) {
      const { z, ...rest } = propsOf(object);
      const fresh = { ...rest, type: object.type } as NewObject;
      changes.added.push(addFresh(board, author, fresh, z as number));
      continue;
    }
    const head = { type: object.type, id: object.id, incarnation };
    const back = buildObject(head, object.stamps ?? {}, propsOf(object));
    putObject(board, back);
    addToContext(board.context, by, seq, incarnation);
    changes.added.push(back);
  }
  return changes;
}

/**
 * Sets the background (a CSS colour).
 * @throws TypeError for a text that is not a colour.
 */
export function changeBackground(board: Board, author: Author, color: string): BoardChanges {
  if (!isColor(color)) throw new TypeError("The background must be a CSS colour");
  if (color === board.background) return nothing();
  board.background = color;
  board.backgroundStamp = [Math.min(board.backgroundStamp[0] + 1, MAX_COUNT), author];
  return { ...nothing(), background: color };
}

function nothing(): Collected {
  return { added: [], changed: [], removed: [] };
}

function addFresh(board: Board, author: Author, object: NewObject, z: number): BoardObject {
  const id = takeId(board, author);
  const { type, ...props } = object;
  const added = buildObject({ type, id, incarnation: 0 }, {}, { ...props, z } as Props);
  putObject(board, added);
  return added;
}

function changedProps(
  object: BoardObject,
  change: ObjectChange["props"],
): { readonly props: Props; readonly groups: ReadonlySet<Group> } {
  const props = propsOf(object);
  const groups = new Set<Group>();
  const scale = magnification({ ...props, ...change });
  for (const [name, value] of Object.entries(change)) {
    const group = groupOf(name);
    if (group === undefined) continue;
    const next = name === "z" ? readZ(value) : readChange(object, name, value, scale);
    if (next === INVALID || sameJson(props[name], next)) continue;
    if (next === undefined) delete props[name];
    else props[name] = next;
    groups.add(group);
  }
  return { props, groups };
}

const INVALID = Symbol("invalid");

function readZ(value: Json | undefined): number | typeof INVALID {
  return typeof value === "number" && Math.abs(value) <= MAX_Z ? value : INVALID;
}

/** Reads the new value of a property; undefined stands for the default, which is not written. */
function readChange(
  object: BoardObject,
  name: string,
  value: Json | undefined,
  scale: number,
): Json | undefined | typeof INVALID {
  if (value === undefined) return undefined;
  const read = readProperty(object.type, name, value, scale);
  if (read === undefined) return INVALID;
  return isDefault(object.type, name, read) ? undefined : read;
}

function isExhausted(object: BoardObject, groups: ReadonlySet<Group>): boolean {
  if (incarnationOf(object) >= EXHAUSTED_INCARNATION) return true;
  return [...groups].some((group) => stampOf(object, group)[0] >= EXHAUSTED_VERSION);
}

/**
 * Lowers objects that are stacked absurdly high to just above the rest, in their order. The cost follows the number
 * of moved objects.
 */
function lowerStack(board: Board, author: Author): BoardChanges {
  if (topZ(board) <= HIGHEST_Z) return nothing();
  const stack = stackedObjects(board);
  const first = stack.findLastIndex(({ z }) => z <= COMPACTED_Z) + 1;
  const base = Math.floor(Math.max(0, stack[first - 1]?.z ?? 0));
  const moves = stack.slice(first).map(({ id }, at) => ({ id, props: { z: base + 1 + at } }));
  return changeObjects(board, author, moves);
}
