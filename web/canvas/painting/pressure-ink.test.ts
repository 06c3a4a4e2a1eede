import { expect, test } from "vitest";
import { MAX_PATH_CHARS } from "../../../board/limits.ts";
import { parsePath } from "../../../board/path.ts";
import { isInside, linesOf, nearLines } from "../geometry/polylines.ts";
import { outlineBox } from "../geometry/outline.ts";
import { inkObject, pathObject } from "../input/stroke-object.ts";
import { PressureInk } from "./pressure-ink.ts";

function drawn(pressures: (share: number) => number | undefined, width = 10): PressureInk {
  const ink = new PressureInk("#000000", width);
  for (let i = 0; i <= 100; i++) ink.add(100 + 4 * i, 200, 1, pressures(i / 100));
  ink.finish();
  return ink;
}

/** The height of the filled outline at x. */
function heightAt(outline: string, x: number): number {
  const [line = new Float32Array()] = linesOf(outline);
  const ys: number[] = [];
  for (let i = 0; i + 3 < line.length; i += 2) {
    const [x0, y0, x1, y1] = line.slice(i, i + 4) as unknown as [number, number, number, number];
    if (x0 < x === x1 < x) continue;
    ys.push(y0 + ((x - x0) / (x1 - x0)) * (y1 - y0));
  }
  return Math.max(...ys) - Math.min(...ys);
}

test("PNT-63 the width follows the pressure: 0.4 of the pen's without, 1.6 of it with all, the pen's own with half", () => {
  const even = (pressure: number) => heightAt(drawn(() => pressure).outline, 300);
  expect(even(0)).toBeCloseTo(4, 0);
  expect(even(0.5)).toBeCloseTo(10, 0);
  expect(even(1)).toBeCloseTo(16, 0);
  const rising = drawn((share) => share).outline;
  const heights = [120, 200, 300, 400, 480].map((x) => heightAt(rising, x));
  expect(heights).toEqual([...heights].sort((a, b) => a - b));
  expect(heights[4]! / heights[0]!).toBeGreaterThan(2.5);
});

test("PNT-63 a pressure outside the range counts as its end, and a missing one as the last value", () => {
  expect(heightAt(drawn(() => 7).outline, 300)).toBeCloseTo(16, 0);
  expect(heightAt(drawn(() => -7).outline, 300)).toBeCloseTo(4, 0);
  const constant = drawn((share) => (share < 0.3 ? 1 : undefined)).outline;
  expect(heightAt(constant, 450)).toBeCloseTo(16, 0);
});

test("PNT-63 the stroke is stored as one filled outline around its points, with round ends", () => {
  const ink = drawn(() => 0.5);
  const object = pathObject(ink.outline, { color: "#ff0000", width: 10, eraser: false }, true);
  expect(object).toMatchObject({ type: "Path", fill: "#ff0000", stroke: null, strokeWidth: 0 });
  const data = parsePath(ink.outline)!;
  expect(data.commands).toMatch(/^M[QL]+Z$/);
  const { left, top, right, bottom } = outlineBox(data);
  expect(left).toBeGreaterThan(93);
  expect(left).toBeLessThan(97);
  expect(right).toBeLessThan(507);
  expect(bottom - top).toBeGreaterThan(9);
  expect(object?.["left"]).toBeCloseTo(left, 1);
  for (const x of [110, 300, 490])
    expect(nearLines(linesOf(ink.outline), { x, y: 205 }, 1)).toBe(true);
});

test("PNT-63 the stored outline lies as near to the drawn one on the screen when the view is zoomed in", () => {
  /** The greatest distance of an outline from a ring around 200, 200, in CSS pixels. */
  const farthest = (zoom: number): number => {
    const ink = new PressureInk("#000000", 3);
    const radius = 100 / zoom;
    const at = (i: number) => [200 + radius * Math.cos(i / 20), 200 + radius * Math.sin(i / 20)];
    for (let i = 0; i <= 120; i++) ink.add(at(i)[0]!, at(i)[1]!, zoom, 0.5);
    ink.finish();
    const [line = new Float32Array()] = linesOf(ink.outline);
    let max = 0;
    for (let i = 0; i + 1 < line.length; i += 2) {
      const [x, y] = [line[i]! - 200, line[i + 1]! - 200];
      // Both ends lie to the right of the middle.
      if (Math.abs(Math.atan2(y, x)) < 0.35) continue;
      max = Math.max(max, Math.abs(Math.abs(Math.hypot(x, y) - radius) - 1.5) * zoom);
    }
    return max;
  };
  for (const zoom of [1, 2, 8]) expect(farthest(zoom)).toBeLessThan(0.4);
});

test("PNT-63 a straight stroke is stored as few points, whatever its direction, and also where its width grows evenly", () => {
  for (const pressure of [() => 0.5, (share: number) => share])
    for (const [dx, dy] of [
      [4, 0],
      [0, 4],
      [4, 3],
      [-3, 4],
    ] as const) {
      const ink = new PressureInk("#000000", 10);
      for (let i = 0; i <= 100; i++) ink.add(dx * i, dy * i, 1, pressure(i / 100));
      ink.finish();
      expect(parsePath(ink.outline)?.commands.length, `${dx} ${dy}`).toBeLessThan(22);
    }
});

test("PNT-63 a dot is round, and a stroke without points has no outline", () => {
  const dot = new PressureInk("#000000", 10);
  expect(dot.outline).toBe("");
  dot.add(50, 60, 1, 0.5);
  dot.finish();
  const { left, top, right, bottom } = outlineBox(parsePath(dot.outline)!);
  expect(right - left).toBeGreaterThan(6);
  expect(bottom - top).toBeGreaterThan(6);
  expect(dot.bounds().right).toBeGreaterThan(right);
});

