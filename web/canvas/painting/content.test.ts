import { expect, test } from "vitest";
import type { BoardObject, ObjectId } from "../../../board/drawing.ts";
import type { Box } from "../geometry/box.ts";
import { Scene } from "../scene/scene.ts";
import { CanvasStats } from "../scheduling/stats.ts";
import type { BaseCanvas } from "./base.ts";
import { Content } from "./content.ts";

function rectangle(z: number, left: number): BoardObject {
  const props = { left, top: 0, width: 10, height: 10, fill: "#ff0000", strokeWidth: 0 };
  return { ...props, type: "Rect", id: `a-${z}` as ObjectId, z, originX: "left", originY: "top" };
}

function createBed() {
  const painted: number[] = [];
  const dirty: Box[] = [];
  const scene = new Scene();
  const base = {
    paintAdded: ({ object }: { object: BoardObject }) => void painted.push(object.z),
    invalidate: (box: Box) => void dirty.push(box),
  } as unknown as BaseCanvas;
  const onFault = (): never => expect.unreachable();
  const content = new Content({ scene, base, stats: new CanvasStats(), onFault });
  return { content, dirty, painted, scene };
}

test("PNT-84 objects that are added below others in slices are painted together, in one rectangle", () => {
  const { content, dirty, painted, scene } = createBed();
  content.add(rectangle(1000, 100));
  content.collects = true;
  const changes = { changed: [], removed: [] };
  content.apply({ ...changes, added: [rectangle(1, 0), rectangle(2, 95)] });
  content.apply({ ...changes, added: [rectangle(3, 105), rectangle(4, 300)] });
  expect(painted).toEqual([1000, 1, 4]);
  expect(dirty).toEqual([]);
  expect(scene.size).toBe(5);
  content.paintCovered();
  expect(dirty).toHaveLength(1);
  expect(dirty[0]?.left).toBeCloseTo(95, 5);
  expect(dirty[0]?.right).toBeCloseTo(115, 5);
  content.paintCovered();
  expect(dirty).toHaveLength(1);
});

test("PNT-84 a change that is not a slice is painted at once", () => {
  const { content, dirty, painted } = createBed();
  content.apply({ added: [rectangle(9, 0), rectangle(1, 0)], changed: [], removed: [] });
  content.paintCovered();
  expect(painted).toEqual([9, 1]);
  expect(dirty).toEqual([]);
});
