import { expect, test } from "vitest";
import { lookOf } from "./look.ts";

const RED = { type: "Rect", fill: "#FF0000", stroke: null };
const OUTLINED = { type: "Circle", fill: null, stroke: "#00ff00", strokeWidth: 3 };
const PICTURE = { type: "Image", stroke: null };
const TEXT = { type: "IText", text: "a", fill: "#0000ff", fontSize: 24 };

test("UI-61 the colours of a selection are those that recolouring replaces, two at most", () => {
  expect(lookOf([RED]).colors).toEqual(["#ff0000"]);
  expect(lookOf([RED, { ...RED, fill: "#ff0000" }]).colors).toEqual(["#ff0000"]);
  expect(lookOf([OUTLINED, RED]).colors).toEqual(["#00ff00", "#ff0000"]);
  expect(lookOf([OUTLINED, RED, TEXT]).colors).toEqual(["#00ff00", "#ff0000"]);
  expect(lookOf([{ type: "Group", objects: [RED, TEXT] }]).colors).toEqual(["#ff0000", "#0000ff"]);
  expect(lookOf([{ type: "IText", text: "a" }]).colors).toEqual(["#000000"]);
  expect(lookOf([{ type: "Rect", fill: { type: "linear" } }]).colors).toEqual([]);
  expect(lookOf([PICTURE, RED]).colors).toEqual(["#ff0000"]);
  expect(lookOf([PICTURE, PICTURE]).colors).toBeNull();
});

test("UI-61 shapes are outlines when all of them are, and texts have their sizes as shown", () => {
  expect(lookOf([]).outlined).toBeNull();
  expect(lookOf([TEXT]).outlined).toBeNull();
  expect(lookOf([OUTLINED, TEXT]).outlined).toBe(true);
  expect(lookOf([RED, OUTLINED]).outlined).toBe(false);
  expect(lookOf([OUTLINED, RED]).outlined).toBe(false);
  expect(lookOf([RED, { type: "IText", text: "🚀", fontSize: 60 }]).textSizes).toEqual([]);
  expect(lookOf([TEXT, { ...TEXT, scaleY: -2 }, { ...TEXT, fontSize: 9 }]).textSizes).toEqual([
    24, 48,
  ]);
});
