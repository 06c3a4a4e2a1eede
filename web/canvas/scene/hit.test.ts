import { expect, test } from "vitest";
import type { BoardObject, Json, ObjectId } from "../../../board/drawing.ts";
import { CanvasStats } from "../scheduling/stats.ts";
import { HitTest } from "./hit.ts";
import { makePlainItem } from "./item.ts";
import { Scene } from "./scene.ts";

/** The hit test of a board with one object. */
function hits(type: string, props: Readonly<Record<string, Json>>): HitTest {
  const scene = new Scene();
  const base = { id: "aaa-0" as ObjectId, z: 1, originX: "left", originY: "top" };
  const item = makePlainItem({ type, ...base, ...props } as unknown as BoardObject);
  if (item) scene.add(item);
  return new HitTest(scene, new CanvasStats());
}

const POSITION = { left: 100, top: 100 };
const LINE = { fill: null, stroke: "#ff0000", strokeWidth: 3, strokeUniform: true };
const RECT = { ...POSITION, width: 150, height: 100 };
const box = (left: number, top: number, right: number, bottom: number) => ({
  ...{ left, top, right, bottom },
});

test("CAN-45 an outlined rectangle is hit at its line alone, by a press and by a rubber band", () => {
  const test = hits("Rect", { ...RECT, ...LINE });
  expect(test.at(175, 150)).toBeUndefined();
  expect(test.at(101, 150)).toBeDefined();
  expect(test.at(108, 150)).toBeDefined();
  expect(test.at(110, 150)).toBeUndefined();
  expect(test.at(110, 150, 14)).toBeDefined();
  expect(test.within(box(120, 120, 200, 180))).toEqual([]);
  expect(test.within(box(90, 120, 200, 180))).toHaveLength(1);
  expect(test.within(box(0, 0, 900, 900))).toHaveLength(1);
  expect(hits("Rect", RECT).at(175, 150)).toBeDefined();
  expect(hits("Rect", RECT).within(box(120, 120, 200, 180))).toHaveLength(1);
  // A colour without opacity is no fill, and no line either.
  const clear = { fill: "#ff000000" };
  expect(hits("Rect", { ...RECT, ...LINE, ...clear }).at(175, 150)).toBeUndefined();
  expect(
    hits("Rect", { ...RECT, ...clear, stroke: "rgba(0, 0, 0, 0)" }).at(175, 150),
  ).toBeDefined();
});

test("CAN-45 the line of a stretched outline keeps its width, and so does the reach of a press", () => {
  const test = hits("Rect", { ...RECT, ...LINE, scaleX: 4 });
  expect(test.at(108, 150)).toBeDefined();
  expect(test.at(112, 150)).toBeUndefined();
  expect(test.at(400, 108)).toBeDefined();
  expect(test.at(400, 112)).toBeUndefined();
  expect(test.at(698, 150)).toBeDefined();
});

test("CAN-45 an outlined circle is hit at its line alone", () => {
  const test = hits("Circle", { ...POSITION, radius: 75, ...LINE });
  expect(test.at(176, 176)).toBeUndefined();
  expect(test.at(102, 176)).toBeDefined();
  expect(test.at(176, 107)).toBeDefined();
  expect(test.at(176, 112)).toBeUndefined();
  expect(test.within(box(150, 150, 200, 200))).toEqual([]);
  expect(test.within(box(90, 150, 200, 200))).toHaveLength(1);
  expect(hits("Circle", { ...POSITION, radius: 75 }).at(175, 175)).toBeDefined();
});

test("CAN-11 a filled path, as ink of a pen with pressure is one, is found by its area and not by its box", () => {
  // A ring: its outer line runs to the right at its top, its inner one to the left.
  const ring = "M0 0l200 0 0 200 -200 0z M20 20l0 160 160 0 0 -160z";
  const ink = { ...POSITION, path: ring, fill: "#000000", stroke: null, strokeWidth: 0 };
  const test = hits("Path", ink);
  expect(test.at(110, 200)).toBeDefined();
  expect(test.at(200, 200)).toBeUndefined();
  expect(test.at(125, 200)).toBeDefined();
  expect(test.at(130, 200)).toBeUndefined();
  expect(test.within(box(150, 150, 250, 250))).toEqual([]);
  expect(test.within(box(105, 150, 115, 250))).toHaveLength(1);
  expect(test.within(box(90, 150, 250, 250))).toHaveLength(1);
  const corner = { ...ink, path: "M0 0l200 0 -200 200z" };
  expect(hits("Path", corner).at(130, 130)).toBeDefined();
  expect(hits("Path", corner).at(280, 280)).toBeUndefined();
  expect(hits("Path", corner).within(box(120, 120, 150, 150))).toHaveLength(1);
  expect(hits("Path", corner).within(box(260, 260, 290, 290))).toEqual([]);
});

test("CAN-11 the fill rule decides what a path fills where its lines cross", () => {
  const twice = "M0 0l200 0 0 200 -200 0z M50 50l100 0 0 100 -100 0z";
  const path = { ...POSITION, path: twice, fill: "#000000", stroke: null, strokeWidth: 0 };
  expect(hits("Path", path).at(200, 200)).toBeDefined();
  expect(hits("Path", { ...path, fillRule: "evenodd" }).at(200, 200)).toBeUndefined();
});
