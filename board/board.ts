/** The board in memory. It is mutable, and arranged so that a change costs no more than its own size. */

import { authorOf, compareIds } from "./author.ts";
import type { AuthorNames } from "./author-names.ts";
import type { Author, BoardObject, ObjectId, Stamp } from "./drawing.ts";
import { GROUPS, incarnationOf, sizeOf, stampOf } from "./groups.ts";
import { addModulo, hash53, subtractModulo } from "./hash.ts";
import type { CausalContext } from "./causal-context.ts";
import { BACKGROUND } from "./constants.ts";
import { MAX_OBJECTS } from "./limits.ts";

/**
 * Everything that this browser knows about the drawing. Outside board/ it is opaque: read it through the functions of
 * this folder. Invariant: the incarnation of each living object is the highest one that was observed for it.
 */
export interface Board {
  readonly objects: Map<ObjectId, BoardObject>;
  readonly context: CausalContext;
  /** The number of living objects of each author; an author without any has no entry. */
  readonly living: Map<Author, number>;
  /** The next sequence number of each of this page's own names. It survives a compaction of the context. */
  readonly nextSequence: Map<Author, number>;
  /** Own names about which a peer made a false claim, each with the name that replaced it. */
  readonly renamed: Map<Author, Author>;
  /** The names of authors, also of those who have no object left. */
  readonly names: AuthorNames;
  background: string;
  backgroundStamp: Stamp;
  /** The number of objects, those inside others included (see `sizeOf`); the parser's limit counts them in the same way. */
  size: number;
  /** The sum of the objects' hashes modulo 2^53. */
  digestSum: number;
  /** The objects, bottom first; null when they must be sorted again. */
  stack: BoardObject[] | null;
  /** Insertions into and removals from the middle of the stack since it was last asked for. */
  shifts: number;
  /** Runs merged into the context since its size was last checked. */
  contextGrowth: number;
}

/** Shifts above which sorting once is cheaper than moving the stack each time. */
const MAX_SHIFTS = 64;

const NO_STAMP: Stamp = [0, "" as Author];

export function createBoard(): Board {
  return {
    objects: new Map(),
    context: new Map(),
    living: new Map(),
    nextSequence: new Map(),
    renamed: new Map(),
    names: new Map(),
    background: BACKGROUND,
    backgroundStamp: NO_STAMP,
    size: 0,
    digestSum: 0,
    stack: [],
    shifts: 0,
    contextGrowth: 0,
  };
}

export function getObject(board: Board, id: ObjectId): BoardObject | undefined {
  return board.objects.get(id);
}

export function countObjects(board: Board): number {
  return board.objects.size;
}

/**
 * The objects, bottom first. The array is the board's own: do not change it. An addition on top is appended to it and
 * a changed object takes its place in it; any other change makes a new array, so that a loop over the old one stays
 * valid.
 */
export function stackedObjects(board: Board): readonly BoardObject[] {
  board.shifts = 0;
  board.stack ??= [...board.objects.values()].sort(compareStack);
  return board.stack;
}

/** Whether `count` more objects may be added: no page makes a board that the parser would refuse. */
export function hasSpaceFor(board: Board, count: number): boolean {
  return board.size + count <= MAX_OBJECTS;
}

/** The background as a CSS colour. */
export function backgroundOf(board: Board): string {
  return board.background;
}

/**
 * Returns a hash that is equal for boards with equal objects, whatever the order in which they arrived. O(1). It
 * covers ids, incarnations, stamps and z, which determine the values; it covers neither removals nor the background.
 */
export function digest(board: Board): string {
  return `${board.objects.size.toString(36)}.${board.digestSum.toString(36)}`;
}

/** The z of the topmost object; 0 on an empty board. */
export function topZ(board: Board): number {
  return stackedObjects(board).at(-1)?.z ?? 0;
}

/** Compares two objects by z, then by id: bottom first. */
export function compareStack(a: BoardObject, b: BoardObject): number {
  return a.z !== b.z ? a.z - b.z : compareIds(a.id, b.id);
}

/** Adds an object, or replaces the one with its id. The causal context does not change. */
export function putObject(board: Board, object: BoardObject): void {
  const old = board.objects.get(object.id);
  if (old !== undefined) {
    board.digestSum = subtractModulo(board.digestSum, hashObject(old));
    board.size -= sizeOf(old);
  }
  board.digestSum = addModulo(board.digestSum, hashObject(object));
  board.size += sizeOf(object);
  board.objects.set(object.id, object);
  if (old === undefined) countLiving(board, object.id, 1);
  if (old !== undefined && old.z === object.z) replaceInStack(board, object);
  else {
    if (old !== undefined) takeFromStack(board, old);
    insertInStack(board, object);
  }
}

/** Removes an object and returns it as it last was. The causal context does not change. */
export function dropObject(board: Board, id: ObjectId): BoardObject | undefined {
  const old = board.objects.get(id);
  if (old === undefined) return undefined;
  board.objects.delete(id);
  countLiving(board, id, -1);
  board.size -= sizeOf(old);
  board.digestSum = subtractModulo(board.digestSum, hashObject(old));
  takeFromStack(board, old);
  return old;
}

function countLiving(board: Board, id: ObjectId, change: 1 | -1): void {
  const author = authorOf(id);
  const count = (board.living.get(author) ?? 0) + change;
  if (count > 0) board.living.set(author, count);
  else board.living.delete(author);
}

function hashObject(object: BoardObject): number {
  let text = `${object.id} ${incarnationOf(object)} ${object.z}`;
  if (object.stamps !== undefined) {
    const own = authorOf(object.id);
    for (const group of GROUPS) {
      const [version, author] = stampOf(object, group);
      if (version > 0 || author !== own) text += ` ${group} ${version} ${author}`;
    }
  }
  return hash53(text);
}

function replaceInStack(board: Board, object: BoardObject): void {
  if (board.stack !== null) board.stack[indexInStack(board.stack, object)] = object;
}

function insertInStack(board: Board, object: BoardObject): void {
  const stack = board.stack;
  if (stack === null) return;
  const top = stack.at(-1);
  if (top === undefined || compareStack(top, object) < 0) stack.push(object);
  else shift(board, stack, (copy) => copy.splice(indexInStack(stack, object), 0, object));
}

function takeFromStack(board: Board, object: BoardObject): void {
  const stack = board.stack;
  if (stack !== null) shift(board, stack, (copy) => copy.splice(indexInStack(stack, object), 1));
}

function shift(board: Board, stack: BoardObject[], edit: (copy: BoardObject[]) => void): void {
  board.shifts += 1;
  if (board.shifts > MAX_SHIFTS) {
    board.stack = null;
    return;
  }
  const copy = stack.slice();
  edit(copy);
  board.stack = copy;
}

/** The index of the object in the stack, or the one at which it belongs. */
function indexInStack(stack: readonly BoardObject[], object: BoardObject): number {
  let low = 0;
  let high = stack.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareStack(stack[middle] as BoardObject, object) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
