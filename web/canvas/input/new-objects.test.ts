import { describe, expect, test } from "vitest";
import { type ToolRow, TOOLS } from "../../../board/tools.ts";
import { penStyle, shapeObject } from "./new-objects.ts";

const COLOR = "#4ecdc4";
const INSERTED = { left: 100, top: 100, originX: "left", originY: "top" };
const FILLED = { fill: COLOR, stroke: null, strokeWidth: 0 };

/** A row that the table does not have. */
const TRIANGLE: ToolRow = {
  tool: "triangle",
  name: "Triangle",
  key: "t",
  cursor: "default",
  panel: null,
  mode: "shape",
  shape: { type: "Triangle", width: 100, height: 90 },
};

describe.each([...TOOLS, TRIANGLE].map((row) => [row.tool, row] as const))("%s", (_tool, row) => {
  test("has a pen if and only if its mode is freehand", () => {
    expect(penStyle(row, COLOR) !== undefined).toBe(row.mode === "freehand");
  });

  test("adds a shape in the visitor's colour if and only if its mode is shape", () => {
    const shape = row.mode === "shape" ? { ...row.shape, ...INSERTED, ...FILLED } : undefined;
    expect(shapeObject(row, COLOR)).toEqual(shape);
  });
});

test("draw takes the visitor's colour, the eraser its own", () => {
  const pens = TOOLS.map((row) => penStyle(row, COLOR)).filter((pen) => pen !== undefined);
  expect(pens).toEqual([
    { color: COLOR, width: 3, eraser: false },
    { color: "white", width: 20, eraser: true },
  ]);
});
