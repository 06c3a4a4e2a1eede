/** Drawings on their way out of and into the board, in slices, so that a large one does not hold the page up. */

import { authorOf, makeId, seqOf } from "../../board/author.ts";
import { countObjects, getObject, type Board } from "../../board/board.ts";
import type { Author, Drawing, Json, ObjectId } from "../../board/drawing.ts";
import { toDrawing, toPartial } from "../../board/encode.ts";
import { hash53 } from "../../board/hash.ts";
import { sameJson } from "../../board/json.ts";
import { parseDrawingSlices, type ParsedDrawing } from "../../board/parse.ts";
import { lifeSeen, readSeen } from "../../board/seen.ts";
import { validateBoard, validateForSave } from "../../board/validate.ts";
import type { DrawingText } from "./backend.ts";
import type { World } from "./world.ts";

/** Objects that are handled before other work of the page gets its turn: a few milliseconds. */
const SLICE = 400;

export type Written =
  | { readonly ok: true; readonly text: DrawingText }
  | { readonly ok: false; readonly reason: string };

/** The board as it is now, checked and serialised. */
export async function writeDrawing(board: Board, world: World): Promise<Written> {
  const check =
    countObjects(board) <= SLICE
      ? validateForSave(toDrawing(board))
      : await finish(validateBoard(board, SLICE), world);
  return check.ok ? { ok: true, text: { pieces: [check.json], bytes: check.bytes } } : check;
}

/** The same at once; null when it is longer than `most` bytes or not fit to be saved. */
export function writeNow(board: Board, most: number): DrawingText | null {
  // An object is longer than this, so a large board need not be serialised to know that it is too long.
  if (countObjects(board) * 32 > most) return null;
  const check = validateForSave(toDrawing(board));
  return check.ok && check.bytes <= most ? { pieces: [check.json], bytes: check.bytes } : null;
}

export type ReadDrawing = Extract<ParsedDrawing, { ok: true }>;

/** A drawing from outside: what can be used of it. Null, and a line in the log, when nothing can. */
export async function readDrawing(input: unknown, world: World): Promise<ReadDrawing | null> {
  const parsed = await finish(parseDrawingSlices(input, SLICE), world);
  if (!parsed.ok) {
    world.log.error(`The saved drawing cannot be read: ${parsed.reason}`);
    return null;
  }
  const [first] = parsed.faults;
  if (first) {
    world.log.warn(
      `${parsed.faults.length} objects of the saved drawing are left out; the first: ${first.reason}`,
    );
  }
  return parsed;
}

async function finish<T>(work: Generator<void, T>, world: World): Promise<T> {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    await world.pause();
  }
}

/** Answers a test: whether a drawing that was merged into the board holds an object as it is now on the board. */
export function holds(drawing: Drawing, board: Board): (id: ObjectId) => boolean {
  const objects = new Map(drawing.objects.map((object) => [object.id, object]));
  const seen = readSeen(drawing.inkpool.seen);
  return (id) => {
    const mine = getObject(board, id);
    const theirs = objects.get(id);
    if (mine)
      return theirs !== undefined && (mine === theirs || sameJson(mine as Json, theirs as Json));
    const removed = readSeen(toPartial(board, [id]).inkpool.seen);
    const life = lifeSeen(removed, authorOf(id), seqOf(id));
    return theirs === undefined && lifeSeen(seen, authorOf(id), seqOf(id)) >= life;
  };
}

/** What a board has seen, in a few characters: with the digest it tells whether two boards know the same. */
export function fingerprint(board: Board): string {
  return hash53(JSON.stringify(toDrawing(board).inkpool.seen)).toString(36);
}

/** The most ids that a partial drawing is taken to speak of; one that claims more is read as far as that. */
const MOST_IDS = 300_000;

/** The ids that a partial drawing speaks of, living and removed. */
export function idsOf(drawing: Drawing): Set<ObjectId> {
  const ids = new Set(drawing.objects.map((object) => object.id));
  for (const [author, runs] of readSeen(drawing.inkpool.seen)) {
    for (let at = 0; at < runs.length; at += 3) {
      const [from = 0, to = -1] = [runs[at], runs[at + 1]];
      for (let seq = from; seq <= to && ids.size < MOST_IDS; seq += 1)
        ids.add(makeId(author as Author, seq));
    }
  }
  return ids;
}
