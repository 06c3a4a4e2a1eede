/** Tests the picture: repainted parts equal a full repaint, and equal what Fabric itself paints. */

import { drag, expect, moveThrough, type Point, settle, steps, test } from "./page.ts";
import { MAX_WRONG, SMOOTHED } from "./harness.ts";

type History = readonly [seed: number, ratio: number];

/** Boards and histories that every run plays, at a device pixel ratio. A seed that failed once is added here. */
const HISTORIES: readonly History[] = [
  [1, 1],
  [2, 1],
  [3, 1],
  [5, 1],
  [8, 2],
  [13, 2],
];

/** Explore with CANVAS_SEED=<first> CANVAS_SEEDS=<how many>. */
const first = Number(process.env["CANVAS_SEED"] ?? Number.NaN);

const explored = Number.isFinite(first)
  ? Array.from({ length: Number(process.env["CANVAS_SEEDS"] ?? 10) }, (_, i) => first + i)
  : [];

const EXPLORED = explored.flatMap((seed): History[] => [
  [seed, 1],
  [seed, 2],
]);

for (const [seed, ratio] of [...HISTORIES, ...EXPLORED])
  test.describe(`at a device pixel ratio of ${ratio}, seed ${seed}`, () => {
    test.use({ deviceScaleFactor: ratio });

    test(`PNT-1 after any history the picture equals a full repaint (seed ${seed}, ratio ${ratio})`, async ({
      page,
      open,
    }) => {
      await open(page, "/index.html?width=600&height=400");
      const result = await page.evaluate(
        (number) => window.instruments.playHistory(window.harness, number, 96),
        seed,
      );
      expect(result.faults).toEqual([]);
      expect(result.wrong, JSON.stringify(result)).toBeLessThanOrEqual(MAX_WRONG);
      const area = 600 * 400 * ratio * ratio;
      expect(result.pixels).toBeLessThanOrEqual(area / SMOOTHED);
    });
  });

test("PNT-3 a finished stroke looks as it did while it was drawn", async ({ canvas }) => {
  await canvas.evaluate(() => window.harness.internals.keepInk());
  await canvas.mouse.move(100, 100);
  await canvas.mouse.down();
  const curve = Array.from({ length: 60 }, (_, at): Point => {
    const i = 2 * at;
    return [100 + 4 * i + 20 * Math.sin(i), 200 + 120 * Math.sin(i / 7)];
  });
  // It has a straight stretch and a sharp corner, where a careless simplification would show.
  const corner = [...steps(curve.at(-1)!, [590, 450], 6), ...steps([590, 450], [200, 440], 20)];
  // Where it crosses itself, the tip of the stroke lies over ink, which must be there when the tip has moved on.
  const across = steps([200, 440], [280, 60], 60);
  await moveThrough(canvas, [...curve, ...corner, ...across]);
  // Until the pointer has rested, the ink runs ahead of it.
  const newest = () => canvas.evaluate(() => window.harness.live.ink["s1"]?.slice(-2));
  await expect.poll(newest).toEqual([280, 60]);
  await settle(canvas);
  const before = await canvas.evaluate(() => window.harness.internals.base.toDataURL());
  await canvas.mouse.up();
  await settle(canvas);
  const result = await canvas.evaluate(async (url) => {
    const drawn = await window.instruments.pictureOf(url);
    const now = window.instruments.pixelsOf(window.harness.internals.base);
    return { ink: window.instruments.inked(now), ...window.instruments.compare(drawn, now, 100) };
  }, before);
  expect(result.ink).toBeGreaterThan(3000);
  expect(result.wrong, JSON.stringify(result)).toBeLessThanOrEqual(MAX_WRONG);
});

test("PNT-30 the ink reaches the newest point, runs ahead of a moving pointer, and not of one that rests", async ({
  canvas,
}) => {
  await canvas.evaluate(() => {
    const moves: { readonly lead: number; readonly predicted: number }[] = [];
    // The canvas has painted the stroke when the event arrives here.
    addEventListener("pointermove", (event) => {
      const { clientX, buttons, timeStamp } = event;
      if (buttons === 0) return;
      const lead = window.instruments.inkEnd(window.harness.internals.base) - clientX;
      const next = event.getPredictedEvents().slice(0, 2);
      const last = next.filter((one) => one.timeStamp - timeStamp <= 20).at(-1);
      moves.push({ lead, predicted: (last?.clientX ?? clientX) - clientX });
    });
    Object.assign(window, { moves });
  });
  const session = await canvas.context().newCDPSession(canvas);
  /** Draws the stroke on an empty canvas. Returns how often the browser predicted a point, which the ink has to reach. */
  const countPredicted = async (): Promise<number> => {
    await canvas.evaluate(() => {
      const { board } = window.harness;
      board.removeByPeer([...board.objects.keys()]);
      (window as unknown as { moves: unknown[] }).moves.length = 0;
    });
    await settle(canvas);
    await canvas.mouse.move(100, 250);
    await canvas.mouse.down();
    // Playwright's mouse asks the page about each move, which leaves too much time between them for a prediction.
    const move = { type: "mouseMoved", y: 250, button: "left", buttons: 1 } as const;
    for (let x = 105; x <= 600; x += 5)
      await session.send("Input.dispatchMouseEvent", { ...move, x });
    await canvas.mouse.move(600, 250);
    await settle(canvas);
    const { moves, rest } = await canvas.evaluate(() => ({
      moves: (
        window as unknown as {
          moves: readonly { readonly lead: number; readonly predicted: number }[];
        }
      ).moves,
      rest: window.instruments.inkEnd(window.harness.internals.base),
    }));
    expect(moves.length).toBeGreaterThan(20);
    for (const { lead, predicted } of moves) expect(lead).toBeGreaterThanOrEqual(predicted);
    expect(rest).toBeGreaterThanOrEqual(600);
    expect(rest).toBeLessThanOrEqual(602);
    await canvas.mouse.up();
    return moves.filter(({ predicted }) => predicted > 4).length;
  };
  // It is repeated where a busy machine delivered the moves too far apart for the browser to predict them.
  await expect.poll(countPredicted, { timeout: 90_000 }).toBeGreaterThan(0);
  const [stroke] = await canvas.evaluate(() => window.harness.board.stacked());
  expect(stroke).toMatchObject({ left: 98.5 });
  // When a busy machine makes the pointer rest at the end, the stroke becomes a line.
  expect(stroke?.["path"]).toMatch(/^M100 250(q0 0 2\.5 0t247\.5 0 247\.5 0l2\.5 0|l500 0)$/);
});

