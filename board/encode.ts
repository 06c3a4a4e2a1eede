/** A board as a drawing: whole, in part, or as text in pieces. */

import { authorOf, seqOf } from "./author.ts";
import { compareStack, stackedObjects } from "./board.ts";
import type { Board } from "./board.ts";
import type { BoardObject, Drawing, DrawingMeta, ObjectId } from "./drawing.ts";
import { FABRIC_VERSION } from "./schema.ts";
import { lifeSeen, markSeen, writeSeen } from "./seen.ts";
import type { Seen } from "./seen.ts";

export { compactSeen } from "./forget.ts";

/** The whole board. O(board). */
export function toDrawing(board: Board): Drawing {
  return drawingOf(board, stackedObjects(board).slice(), board.seen);
}

/**
 * What the board knows of some objects: the living ones, and that the others were removed. Ids that the
 * board never saw are left out. Cost follows the number of ids.
 */
export function toPartial(board: Board, ids: Iterable<ObjectId>): Drawing {
  const seen: Seen = new Map();
  const objects: BoardObject[] = [];
  for (const id of new Set(ids)) {
    const life = lifeSeen(board.seen, authorOf(id), seqOf(id));
    if (life < 0) continue;
    markSeen(seen, authorOf(id), seqOf(id), life);
    const object = board.objects.get(id);
    if (object !== undefined) objects.push(object);
  }
  const whole = drawingOf(board, objects.sort(compareStack), seen);
  return { ...whole, inkpool: { ...whole.inkpool, partial: true } };
}

/**
 * A drawing as partial ones of at most `size` objects, and the drawing itself at the end: merged one after
 * the other with pauses between them, they give what merging it at once gives.
 */
export function* drawingSlices(drawing: Drawing, size = 500): Generator<Drawing, void> {
  for (let from = 0; from < drawing.objects.length; from += size) {
    const objects = drawing.objects.slice(from, from + size);
    if (objects.length === drawing.objects.length) break;
    const seen: Seen = new Map();
    for (const { id, life } of objects) markSeen(seen, authorOf(id), seqOf(id), life ?? 0);
    yield {
      ...drawing,
      objects,
      inkpool: { ...drawing.inkpool, seen: writeSeen(seen), partial: true },
    };
  }
  yield drawing;
}

/**
 * The JSON text of `toDrawing`, in pieces of at most `size` objects, for a caller that pauses between them.
 * It is the board as it was at the first piece.
 */
export function* drawingChunks(board: Board, size = 500): Generator<string, void> {
  const { objects, ...rest } = toDrawing(board);
  yield `{"version":${JSON.stringify(rest.version)},"objects":[`;
  for (let from = 0; from < objects.length; from += size) {
    const text = JSON.stringify(objects.slice(from, from + size)).slice(1, -1);
    yield from === 0 ? text : `,${text}`;
  }
  yield `],"background":${JSON.stringify(rest.background)},"inkpool":${JSON.stringify(rest.inkpool)}}`;
}

function drawingOf(board: Board, objects: readonly BoardObject[], seen: Seen): Drawing {
  const { background, backgroundStamp } = board;
  const inkpool: DrawingMeta = {
    format: 1,
    seen: writeSeen(seen),
    ...(backgroundStamp[0] > 0 ? { stamp: backgroundStamp } : {}),
  };
  return { version: FABRIC_VERSION, objects, background, inkpool };
}
