/**
 * Notices what the changes of others take away, judged by their effect: an object was removed, or it is still there
 * and cannot be seen any more. When much of the board disappears within a few seconds, this page offers to restore
 * it.
 */

import type { Board } from "./board.ts";
import type { Author, BoardChanges, BoardObject, ObjectId } from "./drawing.ts";
import { createUndoStack, makeEntry, undoStep } from "./undo.ts";
import { hasNoPaint } from "./unpainted.ts";

/** Milliseconds within which losses are counted together until they are great. */
export const LOSS_WINDOW = 5_000;
/** Milliseconds from the first great loss on in which later ones join it, and for which a notice offers them back. */
export const OFFER_TIME = 60_000;
/** The share of the objects, and the least number (or all), that must be lost for losses to be great. */
const GREAT_SHARE = 0.25;
const GREAT_COUNT = 5;
/** Pixels by which an object must be moved to be out of everybody's sight. */
const FAR = 10_000;

export interface Losses {
  /** The time of the first loss, in milliseconds. */
  readonly since: number;
  /** The number of objects on the board before the first loss. */
  readonly total: number;
  /** The lost objects as they were. */
  readonly lost: ReadonlyMap<ObjectId, BoardObject>;
}

export const NO_LOSSES: Losses = { since: Number.NEGATIVE_INFINITY, total: 0, lost: new Map() };

/**
 * Adds the losses of a change from elsewhere; `total` is the number of objects before it, and `now` is in
 * milliseconds. An object that returns no longer counts as lost. Losses that have all returned, or that began more than
 * `window` milliseconds ago, are forgotten.
 */
export function addLosses(
  losses: Losses,
  changes: BoardChanges,
  total: number,
  now: number,
  window: number,
): Losses {
  const { added, changed, removed, before = [] } = changes;
  const hidden = before.filter((was, at) => isVisible(was) && isLost(was, changed[at]));
  const gone = [...removed.filter(isVisible), ...hidden];
  const shown = [...added, ...changed].filter((object) => {
    const was = losses.lost.get(object.id);
    return was && !isLost(was, object);
  });
  const expired = now - losses.since > window || now < losses.since;
  if (gone.length === 0 && shown.length === 0) return expired ? NO_LOSSES : losses;
  const base = expired ? { since: now, total, lost: new Map<ObjectId, BoardObject>() } : losses;
  const lost = new Map(base.lost);
  for (const { id } of shown) lost.delete(id);
  for (const object of gone) if (!lost.has(object.id)) lost.set(object.id, object);
  if (lost.size === 0) return NO_LOSSES;
  return { since: base.since, total: base.total, lost };
}

/** True when a quarter of the board is lost, and at least 5 objects or all of it. */
export function areGreat({ lost, total }: Losses): boolean {
  return (
    lost.size > 0 && lost.size >= total * GREAT_SHARE && lost.size >= Math.min(GREAT_COUNT, total)
  );
}

/** Whether `restoreLosses` would change anything. */
export function canRestore({ objects }: Board, { lost }: Losses): boolean {
  return [...lost].some(([id, was]) => isLost(was, objects.get(id)));
}

/** Restores the losses: removed objects return, and hidden ones get their former look and position. */
export function restoreLosses(board: Board, author: Author, { lost }: Losses): BoardChanges {
  const { objects } = board;
  const before = [...lost.values()].filter((was) => isLost(was, objects.get(was.id)));
  const after = before.flatMap(({ id }) => objects.get(id) ?? []);
  const stack = createUndoStack();
  stack.undo.push(makeEntry(before, after));
  return undoStep(stack, board, author)?.changes ?? { added: [], changed: [], removed: [] };
}

/** True when somebody who looks for the object can see it, or could if nothing covered it. */
export function isVisible(object: BoardObject): boolean {
  const { opacity, scaleX, scaleY, left, top } = object;
  if (isBelow(opacity, 0.02) || isBelow(scaleX, 0.01) || isBelow(scaleY, 0.01)) return false;
  return !isFar(left) && !isFar(top) && !hasNoPaint(object);
}

/** Whether an object that could be seen is removed, hidden or far away now. */
function isLost(was: BoardObject, now: BoardObject | undefined): boolean {
  return !now || !isVisible(now) || isMovedFar(was, now);
}

function isMovedFar(a: BoardObject, b: BoardObject): boolean {
  return (
    Math.abs((a.left ?? 0) - (b.left ?? 0)) > FAR || Math.abs((a.top ?? 0) - (b.top ?? 0)) > FAR
  );
}

function isBelow(value: unknown, limit: number): boolean {
  return Math.abs(value as number) < limit;
}

function isFar(value: unknown): boolean {
  return Math.abs(value as number) > 10 * FAR;
}
