/** Compares a board with a drawing, to find what the one knows and the other does not. */

import { authorOf, isObjectId, makeId, sequenceOf } from "./author.ts";
import { getObject, type Board } from "./board.ts";
import { decodeContext, knownIncarnation } from "./causal-context.ts";
import type { Author, Drawing, Json, ObjectId } from "./drawing.ts";
import { toDrawing, toPartial } from "./encode.ts";
import { isOlder } from "./groups.ts";
import { hash53 } from "./hash.ts";
import { sameJson } from "./json.ts";

/**
 * Returns a function that says whether a drawing that was merged into the board contains an object exactly as it is
 * on the board, or knows of its removal.
 */
export function containedIn(drawing: Drawing, board: Board): (id: ObjectId) => boolean {
  const objects = new Map(drawing.objects.map((object) => [object.id, object]));
  const context = decodeContext(drawing.inkpool.seen);
  return (id) => {
    const mine = getObject(board, id);
    const theirs = objects.get(id);
    if (mine)
      return theirs !== undefined && (mine === theirs || sameJson(mine as Json, theirs as Json));
    const removed = decodeContext(toPartial(board, [id]).inkpool.seen);
    const incarnation = knownIncarnation(removed, authorOf(id), sequenceOf(id));
    return (
      theirs === undefined && knownIncarnation(context, authorOf(id), sequenceOf(id)) >= incarnation
    );
  };
}

/** Objects that are compared between two pauses. */
const COMPARED_PER_SLICE = 4_000;

/**
 * Returns the ids about which a drawing that was merged into the board knows less than the board: objects that it
 * lacks or has in an older state, and objects of it that were removed. As in a digest, stamps and z decide: a value
 * that the parser reads differently is no reason to save, or clients would save for ever.
 */
export function* staleIds(drawing: Drawing, board: Board): Generator<void, ObjectId[]> {
  const theirs = new Map(drawing.objects.map((object) => [object.id, object]));
  const ids = drawing.objects.flatMap(({ id }) => (getObject(board, id) ? [] : [id]));
  let count = 0;
  for (const [id, mine] of board.objects) {
    if (++count % COMPARED_PER_SLICE === 0) yield;
    const object = theirs.get(id);
    if (object === mine) continue;
    if (object === undefined || object.z !== mine.z || isOlder(object, mine)) ids.push(id);
  }
  return ids;
}

/** Whether the board has observed the object of this id. */
export function isKnown({ context }: Board, id: unknown): boolean {
  return isObjectId(id) && knownIncarnation(context, authorOf(id), sequenceOf(id)) >= 0;
}

/** Returns the hash of a board's causal context; together with the digest it shows whether two boards know the same. */
export function hashContext(board: Board): string {
  return hash53(JSON.stringify(toDrawing(board).inkpool.seen)).toString(36);
}

/** Ids that are read of a partial drawing; one that claims to know more is cut off there. */
const MAX_IDS = 300_000;

/** Returns the ids of the living and the removed objects that a partial drawing knows. */
export function idsOf(drawing: Drawing): Set<ObjectId> {
  const ids = new Set(drawing.objects.map((object) => object.id));
  for (const [author, runs] of decodeContext(drawing.inkpool.seen)) {
    for (let at = 0; at < runs.length; at += 3) {
      const [from = 0, to = -1] = [runs[at], runs[at + 1]];
      for (let seq = from; seq <= to && ids.size < MAX_IDS; seq += 1)
        ids.add(makeId(author as Author, seq));
    }
  }
  return ids;
}

/**
 * Greatest number of characters of carried objects, such as pictures for a page that cannot read them. A save that
 * would become too large with them leaves them out.
 */
const MAX_CARRIED_CHARS = 7_000_000;

/**
 * Returns the objects of a drawing that this version of the page cannot read and that a save carries on unchanged.
 * Where the board knows an object, living or removed, the save writes that instead of a copy that cannot be read.
 */
export function carriedOf(unreadable: readonly Json[], board: Board): readonly Json[] {
  let chars = 0;
  return unreadable.filter((object) => {
    if (isKnown(board, (object as { readonly id?: unknown }).id)) return false;
    try {
      return (chars += JSON.stringify(object).length) < MAX_CARRIED_CHARS;
    } catch {
      // Something nested so deeply can be parsed, but not written.
      return false;
    }
  });
}
