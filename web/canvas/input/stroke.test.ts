import { describe, expect, test } from "vitest";
import type { BoardObject, ObjectId } from "../../../board/drawing.ts";
import { parsePath } from "../../../board/path.ts";
import { HitTest } from "../scene/hit.ts";
import { makePlainItem } from "../scene/item.ts";
import { outlineBox } from "../geometry/outline.ts";
import { strokeObject } from "./stroke-object.ts";
import { Scene } from "../scene/scene.ts";
import { CanvasStats } from "../scheduling/stats.ts";

const INK = { color: "#000000", width: 3, eraser: false };

function wave(count: number): number[] {
  return Array.from({ length: 2 * count }, (_, i) =>
    i % 2 === 0 ? 100 + 2 * i : 200 + 60 * Math.sin(i / 14),
  );
}

describe("strokes", () => {
  test("DAT-15 a stroke is stored as path data with relative commands, under 10 bytes for each point drawn", () => {
    const object = strokeObject(wave(300), INK);
    expect(object?.["path"]).toMatch(/^M[\d.]+ [\d.]+q/);
    expect(JSON.stringify(object).length).toBeLessThan(3000);
  });

  test("left and top are the corner of the box with the stroke", () => {
    const object = strokeObject(wave(50), INK) as unknown as {
      left: number;
      top: number;
      path: string;
    };
    const box = outlineBox(parsePath(object.path)!);
    expect(Math.abs(object.left - (box.left - 1.5))).toBeLessThanOrEqual(0.051);
    expect(Math.abs(object.top - (box.top - 1.5))).toBeLessThanOrEqual(0.051);
  });

  test("no points make no stroke", () => {
    expect(strokeObject([], INK)).toBeNull();
  });
});

describe("objects under a point", () => {
  function board(...objects: object[]): HitTest {
    const scene = new Scene();
    objects.forEach((object, i) => {
      const item = makePlainItem({ ...object, id: `aaa-${i}` as ObjectId, z: i } as BoardObject);
      if (item) scene.add(item);
    });
    return new HitTest(scene, new CanvasStats());
  }

  const corner = { originX: "left", originY: "top" };
  const square = { type: "Rect", ...corner, left: 0, top: 0, width: 100, height: 100 };

  test("the topmost one is found, by its shape", () => {
    const hits = board(
      { ...square, strokeWidth: 0 },
      { type: "Circle", ...corner, left: 0, top: 0, radius: 50, strokeWidth: 0 },
    );
    expect(hits.at(50, 50)?.object.id).toBe("aaa-1");
    expect(hits.at(3, 3)?.object.id).toBe("aaa-0");
    expect(hits.at(103, 103)).toBeUndefined();
  });

  test("a line is found near its ink, within its own scale", () => {
    const line = strokeObject([0, 0, 50, 0, 100, 0], INK);
    const hits = board({ ...line, scaleX: 3, scaleY: 3 });
    expect(hits.at(150, 4)?.object.id).toBe("aaa-0");
    expect(hits.at(150, 30)).toBeUndefined();
  });

  test("a rubber band takes objects that it touches, not those that only surround it", () => {
    const ring = strokeObject([0, 0, 100, 0, 100, 100, 0, 100, 0, 0], INK);
    const hits = board({ ...ring }, { ...square, left: 40, top: 40, width: 10, height: 10 });
    const found = hits.within({ left: 30, top: 30, right: 60, bottom: 60 });
    expect(found.map((item) => item.object.id)).toEqual(["aaa-1"]);
  });
});
