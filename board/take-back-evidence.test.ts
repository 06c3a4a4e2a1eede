/** Tests what taking a visitor back finds in saved drawings: earlier backgrounds, and the objects to decide about. */

import { expect, test } from "vitest";
import { makeAuthor } from "./author.ts";
import { createBoard } from "./board.ts";
import { createChangeLog, logChanges, OTHER_PROGRAM } from "./change-log.ts";
import { BACKGROUND } from "./constants.ts";
import type { Drawing } from "./drawing.ts";
import { addObjects, changeBackground, removeObjects } from "./edit.ts";
import { toDrawing } from "./encode.ts";
import { keyOfAuthor } from "./peer-key.ts";
import { addSaved, createSavedStates, type SavedStates } from "./saved-states.ts";
import { candidates, earlierBackground, type Culprits } from "./take-back.ts";

const vandal = makeAuthor(2500, "vandal");
const ann = makeAuthor(2500, "ann");
const VANDAL: Culprits = new Set([keyOfAuthor(vandal)]);
/** When the span began, in milliseconds since 1970. */
const SINCE = 1_000_000;

function save(saved: SavedStates, drawing: Drawing, at: number): void {
  for (const _ of addSaved(saved, drawing, { at, until: at + 1 }));
}

/**
 * Returns the background to which a board returns whose background changed several times, each with the seconds since
 * the span began at which a version with it was saved. The versions are read from the last to the first.
 */
function returnsTo(
  ...changes: readonly (readonly [author: typeof ann, color: string, at: number | null])[]
): string | null {
  const board = createBoard();
  const versions = changes.map(([author, color, at]) => {
    changeBackground(board, author, color);
    return [toDrawing(board), at] as const;
  });
  const saved = createSavedStates(SINCE);
  for (const [drawing, at] of versions.toReversed())
    if (at !== null) save(saved, drawing, SINCE + at);
  return earlierBackground(board, VANDAL, { saved, log: createChangeLog(0) });
}

test("HOST-30 the background returns to the last one of others, or of none to the first", () => {
  expect(returnsTo([vandal, "#ff0000", null])).toBe(BACKGROUND);
  expect(returnsTo([vandal, "#ff0000", 1], [vandal, "#aa0000", null])).toBe(BACKGROUND);
  expect(returnsTo([ann, "#eeeeee", -2], [ann, "#dddddd", 1], [vandal, "#ff0000", 2])).toBe(
    "#dddddd",
  );
  expect(returnsTo([ann, "#eeeeee", 1], [vandal, "#ff0000", 2], [vandal, "#aa0000", null])).toBe(
    "#eeeeee",
  );
  expect(returnsTo([vandal, "#ff0000", 1], [ann, "#eeeeee", 2])).toBeNull();
  expect(returnsTo([ann, "#eeeeee", 1], [vandal, "#ff0000", 2], [vandal, "#eeeeee", 3])).toBeNull();
});

test("HOST-31 a background of theirs from before the span stays, and one that they changed in it returns to that", () => {
  expect(returnsTo([ann, "#eeeeee", -2], [vandal, "#ff0000", 0])).toBeNull();
  expect(returnsTo([ann, "#eeeeee", -2], [vandal, "#ff0000", 0], [vandal, "#aa0000", 1])).toBe(
    "#ff0000",
  );
});

test("HOST-30 a background that nobody of ours set is not taken back with plain clients", () => {
  const board = createBoard();
  board.background = "#eeeeee";
  const evidence = { saved: createSavedStates(SINCE), log: createChangeLog(0) };
  expect(earlierBackground(board, new Set([OTHER_PROGRAM]), evidence)).toBeNull();
});

test("HOST-30 each object that is or was there is decided about once", () => {
  const board = createBoard();
  const rect = { type: "Rect", width: 10, height: 10 } as const;
  const [removed, stays] = addObjects(board, ann, [rect, rect]).added.map(({ id }) => id);
  const saved = createSavedStates(SINCE);
  save(saved, toDrawing(board), SINCE);
  const log = createChangeLog(0);
  logChanges(log, removeObjects(board, [removed!]), { at: SINCE, by: keyOfAuthor(vandal) });
  expect([...candidates(board, { saved, log })]).toEqual([stays, removed]);
});
