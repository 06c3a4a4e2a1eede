import { expect, test } from "vitest";
import type { BoardObject, ObjectId } from "../../../board/drawing.ts";
import { makePlainItem } from "../scene/item.ts";
import { IDENTITY, translation } from "../geometry/matrix.ts";
import { mapped, nudged, RepeatedRotation, rotationMap, stretchMap } from "./transforms.ts";

const rect: BoardObject = {
  ...{ type: "Rect", id: "aaa-1" as ObjectId, z: 1, originX: "left", originY: "top" },
  ...{ left: 10, top: 20, width: 30, height: 40, strokeWidth: 0 },
};
const items = [makePlainItem(rect)!];

test("UI-44 arrow keys move objects; a map that changes nothing is no change", () => {
  expect(nudged(items, 1, -10)).toEqual([{ id: "aaa-1", props: { left: 11, top: 10 } }]);
  expect(mapped(items, IDENTITY)).toEqual([]);
  expect(mapped(items, translation(5, 0))).toEqual([{ id: "aaa-1", props: { left: 15, top: 20 } }]);
});

test("UI-44 a selection is stretched from its first corner, and turned about its middle", () => {
  const start = translation(25, 40);
  const box = { width: 30, height: 40, scaleX: 1, scaleY: 1 };
  const [wider] = mapped(items, stretchMap(start, box, { dx: 30, dy: 0, whole: false })!);
  expect(wider?.props).toEqual({ left: 10, top: 20, scaleX: 2 });
  // At least one pixel is left.
  const [narrow] = mapped(items, stretchMap(start, box, { dx: -500, dy: 0, whole: false })!);
  expect(narrow?.props["scaleX"]).toBeCloseTo(1 / 30, 3);
  const [turned] = mapped(items, rotationMap({ x: 25, y: 40 }, 90));
  expect(turned?.props).toEqual({ left: 45, top: 25, angle: 90 });
  expect(stretchMap([0, 0, 0, 0, 0, 0], box, { dx: 1, dy: 1, whole: false })).toBeNull();
});

test("UI-44 rotations that follow each other have one centre, until something else moves the objects", () => {
  const rotation = new RepeatedRotation();
  const box = (left: number) => ({ left, top: 0, right: left + 100, bottom: 50 });
  expect(rotation.centreOf(translation(50, 25), box(0))).toEqual({ x: 50, y: 25 });
  rotation.rotated(box(7));
  expect(rotation.centreOf(translation(57, 25), box(7))).toEqual({ x: 50, y: 25 });
  rotation.rotated(box(9));
  expect(rotation.centreOf(translation(61, 25), box(11))).toEqual({ x: 61, y: 25 });
  expect(rotation.centreOf(translation(61, 25), undefined)).toEqual({ x: 61, y: 25 });
});

test("CAN-47 keys keep the ratio of objects scaled as a whole", () => {
  const start = translation(25, 40);
  const box = { width: 30, height: 40, scaleX: 1, scaleY: 1 };
  const by = (dx: number, dy: number) =>
    mapped(items, stretchMap(start, box, { dx, dy, whole: true })!)[0]?.props;
  expect(by(30, 0)).toEqual({ left: 10, top: 20, scaleX: 2, scaleY: 2 });
  expect(by(0, -20)).toEqual({ left: 10, top: 20, scaleX: 0.5, scaleY: 0.5 });
});
