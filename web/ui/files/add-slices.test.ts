import { describe, expect, test } from "vitest";
import type { BoardObject, NewObject, ObjectId } from "../../../board/drawing.ts";
import { addSlices, isFirstPart } from "./add-slices.ts";

/** A board that accepts `limit` objects. */
function createBoard(limit: number) {
  const board: BoardObject[] = [];
  const parts: [count: number, goesOn: boolean | undefined][] = [];
  return {
    parts,
    objects: () => board,
    addObjects(objects: readonly NewObject[], goesOn?: boolean) {
      parts.push([objects.length, goesOn]);
      if (board.length + objects.length > limit) return;
      for (const object of objects) {
        const z = board.length + 1;
        board.push({ ...object, id: `a-${z}` as ObjectId, z } as BoardObject);
      }
    },
  };
}

const objects = Array.from({ length: 450 }, (): NewObject => ({ type: "Rect" }));

test("PNT-85 objects are added 200 at a time, with a pause after each slice but the last", async () => {
  const board = createBoard(1000);
  let rests = 0;
  const ids = await addSlices(board, objects, { rest: async () => ++rests > 0 });
  expect(board.parts).toEqual([
    [200, false],
    [200, true],
    [50, true],
  ]);
  expect(rests).toBe(2);
  expect(ids).toEqual(board.objects().map(({ id }) => id));
});

test("PNT-85 it ends when the work is cancelled, and when the board takes no more", async () => {
  const cancelled = createBoard(1000);
  expect(await addSlices(cancelled, objects, { rest: async () => false })).toHaveLength(200);
  expect(cancelled.parts).toHaveLength(1);
  const full = createBoard(300);
  expect(await addSlices(full, objects, { rest: async () => true })).toHaveLength(200);
  expect(full.parts).toHaveLength(2);
});

describe("UI-151 exactly the first part is selected", () => {
  const board = createBoard(1000);
  board.addObjects(objects);
  const onBoard = board.objects();
  const added = onBoard.map(({ id }) => id);
  const first = added.slice(0, 200);

  test("as long as nobody chose another selection, some of the objects included", () => {
    expect(isFirstPart(first, added, onBoard)).toBe(true);
    expect(isFirstPart([], added, onBoard)).toBe(false);
    for (const chosen of [added.slice(300, 301), first.slice(1), added.slice(0, 201)])
      expect(isFirstPart(chosen, added, onBoard)).toBe(false);
  });

  test("whatever a peer removed of it, and without the strokes of an eraser", () => {
    const [, second, ...rest] = onBoard;
    const eraser = {
      ...{ type: "Path", eraser: true, stroke: "white", strokeWidth: 20, fill: null },
      ...{ id: first[0], z: 1 },
    } as BoardObject;
    const left = first.slice(2);
    expect(isFirstPart(left, added, [eraser, ...rest])).toBe(true);
    expect(isFirstPart(left, added, [eraser, ...(second ? [second] : []), ...rest])).toBe(false);
  });
});
