import { expect, test } from "vitest";
import { makeAuthor } from "./author.ts";
import { authorShares } from "./authorship.ts";
import { createBoard } from "./board.ts";
import type { Author } from "./drawing.ts";
import { addObjects } from "./edit.ts";
import { mergeInto } from "./merge.ts";
import { parseDrawing } from "./parse.ts";

const ann = makeAuthor(2500, "annannannann");
const bob = makeAuthor(2500, "bobbobbobbob");

test("WHO-1 each author's objects are counted, those that cannot be seen and those under a later name included", () => {
  const board = createBoard();
  const stroke = { type: "Path", path: "M0 0l1 1", fill: null } as const;
  addObjects(board, ann, [
    { ...stroke, stroke: "#ff0000" },
    { ...stroke, stroke: "#0000ff" },
  ]);
  addObjects(board, `${ann}k3q9` as Author, [{ ...stroke, stroke: "#0000ff", visible: false }]);
  addObjects(board, bob, [{ type: "Rect", width: 1, height: 1, fill: "#00ff00", left: 1e6 }]);
  const foreign = parseDrawing({ objects: [{ type: "Triangle" }, { type: "Circle", radius: 3 }] });
  if (foreign.ok) mergeInto(board, foreign.drawing);
  const slices = authorShares(board, 2);
  let pauses = 0;
  let step = slices.next();
  for (; step.done !== true; step = slices.next()) pauses += 1;
  expect(pauses).toBe(3);
  const shares = step.value;
  expect(shares.map(({ author, ids, hidden }) => [author, ids.length, hidden])).toEqual([
    [ann, 3, 1],
    [null, 2, 0],
    [bob, 1, 1],
  ]);
  expect(shares[0]?.colors).toEqual(["#0000ff", "#ff0000"]);
  expect(shares.reduce((sum, { chars }) => sum + chars, 0)).toBe(
    [...board.objects.values()].reduce((sum, object) => sum + JSON.stringify(object).length, 0),
  );
});
