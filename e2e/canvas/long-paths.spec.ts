/** Long paths, which are painted in steps. */

import { expect, settle, test } from "./page.ts";
import { repaint } from "./harness.ts";

test("PNT-7 the outlines of 700 long paths are made once, however often they are painted", async ({
  canvas,
}) => {
  await canvas.evaluate(async () => {
    const { harness } = window;
    const made = { outlines: 0 };
    Object.assign(window, { made });
    window.Path2D = class extends Path2D {
      constructor(...given: [(Path2D | string)?]) {
        super(...given);
        made.outlines++;
      }
    };
    // Their boxes cover every tile, with nothing to see there.
    const paths = Array.from({ length: 700 }, (_, i) => ({
      type: "Path",
      path: `M0 0${"L0 1L1 1".repeat(1100)}L${4000 + i} 0L0 3000`,
      stroke: "#000000",
      fill: null,
      left: 400,
      top: 250,
    }));
    await harness.canvas.load(harness.board.make(paths as never), "white");
  });
  await settle(canvas);
  const outlines = () =>
    canvas.evaluate(() => (window as unknown as { made: { outlines: number } }).made.outlines);
  const first = await outlines();
  expect(first).toBeGreaterThanOrEqual(700);
  expect((await repaint(canvas)).painted).toBe(700);
  expect(await outlines()).toBe(first);
});

for (const look of [
  { stroke: "#000000", strokeLineJoin: "round", strokeLineCap: "round" },
  { stroke: "#ff0000", strokeLineJoin: "miter" },
  { stroke: "rgba(0,0,255,0.5)", strokeLineJoin: "round" },
  { fill: "#2ecc71" },
  { fill: "#2ecc71", stroke: "#000000", strokeDashArray: [60, 20] },
])
  test(`PNT-7 a path of 1,500 points looks like one that is painted at once: ${JSON.stringify(look)}`, async ({
    canvas,
  }) => {
    const difference = await canvas.evaluate(
      async ({ fill, stroke, strokeLineJoin, strokeLineCap, strokeDashArray }) => {
        const { harness, instruments } = window;
        const at = (i: number): string => {
          const radius = 20 + i / 7;
          return `${(400 + radius * Math.cos(i / 9)).toFixed(1)} ${(250 + radius * Math.sin(i / 9)).toFixed(1)}`;
        };
        const path = `M${Array.from({ length: 1500 }, (_, i) => at(i)).join("L")}`;
        const common = { strokeLineJoin, strokeLineCap, strokeDashArray, strokeWidth: 6 };
        const made = { type: "Path", path, fill: fill ?? null, stroke: stroke ?? null, ...common };
        // A board object has no undefined properties.
        const json = JSON.parse(JSON.stringify({ ...made, left: 400, top: 250 }));
        harness.board.add([json]);
        await instruments.settled(harness);
        const ink = instruments.pixelsOf(harness.internals.base);
        const context = Object.assign(document.createElement("canvas"), {
          width: 800,
          height: 500,
        }).getContext("2d") as CanvasRenderingContext2D;
        context.fillStyle = "white";
        context.fillRect(0, 0, 800, 500);
        context.lineWidth = 6;
        context.lineJoin = (strokeLineJoin ?? "miter") as CanvasLineJoin;
        context.lineCap = (strokeLineCap ?? "butt") as CanvasLineCap;
        context.miterLimit = 4;
        context.setLineDash(strokeDashArray ?? []);
        const numbers = (path.match(/[\d.]+/g) ?? []).map(Number);
        const middle = (offset: 0 | 1): number => {
          const all = numbers.filter((_, i) => i % 2 === offset);
          return (Math.min(...all) + Math.max(...all)) / 2;
        };
        context.translate(400 - middle(0), 250 - middle(1));
        const outline = new Path2D(path);
        context.fillStyle = fill ?? "transparent";
        context.fill(outline);
        context.strokeStyle = stroke ?? "transparent";
        context.stroke(outline);
        return instruments.compare(instruments.pixelsOf(context.canvas), ink, 24);
      },
      look as {
        readonly fill?: string;
        readonly stroke?: string;
        readonly strokeLineJoin?: string;
        readonly strokeLineCap?: string;
        readonly strokeDashArray?: number[];
      },
    );
    expect(difference.pixels, JSON.stringify(difference)).toBeLessThanOrEqual((800 * 500) / 800);
    expect(difference.wrong, JSON.stringify(difference)).toBeLessThanOrEqual(4);
  });
