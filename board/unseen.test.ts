import { describe, expect, test } from "vitest";
import type { BoardObject } from "./drawing.ts";
import { isUnseen } from "./unseen.ts";

const rect = { type: "Rect", left: 10, top: 10, width: 50, height: 20, fill: "#ff0000" };
const path = { type: "Path", path: "M0 0l5 5", fill: null, stroke: "#000000", strokeWidth: 3 };
const unseen = (object: object): boolean => isUnseen(object as BoardObject);

describe("HOST-20 nobody can see", () => {
  test.each([
    { ...rect, visible: false },
    { ...rect, opacity: 0 },
    { ...rect, scaleX: 0 },
    { ...rect, fill: null },
    { ...rect, fill: "transparent", stroke: "#00000000" },
    { ...rect, fill: "rgba(1, 2, 3, 0)" },
    { ...rect, fill: "rgb(1 2 3 / 0%)" },
    { ...rect, fill: "hsla(1, 2%, 3%, 1e-9)" },
    { ...rect, fill: null, backgroundColor: "#00000000" },
    { ...rect, fill: { type: "linear", colorStops: [{ offset: 0, color: "#f000" }] } },
    { ...rect, fill: "#1230", stroke: "#000000", strokeWidth: 0 },
    { ...rect, width: 0 },
    { ...rect, height: undefined },
    { type: "Circle", fill: "#000000" },
    { type: "Ellipse", rx: 5 },
    { ...rect, left: 2_000_000 },
    { ...rect, top: -2_000_000 },
    { ...path, stroke: null },
    { type: "IText", text: "", fill: "#000000" },
    { type: "Group", objects: [{ ...rect, opacity: 0 }] },
    { type: "Group", objects: [] },
  ])("%o", (object) => expect(unseen(object)).toBe(true));
});

describe("HOST-20 somebody can see", () => {
  test.each([
    { type: "Textbox", text: "", width: 200, backgroundColor: "#ff0000" },
    rect,
    path,
    { ...rect, fill: undefined },
    { ...rect, fill: "rgb(255, 0, 0)" },
    { ...rect, fill: "rgb(255 0 0)" },
    { ...rect, fill: "hsl(0, 100%, 0%)" },
    { ...rect, fill: "#ffff00" },
    { ...rect, fill: "#f0f" },
    { ...rect, fill: { type: "linear", colorStops: [{ offset: 0, color: "red" }] } },
    { ...rect, opacity: 0.01 },
    { ...rect, scaleX: -1 },
    { ...rect, scaleX: 0.001 },
    { ...rect, fill: { type: "linear", colorStops: [{ color: "#f000" }, { color: "#f00" }] } },
    { ...rect, fill: null, stroke: "#000000" },
    { ...rect, width: 0, stroke: "#000000" },
    { ...rect, fill: null, backgroundColor: "#ff0000" },
    { ...rect, left: -2_000_000, width: 5_000_000 },
    { ...rect, left: 2_000_000, angle: 180 },
    { ...path, left: -2_000_000 },
    { ...path, stroke: "#ffffff", eraser: true },
    { type: "IText", text: " x", fill: "#000000" },
    {
      type: "IText",
      text: "x",
      fill: null,
      styles: [{ start: 0, end: 1, style: { fill: "red" } }],
    },
    { type: "Image", src: "data:image/png;base64,AA==", fill: null },
    { type: "Group", objects: [{ ...rect, opacity: 0 }, rect] },
  ])("%o", (object) => expect(unseen(object)).toBe(false));
});
