import { expect, test } from "vitest";
import type { BoardObject, ObjectId } from "./drawing.ts";
import { areTwins } from "./twin.ts";

const rect = (name: string, more: Partial<BoardObject> = {}): BoardObject => ({
  ...{ type: "Rect", id: `aaa-${name}` as ObjectId, z: 1, left: 100, top: 100, width: 150 },
  ...more,
});

test("CAN-53 an object covers another one just like it, of any colour, and not itself", () => {
  expect(areTwins(rect("0"), rect("1", { z: 2, fill: "#ff0000" }))).toBe(true);
  expect(areTwins(rect("0"), rect("0"))).toBe(false);
  expect(areTwins(rect("0"), rect("1", { left: 101 }))).toBe(false);
  expect(areTwins(rect("0"), rect("1", { type: "Circle" }))).toBe(false);
  expect(areTwins(rect("0"), rect("1", { scaleX: 2 }))).toBe(false);
});
