import { expect, test } from "vitest";
import type { BoardObject, ObjectId } from "../../../board/drawing.ts";
import { listedObjects, moveActive, ROW, rowsInView } from "./object-list.ts";

test("UI-77 the topmost object is first, and strokes of the eraser are not listed", () => {
  const object = (number: number, eraser?: true): BoardObject => ({
    ...{ type: "Path", id: `a-${number}` as ObjectId, z: number },
    ...(eraser && { eraser }),
  });
  const stack = [object(0), object(1, true), object(2)];
  expect(listedObjects(stack).map(({ id }) => id)).toEqual(["a-2", "a-0"]);
});

test("UI-77 of 10,000 objects few rows are elements, the active one among them", () => {
  const rows = rowsInView(10_000, 0, 5_000 * ROW, 10 * ROW);
  expect(rows.length).toBeLessThan(25);
  expect(rows[0]).toBe(0);
  expect(rows).toContain(5_000);
  expect(rows).toContain(5_009);
  expect(rowsInView(10_000, 9_999, 0, 10 * ROW).at(-1)).toBe(9_999);
  expect(rowsInView(2, 1, 0, 10 * ROW)).toEqual([0, 1]);
  expect(rowsInView(0, 0, 0, 10 * ROW)).toEqual([]);
});

test.each([
  ["ArrowDown", 3, 4],
  ["ArrowDown", 9, 9],
  ["ArrowUp", 0, 0],
  ["PageDown", 1, 6],
  ["PageUp", 7, 2],
  ["Home", 7, 0],
  ["End", 2, 9],
  ["a", 2, null],
  ["constructor", 2, null],
])("UI-77 keys go through the list: %s from row %i", (key, from, to) => {
  expect(moveActive(key, from, 10, 5)).toBe(to);
});
