/**
 * Notices what the changes of others take away, judged by their effect: an object was removed, or it is still there
 * and cannot be seen any more. When much of the board disappears within a few seconds, this page offers to restore
 * it.
 */

import type { Board } from "./board.ts";
import type { Author, BoardChanges, BoardObject, Json, ObjectChange, ObjectId } from "./drawing.ts";
import { changeObjects, restoreObjects } from "./edit.ts";
import { propsOf } from "./groups.ts";
import { sameJson } from "./json.ts";

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
 * milliseconds. An object that returns no longer counts as lost. Losses that began more than `window` milliseconds
 * ago are forgotten.
 */
export function addLosses(
  losses: Losses,
  changes: BoardChanges,
  total: number,
  now: number,
  window: number,
): Losses {
  const gone = [...changes.removed.filter(isVisible), ...hiddenBy(changes)];
  const shown = [...changes.added, ...changes.changed].filter(
    (object) => losses.lost.has(object.id) && isVisible(object),
  );
  const expired = now - losses.since > window || now < losses.since;
  if (gone.length === 0 && shown.length === 0) return expired ? NO_LOSSES : losses;
  const base = expired ? { since: now, total, lost: new Map<ObjectId, BoardObject>() } : losses;
  const lost = new Map(base.lost);
  for (const { id } of shown) lost.delete(id);
  for (const object of gone) if (!lost.has(object.id)) lost.set(object.id, object);
  return { since: base.since, total: base.total, lost };
}

/** True when a quarter of the board is lost, and at least 5 objects or all of it. */
export function areGreat({ lost, total }: Losses): boolean {
  return (
    lost.size > 0 && lost.size >= total * GREAT_SHARE && lost.size >= Math.min(GREAT_COUNT, total)
  );
}

/** Whether `restoreLosses` would change anything. */
export function canRestore(board: Board, { lost }: Losses): boolean {
  for (const id of lost.keys()) {
    const now = board.objects.get(id);
    if (now === undefined || !isVisible(now)) return true;
  }
  return false;
}

/** Restores the losses: removed objects return, and hidden ones get their former look and position. */
export function restoreLosses(board: Board, author: Author, losses: Losses): BoardChanges {
  const lost = [...losses.lost.values()];
  const hidden = lost.flatMap((before) => {
    const now = board.objects.get(before.id);
    return now === undefined || isVisible(now) ? [] : [changeBack(now, before)];
  });
  const restored = restoreObjects(
    board,
    author,
    lost.filter(({ id }) => !board.objects.has(id)),
  );
  const changed = changeObjects(board, author, hidden);
  return {
    added: [...restored.added, ...changed.added],
    changed: changed.changed,
    removed: changed.removed,
  };
}

/** True when somebody who looks for the object can see it, or could if nothing covered it. */
export function isVisible(object: BoardObject): boolean {
  const { visible, opacity, scaleX, scaleY, left, top } = object;
  if (visible === false || isBelow(opacity, 0.02)) return false;
  if (isBelow(scaleX, 0.01) || isBelow(scaleY, 0.01)) return false;
  if (isFar(left) || isFar(top)) return false;
  if (object["text"] === "") return false;
  return !(isTransparent(object["fill"]) && isTransparent(object["stroke"] ?? null));
}

function hiddenBy({ changed, before = [] }: BoardChanges): BoardObject[] {
  return before.filter((was, index) => {
    const now = changed[index];
    return now !== undefined && isVisible(was) && (!isVisible(now) || isMovedFar(was, now));
  });
}

function isMovedFar(a: BoardObject, b: BoardObject): boolean {
  return (
    Math.abs((a.left ?? 0) - (b.left ?? 0)) > FAR || Math.abs((a.top ?? 0) - (b.top ?? 0)) > FAR
  );
}

function changeBack(now: BoardObject, before: BoardObject): ObjectChange {
  const [old, current] = [propsOf(before), propsOf(now)];
  const props: Record<string, Json | undefined> = {};
  for (const name of new Set([...Object.keys(old), ...Object.keys(current)])) {
    if (!sameJson(old[name], current[name])) props[name] = old[name];
  }
  return { id: now.id, props };
}

function isBelow(value: unknown, limit: number): boolean {
  return typeof value === "number" && Math.abs(value) < limit;
}

function isFar(value: unknown): boolean {
  return typeof value === "number" && Math.abs(value) > 10 * FAR;
}

/** Whether a paint is invisible. An absent fill is black, an absent stroke is none. */
function isTransparent(paint: unknown): boolean {
  return paint === null || paint === "" || paint === "transparent";
}
