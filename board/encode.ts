/** Encodes a board as a drawing: whole, in part, or as text in pieces. */

import { authorOf, baseAuthor, sequenceOf } from "./author.ts";
import { namesOf } from "./author-names.ts";
import { compareStack, stackedObjects, type Board } from "./board.ts";
import {
  contextOf,
  encodeContext,
  knownIncarnation,
  type CausalContext,
} from "./causal-context.ts";
import { isAllAlive } from "./compact-context.ts";
import type { Author, BoardObject, Drawing, DrawingMeta, ObjectId } from "./drawing.ts";
import { FABRIC_VERSION } from "./schema.ts";

/**
 * Returns the whole board as a drawing. O(board). Authors whose observed objects are all alive are left out of its
 * context, since the objects themselves show that they were observed.
 */
export function toDrawing(board: Board): Drawing {
  const context: CausalContext = new Map();
  for (const [author, runs] of board.context) {
    if (!isAllAlive(board, author)) context.set(author, runs);
  }
  return drawingOf(board, stackedObjects(board).slice(), context, board.living.keys());
}

/**
 * Returns a partial drawing of some objects: the living ones, and the removal of the others. Ids that the board has
 * never observed are left out. The cost follows the number of ids. `as` writes one object.
 */
export function toPartial(
  board: Board,
  ids: Iterable<ObjectId>,
  as: (object: BoardObject) => BoardObject = (object) => object,
): Drawing {
  const removed: [Author, number, number][] = [];
  const objects: BoardObject[] = [];
  for (const id of new Set(ids)) {
    const object = board.objects.get(id);
    if (object !== undefined) {
      objects.push(as(object));
      continue;
    }
    const [author, seq] = [authorOf(id), sequenceOf(id)];
    const incarnation = knownIncarnation(board.context, author, seq);
    if (incarnation >= 0) removed.push([author, seq, incarnation]);
  }
  const authors = objects.map(({ id }) => authorOf(id));
  const drawing = drawingOf(board, objects.sort(compareStack), contextOf(removed), authors);
  return { ...drawing, inkpool: { ...drawing.inkpool, partial: true } };
}

/**
 * Yields a drawing as partial ones of at most `size` objects, and the drawing itself at the end: merged one after the
 * other with pauses between them, they give the same as one merge of the whole.
 */
export function* drawingSlices(drawing: Drawing, size: number): Generator<Drawing, void> {
  for (let from = 0; from < drawing.objects.length; from += size) {
    const objects = drawing.objects.slice(from, from + size);
    if (objects.length === drawing.objects.length) break;
    yield { ...drawing, objects, inkpool: { ...drawing.inkpool, seen: {}, partial: true } };
  }
  yield drawing;
}

/**
 * The JSON text of `toDrawing`, in lists of pieces, each of at most `size` objects, for a caller that pauses between
 * them. The source of a picture is a piece of its own ({@link isSource}), so that it need not be copied. The text shows
 * the board as it was at the first list.
 */
export function* drawingChunks(board: Board, size = 500): Generator<readonly string[], void> {
  const { version, objects, ...after } = toDrawing(board);
  const start = `{"version":${JSON.stringify(version)},"objects":[`;
  const end = `],${JSON.stringify(after).slice(1)}`;
  for (let from = 0; from === 0 || from < objects.length; from += size) {
    const [first = "", ...rest] = objectPieces(objects.slice(from, from + size));
    const before = from === 0 ? [start, first.slice(1)] : [first];
    yield [...before, ...rest, ...(from + size < objects.length ? [] : [end])];
  }
}

/** Returns the JSON text of objects, each after a comma, in pieces. */
function objectPieces(objects: readonly BoardObject[]): string[] {
  const pieces: string[] = [];
  let from = 0;
  const addUntil = (to: number): void => {
    if (from < to) pieces.push(`,${JSON.stringify(objects.slice(from, to)).slice(1, -1)}`);
    from = to + 1;
  };
  for (const [at, object] of objects.entries()) {
    if (typeof object["src"] !== "string") continue;
    const { src, ...rest } = object;
    addUntil(at);
    // The schema lets a source contain nothing that JSON escapes.
    pieces.push(`,${JSON.stringify(rest).slice(0, -1)},"src":"`, src as string, '"}');
  }
  addUntil(objects.length);
  return pieces;
}

/** Whether a piece of a drawing's text is the source of a picture, which is ASCII and the same text in each save. */
export function isSource(piece: string): boolean {
  return piece.startsWith("data:");
}

/** Builds the drawing around a list of objects. `authors`: those whose names it contains. */
function drawingOf(
  board: Board,
  objects: readonly BoardObject[],
  context: CausalContext,
  authors: Iterable<Author>,
): Drawing {
  const { background, backgroundStamp } = board;
  const bases = new Set([...authors].flatMap((author) => baseAuthor(author) ?? []));
  const names = namesOf(board.names, [...bases].sort());
  const inkpool: DrawingMeta = {
    format: 1,
    seen: encodeContext(context),
    ...(backgroundStamp[0] > 0 && { stamp: backgroundStamp }),
    ...(names && { names }),
  };
  return { version: FABRIC_VERSION, objects, background, inkpool };
}
