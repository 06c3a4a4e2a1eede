/** Drawings between the board and the row: read and written in slices, so that a large one does not block the page. */

import { countObjects, hasSpaceFor, type Board } from "../../../board/board.ts";
import { LIMITS } from "../../../board/constants.ts";
import type { BoardChanges, Drawing, Json } from "../../../board/drawing.ts";
import { drawingSlices, toDrawing } from "../../../board/encode.ts";
import { parseObjectText } from "../../../board/json-text.ts";
import { parseDrawingSlices, type ParsedDrawing } from "../../../board/parse.ts";
import { utf8Length, validateBoard, validateForSave } from "../../../board/validate.ts";
import type { DrawingText } from "../environment/backend.ts";
import type { Environment } from "../environment/environment.ts";

/** Objects in one slice, which takes a few milliseconds. */
export const OBJECTS_PER_SLICE = 400;
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
  const check = await runToEnd(validateBoard(board, OBJECTS_PER_SLICE), env);
  if (!check.ok) return check;
  const fits = unreadable.length > 0 && hasSpaceFor(board, unreadable.length);
  return { ok: true, text: fits ? withUnreadable(check, unreadable) : check };
}

/** The first piece of a text ends where its list of objects begins. */
function withUnreadable(text: DrawingText, unreadable: readonly Json[]): DrawingText {
  const [start = "", first = "", ...rest] = text.pieces;
  const list = unreadable.map((object) => JSON.stringify(object)).join(",") + (first && ",");
  const bytes = text.bytes + utf8Length(list);
  if (bytes > LIMITS.canvasBytes) return text;
  return { pieces: [start, list, first, ...rest], bytes };
}

/**
 * Returns the board as it is now with the unreadable objects, validated and serialized in one go; null when it is
 * longer than `maxBytes` or not fit to be saved.
 */
export function writeDrawingNow(
  board: Board,
  maxBytes: number,
  unreadable: readonly Json[] = [],
): DrawingText | null {
  if (countObjects(board) * MIN_OBJECT_BYTES > maxBytes) return null;
  if (!hasSpaceFor(board, unreadable.length)) return null;
  const drawing = toDrawing(board);
  const check = validateForSave({ ...drawing, objects: [...unreadable, ...drawing.objects] });
  return check.ok && check.bytes <= maxBytes ? check : null;
}

/** Reads the row's drawing, as far as it can be used. Returns null, and logs why, when nothing of it can. */
export async function readDrawing(
  input: unknown,
  env: Environment,
): Promise<Extract<ParsedDrawing, { ok: true }> | null> {
  const value =
    typeof input === "string" ? await runToEnd(parseObjectText(input, "objects"), env) : input;
  const parsed = await runToEnd(parseDrawingSlices(value, OBJECTS_PER_SLICE), env);
  if (!parsed.ok) {
    env.log.error(`The saved drawing cannot be read: ${parsed.reason}`);
    return null;
  }
  const [first] = parsed.faults;
  if (first) {
    env.log.warn(`${parsed.faults.length} saved objects are left out; the first: ${first.reason}`);
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
  for (const part of drawingSlices(drawing, OBJECTS_PER_SLICE)) {
    if (changes.length > 0) await env.pause();
    changes.push(receive(part));
  }
  return changes;
}

/** Runs slices to their end, with a pause after each. */
export async function runToEnd<T>(
  work: Generator<void, T>,
  env: Pick<Environment, "pause">,
): Promise<T> {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    await env.pause();
  }
}
