/** Tests the display of peers on the overlay: pointers, ink, drags and selections. */

import type { ObjectId } from "../../board/drawing.ts";
import type { Page } from "@playwright/test";
import { countDifferences, decodePng } from "../../testing/pictures/png.ts";
import { fill } from "./harness.ts";
import { drag, expect, settle, test } from "./page.ts";

const FIRST = "aaa0me-0" as ObjectId;

/** Waits until the browser has painted some frames. */
async function frames(page: Page, count: number): Promise<void> {
  await page.evaluate(async (some) => {
    for (let frame = 0; frame < some; frame++) await new Promise(requestAnimationFrame);
  }, count);
}

const PEER = {
  clientId: "p1",
  name: "Blue fox",
  pointer: null,
  ink: [],
  drags: [],
};

test("CAN-20 the peers' pointers, ink and drags are shown, and nothing is painted while nothing changes", async ({
  canvas,
}) => {
  await canvas.evaluate(() => window.harness.canvas.tools.choose("rectangle"));
  await canvas.evaluate(() => window.harness.canvas.tools.choose("draw"));
  const ink = [
    { stroke: "s1", color: "#9b59b6", width: 3, points: [300, 300, 320, 300, 340, 320, 360, 320] },
  ];
  const drags = [{ id: FIRST, left: 400, top: 100, scaleX: 1, scaleY: 1, angle: 0 }];
  const show = (peers: unknown[]): Promise<void> =>
    canvas.evaluate((views) => window.harness.canvas.showPeers(views as never), peers);
  const painted = () =>
    canvas.evaluate(() => ({
      base: window.instruments.inked(window.instruments.pixelsOf(window.harness.internals.base)),
      overlay: window.instruments
        .pixelsOf(window.harness.internals.overlay)
        .data.filter((value, i) => i % 4 === 3 && value > 0).length,
      frames: window.harness.internals.stats.frames,
    }));
  await show([{ ...PEER, pointer: { x: 200, y: 350 }, ink, drags }]);
  await settle(canvas);
  const pointer = canvas.locator("[data-peer]");
  await expect(pointer).toHaveText("Blue fox");
  expect(await pointer.boundingBox()).toMatchObject({ x: 200, y: 350 });
  await settle(canvas);
  const during = await painted();
  expect(during.base).toBe(0);
  expect(during.overlay).toBeGreaterThan(15_000 + 100);
  await show([{ ...PEER, pointer: { x: 200, y: 350 }, ink, drags }]);
  await frames(canvas, 6);
  expect((await painted()).frames).toBe(during.frames);
  await show([PEER]);
  await settle(canvas);
  await frames(canvas, 3);
  const after = await painted();
  expect(after).toMatchObject({ base: 15_000, overlay: 0 });
  await expect(pointer).toHaveCount(0);
});

test("CAN-20 an object that this visitor and a peer drag is shown once, also when one of them stops", async ({
  canvas,
}) => {
  const inked = () =>
    canvas.evaluate(() => ({
      base: window.instruments.inked(window.instruments.pixelsOf(window.harness.internals.base)),
      overlay: window.instruments
        .pixelsOf(window.harness.internals.overlay)
        .data.filter((value, i) => i % 4 === 3 && value > 0).length,
    }));
  const drags = [{ id: FIRST, left: 500, top: 300, scaleX: 1, scaleY: 1, angle: 0 }];
  const show = async (peer: object) => {
    await canvas.evaluate((one) => window.harness.canvas.showPeers([one] as never), peer);
    await settle(canvas);
  };
  await canvas.evaluate(() => window.harness.canvas.tools.choose("rectangle"));
  await canvas.mouse.move(150, 150);
  await canvas.mouse.down();
  await canvas.mouse.move(250, 250, { steps: 3 });
  await show({ ...PEER, drags });
  expect(await inked()).toEqual({ base: 0, overlay: 0 });
  await canvas.mouse.up();
  await settle(canvas);
  expect(await inked()).toEqual({ base: 0, overlay: 15_000 });
  await show(PEER);
  expect(await inked()).toEqual({ base: 15_000, overlay: 0 });
  expect(await canvas.evaluate(() => window.harness.board.stacked())).toMatchObject([
    { left: 200, top: 200 },
  ]);
});

