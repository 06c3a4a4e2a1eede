/** Computes the row's drawing for a restored version. Pure. */

import { makeAuthor } from "../../board/author.ts";
import { createBoard } from "../../board/board.ts";
import { LIMITS } from "../../board/constants.ts";
import { changeBackground, removeObjects, restoreObjects } from "../../board/edit.ts";
import { compactContext } from "../../board/compact-context.ts";
import { toDrawing } from "../../board/encode.ts";
import { mergeInto } from "../../board/merge.ts";
import { parseDrawing } from "../../board/parse.ts";

/** The sources for the author of a restore's changes: milliseconds since 1970, and random characters [a-z0-9]. */
export interface RestoreEnvironment {
  readonly now: number;
  readonly random: string;
}

/** The first day of authors' names. */
const FIRST_DAY = Date.UTC(2020, 0, 1);

/**
 * Returns the text to save: the version's objects, each with the next incarnation, and everything else removed. Open
 * pages, which have observed the removal of these objects, therefore see them as restored and not as stale. A version
 * that another program wrote, or of which the parser would leave something out, is saved unchanged; so is one that
 * would grow over the limit.
 * @param version the JSON text of the version
 * @param current the JSON text of the row, or null without one
 */
export function restoredDrawing(
  version: string,
  current: string | null,
  { now, random }: RestoreEnvironment,
): string {
  const wanted = parseDrawing(version);
  if (!wanted.ok || wanted.foreign || wanted.faults.length > 0) return version;
  const author = makeAuthor(Math.floor((now - FIRST_DAY) / 86_400_000), random);
  const board = createBoard();
  mergeInto(board, wanted.drawing);
  const present = current === null ? null : parseDrawing(current);
  if (present?.ok === true && !present.foreign) mergeInto(board, present.drawing);
  removeObjects(board, [...board.objects.keys()]);
  restoreObjects(board, author, wanted.drawing.objects);
  changeBackground(board, author, wanted.drawing.background);
  compactContext(board);
  const text = JSON.stringify(toDrawing(board));
  return Buffer.byteLength(text) > LIMITS.canvasBytes ? version : text;
}
