import { Group, Shadow, Triangle } from "fabric";
import { expect, test } from "vitest";
import { overhangOf } from "./fabric-shape.ts";

test("UI-52 the margin of a picture begins at what is painted: a line counts only where there is one", () => {
  const shape = { width: 40, height: 30, strokeWidth: 5 };
  expect(overhangOf(new Triangle({ ...shape, stroke: null }))).toBe(0);
  expect(overhangOf(new Triangle({ ...shape, stroke: "red" }))).toBe(20);
  const shadow = new Shadow({ offsetX: 9, offsetY: 60, blur: 0 });
  const shaded = new Triangle({ ...shape, shadow });
  expect(overhangOf(shaded)).toBe(60);
  expect(overhangOf(new Group([shaded]))).toBe(60);
});