test("PNT-30 no predicted point is left behind where the stroke turns away from it, however far it grows", async ({
  canvas,
}) => {
  const result = await canvas.evaluate(async () => {
    const { sendPointer } = window.instruments;
    sendPointer("pointerdown", [60, 300]);
    for (let x = 70; x <= 700; x += 10) sendPointer("pointermove", [x, 300], [x, 240]);
    sendPointer("pointermove", [704, 300]);
    sendPointer("pointerup", [704, 300]);
    const ink = window.instruments.inked(
      window.instruments.pixelsOf(window.harness.internals.base),
    );
    return { ink, ...(await window.instruments.compareRepaint(window.harness)) };
  });
  expect(result.ink).toBeGreaterThan(1000);
  expect(result.wrong, JSON.stringify(result)).toBeLessThanOrEqual(MAX_WRONG);
});

test("PNT-30 no predicted point is left behind where it was the only part of the stroke in view", async ({
  canvas,
}) => {
  const ink = await canvas.evaluate(() => {
    const { harness, instruments } = window;
    const count = (): number => instruments.inked(instruments.pixelsOf(harness.internals.base));
    instruments.sendPointer("pointerdown", [400, 250]);
    harness.internals.setViewport([1, 0, 0, 1, -1000, 0]);
    instruments.sendPointer("pointermove", [-100, 250], [100, 250]);
    const shown = count();
    instruments.sendPointer("pointermove", [-120, 250]);
    const afterwards = count();
    instruments.sendPointer("pointerup", [-120, 250]);
    return { shown, afterwards };
  });
  expect(ink.shown).toBeGreaterThan(50);
  expect(ink.afterwards).toBe(0);
});

for (const [seed, ratio] of [...HISTORIES, ...EXPLORED])
  test.describe(`a stroke that is being drawn, at a device pixel ratio of ${ratio}, seed ${seed}`, () => {
    test.use({ deviceScaleFactor: ratio, size: [600, 400] });

    test(`PNT-3 changes meanwhile are painted under the active stroke, and nothing is left of it afterwards (seed ${seed}, ratio ${ratio})`, async ({
      canvas: page,
    }) => {
      const play = (number: number, steps: number) =>
        page.evaluate(
          async (of) => {
            await window.instruments.playSteps(window.harness, of.number, of.steps);
            // The steps may leave the canvas small and the viewport rotated.
            window.harness.internals.setViewport([1, 0, 0, 1, 0, 0]);
            window.harness.canvas.view.resize(600, 400);
            await window.instruments.settled(window.harness);
          },
          { number, steps },
        );
      await play(seed, 24);
      await page.mouse.move(50, 50);
      await page.mouse.down();
      for (let i = 1; i <= 4; i++) {
        const from = [50 + 120 * (i - 1), 50 + 70 * (i - 1)] as const;
        await moveThrough(page, steps(from, [50 + 120 * i, 50 + 70 * i], 6));
        await play(100 * seed + i, 8);
      }
      const pen = await page.evaluate(() => {
        const { base } = window.harness.internals;
        const { data } = window.instruments.pixelsOf(base);
        const scale = window.devicePixelRatio;
        const at = 4 * (190 * scale * base.width + 290 * scale);
        return [...data.slice(at, at + 3)];
      });
      expect(pen).toEqual([0, 0, 0]);
      await page.mouse.up();
      const result = await page.evaluate(async () => ({
        ...(await window.instruments.compareRepaint(window.harness)),
        faults: window.harness.faults,
      }));
      expect(result.faults).toEqual([]);
      expect(result.wrong, JSON.stringify(result)).toBeLessThanOrEqual(MAX_WRONG);
      expect(result.pixels).toBeLessThanOrEqual((600 * 400 * ratio * ratio) / SMOOTHED);
    });
  });

test("PNT-3 after a stroke was drawn the picture is that of the finished stroke alone", async ({
  canvas,
}) => {
  await drag(canvas, 100, 100, 240, 300, 700, 120, 720, 480, 60, 440);
  const difference = await canvas.evaluate(async () => {
    const { harness, instruments } = window;
    await instruments.settled(harness);
    const drawn = instruments.pixelsOf(harness.internals.base);
    const removed = harness.board.removeByPeer([...harness.board.objects.keys()]);
    await instruments.settled(harness);
    harness.board.restore(removed);
    await instruments.settled(harness);
    return instruments.compare(drawn, instruments.pixelsOf(harness.internals.base), 0);
  });
  expect(difference).toEqual({ pixels: 0, wrong: 0 });
});
