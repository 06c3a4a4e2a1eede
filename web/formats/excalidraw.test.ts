import { expect, test } from "vitest";
import type { NewObject } from "../../board/drawing.ts";
import { type ReadDrawing, readDrawing } from "./read-drawing.ts";

function read(input: unknown): ReadDrawing {
  return readDrawing(JSON.stringify(input));
}

/** The properties that every element has, as Excalidraw writes them. */
const BASE = {
  ...{
    id: "x",
    angle: 0,
    strokeColor: "#1e1e1e",
    backgroundColor: "transparent",
    fillStyle: "solid",
  },
  ...{
    strokeWidth: 2,
    strokeStyle: "solid",
    roughness: 1,
    opacity: 100,
    groupIds: ["g"],
    frameId: null,
  },
  ...{ roundness: null, seed: 1, version: 3, isDeleted: false, boundElements: null, locked: false },
  ...{ x: 100, y: 200, width: 80, height: 40 },
};

function objects(...elements: object[]): readonly NewObject[] {
  const all = elements.map((element) => ({ ...BASE, ...element }));
  const result = read({ type: "excalidraw", version: 2, elements: all, appState: {}, files: {} });
  if (!result.ok) throw new Error(result.reason);
  return result.objects;
}

test("UI-53 the shapes of Excalidraw with their colours, lines and angles", () => {
  expect(
    objects(
      { type: "rectangle", backgroundColor: "#a5d8ff", roundness: { type: 3 }, opacity: 50 },
      { type: "ellipse", strokeStyle: "dashed", angle: Math.PI / 2 },
      { type: "diamond", strokeStyle: "dotted" },
      { type: "rectangle", isDeleted: true },
    ),
  ).toMatchObject([
    {
      ...{ type: "Rect", left: 140, top: 220, width: 80, height: 40, rx: 10, ry: 10, opacity: 0.5 },
      ...{ fill: "#a5d8ff", stroke: "#1e1e1e", strokeWidth: 2 },
    },
    { type: "Ellipse", left: 140, top: 220, rx: 40, ry: 20, angle: 90, strokeDashArray: [8, 10] },
    { type: "Path", left: 140, top: 220, path: "M40 0l40 20-40 20-40-20z", fill: null },
  ]);
});

test("UI-53 lines, arrows and strokes of Excalidraw", () => {
  const points = [
    [0, 0],
    [50, 0],
    [50, 50],
  ];
  const [line, curve, arrow, turned, closed, pen] = objects(
    { type: "line", points },
    { type: "line", points, roundness: { type: 2 } },
    { type: "arrow", points: points.slice(0, 2), startArrowhead: null, endArrowhead: "arrow" },
    { type: "line", points, angle: Math.PI / 2 },
    { type: "line", points: [...points, [0, 0]], backgroundColor: "#ff0000" },
    { type: "freedraw", points, pressures: [], simulatePressure: true, strokeWidth: 1 },
  );
  expect(line).toMatchObject({ path: "M0 0l50 0 0 50", left: 125, top: 225, fill: null });
  expect(curve?.["path"]).toContain("c");
  // The arrow's head ends at the tip, which is where the line ends.
  expect(arrow).toMatchObject({ path: "M0 0l50 0m-23.5-8.5l23.5 8.5-23.5 8.6", top: 200 });
  expect(turned).toMatchObject({ left: 125, top: 225, angle: 90 });
  expect(closed).toMatchObject({ fill: "#ff0000" });
  expect(pen).toMatchObject({ type: "Path", strokeWidth: 3, fill: null, strokeLineCap: "round" });
});

test("UI-53 texts of Excalidraw, those in shapes too, stay at their edge", () => {
  const text = { type: "text", text: "two\nlines", fontSize: 20, fontFamily: 5, lineHeight: 1.25 };
  expect(
    objects(
      { ...text, textAlign: "left", strokeColor: "#e03131" },
      { ...text, textAlign: "center", containerId: "x", fontFamily: 3 },
      { ...text, textAlign: "right", angle: 1 },
      { ...text, text: "שלום" },
      { ...text, text: "" },
    ),
  ).toMatchObject([
    { type: "IText", text: "two\nlines", left: 100, originX: "left", top: 220, fill: "#e03131" },
    { left: 140, textAlign: "center", fontFamily: "monospace" },
    { left: 140, textAlign: "right", angle: 57.3 },
    { left: 100, originX: "left", direction: "rtl" },
  ]);
});

test("UI-54 parts of an Excalidraw drawing that cannot be added are counted; its clipboard is read alike", () => {
  const elements = [
    { ...BASE, type: "image", fileId: "f" },
    { ...BASE, type: "frame", name: "Frame" },
    { ...BASE, type: "embeddable" },
    { ...BASE, type: "chart" },
    { ...BASE, type: "rectangle", width: "wide" },
    { ...BASE, type: "line", points: [[0, 0], null] },
    7,
    { ...BASE, type: "ellipse" },
  ];
  expect(read({ type: "excalidraw/clipboard", elements, files: {} })).toMatchObject({
    ok: true,
    objects: [{ type: "Ellipse" }],
    leftOut: { picture: 1, frame: 1, page: 1, unknown: 1, value: 3 },
  });
});