test("CAN-20 the outline of a peer's selection has its colour, is 2 px wide in every view, and follows the object", async ({
  canvas,
}) => {
  const teal = [0, 105, 109];
  /** The pixels of the overlay in the peer's colour: how many, and the box around them in CSS pixels of the canvas. */
  const outline = () =>
    canvas.evaluate((color) => {
      const { overlay } = window.harness.internals;
      const { data, width } = window.instruments.pixelsOf(overlay);
      const [left, top] = [
        Number.parseFloat(overlay.style.left),
        Number.parseFloat(overlay.style.top),
      ];
      const xs: number[] = [];
      const ys: number[] = [];
      for (let at = 0; at < data.length; at += 4)
        if (
          color.every((value, i) => Math.abs((data[at + i] ?? 0) - value) < 3) &&
          data[at + 3] === 255
        ) {
          xs.push(left + ((at / 4) % width));
          ys.push(top + Math.floor(at / 4 / width));
        }
      const box = [Math.min(...xs), Math.min(...ys), Math.max(...xs) + 1, Math.max(...ys) + 1];
      return { count: xs.length, box: xs.length > 0 ? box : [] };
    }, teal);
  const show = async (peer: object) => {
    await canvas.evaluate((one) => window.harness.canvas.showPeers([one] as never), peer);
    await settle(canvas);
  };
  await canvas.evaluate(() => window.harness.canvas.tools.choose("rectangle"));
  await settle(canvas);
  const sent = () => canvas.evaluate(() => window.harness.live.selected);
  expect(await sent()).toEqual([FIRST]);
  await canvas.evaluate(() => window.harness.canvas.tools.selectNone());
  expect(await sent()).toEqual([]);
  const peer = { clientId: "p17", pointer: null, ink: [], drags: [] };
  await show({ ...peer, selected: [FIRST, "nobody-7"] });
  // 150 x 100: two pixels, one of them outside, with round corners.
  const around = { count: 2 * 2 * (150 + 100) - 4, box: [99, 99, 251, 201] };
  expect(await outline()).toEqual(around);
  await canvas.evaluate((id) => {
    window.harness.board.changeByPeer([{ id, props: { left: 200 } }]);
  }, FIRST);
  await settle(canvas);
  expect(await outline()).toEqual({ ...around, box: [199, 99, 351, 201] });
  const drags = [{ id: FIRST, left: 300, top: 150, scaleX: 1, scaleY: 1, angle: 0 }];
  await show({ ...peer, selected: [FIRST], drags });
  expect(await outline()).toEqual({ ...around, box: [299, 149, 451, 251] });
  await show({ ...peer, selected: [FIRST] });
  await canvas.evaluate(() => window.harness.internals.setView({ x: 0, y: 0, zoom: 2 }));
  await settle(canvas);
  expect(await outline()).toEqual({ count: 2 * 2 * (300 + 200) - 4, box: [399, 199, 701, 401] });
  // Ten thousand outlines are 500 at most, and what is gone has none.
  const ids = Array.from({ length: 10_000 }, (_, at) => `aaa0me-${at + 1}`);
  await show({ ...peer, selected: ids });
  expect(await outline()).toEqual({ count: 0, box: [] });
  await show({ ...peer, selected: [FIRST] });
  await canvas.evaluate((id) => window.harness.board.removeByPeer([id]), FIRST);
  await settle(canvas);
  expect(await outline()).toEqual({ count: 0, box: [] });
});

test("CAN-88 peers see highlighter strokes, and the ink that these cross, as they will be when they are finished", async ({
  canvas,
}) => {
  const shot = async () => decodePng(await canvas.locator("#host").screenshot());
  // One that blends costs every frame of the canvas, even when it is empty.
  const blended = () =>
    canvas
      .locator("#host canvas")
      .evaluateAll(
        (all) => all.filter((one) => getComputedStyle(one).mixBlendMode !== "normal").length,
      );
  expect(await blended()).toBe(0);
  await canvas.evaluate(() => window.harness.canvas.tools.setColor("#1e40ff"));
  await drag(canvas, 60, 200, 500, 220);
  await canvas.mouse.move(700, 400);
  await canvas.evaluate(() => window.harness.internals.repaintAll());
  await settle(canvas);
  const without = await shot();
  await canvas.evaluate(() => window.harness.canvas.tools.choose("highlighter"));
  await canvas.evaluate(() => window.harness.canvas.tools.setColor("#ffd700"));
  await drag(canvas, 100, 190, 400, 230);
  await drag(canvas, 240, 80, 260, 320);
  await canvas.mouse.move(700, 400);
  await settle(canvas);
  const finished = await shot();
  expect(countDifferences(without, finished)).toBeGreaterThan(5_000);
  await canvas.evaluate(() => {
    const { board, canvas: shown, live } = window.harness;
    const [, ...strokes] = board.stacked();
    board.removeByPeer(strokes.map(({ id }) => id));
    const ink = ["s2", "s3"].map((stroke) => {
      const look = { color: "#ffd700", width: 20, look: "highlighter" };
      return { stroke, ...look, points: live.ink[stroke] };
    });
    shown.showPeers([{ clientId: "a", name: "A", drags: [], ink }] as never);
  });
  await settle(canvas);
  // The last half step of a finished stroke is straight, and its points are rounded.
  expect(countDifferences(finished, await shot(), 24)).toBeLessThan(60);
  expect(await blended()).toBe(1);
  await canvas.evaluate(() => window.harness.canvas.showPeers([]));
  await settle(canvas);
  expect(await blended()).toBe(0);
  expect(countDifferences(without, await shot(), 24)).toBe(0);
});

