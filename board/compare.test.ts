import { describe, expect, test } from "vitest";
import { makeAuthor } from "./author.ts";
import { createBoard, type Board } from "./board.ts";
import { carriedOf, containedIn, hashContext, idsOf, isKnown, staleIds } from "./compare.ts";
import type { NewObject, ObjectId } from "./drawing.ts";
import { addObjects, changeObjects, removeObjects } from "./edit.ts";
import { toDrawing, toPartial } from "./encode.ts";
import { mergeInto } from "./merge.ts";

const author = makeAuthor(7, "abcdefghijkl");
const rectangle = (left: number): NewObject => ({
  ...{ type: "Rect", left, top: 0, width: 5, height: 5 },
});

/** A board with three rectangles, and a copy of it. */
function twoBoards(): { mine: Board; theirs: Board; ids: readonly ObjectId[] } {
  const mine = createBoard();
  const { added } = addObjects(mine, author, [rectangle(1), rectangle(2), rectangle(3)]);
  const theirs = createBoard();
  mergeInto(theirs, toDrawing(mine));
  return { mine, theirs, ids: added.map(({ id }) => id) };
}

/** Runs the generator to its end and returns its result. */
function stale(board: Board, row: Board): readonly ObjectId[] {
  const work = staleIds(toDrawing(row), board);
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

describe("a board and a drawing", () => {
  test("SAV-13 a drawing contains objects equal to the board's, and removals that it knows", () => {
    const { mine, theirs, ids } = twoBoards();
    const [first, second, third] = ids as [ObjectId, ObjectId, ObjectId];
    changeObjects(mine, author, [{ id: first, props: { left: 9 } }]);
    removeObjects(mine, [second]);
    const before = containedIn(toDrawing(theirs), mine);
    expect([first, second, third].map(before)).toEqual([false, false, true]);
    mergeInto(theirs, toDrawing(mine));
    const after = containedIn(toDrawing(theirs), mine);
    expect([first, second, third].map(after)).toEqual([true, true, true]);
  });

  test("SAV-10 objects newer on the board than in a drawing are stale; a drawing as new has none", () => {
    const { mine, theirs, ids } = twoBoards();
    const [first, second] = ids as [ObjectId, ObjectId];
    changeObjects(mine, author, [{ id: first, props: { left: 9 } }]);
    removeObjects(mine, [second]);
    const { added } = addObjects(mine, author, [rectangle(4)]);
    expect(new Set(stale(mine, theirs))).toEqual(new Set([first, second, added[0]?.id]));
    // In the other direction nothing is stale: the drawing is newer.
    mergeInto(theirs, toDrawing(mine));
    expect(stale(theirs, mine)).toEqual([]);
    expect(hashContext(theirs)).toBe(hashContext(mine));
  });

  test("a partial drawing's ids are those of its objects and of the removals that it knows", () => {
    const { mine, ids } = twoBoards();
    const [first, second, third] = ids as [ObjectId, ObjectId, ObjectId];
    removeObjects(mine, [second]);
    expect(idsOf(toPartial(mine, [first, second]))).toEqual(new Set([first, second]));
    expect(idsOf(toPartial(mine, [third]))).toEqual(new Set([third]));
  });

  test("DAT-27 objects that cannot be read are carried unless the board knows them, living or removed", () => {
    const { mine, ids } = twoBoards();
    const [first, second] = ids as [ObjectId, ObjectId];
    removeObjects(mine, [second]);
    expect([isKnown(mine, first), isKnown(mine, second), isKnown(mine, "x-1")]).toEqual([
      true,
      true,
      false,
    ]);
    const unreadable = [{ id: first, path: 7 }, { id: second, path: 7 }, { path: 7 }];
    expect(carriedOf(unreadable, mine)).toEqual([{ path: 7 }]);
    expect(carriedOf([{ path: "x".repeat(7_000_001) }], mine)).toEqual([]);
  });
});