test("PNT-63 the tip begins where the final ink ends, so that no edge is painted twice", () => {
  const starts: number[] = [];
  const context = new Proxy({} as CanvasRenderingContext2D, {
    get: (_, name) => (x: number) => (name === "arc" ? starts.push(x) : undefined),
    set: () => true,
  });
  const ink = new PressureInk("#000000", 10);
  for (const x of [0, 20, 40, 60]) {
    ink.add(x, 0, 1, 0.5);
    starts.length = 0;
    ink.paintTip(context, []);
    const end = ink.points.length > 2 ? (ink.points.at(-4)! + ink.points.at(-2)!) / 2 : 0;
    expect(Math.min(...starts), `${x}`).toBeCloseTo(end, 6);
  }
});

type Depth = (x: number, y: number) => number;

/** The discs and quads that the ink paints, each with how deep a point lies in it in canvas pixels, negative outside. */
function shapesOf(ink: PressureInk): Depth[] {
  const shapes: Depth[] = [];
  let corners: [number, number][] = [];
  const context = {
    save: () => undefined,
    restore: () => undefined,
    beginPath: () => undefined,
    fill: () => undefined,
    moveTo: (...at: [number, number]) => (corners = [at]),
    lineTo: (...at: [number, number]) => corners.push(at),
    arc: (x: number, y: number, r: number) =>
      shapes.push((px, py) => r - Math.sqrt((px - x) ** 2 + (py - y) ** 2)),
    closePath: () => {
      const edges = corners.map(([x, y], i) => {
        const [nextX, nextY] = corners[(i + 1) % corners.length] as [number, number];
        const length = Math.hypot(nextX - x, nextY - y);
        return { x, y, dx: (nextX - x) / length, dy: (nextY - y) / length };
      });
      shapes.push((px, py) => {
        let depth = Infinity;
        for (const { x, y, dx, dy } of edges)
          depth = Math.min(depth, dx * (py - y) - dy * (px - x));
        // A quad between two stations at one point has no area.
        return depth === depth ? depth : -Infinity;
      });
    },
  };
  ink.paintAll(context as unknown as CanvasRenderingContext2D, true);
  return shapes;
}

type Pressed = readonly [x: number, y: number, pressure: number];

const series = (count: number, at: (i: number) => Pressed): Pressed[] =>
  Array.from({ length: count }, (_, i) => at(i));

const HARD: Readonly<Record<string, readonly Pressed[]>> = {
  "a tap that trembles": [
    [50, 50, 0.08],
    [50.25, 50, 0.25],
    [50.5, 50.25, 0.55],
    [50.5, 50.5, 0.7],
    [50.25, 50.5, 0.4],
    [50, 50.25, 0.1],
  ],
  "a tap that grows": [
    [50, 50, 0.1],
    [50.5, 50, 0.3],
    [51, 50.2, 0.9],
    [51.2, 50.1, 1],
    [51, 50, 0.5],
  ],
  "a W": series(41, (i) => [20 + 3 * i, 20 + 60 * (1 - Math.abs(((i / 10) % 2) - 1)), 0.7]),
  "a way there and back": series(40, (i) => [20 + 10 * Math.min(i, 39 - i), 50, 0.8]),
  "two sides of a square": series(20, (i) => [20 + 8 * Math.min(i, 9), Math.max(40, 8 * i), 0.8]),
  "rounds smaller than the pen": series(60, (i) => [
    50 + 8 * Math.cos(i / 2),
    50 + 8 * Math.sin(i / 2),
    0.9,
  ]),
  "a slow landing": series(40, (i) => [50 + (i * i) / 12, 50, Math.min(0.8, i / 8)]),
  "pressure that comes and goes": series(60, (i) => [
    20 + 2 * i,
    20 + i,
    Math.abs(Math.cos(i / 3)),
  ]),
};

test.each(Object.keys(HARD))(
  "PNT-63 the stored outline is what was painted, to half a pixel: %s",
  (name) => {
    const ink = new PressureInk("#000000", 12);
    for (const [x, y, pressure] of HARD[name] ?? []) ink.add(x, y, 1, pressure);
    ink.finish();
    const lines = linesOf(ink.outline);
    const shapes = shapesOf(ink);
    const { left, top, right, bottom } = ink.bounds();
    const wrong: [number, number][] = [];
    for (let y = top; y <= bottom; y += 0.9)
      for (let x = left; x <= right; x += 0.9) {
        const isPainted = shapes.some((shape) => shape(x, y) > -0.5);
        const isDeep = isPainted && shapes.some((shape) => shape(x, y) > 0.5);
        if (isPainted === isDeep && isInside(lines, { x, y }, "nonzero") !== isDeep)
          wrong.push([x, y]);
      }
    expect(wrong).toEqual([]);
  },
);

test("PNT-63 ink whose outline is longer than a path may be becomes a line of the pen's width", () => {
  const ink = new PressureInk("#000000", 12);
  for (let i = 0; i < 6000; i++)
    ink.add((i * 79_190) % 19_200, (i * 104_729) % 10_000, 0.1, (i % 10) / 10);
  ink.finish();
  const object = inkObject(ink, { color: "#ff0000", width: 12, eraser: false }, 0.1);
  expect(object).toMatchObject({ fill: null, stroke: "#ff0000", strokeWidth: 12 });
  expect(JSON.stringify(object).length).toBeLessThan(MAX_PATH_CHARS);
});
