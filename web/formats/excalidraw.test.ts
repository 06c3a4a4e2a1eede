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
  expect(arrow).toMatchObject({ path: "M0 0l50 0m-23.5-8.5l23.5 8.5m0 0l-23.5 8.6", top: 200 });
  expect(turned).toMatchObject({ left: 125, top: 225, angle: 90 });
  expect(closed).toMatchObject({ fill: "#ff0000" });
  expect(pen).toMatchObject({ type: "Path", strokeWidth: 3, fill: null, strokeLineCap: "round" });
});

test("UI-53 round corners of Excalidraw: rectangles, diamonds, elbow arrows", () => {
  const points = [
    [0, 0],
    [40, 0],
    [40, 30],
  ];
  const [adaptive, proportional, diamond, elbow] = objects(
    { type: "rectangle", roundness: { type: 3 }, width: 300, height: 200 },
    { type: "rectangle", roundness: { type: 1 }, width: 300, height: 200 },
    { type: "diamond", roundness: { type: 2 } },
    { type: "arrow", points, elbowed: true, endArrowhead: null },
  );
  expect(adaptive).toMatchObject({ rx: 32, ry: 32 });
  expect(proportional).toMatchObject({ rx: 50, ry: 50 });
  // Each corner begins and ends at a quarter of its sides, and the tips are cut off.
  expect(diamond).toMatchObject({ left: 140, top: 220 });
  expect(diamond?.["path"]).toBe(
    "M20 10l10-5c10-5 10-5 20 0l20 10c10 5 10 5 0 10l-20 10c-10 5-10 5-20 0l-20-10c-10-5-10-5 0-10l10-5z",
  );
  expect(elbow).toMatchObject({ path: "M0 0l24 0c16 0 16 0 16 15l0 15", fill: null });
});

test("UI-53 the solid heads of Excalidraw's arrows are filled, and nothing else of them", () => {
  const points = [
    [0, 0],
    [100, 0],
  ];
  const bent = [...points, [100, 100]];
  const arrow = { type: "arrow", points, startArrowhead: null, backgroundColor: "#ff0000" };
  const [dot, outlined, diamond, crowfoot, foot, closed, bend, curve, dashed, line, mixed] =
    objects(
      { ...arrow, endArrowhead: "dot" },
      { ...arrow, endArrowhead: "circle_outline" },
      { ...arrow, endArrowhead: "diamond" },
      { ...arrow, endArrowhead: "crowfoot_one" },
      { ...arrow, endArrowhead: "crowfoot_many" },
      { ...arrow, points: [...bent, [0, 0]], endArrowhead: "arrow" },
      { ...arrow, points: bent, endArrowhead: "triangle" },
      { ...arrow, points: bent, endArrowhead: "dot", roundness: { type: 2 } },
      { ...arrow, points: bent, endArrowhead: "dot", strokeStyle: "dashed" },
      { ...arrow, type: "line", endArrowhead: "dot" },
      { ...arrow, startArrowhead: "dot", endArrowhead: "arrow" },
    );
  expect(dot).toMatchObject({ fill: "#1e1e1e", left: 153.8, top: 200 });
  expect(outlined).toMatchObject({ fill: null, path: dot?.["path"] });
  expect(diamond).toMatchObject({ fill: "#1e1e1e" });
  expect(crowfoot).toMatchObject({ path: "M0 0l100 0m-18.1-8.4l0 16.9" });
  expect(foot).toMatchObject({ path: "M0 0l100 0m-1.9-8.4l-18.1 8.4m0 0l18.1 8.5" });
  expect(closed).toMatchObject({ fill: null });
  // There and back, so that the line itself has no area.
  expect(bend).toMatchObject({ fill: "#1e1e1e" });
  expect(bend?.["path"]).toMatch(/^M0 0l100 0 0 100m0 0l0-100-100 0m/);
  expect(curve).toMatchObject({ fill: "#1e1e1e" });
  expect(curve?.["path"]).toMatch(/^M0 0c.{20,60}m0 0c.{20,60}m/);
  expect(dashed).toMatchObject({ fill: null });
  expect(line).toMatchObject({ path: "M0 0l100 0", fill: null });
  // The colour of the dot would fill an open head in one line.
  expect(mixed).toMatchObject({ fill: "#1e1e1e" });
  expect(mixed?.["path"]).toMatch(/^M0 0l100 0m-23.5-8.5l23.5 8.5m0 0l/);
});

test("UI-53 lines and strokes of Excalidraw are filled where their ends meet", () => {
  const points = [
    [0, 0],
    [50, 0],
    [50, 50],
    [4, 4],
  ];
  const fills = objects(
    { type: "line", points, backgroundColor: "#ff0000" },
    { type: "line", points: points.slice(0, 3), backgroundColor: "#ff0000" },
    { type: "freedraw", points, backgroundColor: "#00ff00" },
    { type: "freedraw", points: points.slice(0, 3), backgroundColor: "#00ff00" },
  ).map((object) => object["fill"]);
  expect(fills).toEqual(["#ff0000", null, "#00ff00", null]);
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
