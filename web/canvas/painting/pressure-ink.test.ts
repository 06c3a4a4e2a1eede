import { expect, test } from "vitest";
import { parsePath } from "../../../board/path.ts";
import { linesOf, nearLines } from "../geometry/polylines.ts";
import { outlineBox } from "../geometry/outline.ts";
import { pathObject } from "../input/stroke-object.ts";
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
