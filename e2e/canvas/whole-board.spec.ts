/** Tests the cost of painting the whole board: on loading, after a change of size or sharpness, and on a full repaint. */

import { drag, expect, settle, test } from "./page.ts";
import { counts, fill, repaint } from "./harness.ts";

test("PNT-7 a board is loaded in slices, and a stroke drawn meanwhile ends up on top", async ({
  canvas,
}) => {
  const slices = await canvas.evaluate(async () => {
    const { harness } = window;
    const red = { type: "Rect", left: 0, top: 0, originX: "left", originY: "top" } as const;
    const objects = harness.board.make(
      Array.from({ length: 2000 }, () => ({ ...red, width: 800, height: 500, fill: "#ff0000" })),
    );
    let rounds = 0;
    let loading = true;
    const loaded = harness.canvas.load(objects, "white").then(() => {
      loading = false;
    });
    while (loading) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      rounds++;
      if (rounds === 2) {
        harness.board.add([{ ...red, width: 50, height: 50, fill: "#00ff00" }]);
        harness.board.removeByPeer([objects[1999]?.id as never]);
        harness.board.changeByPeer([
          { id: objects[1998]?.id as never, props: { left: 100, fill: "#0000ff" } },
        ]);
      }
    }
    await loaded;
    return rounds;
  });
  expect(slices).toBeGreaterThan(3);
  await settle(canvas);
  const colors = await canvas.evaluate(() => {
    const { data, width } = window.instruments.pixelsOf(window.harness.internals.base);
    return [
      [20, 20],
      [300, 300],
      [60, 60],
    ].map(([x, y]) => [
      ...data.slice(
        4 * ((y as number) * width + (x as number)),
        4 * ((y as number) * width + (x as number)) + 3,
      ),
    ]);
  });
  expect(colors).toEqual([
    [0, 255, 0],
    [0, 0, 255],
    [255, 0, 0],
  ]);
  // Painting all of it anew is spread over frames as well.
  const { painted, frames } = await repaint(canvas);
  expect(painted).toBe(2000);
  expect(frames).toBeGreaterThan(3);
});

test("PNT-8 a larger canvas keeps its picture and paints only the new area", async ({ canvas }) => {
  await fill(canvas, 1000);
  const before = await counts(canvas);
  const inked = await canvas.evaluate(() => {
    const { harness, instruments } = window;
    const ink = instruments.inked(instruments.pixelsOf(harness.internals.base));
    harness.canvas.view.resize(900, 500);
    return [ink, instruments.inked(instruments.pixelsOf(harness.internals.base))];
  });
  expect(inked[1]).toBe(inked[0]);
  await settle(canvas);
  expect((await counts(canvas)).painted - before.painted).toBeLessThan(150);
  const host = await canvas.locator("#host").boundingBox();
  expect(host).toMatchObject({ width: 900, height: 500 });
});

test("PNT-1 an object that is added beyond the edge while the strip there is painted is in view after a pan", async ({
  canvas,
}) => {
  const result = await canvas.evaluate(async () => {
    const { harness, instruments } = window;
    const { board, internals } = harness;
    const style = { color: "#45b7d1", width: 3, eraser: false };
    const pointOf = (n: number, i: number): number =>
      i % 2 === 0 ? 790 + ((7 * i + n) % 200) : 10 + ((13 * i + 3 * n) % 480);
    const shapes = Array.from({ length: 20 }, (_, n) => {
      const points = Array.from({ length: 2_000 }, (_unused, i) => pointOf(n, i));
      return instruments.strokeObject(points, style)!;
    });
    const strokes = Array.from({ length: 200 }, (_, n) => shapes[n % 20]!);
    await harness.canvas.load(board.make(strokes), "white");
    await instruments.settled(harness);
    internals.setView({ x: -10, y: 0, zoom: 1 });
    await new Promise(requestAnimationFrame);
    const isPainting = !internals.settled;
    const tall = { left: 830, top: 0, originX: "left", originY: "top", width: 20, height: 500 };
    board.add([{ type: "Rect", ...tall, fill: "#ff0000", strokeWidth: 0 }]);
    await instruments.settled(harness);
    internals.setView({ x: -100, y: 0, zoom: 1 });
    return { isPainting, ...(await instruments.compareRepaint(harness)) };
  });
  expect(result).toMatchObject({ isPainting: true, wrong: 0 });
});

