/** Makes the row of a backup prevail over what open pages and devices know of the time since the backup. Pure. */

import { authorOf, sequenceOf } from "../../board/author.ts";
import { createBoard, type Board } from "../../board/board.ts";
import { addToContext, knownIncarnation } from "../../board/causal-context.ts";
import { compactContext } from "../../board/compact-context.ts";
import { LIMITS } from "../../board/constants.ts";
import type { Author } from "../../board/drawing.ts";
import { restoreObjects, removeObjects } from "../../board/edit.ts";
import { toDrawing } from "../../board/encode.ts";
import { incarnationOf } from "../../board/groups.ts";
import { MAX_COUNT } from "../../board/limits.ts";
import { mergeInto } from "../../board/merge.ts";
import { parseDrawing } from "../../board/parse.ts";

export interface StoredRow {
  /** The JSON text of the drawing. */
  readonly drawing: string;
  readonly version: number;
}

/** The incarnations by which a device without a network may be ahead of the row: the times that it restored one object. */
const MARGIN = 64;

/**
 * Returns the row to restore: each object has a later incarnation, and the background a later version, than the backup
 * or the replaced row knows, so that no merge removes or changes them again; the row's version is a later one too, so
 * that each page reads it. What was drawn since the backup stays where a page has it. Returns null for a drawing that
 * another program wrote, or of which the parser would leave something out, and for one that would grow over the limit:
 * these are restored as they are.
 * @param replaced null where there is no row, or none that can be read
 * @param author makes what a hostile page has restored too often for another incarnation
 */
export function restoredRow(
  backup: StoredRow,
  replaced: StoredRow | null,
  author: Author,
): StoredRow | null {
  const wanted = parseDrawing(backup.drawing);
  if (!wanted.ok || wanted.foreign || wanted.faults.length > 0) return null;
  const board = createBoard();
  mergeInto(board, wanted.drawing);
  const present = boardOf(replaced);
  const objects = [...board.objects.values()];
  removeObjects(board, board.objects.keys());
  for (const object of objects) {
    const [by, seq] = [authorOf(object.id), sequenceOf(object.id)];
    const known = Math.max(incarnationOf(object), knownIncarnation(present.context, by, seq));
    addToContext(board.context, by, seq, Math.min(known + MARGIN, MAX_COUNT));
  }
  restoreObjects(board, author, objects);
  const painted = Math.max(board.backgroundStamp[0], present.backgroundStamp[0]) + MARGIN;
  board.backgroundStamp = [Math.min(painted, MAX_COUNT), author];
  compactContext(board);
  const drawing = JSON.stringify(toDrawing(board));
  if (Buffer.byteLength(drawing) > LIMITS.canvasBytes) return null;
  return { drawing, version: Math.max(backup.version, replaced?.version ?? 0) + 1 };
}

function boardOf(row: StoredRow | null): Board {
  const board = createBoard();
  const parsed = row === null ? null : parseDrawing(row.drawing);
  if (parsed?.ok === true && !parsed.foreign) mergeInto(board, parsed.drawing);
  return board;
}
