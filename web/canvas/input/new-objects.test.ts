import { describe, expect, test } from "vitest";
import { MORE_TOOLS, type ToolRow, TOOLS } from "../../../board/tools.ts";
import { penStyle, shapeObject } from "./new-objects.ts";

const COLOR = "#4ecdc4";
const CHOICE = { color: COLOR, width: 6 };
const INSERTED = { left: 100, top: 100, originX: "left", originY: "top" };
const FILLED = { fill: COLOR, stroke: null, strokeWidth: 0 };

/** A row that is not in the table. */
const TRIANGLE: ToolRow = {
  tool: "triangle",
  name: "Triangle",
  key: "z",
  cursor: "default",
  panel: null,
  mode: "shape",
  shape: { type: "Triangle", width: 100, height: 90 },
};

describe.each([...TOOLS, ...MORE_TOOLS, TRIANGLE].map((row) => [row.tool, row] as const))(
  "%s",
  (_tool, row) => {
    test("has a pen if and only if it draws", () => {
      expect(penStyle(row, CHOICE) !== undefined).toBe(["freehand", "line"].includes(row.mode));
    });

    test("adds a shape in the visitor's colour if and only if its mode is shape", () => {
      const shape = row.mode === "shape" ? { ...row.shape, ...INSERTED, ...FILLED } : undefined;
      expect(shapeObject(row, COLOR)).toEqual(shape);
    });
  },
);

test("draw takes the visitor's colour and width, eraser and highlighter have widths of their own", () => {
  const rows = [...TOOLS, ...MORE_TOOLS];
  const pens = rows.map((row) => penStyle(row, CHOICE)).filter((pen) => pen !== undefined);
  expect(pens).toEqual([
    { ...CHOICE, eraser: false },
    { color: "white", width: 20, eraser: true },
    { ...CHOICE, eraser: false, straight: "line" },
    { ...CHOICE, eraser: false, straight: "arrow" },
    { color: COLOR, width: 20, eraser: false, look: "highlighter" },
    { ...CHOICE, eraser: false, look: "fading" },
  ]);
});
