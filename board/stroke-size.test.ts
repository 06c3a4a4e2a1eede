import * as fabric from "fabric";
import { describe, expect, test } from "vitest";
import { createRandom } from "../testing/random/random.ts";
import { makeAuthor } from "./author.ts";
import { createBoard } from "./board.ts";
import { compactObject } from "./compact-object.ts";
import type { NewObject } from "./drawing.ts";
import { addObjects } from "./edit.ts";
import { toDrawing } from "./encode.ts";
import { encodePath, parsePath, thinStroke } from "./path.ts";
import { utf8Length } from "./validate.ts";

const TOP_LEFT = { originX: "left", originY: "top" } as const;

/** Returns a stroke as a hand draws it: steps of some pixels with a slowly turning direction, input at sub-pixel positions. */
function strokePoints(count: number, seed: number): number[] {
  const random = createRandom(seed);
  const points: number[] = [];
  let [x, y, angle] = [200 + random.next() * 800, 200 + random.next() * 400, random.next() * 6.28];
  for (let at = 0; at < count; at++) {
    points.push(x, y);
    angle += (random.next() - 0.5) * 0.9;
    const step = 2 + random.next() * 8;
    x += Math.cos(angle) * step;
    y += Math.sin(angle) * step;
  }
  return points;
}

const brush = {
  fill: null,
  stroke: "#000000",
  strokeWidth: 3,
  strokeLineCap: "round",
  strokeLineJoin: "round",
};

function asFabricWrites(points: readonly number[]): Record<string, unknown> {
  const list = points.flatMap((x, at) =>
    at % 2 === 0 ? new fabric.Point(x, points[at + 1] ?? 0) : [],
  );
  const path = fabric.util.getSmoothPathFromPoints(list, 0.003);
  return new fabric.Path(path, {
    ...brush,
    strokeMiterLimit: 10,
  } as object).toObject() as object as Record<string, unknown>;
}

describe("size", () => {
  test("DAT-15 strokes of 40 points take at most 35 % of Fabric's default JSON", () => {
    const board = createBoard();
    let plain = 0;
    const strokes: NewObject[] = [];
    for (let seed = 0; seed < 1000; seed++) {
      // Whole pixels, as a mouse gives them: with fractions Fabric's JSON would be twice as long.
      const written = asFabricWrites(strokePoints(40, seed).map(Math.round));
      plain += utf8Length(JSON.stringify(written)) + 1;
      strokes.push({ ...TOP_LEFT, ...(written as NewObject) });
    }
    addObjects(board, makeAuthor(2500, "abcdefghij"), strokes);
    const ours = utf8Length(JSON.stringify(toDrawing(board)));
    expect(ours / plain).toBeLessThanOrEqual(0.35);
    // The comparison is fair: Fabric writes about 2 KB for such a stroke.
    expect(plain / 1000).toBeLessThan(2100);
  });

  test("DAT-15 a stroke of 300 points takes less than 3.1 KB", () => {
    for (let seed = 0; seed < 20; seed++) {
      const points = strokePoints(300, seed);
      const object = compactObject({
        type: "Path",
        ...brush,
        ...TOP_LEFT,
        path: encodePath(points),
      });
      expect(utf8Length(JSON.stringify(object))).toBeLessThan(3100);
      expect(encodePath(thinStroke(points, 0.3)).length).toBeLessThanOrEqual(
        encodePath(points).length,
      );
    }
  });

  test("DAT-15 a pencil's stroke is stored by its points, each within 0.1 px, however long it is", () => {
    const points = strokePoints(2000, 7);
    const text = encodePath(points);
    expect(compactObject({ type: "Path", path: asFabricWrites(points)["path"] })["path"]).toBe(
      text,
    );
    const { commands, coords } = parsePath(text) ?? { commands: "", coords: [] };
    expect(commands).toBe(`M${"Q".repeat(1999)}L`);
    for (let at = 0; at < 1999; at++) {
      expect(Math.abs((coords[2 + at * 4] ?? NaN) - (points[at * 2] ?? NaN))).toBeLessThan(0.1001);
      expect(Math.abs((coords[3 + at * 4] ?? NaN) - (points[at * 2 + 1] ?? NaN))).toBeLessThan(
        0.1001,
      );
    }
  });
});
