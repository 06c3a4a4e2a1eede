import { expect, test } from "vitest";
import type { BoardObject } from "../../../board/drawing.ts";
import { pathObject } from "../input/stroke-object.ts";
import { makeFabricItem, makePlainItem } from "../scene/item.ts";
import type { Matrix } from "../geometry/matrix.ts";
import { enlarged } from "./min-size.ts";

function shown(props: object | null, scale: number) {
  const item = makePlainItem(props as BoardObject);
  if (!item) throw new Error("no plain object");
  const toPicture: Matrix = [scale, 0, 0, scale, 0, 0];
  return { item, enlarged: enlarged(item, toPicture) };
}

const LINE = { type: "Path", path: "M0 0L900 0", stroke: "#ff0000", strokeWidth: 3, fill: null };
const RECT = { type: "Rect", left: 300, top: 50, width: 150, height: 100, strokeWidth: 0 };

test("UI-170 in a picture that is smaller than the board a line is at least one pixel wide", () => {
  expect(shown(LINE, 0.1).enlarged.object["strokeWidth"]).toBe(10);
  const { item, enlarged: asBefore } = shown(LINE, 0.5);
  expect(asBefore.object).toBe(item.object);
  expect(shown({ ...LINE, strokeWidth: 0.1 }, 2).enlarged.object["strokeWidth"]).toBe(0.1);
});

test("UI-170 an object that is smaller than a pixel of the picture is a dot of its colour in its middle", () => {
  const { box, object } = shown({ ...RECT, fill: "#0000ff" }, 0.002).enlarged;
  expect(box).toEqual({ left: -200, top: -450, right: 800, bottom: 550 });
  expect(object["fill"]).toBe("#0000ff");
  expect(shown(LINE, 0.001).enlarged.object["fill"]).toBe("#ff0000");
  const text = makeFabricItem({ type: "IText", fill: "teal" } as unknown as BoardObject, undefined);
  expect(enlarged(text, [0.01, 0, 0, 0.01, 0, 0]).object).toMatchObject({
    ...{ type: "Rect", width: 200, fill: "teal" },
  });
});

test("UI-170 a stroke of the eraser does not cover the dots beside it", () => {
  const eraser = pathObject("M0 0L900 0", { color: "white", width: 20, eraser: true });
  const { item, enlarged: asBefore } = shown(eraser, 0.0001);
  expect(item.eraser).toBe(true);
  expect(asBefore).toBe(item);
});