test("LIV-6 no frame lacks an object that a peer dropped, however long the base canvas repaints", async ({
  canvas,
}) => {
  await fill(canvas, 5_000);
  const frames = await canvas.evaluate(async () => {
    const { harness, instruments } = window;
    const { board, internals } = harness;
    const corner = { originX: "left", originY: "top", width: 150, height: 100 } as const;
    const look = { fill: "#ff0000", stroke: null, strokeWidth: 0 };
    const [rect] = board.add([{ type: "Rect", left: 100, top: 100, ...corner, ...look }]);
    const id = rect!.id;
    const peer = { clientId: "p1", name: "P", pointer: null, ink: [] };
    const drag = { id, left: 400, top: 300, scaleX: 1, scaleY: 1, angle: 0 };
    const isRed = (one: HTMLCanvasElement, x: number, y: number): boolean => {
      const [left, top] = [one.style.left, one.style.top].map((at) => Number.parseFloat(at));
      const pixel = one.getContext("2d")!.getImageData(x - left!, y - top!, 1, 1).data;
      return one.style.opacity !== "0" && pixel.join() === "255,0,0,255";
    };
    /** Waits for all frames in which the base canvas repaints. Returns in which of them the object was shown. */
    const shownIn = async (x: number, y: number): Promise<boolean[]> => {
      const shown: boolean[] = [];
      while (!internals.settled) {
        await new Promise(requestAnimationFrame);
        await new Promise((resolve) => setTimeout(resolve));
        shown.push([internals.base, internals.overlay].some((one) => isRed(one, x, y)));
      }
      return shown;
    };
    const results: boolean[][] = [];
    for (const arrives of [true, false]) {
      harness.canvas.showPeers([{ ...peer, drags: [{ ...drag, left: arrives ? 400 : 200 }] }]);
      await instruments.settled(harness);
      if (arrives) board.changeByPeer([{ id, props: { left: 400, top: 300 } }]);
      harness.canvas.showPeers([{ ...peer, drags: [] }]);
      results.push(await shownIn(475, 350));
    }
    results.push([isRed(internals.overlay, 475, 350)]);
    return results;
  });
  expect(frames.map((shown) => [...new Set(shown)])).toEqual([[true], [true], [false]]);
});

test("CAN-20 the far shadow of an object that a peer drags leaves nothing behind, and is not cut off", async ({
  canvas,
}) => {
  const painted = await canvas.evaluate(async () => {
    const { harness, instruments } = window;
    const square = { left: 100, top: 100, originX: "left", originY: "top", width: 60, height: 60 };
    const shadow = { type: "shadow", color: "#000000", offsetX: 90 };
    const [{ id } = { id: "" as never }] = harness.board.add([
      { type: "Rect", ...square, fill: "#ff0000", strokeWidth: 0, shadow },
    ]);
    await instruments.settled(harness);
    const peer = { clientId: "p1", pointer: null, ink: [] };
    const counts: number[] = [];
    for (let left = 500; left >= 100; left -= 50) {
      const drag = { id, left, top: 300, scaleX: 1, scaleY: 1, angle: 0 };
      harness.canvas.showPeers([{ ...peer, drags: [drag] }]);
      await instruments.settled(harness);
      const { data } = instruments.pixelsOf(harness.internals.overlay);
      counts.push(data.filter((value, at) => at % 4 === 3 && value > 0).length);
    }
    return counts;
  });
  expect(new Set(painted)).toEqual(new Set([2 * 60 * 60]));
});

test("CAN-20 after a lost graphics context every layer is painted anew", async ({ canvas }) => {
  const shot = async () => decodePng(await canvas.locator("#host").screenshot());
  await canvas.evaluate(() => {
    const { board, canvas: shown } = window.harness;
    shown.tools.choose("rectangle");
    shown.tools.choose("select");
    shown.tools.selectAll();
    const stroke = { color: "#ff0000", width: 9, points: [300, 300, 400, 400] };
    const ink = [
      { ...stroke, stroke: "s1" },
      { ...stroke, stroke: "s2", look: "highlighter", points: [100, 300, 200, 400] },
      { ...stroke, stroke: "s3", look: "fading", points: [500, 300, 600, 400] },
    ] as const;
    const selected = board.stacked().map(({ id }) => id);
    shown.showPeers([{ clientId: "p1", pointer: null, drags: [], ink, selected }]);
  });
  await settle(canvas);
  const before = await shot();
  await canvas.evaluate(() => {
    for (const one of document.querySelectorAll<HTMLCanvasElement>("#host canvas")) {
      const context = one.getContext("2d")!;
      context.reset();
      one.dispatchEvent(new Event("contextrestored"));
    }
  });
  await expect.poll(async () => countDifferences(before, await shot())).toBe(0);
});
