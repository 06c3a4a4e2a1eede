import { describe, expect, test } from "vitest";
import { makeAuthor, makeId } from "./author.ts";
import {
  createBoard,
  digest,
  dropObject,
  hasSpaceFor,
  putObject,
  stackedObjects,
  topZ,
  type Board,
} from "./board.ts";
import type { BoardObject } from "./drawing.ts";
import { changeObjects } from "./edit.ts";

const ann = makeAuthor(2500, "ann");

function object(seq: number, z: number, more: object = {}): BoardObject {
  return { type: "Rect", id: makeId(ann, seq), z, width: 10, height: 10, ...more } as BoardObject;
}

/** The numbers of the objects, bottom first. */
function stacked(board: Board): number[] {
  return stackedObjects(board).map(({ id }) => Number(id.split("-")[1]));
}

describe("the board", () => {
  test("the stack is in order after every change, however many there are before it is asked for", () => {
    for (const before of [0, 100]) {
      const board = createBoard();
      for (const seq of [0, 1, 2, 3, 4]) putObject(board, object(seq, seq));
      expect(stacked(board)).toEqual([0, 1, 2, 3, 4]);
      for (let at = 0; at < before; at += 1) putObject(board, object(4, at % 2));
      putObject(board, object(4, 0));
      putObject(board, object(0, 7));
      putObject(board, object(5, 2));
      dropObject(board, makeId(ann, 3));
      putObject(board, object(1, 1, { left: 5 }));
      expect(stacked(board)).toEqual([4, 1, 2, 5, 0]);
      expect(stackedObjects(board)[1]?.left).toBe(5);
      expect(topZ(board)).toBe(7);
    }
  });

  test("a list of the objects is unaffected by objects that come and go in the middle", () => {
    const board = createBoard();
    for (const seq of [0, 2, 4]) putObject(board, object(seq, seq));
    const visited = stackedObjects(board);
    putObject(board, object(1, 1));
    dropObject(board, makeId(ann, 4));
    expect(visited.map(({ z }) => z)).toEqual([0, 2, 4]);
    expect(stacked(board)).toEqual([0, 1, 2]);
  });

  test("an author is remembered as living as long as one of its objects is there", () => {
    const board = createBoard();
    putObject(board, object(0, 1));
    putObject(board, object(0, 1, { left: 5 }));
    putObject(board, object(1, 2));
    expect(board.living.get(ann)).toBe(2);
    dropObject(board, makeId(ann, 0));
    dropObject(board, makeId(ann, 0));
    expect(board.living.get(ann)).toBe(1);
    dropObject(board, makeId(ann, 1));
    expect(board.living.has(ann)).toBe(false);
  });

  test("boards of equal objects have one digest, in any order of arrival, and boards of others another", () => {
    const board = createBoard();
    const other = createBoard();
    const empty = digest(board);
    for (const seq of [0, 1]) putObject(board, object(seq, seq));
    for (const seq of [1, 0]) putObject(other, object(seq, 9));
    expect(digest(other)).not.toBe(digest(board));
    for (const seq of [0, 1]) putObject(other, object(seq, seq));
    expect(digest(other)).toBe(digest(board));
    const digests = [
      { stamps: { place: [1, ann] } },
      { stamps: { place: [1, "bob"] } },
      { stamps: { place: [0, "bob"] } },
      { stamps: { look: [1, ann] } },
      { life: 1 },
      {},
    ].map((more) => {
      putObject(board, object(0, 0, more));
      return digest(board);
    });
    expect(new Set(digests).size).toBe(6);
    putObject(board, object(0, 0, { stamps: { place: [0, ann] } }));
    expect(digest(board)).toBe(digest(other));
    for (const seq of [0, 1]) dropObject(board, makeId(ann, seq));
    expect(digest(board)).toBe(empty);
  });

  test("DAT-6 there is space up to 100,000 objects, those in groups included", () => {
    const board = createBoard();
    const group = { type: "Group", objects: [{ type: "Rect" }, { type: "Rect" }] };
    putObject(board, object(0, 0, group));
    putObject(board, object(0, 0, group));
    expect(hasSpaceFor(board, 99_997)).toBe(true);
    expect(hasSpaceFor(board, 99_998)).toBe(false);
    dropObject(board, makeId(ann, 0));
    expect(hasSpaceFor(board, 100_000)).toBe(true);
  });
});

test("MRG-8 an object can be moved above one that lies above 2^39, up to 2^40", () => {
  const board = createBoard();
  const [low, high] = [object(0, 5), object(1, 2 ** 40 - 1)] as const;
  for (const one of [low, high]) putObject(board, one);
  changeObjects(board, ann, [{ id: low.id, props: { z: 2 ** 40 } }]);
  expect(stacked(board)).toEqual([1, 0]);
  changeObjects(board, ann, [{ id: high.id, props: { z: 2 ** 40 + 1 } }]);
  expect(stacked(board)).toEqual([1, 0]);
});
