import { expect, test } from "vitest";
import type { Author, BoardObject, ObjectId } from "../../../board/drawing.ts";
import { colored, copiesOf, restacked } from "./edits.ts";

const object = (name: string, z: number): BoardObject => ({
  ...{ type: "Rect", id: `aaa-${name}` as ObjectId, z, left: 5, width: 10, fill: "#00ff00" },
  ...{ life: 2, stamps: { look: [3, "bbb" as Author] } },
});
const [a, b, c, d] = ["0", "1", "2", "3"].map((name, at) => object(name, at * 2)) as [
  BoardObject,
  BoardObject,
  BoardObject,
  BoardObject,
];
const all = [a, b, c, d];

test("UI-45 a colour replaces the fill of what is filled, and the outline of what is not", () => {
  const red = "#ff0000";
  expect(colored({ type: "Rect", fill: "#00ff00", stroke: null }, red)).toEqual({ fill: red });
  expect(colored({ type: "Path", fill: null, stroke: "#000" }, red)).toEqual({ stroke: red });
  expect(colored({ type: "Path", fill: "transparent" }, red)).toEqual({ stroke: red });
  expect(colored({ type: "Line" }, red)).toEqual({ stroke: red });
  expect(colored({ type: "IText", text: "a" }, red)).toEqual({ fill: red });
  const group = { type: "Group", objects: [{ type: "Line", x1: 3 }, { type: "Rect" }] };
  expect(colored(group, red)).toEqual({
    objects: [
      { type: "Line", x1: 3, stroke: red },
      { type: "Rect", fill: red },
    ],
  });
});

test("UI-45 a copy is a new object, 20 px to the right and below", () => {
  expect(copiesOf([a])).toEqual([{ type: "Rect", left: 25, top: 20, width: 10, fill: "#00ff00" }]);
});

test("UI-45 objects go to the front or to the back in their order, and stay where they are there already", () => {
  const change = (one: BoardObject, z: number): object => ({ id: one.id, props: { z } });
  expect(restacked(all, new Set([c, a]), "front")).toEqual([change(a, 7), change(c, 8)]);
  expect(restacked(all, new Set([d, b]), "back")).toEqual([change(b, -2), change(d, -1)]);
  expect(restacked(all, new Set([d, c]), "front")).toEqual([]);
  expect(restacked(all, new Set([a]), "back")).toEqual([]);
  expect(restacked(all, new Set(all), "back")).toEqual([]);
  // A z between two whole numbers.
  expect(restacked([a, { ...b, z: 0.5 }], new Set([a]), "front")).toEqual([change(a, 1)]);
});
