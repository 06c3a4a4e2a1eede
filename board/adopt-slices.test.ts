/** Tests the drawings of plain clients that are adopted in slices, between which others change the board. */

import { expect, test } from "vitest";
import { adoptForeign } from "./adopt.ts";
import { authorOf, makeAuthor, sequenceOf } from "./author.ts";
import { createBoard, digest, getObject, stackedObjects, type Board } from "./board.ts";
import { knownIncarnation } from "./causal-context.ts";
import type { BoardChanges, ObjectId } from "./drawing.ts";
import { addObjects, changeObjects } from "./edit.ts";
import { toDrawing } from "./encode.ts";
import { mergeInto } from "./merge.ts";
import { parseDrawing } from "./parse.ts";

const ann = makeAuthor(2500, "ann");
const rect = { type: "Rect", originX: "left", originY: "top", width: 10, height: 10 } as const;

/** Returns two equal boards with teal rectangles, and the drawing of a plain client that has them. */
function setUp(count: number) {
  const [one, other] = [createBoard(), createBoard()];
  addObjects(
    one,
    ann,
    Array.from({ length: count }, () => ({ ...rect, fill: "teal" })),
  );
  mergeInto(other, toDrawing(one));
  const objects = stackedObjects(one).map(({ id }) => ({ ...rect, id, fill: "teal" }));
  return { one, other, objects, ids: objects.map(({ id }) => id) };
}

/** Adopts a drawing with a pause after each `size` objects; the writer cannot know `retained`. */
function adopt(
  board: Board,
  drawing: object,
  { size, retained }: { readonly size: number; readonly retained?: ObjectId | undefined },
): Generator<BoardChanges, void> {
  const foreign = parseDrawing({ version: "7.4.0", ...drawing });
  if (!foreign.ok || !foreign.foreign) throw new Error("not a foreign drawing");
  const options = {
    removes: true,
    size,
    isRetained: ({ id }: { id: ObjectId }) => id === retained,
  };
  return adoptForeign(board, foreign, options);
}

test("MRG-17 a drawing that is adopted in slices is the same one, and each slice has its own changes", () => {
  const { one, other, objects, ids } = setUp(4);
  const red = { ...rect, fill: "red" };
  const drawing = { objects: [{ ...objects[0], left: 50 }, red, red], background: "#eeeeee" };
  const [all] = adopt(one, drawing, { size: Number.POSITIVE_INFINITY });
  expect(all?.changed.map(({ id }) => id)).toEqual(ids.slice(0, 1));
  expect([one.background, one.backgroundStamp]).toEqual(["#eeeeee", [1, "f"]]);
  const slices: BoardChanges[] = [];
  for (const changes of adopt(other, drawing, { size: 1 })) {
    slices.push(changes);
    const { added, changed, removed } = changes;
    expect(added.length + changed.length + removed.length).toBeLessThan(2);
    for (const { id } of added)
      expect(knownIncarnation(other.context, authorOf(id), sequenceOf(id))).toBe(0);
  }
  for (const kind of ["added", "changed", "removed", "before"] as const)
    expect(slices.flatMap((slice) => slice[kind] ?? [])).toEqual(all?.[kind]);
  expect(toDrawing(other)).toEqual(toDrawing(one));
});

test("MRG-13 what others change between two slices stays, and so does what the writer cannot know", () => {
  const { one, objects, ids } = setUp(3);
  const [, second, retained] = ids as [ObjectId, ObjectId, ObjectId];
  const red = objects.map((object) => ({ ...object, fill: "red" }));
  const slices = adopt(one, { objects: red }, { size: 1, retained });
  slices.next();
  changeObjects(one, ann, [{ id: second, props: { fill: "blue" } }]);
  while (slices.next().done !== true);
  const fills = ids.map((id) => getObject(one, id)?.["fill"]);
  expect(fills).toEqual(["red", "blue", "teal"]);
});

test("MRG-13 two pages that adopt different drawings stamp them differently, and have equal boards when they have merged", () => {
  const { one, other, objects } = setUp(1);
  const pages = [
    [one, "#111111"],
    [other, "#222222"],
  ] as const;
  for (const [board, fill] of pages)
    for (const _ of adopt(
      board,
      { objects: [{ ...objects[0], fill }], background: fill },
      { size: 1 },
    ));
  const looks = pages.map(([board]) => stackedObjects(board)[0]?.stamps?.look);
  expect(looks[0]).not.toEqual(looks[1]);
  const [before, after] = [toDrawing(one), toDrawing(other)];
  mergeInto(one, after);
  mergeInto(other, before);
  expect(digest(one)).toBe(digest(other));
  expect(toDrawing(one)).toEqual(toDrawing(other));
});
