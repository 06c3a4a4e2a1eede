/** Returns to an earlier drawing by an ordinary edit. */

import { hasSpaceFor, stackedObjects, type Board } from "./board.ts";
import { LIMITS, TEXTS } from "./constants.ts";
import type { Author, BoardChanges, BoardObject, Drawing, Json, ObjectChange } from "./drawing.ts";
import { changeBackground, changeObjects, removeObjects, restoreObjects } from "./edit.ts";
import { drawingChunks } from "./encode.ts";
import { propsOf, sizeOf } from "./groups.ts";
import { sameJson } from "./json.ts";
import { utf8Length } from "./validate.ts";

/**
 * Makes the board equal to the drawing: removes what it does not contain, restores what is missing, and changes the
 * rest back. With `onlyMissing`, only what is missing is restored. Yields the changes of each `size` objects, for a
 * caller that pauses between them; objects that others add meanwhile stay.
 */
export function* changesTo(
  board: Board,
  author: Author,
  drawing: Drawing,
  { onlyMissing, size = 500 }: { readonly onlyMissing: boolean; readonly size?: number },
): Generator<BoardChanges, void> {
  const { objects } = drawing;
  const wanted = new Set(objects.map(({ id }) => id));
  const surplus = onlyMissing
    ? []
    : stackedObjects(board).flatMap(({ id }) => (wanted.has(id) ? [] : [id]));
  for (let from = 0; from < surplus.length; from += size)
    yield removeObjects(board, surplus.slice(from, from + size));
  for (let from = 0; from < objects.length; from += size) {
    const part = objects.slice(from, from + size);
    // First what is missing: an object that gets a fresh id when it is changed is missing afterwards.
    const restored = restoreObjects(board, author, part);
    const changed = changeObjects(board, author, onlyMissing ? [] : differences(board, part));
    yield { ...changed, added: [...restored.added, ...changed.added] };
  }
  if (!onlyMissing) yield changeBackground(board, author, drawing.background);
}

/** The reason why a board cannot become a drawing. `tooLarge`: the text for the visitor. */
export type Refusal = { readonly full: true } | { readonly tooLarge: string };

/**
 * Returns the reason why the board cannot become what `changesTo` makes of it, because it could not be saved; null
 * when it can. It pauses after each `size` objects.
 */
export function* refuseChangesTo(
  board: Board,
  drawing: Drawing,
  onlyMissing: boolean,
  size = 500,
): Generator<void, Refusal | null> {
  let count = 0;
  let bytes = 0;
  let work = 0;
  for (const object of drawing.objects) {
    const mine = board.objects.get(object.id);
    if (mine === undefined || !onlyMissing) {
      count += sizeOf(object);
      bytes += utf8Length(JSON.stringify(object));
      // The object gets an incarnation, or stamps.
      bytes += mine === undefined ? INCARNATION_BYTES : mine === object ? 0 : STAMP_BYTES;
    }
    if (++work % size === 0) yield;
  }
  if (!onlyMissing) return tooLarge(bytes);
  if (!hasSpaceFor(board, count)) return { full: true };
  if (count === 0) return null;
  for (const pieces of drawingChunks(board, size)) {
    for (const piece of pieces) bytes += utf8Length(piece);
    yield;
  }
  return tooLarge(bytes);
}

const INCARNATION_BYTES = '"life":10,'.length;
const STAMP_BYTES = 60;

function tooLarge(bytes: number): Refusal | null {
  if (bytes <= LIMITS.canvasBytes) return null;
  const megabytes = (bytes / 1_048_576).toFixed(2);
  return { tooLarge: TEXTS.cannotSave(TEXTS.dataTooLarge(megabytes)) };
}

function differences(board: Board, objects: readonly BoardObject[]): ObjectChange[] {
  const changes: ObjectChange[] = [];
  for (const object of objects) {
    const mine = board.objects.get(object.id);
    if (mine === undefined || mine.type !== object.type) continue;
    const [now, then] = [propsOf(mine), propsOf(object)];
    const props: Record<string, Json | undefined> = {};
    for (const name of new Set([...Object.keys(now), ...Object.keys(then)])) {
      if (!sameJson(now[name], then[name])) props[name] = then[name];
    }
    if (Object.keys(props).length > 0) changes.push({ id: object.id, props });
  }
  return changes;
}
