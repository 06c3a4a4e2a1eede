import { expect, test } from "vitest";
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

test("UI-151 the rest of many is selected with several of the first part, but not with one object", () => {
  const added = objects.map((_, at) => `abcann-${at}` as ObjectId);
  const first = added.slice(0, 200);
  for (const selected of [first, first.slice(1), first.slice(0, 2)])
    expect(isFirstPart(selected, added)).toBe(true);
  for (const selected of [[], first.slice(3, 4), added.slice(300, 302), added.slice(0, 201)])
    expect(isFirstPart(selected, added)).toBe(false);
});
