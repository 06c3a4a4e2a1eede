import { expect, test } from "vitest";
import { createBoard, stackedObjects } from "./board.ts";
import { mergeInto } from "./merge.ts";
import { ann, ours, parsed, rect } from "./merge-bed.case.ts";
import { changesTo } from "./version.ts";

test("MRG-9 an object that gets a fresh id as an earlier drawing is restored is there once", () => {
  const board = createBoard();
  const stamps = { look: [2 ** 31 - 1, "zzz"] };
  mergeInto(board, parsed(ours([{ ...rect, id: "bob-0", z: 1, stamps, fill: "red" }])));
  const earlier = parsed(ours([{ ...rect, id: "bob-0", z: 1, fill: "blue" }]));
  const changes = [...changesTo(board, ann, earlier, { onlyMissing: false })];
  expect(stackedObjects(board)).toMatchObject([{ fill: "blue" }]);
  expect(changes.flatMap(({ added }) => added)).toEqual(stackedObjects(board));
});
