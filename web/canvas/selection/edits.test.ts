import { expect, test, vi } from "vitest";
import type { Author, BoardObject, NewObject, ObjectId } from "../../../board/drawing.ts";
import type { Item } from "../scene/item.ts";
import {
  addCopies,
  changesOf,
  colored,
  copiesOf,
  isText,
  outlineChange,
  resizedText,
  restacked,
  textSizeOf,
} from "./edits.ts";

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

test("UI-45 a colour replaces the fill of filled objects, and the outline of all others", () => {
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

test("CAN-48 colour and size of a text apply to letters that have their own, and leave their other styles", () => {
  const style = { fill: "#0000ff", fontSize: 60 };
  const text = {
    ...{ type: "IText", text: "styled" },
    styles: [
      { start: 0, end: 2, style },
      { start: 3, end: 5, style: { ...style, underline: true } },
    ],
  };
  expect(colored(text, "#ff0000")["styles"]).toEqual([
    { start: 0, end: 2, style: { fontSize: 60 } },
    { start: 3, end: 5, style: { fontSize: 60, underline: true } },
  ]);
  const sized = resizedText(text, 24)["styles"];
  expect(sized).toMatchObject([{ style: { fill: "#0000ff" } }, { style: { underline: true } }]);
  expect(JSON.stringify(sized)).not.toContain("fontSize");
  expect(
    colored({ ...text, styles: [{ start: 0, end: 2, style: { fill: "red" } }] }, "#000"),
  ).toEqual({
    fill: "#000",
    styles: [],
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
  // The object has a z between two whole numbers.
  expect(restacked([a, { ...b, z: 0.5 }], new Set([a]), "front")).toEqual([change(a, 1)]);
});

test("CAN-45 an outline has no fill and a line of 3 px in the colour of the shape; filling it takes that back", () => {
  const filled = { type: "Rect", fill: "#ff0000", stroke: null, strokeWidth: 0 };
  const outlined = { fill: null, stroke: "#ff0000", strokeWidth: 3, strokeUniform: true };
  expect(outlineChange(filled, true)).toEqual(outlined);
  expect(outlineChange({ ...filled, ...outlined }, false)).toEqual({
    ...{ fill: "#ff0000", stroke: null, strokeWidth: 0, strokeUniform: false },
  });
  // Fabric fills an object without a fill with black.
  expect(outlineChange({ type: "Circle" }, true)).toMatchObject({ stroke: "#000000" });
  // A shape that has neither gets a visible line.
  expect(outlineChange({ type: "Rect", fill: null }, true)).toMatchObject({ stroke: "#000000" });
  expect(outlineChange(filled, false)).toBeNull();
  expect(outlineChange({ ...filled, ...outlined }, true)).toBeNull();
  expect(outlineChange({ type: "Path", fill: "#ff0000" }, true)).toBeNull();
  expect(colored({ ...filled, ...outlined }, "#00ff00")).toEqual({ stroke: "#00ff00" });
  // A fill without opacity is none.
  const clear = { ...outlined, type: "Rect", fill: "rgba(255, 0, 0, 0)" };
  expect(outlineChange(clear, true)).toBeNull();
  expect(colored(clear, "#00ff00")).toEqual({ stroke: "#00ff00" });
});

test("CAN-45 an edit changes only the objects that it can change", () => {
  const text: BoardObject = { ...object("4", 8), type: "IText", text: "a" };
  expect(changesOf([a, text], { outlined: true })).toMatchObject([{ id: a.id }]);
  expect(changesOf([a, text], { textSize: 40 })).toMatchObject([
    { id: text.id, props: { fontSize: 40 } },
  ]);
  expect(changesOf([a, text], { color: "#000000" })).toHaveLength(2);
});

test("CAN-48 letters of any scale get a size of the board, and a text goes on wrapping at its width", () => {
  const text = { type: "Textbox", text: "a", fontSize: 24, scaleX: 2, scaleY: 2, width: 100 };
  expect(textSizeOf(text)).toBe(48);
  expect(textSizeOf({ type: "IText", text: "a" })).toBe(40);
  expect(resizedText(text, 16)).toEqual({ fontSize: 16, scaleX: 1, scaleY: 1, width: 200 });
  expect(resizedText({ ...text, scaleX: 1 }, 16)).toEqual({ fontSize: 16, scaleX: 1, scaleY: 1 });
  expect(resizedText({ ...text, type: "IText" }, 64)).toEqual({
    ...{ fontSize: 64, scaleX: 1, scaleY: 1 },
  });
  expect(isText(text)).toBe(true);
  expect(isText({ type: "IText", text: "🚀" })).toBe(false);
  expect(isText({ type: "Rect" })).toBe(false);
});

test("UI-67 objects go past one other object, and to the edge when there is none beyond", () => {
  const zs = (moved: readonly BoardObject[], to: "forward" | "backward", of = all) =>
    restacked(of, new Set(moved), to).map(({ id, props }) => [id.slice(-1), props["z"]]);
  expect(zs([a], "forward")).toEqual([["0", 3]]);
  expect(zs([d], "backward")).toEqual([["3", 3]]);
  expect(zs([c], "forward")).toEqual([["2", 7]]);
  expect(zs([b], "backward")).toEqual([["1", -1]]);
  // Several objects move together, in their order.
  expect(zs([a, b], "forward")).toEqual([
    ["0", 4 + 2 / 3],
    ["1", 4 + 4 / 3],
  ]);
  expect(zs([d], "forward")).toEqual([]);
  expect(zs([a], "backward")).toEqual([]);
  // Of objects in one position, only those beyond make space.
  const equal = [a, { ...b, z: 5 }, { ...c, z: 5 }, { ...d, z: 8 }];
  expect(zs([a], "forward", equal)).toEqual([
    ["0", 6],
    ["2", 7],
  ]);
  // Without a gap, the objects beyond make space.
  const flat = [a, { ...b, z: 5 }, { ...c, z: 5 }, { ...d, z: 5 }];
  expect(zs([a], "forward", flat)).toEqual([
    ["0", 6],
    ["2", 7],
    ["3", 8],
  ]);
});

const picture = (chars: number): NewObject => ({ type: "Image", src: "x".repeat(chars) });
const words = (length: number): NewObject => ({ type: "IText", text: "a".repeat(length) });

/** A board of objects, and the copies that it accepts. */
function bed(objects: readonly NewObject[], accepts = true) {
  const board = objects.map((one, at) => ({ ...one, id: `a-${at}` as ObjectId, z: at }));
  const refused = vi.fn();
  const added: NewObject[] = [];
  const editor = {
    accepts: () => accepts,
    add(copies: readonly NewObject[]): BoardObject[] {
      added.push(...copies);
      return copies.map((one, at) => ({ ...one, id: `b-${at}` as ObjectId, z: at }));
    },
  };
  const scene = { all: () => board.map((object) => ({ object }) as unknown as Item) };
  return { target: { scene, editor, refused }, refused, added };
}

test("IMG-10 copies that would exceed a limit of the board are not added, and the limit is reported", () => {
  for (const [objects, copies, limit] of [
    [Array.from({ length: 15 }, () => picture(400_000)), [picture(400_000)], "pictures"],
    [Array.from({ length: 800 }, () => words(10_000)), Array(300).fill(words(10_000)), "bytes"],
    [[], [{ type: "Group", objects: Array(100_001).fill(words(1)) }], "objects"],
  ] as [NewObject[], NewObject[], string][]) {
    const { target, refused, added } = bed(objects);
    expect(addCopies(target, copies)).toEqual([]);
    expect(refused.mock.calls).toEqual([[limit]]);
    expect(added).toEqual([]);
  }
});

test("IMG-10 copies for which the board has space are added, and a board that is full says so itself", () => {
  const free = bed([picture(400_000)]);
  expect(addCopies(free.target, [picture(400_000), words(5)])).toEqual(["b-0", "b-1"]);
  const full = bed([], false);
  expect(addCopies(full.target, [words(5)])).toEqual([]);
  expect(full.added).toEqual([]);
  for (const { refused } of [free, full]) expect(refused).not.toHaveBeenCalled();
});
