/** Drawings between the board and the row: read and written in slices, so that a large one does not block the page. */

import { authorOf, isObjectId, makeId, sequenceOf } from "../../../board/author.ts";
import { countObjects, getObject, hasSpaceFor, type Board } from "../../../board/board.ts";
import { decodeContext, knownIncarnation } from "../../../board/causal-context.ts";
import { LIMITS } from "../../../board/constants.ts";
import type { Author, BoardChanges, Drawing, Json, ObjectId } from "../../../board/drawing.ts";
import { drawingSlices, toDrawing, toPartial } from "../../../board/encode.ts";
import { isOlder } from "../../../board/groups.ts";
import { hash53 } from "../../../board/hash.ts";
import { parseObjectText } from "../../../board/json-text.ts";
import { sameJson } from "../../../board/json.ts";
import { parseDrawingSlices, type ParsedDrawing } from "../../../board/parse.ts";
import { utf8Length, validateBoard, validateForSave } from "../../../board/validate.ts";
import type { DrawingText } from "../environment/backend.ts";
import type { Environment } from "../environment/environment.ts";

/** Objects in one slice, which takes a few milliseconds. */
export const SLICE = 400;
/** No object's JSON is shorter than this many bytes. */
const MIN_OBJECT_BYTES = 32;

export type WrittenDrawing =
  | { readonly ok: true; readonly text: DrawingText }
  | { readonly ok: false; readonly reason: string };

/**
 * The board as it is now, validated and serialized. `unreadable` are objects of the row that this version of the
 * page cannot read; they go back as they came, if there is space for them.
 */
export async function writeDrawing(
  board: Board,
  env: Environment,
  unreadable: readonly Json[] = [],
): Promise<WrittenDrawing> {
  const check =
    countObjects(board) <= SLICE
      ? validateForSave(toDrawing(board))
      : await finish(validateBoard(board, SLICE), env);
  if (!check.ok) return check;
  const text = { pieces: [check.json], bytes: check.bytes };
  if (unreadable.length === 0 || !hasSpaceFor(board, unreadable.length)) return { ok: true, text };
  return { ok: true, text: withUnreadable(check, unreadable) };
}

/** The list of objects is the second member, and nothing before its bracket contains one. */
const LIST_START = '"objects":[';

function withUnreadable(
  { json, bytes }: { readonly json: string; readonly bytes: number },
  unreadable: readonly Json[],
): DrawingText {
  const at = json.indexOf(LIST_START) + LIST_START.length;
  const extra = unreadable.map((object) => JSON.stringify(object)).join(",");
  const list = json.charAt(at) === "]" ? extra : `${extra},`;
  const total = bytes + utf8Length(list);
  if (total > LIMITS.canvasBytes) return { pieces: [json], bytes };
  return { pieces: [json.slice(0, at), list, json.slice(at)], bytes: total };
}

/** What is carried must not keep others from saving. */
const MAX_CARRIED_CHARS = 1_000_000;

/** Of an object that the board knows, living or removed, what the board knows is written, and not a copy that nobody can read. */
export function carriedOf(unreadable: readonly Json[], board: Board): readonly Json[] {
  let chars = 0;
  return unreadable.filter((object) => {
    if (isKnown(board, (object as { readonly id?: unknown }).id)) return false;
    try {
      return (chars += JSON.stringify(object).length) < MAX_CARRIED_CHARS;
    } catch {
      // Nested so deeply that it can be parsed, but not written.
      return false;
    }
  });
}

/** The same at once; null when it is longer than `maxBytes` or not fit to be saved. */
export function writeDrawingNow(board: Board, maxBytes: number): DrawingText | null {
  if (countObjects(board) * MIN_OBJECT_BYTES > maxBytes) return null;
  const check = validateForSave(toDrawing(board));
  return check.ok && check.bytes <= maxBytes ? { pieces: [check.json], bytes: check.bytes } : null;
}

/** Reads the row's drawing, as far as it can be used. Returns null, and logs why, when nothing of it can. */
export async function readDrawing(
  input: unknown,
  env: Environment,
): Promise<Extract<ParsedDrawing, { ok: true }> | null> {
  const value =
    typeof input === "string" ? await finish(parseObjectText(input, "objects"), env) : input;
  const parsed = await finish(parseDrawingSlices(value, SLICE), env);
  if (!parsed.ok) {
    env.log.error(`The saved drawing cannot be read: ${parsed.reason}`);
    return null;
  }
  const [first] = parsed.faults;
  if (first) {
    env.log.warn(
      `${parsed.faults.length} objects of the saved drawing are left out; the first: ${first.reason}`,
    );
  }
  return parsed;
}

/** Merges a drawing by `receive`, a large one in slices. Returns the changes of each slice. */
export async function mergeSlices(
  drawing: Drawing,
  receive: (part: Drawing) => BoardChanges,
  env: Pick<Environment, "pause">,
): Promise<readonly BoardChanges[]> {
  const changes: BoardChanges[] = [];
  for (const part of drawingSlices(drawing, SLICE)) {
    if (changes.length > 0) await env.pause();
    changes.push(receive(part));
  }
  return changes;
}

/** Runs slices to their end, with a pause after each. */
export async function finish<T>(
  work: Generator<void, T>,
  env: Pick<Environment, "pause">,
): Promise<T> {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    await env.pause();
  }
}

/**
 * Returns a test: whether a drawing that was merged into the board contains an object exactly as it is
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

/**
 * What a drawing that was merged into the board does not know as well as the board: objects that it lacks or has in an
 * older state, and objects of it that were removed. As in a digest, stamps and z decide: a value that the parser reads
 * otherwise is no reason to save, or clients would save for ever.
 */
export function* staleIds(drawing: Drawing, board: Board): Generator<void, ObjectId[]> {
  const theirs = new Map(drawing.objects.map((object) => [object.id, object]));
  const ids = drawing.objects.flatMap(({ id }) => (getObject(board, id) ? [] : [id]));
  let count = 0;
  for (const [id, mine] of board.objects) {
    if (++count % (10 * SLICE) === 0) yield;
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

/** The hash of a board's causal context: together with the digest it says whether two boards know the same. */
export function hashContext(board: Board): string {
  return hash53(JSON.stringify(toDrawing(board).inkpool.seen)).toString(36);
}

/** A partial drawing that claims to know more ids than this is read as far as this. */
const MAX_IDS = 300_000;

/** The ids that a partial drawing knows, of living and of removed objects. */
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
