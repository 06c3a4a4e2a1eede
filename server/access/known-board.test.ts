import { expect, test } from "vitest";
import { createKnownBoard } from "./known-board.ts";

const HOUR = 60 * 60_000;
const NOTHING = { objects: 0, bytes: 0 };
const object = { id: null, bytes: 100, count: 1 };
const drawing = (count: number) => ({
  objects: Array.from({ length: count }, () => object),
  bytes: 100 * count,
  isForeign: true,
});

test("HOST-52 a plain client's drawing adds nothing to a row that has been the same for hours", () => {
  let now = 0;
  const board = createKnownBoard(() => now);
  board.noteRow({ objects: 50, bytes: 5_000 });
  now = 5 * HOUR;
  expect(board.addedBy(drawing(50), NOTHING)).toEqual(NOTHING);
  expect(board.addedBy(drawing(52), NOTHING)).toEqual({ objects: 2, bytes: 200 });
  board.noteRow({ objects: 10, bytes: 1_000 });
  now += HOUR / 2;
  expect(board.addedBy(drawing(50), NOTHING)).toEqual(NOTHING);
  now += 5 * HOUR;
  expect(board.addedBy(drawing(50), NOTHING)).toEqual({ objects: 40, bytes: 4_000 });
});
