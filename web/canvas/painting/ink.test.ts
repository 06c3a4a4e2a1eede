import { expect, test } from "vitest";
import { encodePath, thinStroke } from "../../../board/path.ts";
import { createRandom } from "../../../testing/random/random.ts";
import { drawnStroke } from "../../../testing/strokes/strokes.ts";
import { Ink } from "./ink.ts";

type Flat = readonly number[];

function inkThrough(points: Flat, zoom = 1): Ink {
  const ink = new Ink("#000000", 3);
  for (let i = 0; i + 1 < points.length; i += 2)
    ink.add(points[i] as number, points[i + 1] as number, zoom);
  return ink;
}

function smoothed(points: Flat, zoom = 1): number[] {
  const ink = inkThrough(points, zoom);
  ink.finish();
  return ink.points;
}

/** Points of the curve that is stored and shown. */
function curve(through: Flat): number[] {
  const points = thinStroke(through, 0.35);
  const out: number[] = [];
  const [x, y] = points as [number, number];
  let from = [x, y] as [number, number];
  for (let i = 0; i + 3 < points.length; i += 2) {
    const [ax, ay, bx, by] = points.slice(i, i + 4) as [number, number, number, number];
    const to: [number, number] = [(ax + bx) / 2, (ay + by) / 2];
    for (let t = 0; t < 1; t += 0.25) {
      const [p, q, r] = [(1 - t) ** 2, 2 * t * (1 - t), t ** 2];
      out.push(p * from[0] + q * ax + r * to[0], p * from[1] + q * ay + r * to[1]);
    }
    from = to;
  }
  return [...out, ...points.slice(-2)];
}

/** A straight line to the lower right as a mouse reports it: in whole pixels, each off by at most one. */
function trembling(step: number, seed: number): number[] {
  const { next } = createRandom(seed);
  const off = () => 2 * next() - 1;
  const points: number[] = [];
  for (let x = 0; x <= 900; x += step)
    points.push(Math.round(x + off()), Math.round(0.3 * x + off()));
  return points;
}

/** The distance of a curve from that line, as the root of the mean square. */
function left(points: Flat): number {
  let square = 0;
  for (let i = 0; i + 1 < points.length; i += 2)
    square += ((points[i + 1] as number) - 0.3 * (points[i] as number)) ** 2 / 1.09;
  return Math.sqrt((2 * square) / points.length);
}

test("PNT-61 of a jitter of 2 px at most 0.4 px is left, of which there were 0.48 without the filter", () => {
  for (const step of [2, 4, 6, 9]) {
    const mean = (shape: (points: Flat) => Flat): number => {
      const values = Array.from({ length: 30 }, (_, seed) =>
        left(curve(shape(trembling(step, seed)))),
      );
      return values.reduce((sum, value) => sum + value, 0) / values.length;
    };
    expect(mean((points) => points)).toBeGreaterThan(0.47);
    expect(mean(smoothed)).toBeLessThanOrEqual(0.4);
  }
});

test("PNT-61 zoomed in, the filter leaves proportionally smaller details in the drawing", () => {
  const small = (points: Flat): number[] => points.map((value) => value / 8);
  const points = trembling(4, 1);
  const whole = smoothed(points);
  expect(whole.length).toBeGreaterThan(10);
  small(whole).forEach((value, i) => expect(smoothed(small(points), 8)[i]).toBeCloseTo(value, 1));
});

test("PNT-61 both ends and every corner stay where they were drawn", () => {
  const corners = [0, 0, 40, 0, 40, 40, 0, 40, 0, 80, 60, 20];
  expect(smoothed(corners)).toEqual(corners);
  const points = trembling(3, 2);
  expect(smoothed(points).slice(0, 2)).toEqual(points.slice(0, 2));
  expect(smoothed(points).slice(-2)).toEqual(points.slice(-2));
});

