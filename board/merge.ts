/**
 * Merging: the one way by which a change from elsewhere reaches a board.
 *
 * For each id the state is (life, removed or alive): the higher life wins; at the same life removed wins over
 * alive; alive on both sides, the groups are merged. That is a semilattice, so drawings may come doubled,
 * late and in any order; a partial drawing is one that knows of fewer ids.
 */

import { authorOf, MAX_COUNT, seqOf, makeId } from "./author.ts";
import { createBoard, dropObject, putObject } from "./board.ts";
import type { Board } from "./board.ts";
import type { Author, BoardChanges, BoardObject, Drawing, ObjectId, Stamp } from "./drawing.ts";
import { toDrawing } from "./encode.ts";
import { compareStamps, lifeOf, mergeObjects } from "./groups.ts";
import { countRuns, countSeen, lifeSeen, markSeen, readSeen, uniteSeen } from "./seen.ts";
import type { Seen } from "./seen.ts";
import { compactSeen, MOST_RUNS } from "./forget.ts";
import { BACKGROUND } from "./spec.ts";

/** What happened while merging, as it is collected. */
export interface Collected {
  added: BoardObject[];
  changed: BoardObject[];
  removed: BoardObject[];
  background?: string;
}

/** Takes in what a drawing knows; answers what changed here. Cost follows the drawing, not the board. */
export function mergeInto(board: Board, drawing: Drawing): BoardChanges {
  const changes: Collected = { added: [], changed: [], removed: [] };
  const theirs = readSeen(drawing.inkpool.seen);
  const alive = new Set<ObjectId>();
  for (const object of drawing.objects) {
    // A drawing that has seen a higher life than it shows says itself that this one is gone.
    if (lifeSeen(theirs, authorOf(object.id), seqOf(object.id)) > lifeOf(object)) continue;
    alive.add(object.id);
    takeObject(board, object, changes);
  }
  for (const id of removedIds(board, theirs, alive)) {
    const removed = dropObject(board, id);
    if (removed !== undefined) changes.removed.push(removed);
  }
  uniteSeen(board.seen, theirs);
  for (const object of [...changes.added, ...changes.changed]) see(board, object);
  takeBackground(board, drawing, changes);
  boundSeen(board, theirs);
  return changes;
}

/** What both drawings know: commutative, associative, idempotent. Partial only when both are. */
export function merge(a: Drawing, b: Drawing): Drawing {
  const board = createBoard();
  mergeInto(board, a);
  mergeInto(board, b);
  const merged = toDrawing(board);
  if (a.inkpool.partial !== true || b.inkpool.partial !== true) return merged;
  return { ...merged, inkpool: { ...merged.inkpool, partial: true } };
}

function takeObject(board: Board, object: BoardObject, changes: Collected): void {
  const mine = board.objects.get(object.id);
  if (mine === object) return;
  const life = lifeOf(object);
  if (mine === undefined) {
    if (lifeSeen(board.seen, authorOf(object.id), seqOf(object.id)) >= life) return;
    putObject(board, object);
    changes.added.push(object);
    return;
  }
  if (lifeOf(mine) > life) return;
  const merged = lifeOf(mine) < life ? object : mergeObjects(mine, object);
  if (merged === mine) return;
  putObject(board, merged);
  changes.changed.push(merged);
}

/** The living objects that the other side has seen and does not hold. */
function removedIds(board: Board, theirs: Seen, alive: ReadonlySet<ObjectId>): ObjectId[] {
  const gone: ObjectId[] = [];
  const check = (id: ObjectId, object: BoardObject, life: number): void => {
    if (life >= lifeOf(object) && !alive.has(id)) gone.push(id);
  };
  if (countSeen(theirs) > board.objects.size) {
    for (const [id, object] of board.objects) {
      check(id, object, lifeSeen(theirs, authorOf(id), seqOf(id)));
    }
    return gone;
  }
  for (const [author, runs] of theirs) {
    for (let index = 0; index < runs.length; index += 3) {
      const [from, to, life] = runs.slice(index, index + 3) as [number, number, number];
      for (let seq = from; seq <= to; seq++) {
        const id = makeId(author, seq);
        const object = board.objects.get(id);
        if (object !== undefined) check(id, object, life);
      }
    }
  }
  return gone;
}

/** Marks a living object as seen. */
export function see(board: Board, object: BoardObject): void {
  const author = authorOf(object.id);
  const seq = seqOf(object.id);
  const life = lifeOf(object);
  if (lifeSeen(board.seen, author, seq) < life) markSeen(board.seen, author, seq, life);
}

/** Between two saves too, memory must not grow without bound when somebody invents authors and gaps. */
function boundSeen(board: Board, theirs: Seen): void {
  board.seenGrowth += countRuns(theirs);
  if (board.seenGrowth <= MOST_RUNS) return;
  board.seenGrowth = 0;
  if (countRuns(board.seen) > MOST_RUNS) compactSeen(board);
}

function takeBackground(board: Board, drawing: Drawing, changes: Collected): void {
  const stamp: Stamp = drawing.inkpool.stamp ?? [0, "" as Author];
  if (compareBackgrounds(board.backgroundStamp, board.background, stamp, drawing.background) >= 0) {
    return;
  }
  if (board.background !== drawing.background) changes.background = drawing.background;
  board.background = drawing.background;
  board.backgroundStamp = stamp;
}

/** At the greatest version of all the usual background wins, so that nobody can fix another one for ever. */
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
