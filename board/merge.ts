/**
 * Merging: the one way by which a change from elsewhere reaches a board.
 *
 * For each id the state is (incarnation, removed or alive): the higher incarnation wins; at the same incarnation
 * removed wins over alive; alive on both sides, the property groups are merged. That is a semilattice, so
 * drawings may come doubled, late and in any order; a partial drawing is one that knows of fewer ids.
 */

import { authorOf, makeId, sequenceOf } from "./author.ts";
import { mergeNames } from "./author-names.ts";
import { createBoard, dropObject, putObject, type Board } from "./board.ts";
import {
  addAllToContext,
  addToContext,
  countRuns,
  countSequences,
  decodeContext,
  knownIncarnation,
  mergeContext,
  type CausalContext,
} from "./causal-context.ts";
import { compactContext } from "./compact-context.ts";
import type {
  Author,
  BoardChanges,
  BoardObject,
  Drawing,
  ObjectId,
  Stamp,
  WrittenName,
} from "./drawing.ts";
import { toDrawing } from "./encode.ts";
import { compareStamps, incarnationOf, mergeObjects } from "./groups.ts";
import { MAX_COUNT, MAX_RUNS } from "./limits.ts";
import { BACKGROUND } from "./constants.ts";
import {
  discredit,
  dropFalseClaims,
  isForged,
  noteNumber,
  type OwnObjects,
} from "./own-objects.ts";

/** The changes of a merge while they are collected. */
export interface Collected {
  added: BoardObject[];
  changed: BoardObject[];
  removed: BoardObject[];
  /** The objects of `changed` as they were before. */
  before: BoardObject[];
  background?: string;
}

/** The number of additions from which sorting them once is cheaper than adding them to the context one by one. */
const MANY = 24;

/**
 * Merges what a drawing knows into the board and returns what changed. The cost follows the drawing, not the board.
 * With `own`, false claims about this page's own objects, and forged copies of them, have no effect (see
 * `dropFalseClaims` and `isForged`).
 */
export function mergeInto(board: Board, drawing: Drawing, own?: OwnObjects): BoardChanges {
  const changes: Collected = { added: [], changed: [], removed: [], before: [] };
  const theirs = decodeContext(drawing.inkpool.seen);
  const alive = new Set<ObjectId>();
  for (const object of drawing.objects) {
    // A drawing that knows a higher incarnation than it contains says that this one was removed.
    const known = knownIncarnation(theirs, authorOf(object.id), sequenceOf(object.id));
    if (known > incarnationOf(object)) continue;
    alive.add(object.id);
    if (own !== undefined && isForged(board, object, own.unsent)) {
      discredit(board, authorOf(object.id));
      continue;
    }
    noteNumber(board, object.id);
    mergeObject(board, object, changes);
  }
  if (own !== undefined) dropFalseClaims(board, theirs, alive, own);
  for (const id of removedIds(board, theirs, alive)) {
    const removed = dropObject(board, id);
    if (removed !== undefined) changes.removed.push(removed);
  }
  mergeContext(board.context, theirs);
  addObjectsToContext(board, [...changes.added, ...changes.changed]);
  mergeBackground(board, drawing, changes);
  mergeNames(board.names, Object.entries(drawing.inkpool.names ?? {}) as [Author, WrittenName][]);
  boundContext(board, theirs, own?.pending);
  return changes;
}

/** Merges two drawings: commutative, associative, idempotent. The result is partial only when both are. */
export function merge(a: Drawing, b: Drawing): Drawing {
  const board = createBoard();
  mergeInto(board, a);
  mergeInto(board, b);
  const merged = toDrawing(board);
  if (a.inkpool.partial !== true || b.inkpool.partial !== true) return merged;
  return { ...merged, inkpool: { ...merged.inkpool, partial: true } };
}

/** Adds living objects to the board's causal context. */
export function addObjectsToContext(board: Board, objects: readonly BoardObject[]): void {
  const incarnations = objects.map(
    (object) => [authorOf(object.id), sequenceOf(object.id), incarnationOf(object)] as const,
  );
  if (incarnations.length >= MANY) return addAllToContext(board.context, incarnations);
  for (const [author, seq, incarnation] of incarnations) {
    if (knownIncarnation(board.context, author, seq) < incarnation) {
      addToContext(board.context, author, seq, incarnation);
    }
  }
}

function mergeObject(board: Board, object: BoardObject, changes: Collected): void {
  const mine = board.objects.get(object.id);
  if (mine === object) return;
  const incarnation = incarnationOf(object);
  if (mine === undefined) {
    const known = knownIncarnation(board.context, authorOf(object.id), sequenceOf(object.id));
    if (known >= incarnation) return;
    putObject(board, object);
    changes.added.push(object);
    return;
  }
  if (incarnationOf(mine) > incarnation) return;
  const merged = incarnationOf(mine) < incarnation ? object : mergeObjects(mine, object);
  if (merged === mine) return;
  putObject(board, merged);
  changes.changed.push(merged);
  changes.before.push(mine);
}

/** The living objects that the other side has observed and does not contain. */
function removedIds(board: Board, theirs: CausalContext, alive: ReadonlySet<ObjectId>): ObjectId[] {
  const gone: ObjectId[] = [];
  const check = (id: ObjectId, object: BoardObject, incarnation: number): void => {
    if (incarnation >= incarnationOf(object) && !alive.has(id)) gone.push(id);
  };
  if (countSequences(theirs) > board.objects.size) {
    for (const [id, object] of board.objects) {
      check(id, object, knownIncarnation(theirs, authorOf(id), sequenceOf(id)));
    }
    return gone;
  }
  for (const [author, runs] of theirs) {
    for (let index = 0; index < runs.length; index += 3) {
      const [from, to, incarnation] = runs.slice(index, index + 3) as [number, number, number];
      for (let seq = from; seq <= to; seq++) {
        const id = makeId(author, seq);
        const object = board.objects.get(id);
        if (object !== undefined) check(id, object, incarnation);
      }
    }
  }
  return gone;
}

/** Bounds the context between two saves too: memory must not grow without bound when a peer invents authors and gaps. */
function boundContext(
  board: Board,
  theirs: CausalContext,
  pending: Iterable<ObjectId> | undefined,
): void {
  board.contextGrowth += countRuns(theirs);
  if (board.contextGrowth <= MAX_RUNS) return;
  board.contextGrowth = 0;
  if (countRuns(board.context) > MAX_RUNS) compactContext(board, pending);
}

function mergeBackground(board: Board, drawing: Drawing, changes: Collected): void {
  const stamp: Stamp = drawing.inkpool.stamp ?? [0, "" as Author];
  if (compareBackgrounds(board.backgroundStamp, board.background, stamp, drawing.background) >= 0) {
    return;
  }
  if (board.background !== drawing.background) changes.background = drawing.background;
  board.background = drawing.background;
  board.backgroundStamp = stamp;
}

/**
 * Compares two backgrounds by stamp, then by colour. At the greatest version the default background wins, so that no
 * peer can fix another one for ever.
 */
function compareBackgrounds(a: Stamp, colorA: string, b: Stamp, colorB: string): number {
  if (a[0] === MAX_COUNT && b[0] === MAX_COUNT && colorA !== colorB) {
    if (colorA === BACKGROUND) return 1;
    if (colorB === BACKGROUND) return -1;
  }
  const order = compareStamps(a, b);
  if (order !== 0) return order;
  if (colorA === colorB) return 0;
  return colorA < colorB ? -1 : 1;
}