test("PNT-61 no point is farther from the pointer's than 1.5 px, and a circle loses at most 1.1 px", () => {
  const points = trembling(5, 3);
  expect(points.length).toBeGreaterThan(10);
  smoothed(points).forEach((value, i) =>
    expect(Math.abs(value - (points[i] as number))).toBeLessThan(1.5),
  );
  for (const [radius, step] of [
    [10, 4],
    [30, 9],
    [100, 9],
  ] as const) {
    const circle = Array.from({ length: 200 }, (_, i) => {
      const angle = (Math.floor(i / 2) * step) / radius;
      return radius * (i % 2 === 0 ? Math.cos(angle) : Math.sin(angle));
    });
    const radii = curve(smoothed(circle)).flatMap((_, i, all) =>
      i % 2 === 0 ? [Math.hypot(all[i] as number, all[i + 1] as number)] : [],
    );
    expect(Math.min(...radii)).toBeGreaterThan(radius - 1.1);
  }
});

test("PNT-61 a point is final when the next one has come, and the newest is shown until then", () => {
  const ink = inkThrough([0, 0, 10, 0, 20, 1]);
  const [, , ...second] = ink.points;
  expect(ink.points).toHaveLength(4);
  expect(ink.tipBounds([])?.right).toBe(20 + 1.5 + 1);
  ink.add(30, 5);
  expect(ink.points.slice(2, 4)).toEqual(second);
  expect(ink.points).toHaveLength(6);
});

/** A canvas that writes down its paths: their steps, and the width of the line. */
function recordingCanvas(): {
  readonly steps: string[];
  readonly context: CanvasRenderingContext2D;
} {
  const steps: string[] = [];
  const step =
    (name: string) =>
    (...at: number[]): void =>
      void steps.push([name, ...at].join(" "));
  const context = {
    ...{ save: step("save"), restore: step("restore"), beginPath: step("begin") },
    ...{ moveTo: step("from"), lineTo: step("to"), quadraticCurveTo: step("by"), lineWidth: 1 },
    stroke: () => void steps.push(`width ${context.lineWidth}`),
  };
  return { steps, context: context as unknown as CanvasRenderingContext2D };
}

const path = (width: number, ...steps: readonly string[]): string[] => [
  "save",
  "begin",
  ...steps,
  `width ${width}`,
  "restore",
];

test("PNT-30 the tip goes on where the final ink ends, by the final point and the newest to the predicted one", () => {
  const { steps, context } = recordingCanvas();
  inkThrough([0, 0]).paintTip(context, []);
  expect(steps).toEqual([]);
  inkThrough([0, 4, 10, 8]).paintTip(context, []);
  expect(steps.splice(0)).toEqual(path(3, "from 0 4", "by 0 4 5 6", "to 10 8"));
  inkThrough([0, 4, 10, 8, 20, 24]).paintTip(context, [30, 24]);
  expect(steps).toEqual(path(3, "from 5 6", "by 10 8 15 16", "by 20 24 25 24", "to 30 24"));
});

test("CAN-88 the highlighter's ink is one path to the newest point, and to the last one of a finished stroke", () => {
  const { steps, context } = recordingCanvas();
  const ink = new Ink("#000000", 20, "highlighter");
  for (const [x, y] of [
    [0, 0],
    [10, 0],
    [20, 10],
  ] as const)
    ink.add(x, y);
  const through = ["from 0 0", "to 0.1 0", "from 0 0", "to 5 0", "by 10 0 15 5", "to 20 10"];
  ink.paintAll(context);
  expect(steps.splice(0)).toEqual(path(20, ...through));
  ink.finish();
  ink.paintAll(context);
  expect(steps).toEqual(path(20, ...through));
});

test("PNT-61 the path of a stroke is at most a tenth longer than before there was the filter", () => {
  for (const kind of ["scribble", "curve", "ellipse", "rectangle"] as const) {
    const bytes = { before: 0, after: 0 };
    for (let seed = 0; seed < 60; seed++) {
      const points = drawnStroke(kind, seed).flatMap(({ x, y }) => [x, y]);
      bytes.before += encodePath(thinStroke(points, 0.25)).length;
      bytes.after += encodePath(thinStroke(smoothed(points), 0.35)).length;
    }
    expect(bytes.after / bytes.before, kind).toBeLessThan(1.1);
  }
});
