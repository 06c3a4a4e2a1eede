import { describe, expect, test } from "vitest";
import { parsePath } from "../../../board/path.ts";
import { type DrawnKind, drawnStroke, SHAPE_KINDS } from "../../../testing/strokes/strokes.ts";
import { straightFrom } from "./held-shape.ts";
import { recognize, shapeOfStroke } from "./recognize.ts";
import { follow, outlineOf } from "./shape.ts";

const COUNT = 200;

/** The number of drawn strokes of a kind that are recognised as each shape. */
function taken(kind: DrawnKind): Record<string, number> {
  const counts: Record<string, number> = {};
  for (let seed = 0; seed < COUNT; seed++) {
    const found = recognize(drawnStroke(kind, seed))?.kind ?? "ink";
    counts[found] = (counts[found] ?? 0) + 1;
  }
  return counts;
}

describe("the recognition of shapes", () => {
  for (const kind of SHAPE_KINDS)
    test(`CAN-85 of ${COUNT} strokes that mean a shape (${kind}) 19 of 20 are recognised, and at most 1 of 40 is taken for another one`, () => {
      const { [kind]: right = 0, ink = 0 } = taken(kind);
      expect(right).toBeGreaterThanOrEqual(0.95 * COUNT);
      expect(COUNT - right - ink).toBeLessThanOrEqual(0.025 * COUNT);
    });

  test(`CAN-85 of ${COUNT} scribbles at most 1 of 50 is taken for a shape`, () => {
    expect(taken("scribble")["ink"]).toBeGreaterThanOrEqual(0.98 * COUNT);
  });

  test("CAN-85 a dot, a stroke that is too short, and points in one place mean nothing", () => {
    expect(recognize([])).toBeNull();
    expect(recognize([{ x: 5, y: 5 }])).toBeNull();
    expect(recognize(Array.from({ length: 50 }, () => ({ x: 5, y: 5 })))).toBeNull();
    expect(recognize([0, 10, 20].map((x) => ({ x, y: 0 })))).toBeNull();
  });

  test("CAN-85 how long a stroke has to be follows the screen: the tremor of a view that is zoomed out stays ink, a line of one that is zoomed in is a line", () => {
    const line = (length: number) =>
      [0, 0.25, 0.5, 0.75, 1].map((at) => ({ x: at * length, y: 0 }));
    expect(recognize(line(100), 0.1)).toBeNull();
    expect(recognize(line(300), 0.1)).toMatchObject({ kind: "line" });
    expect(recognize(line(2), 8)).toBeNull();
    expect(recognize(line(5), 8)).toMatchObject({ kind: "line" });
  });

  test("CAN-85 a pointer that trembles while it rests adds nothing: a short line is one, in any view", () => {
    const trembling = Array.from({ length: 60 }, (_, i) => at(41 + (i % 3), 20 + ((i * 7) % 4)));
    const stroke = [...[0, 10, 20, 30].map((x) => at(x, x / 2)), ...trembling];
    for (const zoom of [0.5, 1, 8]) {
      const scaled = stroke.map(({ x, y }) => at(x / zoom, y / zoom));
      const shape = recognize(scaled, zoom);
      expect(shape).toMatchObject({ kind: "line", points: [scaled[0], scaled.at(-1)] });
    }
  });

  test("CAN-85 10,000 points are recognised like 100", () => {
    const line = Array.from({ length: 10_000 }, (_, i) => ({ x: i / 20, y: i / 40 }));
    expect(recognize(line)).toMatchObject({ kind: "line", points: [line[0], line.at(-1)] });
  });
});

describe("a shape", () => {
  for (const kind of SHAPE_KINDS)
    test(`CAN-85 has an outline near the stroke that means it, and follows the pointer (${kind})`, () => {
      const stroke = drawnStroke(kind, 4);
      const held = shapeOfStroke(stroke.flatMap(({ x, y }) => [x, y]));
      const before = extentOf([...held!.trace]);
      const drawn = extentOf(stroke.flatMap(({ x, y }) => [x, y]));
      const apart = before.map((edge, i) => Math.abs(edge - drawn[i]!));
      expect(apart.map((one) => one < 40)).toEqual([true, true, true, true]);
      const { x, y } = stroke.at(-1)!;
      held?.moveTo({ x: x + 120, y: y + 90 });
      const after = extentOf([...held!.trace]);
      expect(after).not.toEqual(before);
      expect(after[2]! - after[0]!).not.toBeCloseTo(before[2]! - before[0]!, 0);
      expect(parsePath(held!.path)?.coords.slice(0, 2)).toEqual(
        held?.trace.slice(0, 2).map((value) => Math.round(value * 10) / 10),
      );
    });

  test("CAN-85 a line ends at the pointer, and a rectangle grows from the corner that is farthest from it", () => {
    const line = { kind: "line", points: [at(0, 0), at(100, 0)], head: 0 } as const;
    expect(follow(line, at(100, 0), at(50, 80)).points).toEqual([at(0, 0), at(50, 80)]);
    const corners = [at(0, 0), at(100, 0), at(100, 50), at(0, 50)];
    const rectangle = { kind: "rectangle", points: corners, head: 0 } as const;
    expect(follow(rectangle, at(0, 0), at(-100, -50)).points[2]).toEqual(at(100, 50));
    expect(follow(rectangle, at(0, 0), at(-100, -50)).points[0]).toEqual(at(-100, -50));
  });

  test("CAN-85 an arrow is one line through its tip and both ends of its head", () => {
    const arrow = { kind: "arrow", points: [at(0, 0), at(100, 0)], head: 0.2 } as const;
    expect(outlineOf(arrow)).toBe("M0 0l100 0-18-8.7 18 8.7-18 8.7");
  });

  test("CAN-85 a pointer leaves a shape 64 px of the screen away from its rest", () => {
    const heldAs = (kind: DrawnKind, zoom: number) => {
      const stroke = drawnStroke(kind, 4).map(({ x, y }) => at(x / zoom, y / zoom));
      const { x, y } = stroke.at(-1)!;
      const held = shapeOfStroke(
        stroke.flatMap((point) => [point.x, point.y]),
        zoom,
      )!;
      return (far: number) => held.isLeft(at(x, y + far / zoom));
    };
    for (const zoom of [0.1, 1, 8]) {
      for (const kind of SHAPE_KINDS) {
        expect(heldAs(kind, zoom)(63)).toBe(false);
        expect(heldAs(kind, zoom)(65)).toBe(true);
      }
    }
  });

  test("CAN-87 a line that is drawn with Shift turns in steps of 15 degrees", () => {
    const line = straightFrom(at(10, 10), "line");
    line.moveTo(at(110, 14));
    expect(line.path).toBe("M10 10l100 4");
    expect(line.isPoint).toBe(false);
    expect(straightFrom(at(10, 10), "arrow").isPoint).toBe(true);
    line.moveTo(at(110, 14), true);
    expect(line.path).toBe("M10 10l100 0");
    line.moveTo(at(110, 100), true);
    expect(line.path).toBe("M10 10l95 95");
  });
});

const at = (x: number, y: number) => ({ x, y });

/** Left, top, right and bottom of flat points. */
function extentOf(coords: readonly number[]): number[] {
  const xs = coords.filter((_, i) => i % 2 === 0);
  const ys = coords.filter((_, i) => i % 2 === 1);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}
