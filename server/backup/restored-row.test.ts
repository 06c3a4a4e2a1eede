import { expect, test } from "vitest";
import { makeAuthor } from "../../board/author.ts";
import { createBoard, type Board } from "../../board/board.ts";
import type { ObjectId } from "../../board/drawing.ts";
import {
  addObjects,
  changeBackground,
  changeObjects,
  removeObjects,
  restoreObjects,
} from "../../board/edit.ts";
import { toDrawing } from "../../board/encode.ts";
import { mergeInto } from "../../board/merge.ts";
import { parseDrawing } from "../../board/parse.ts";
import { restoredRow } from "./restored-row.ts";

const author = makeAuthor(100, "abc");
const operator = makeAuthor(101, "operator");
const write = (board: Board): string => JSON.stringify(toDrawing(board));

function read(text: string): Board {
  const parsed = parseDrawing(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  const board = createBoard();
  mergeInto(board, parsed.drawing);
  return board;
}

/** Clears the board as a page does, and draws one object. */
function spoil(page: Board): string {
  removeObjects(page, [...page.objects.keys()]);
  changeBackground(page, author, "red");
  return addObjects(page, author, [{ type: "Rect", width: 99 }]).added[0]!.id;
}

const leftsOf = (board: Board): unknown => [...board.objects.values()].map(({ left }) => left);

test("HIS-33 a restored backup has what was removed, moved and painted since, after each restore, on every page", () => {
  const page = createBoard();
  const { added } = addObjects(page, author, [
    { type: "Rect", width: 10, left: 1 },
    { type: "Circle", radius: 5, left: 2 },
  ]);
  const [rect, circle] = added.map(({ id }) => id) as [ObjectId, ObjectId];
  const backup = { drawing: write(page), version: 7 };
  /** A device that has no network from here on: it restores an object twice and removes it, and moves the other one. */
  const device = read(backup.drawing);
  for (let time = 0; time < 3; time++) {
    if (time > 0) restoreObjects(device, author, [added[0]!]);
    removeObjects(device, [rect]);
  }
  changeObjects(device, makeAuthor(100, "device"), [{ id: circle, props: { left: 50 } }]);

  for (const isReadable of [false, true]) {
    const drawnSince = spoil(page);
    const replaced = isReadable ? { drawing: write(page), version: 40 } : null;
    const row = restoredRow(backup, replaced, operator)!;
    const restored = read(row.drawing);
    expect(leftsOf(restored)).toEqual([1, 2]);
    expect(row.version).toBe(isReadable ? 41 : 8);
    for (const open of [page, device]) {
      mergeInto(open, toDrawing(restored));
      expect(open.objects.get(rect)).toMatchObject({ left: 1 });
      expect(open.objects.get(circle)).toMatchObject({ left: 2 });
      expect(open.background).toBe("white");
      mergeInto(restored, toDrawing(open));
    }
    // What was drawn since the backup is not lost.
    expect([...restored.objects.keys()]).toContain(drawnSince);
    expect(leftsOf(restored)).toEqual(
      [...restored.objects.keys()].map((id) => page.objects.get(id)?.left),
    );
  }
});

test("HIS-33 an object with exhausted incarnations returns under a new id; what this program did not write stays as it is", () => {
  const page = createBoard();
  const { added } = addObjects(page, author, [{ type: "Rect", width: 10 }]);
  const id = added[0]!.id;
  const drawing = JSON.stringify(toDrawing(page)).replace(`"id":"${id}"`, `$&,"life":2147483647`);
  const restored = read(restoredRow({ drawing, version: 1 }, null, operator)!.drawing);
  mergeInto(page, toDrawing(restored));
  expect([...page.objects.keys()]).toEqual([`${operator}-0`]);

  const foreign = '{"version":"5.3.0","objects":[{"type":"rect","width":5}]}';
  const faulty = JSON.stringify({ ...toDrawing(page), objects: [{ type: "Image", src: "x" }] });
  for (const text of [foreign, faulty, "[]", "nonsense"])
    expect(restoredRow({ drawing: text, version: 1 }, null, operator)).toBe(null);
  const good = { drawing: write(page), version: 1 };
  for (const text of [foreign, "[]"])
    expect(restoredRow(good, { drawing: text, version: 5 }, operator)?.version).toBe(6);
});