test("PNT-8 a changed device pixel ratio makes the picture anew at that sharpness", async ({
  canvas,
}) => {
  await drag(canvas, 100, 100, 300, 200);
  const session = await canvas.context().newCDPSession(canvas);
  await session.send("Emulation.setDeviceMetricsOverride", {
    width: 1001,
    height: 700,
    deviceScaleFactor: 2,
    mobile: false,
  });
  await expect.poll(() => canvas.evaluate(() => window.harness.internals.base.width)).toBe(1600);
  await settle(canvas);
  const ink = await canvas.evaluate(() => {
    const { data, width } = window.instruments.pixelsOf(window.harness.internals.base);
    return data[4 * (300 * width + 400)];
  });
  expect(ink).toBe(0);
  expect(await canvas.locator("#host").boundingBox()).toMatchObject({ width: 800, height: 500 });
  await drag(canvas, 100, 300, 300, 300);
  expect(await canvas.evaluate(() => window.harness.board.stacked()[1]?.["path"])).toMatch(
    /^M100 300/,
  );
});

test("PNT-8 a text that is being written, and handles, are as sharp as the board after the ratio changed", async ({
  canvas,
}) => {
  await canvas.evaluate(() => window.harness.canvas.tools.choose("rectangle"));
  const session = await canvas.context().newCDPSession(canvas);
  for (const deviceScaleFactor of [2, 1]) {
    const size = { width: 1000 + deviceScaleFactor, height: 700, mobile: false };
    await session.send("Emulation.setDeviceMetricsOverride", { ...size, deviceScaleFactor });
    for (const layer of ["lower", "upper"])
      await expect(canvas.locator(`.${layer}-canvas`)).toHaveJSProperty(
        "width",
        800 * deviceScaleFactor,
      );
  }
});

test("PNT-100 a load paints each object that is in view once, and none that is not", async ({
  canvas,
}) => {
  const painted = await canvas.evaluate(async () => {
    const { harness } = window;
    const { stats } = harness.internals;
    const red = { type: "Rect", width: 90, height: 90, originX: "left", originY: "top" } as const;
    const make = (left: number, fill: string) => ({ ...red, top: 100, left, fill });
    const load = async (count: number): Promise<number> => {
      const before = stats.painted;
      const lefts = Array.from({ length: count }, (_, n) => (n % 3) * 5000);
      const objects = harness.board.make(lefts.map((left) => make(left, "#ff0000")));
      const loaded = harness.canvas.load(objects, "white");
      // On top of all, as what a visitor draws meanwhile: at once, and once more with what lies below it.
      if (count > 1000) harness.board.add([make(40, "#00ff00")]);
      await loaded;
      return stats.painted - before;
    };
    return [await load(30), await load(9000)];
  });
  expect(painted).toEqual([10, 3002]);
});

test("PNT-101 an object that is added on top while the board is painted in slices shows at once", async ({
  canvas,
}) => {
  await fill(canvas, 4_000);
  const color = await canvas.evaluate(async () => {
    const { internals } = window.harness;
    internals.repaintAll();
    for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame);
    const red = { type: "Rect", width: 90, height: 90, originX: "left", originY: "top" } as const;
    window.harness.board.add([{ ...red, left: 100, top: 100, fill: "#ff0000" }]);
    const { data, width } = window.instruments.pixelsOf(internals.base);
    const at = 4 * (140 * width + 140);
    return [...data.slice(at, at + 3)];
  });
  expect(color).toEqual([255, 0, 0]);
  await settle(canvas);
  expect(await canvas.evaluate(() => window.harness.internals.stats.repaints)).toBeGreaterThan(2);
});
