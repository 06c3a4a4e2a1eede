import { Group, Shadow, Text, Triangle } from "fabric";
import { expect, test, vi } from "vitest";
import { overhangOf } from "./fabric-shape.ts";

test("UI-52 the margin of a picture begins at what is painted: a text has a line only where it is given one", () => {
  // It would measure letters on a canvas.
  vi.spyOn(Text.prototype, "initDimensions").mockReturnValue();
  const text = { fontSize: 20, strokeWidth: 5 };
  expect(overhangOf(new Text("word", { ...text, stroke: null }))).toBe(10);
  expect(overhangOf(new Text("word", { ...text, stroke: "red" }))).toBe(30);
});

test("UI-52 the margin of a picture begins at the end of a shadow, also inside of a group", () => {
  const shadow = new Shadow({ offsetX: 9, offsetY: 60, blur: 0 });
  const shaded = new Triangle({ width: 40, height: 30, strokeWidth: 0, shadow });
  expect(overhangOf(shaded)).toBe(60);
  expect(overhangOf(new Group([shaded]))).toBe(60);
});
