/** Tests objects whose painting is costly, as counts: anybody may put them on the board, and the page stays usable. */

import type { NewObject } from "../../board/drawing.ts";
import { drag, expect, settle, test } from "./page.ts";
import type { Page } from "@playwright/test";
import { counts, repaint, setView } from "./harness.ts";

/** The effects that are painted (see MAX_EFFECTS of web/canvas/scene/cost.ts). */
const MAX_EFFECTS = 200;

async function add(page: Page, objects: readonly NewObject[]): Promise<void> {
  await page.evaluate((list) => window.harness.board.add(list as never), objects as unknown[]);
  await settle(page);
}

/** The darkness of a pixel, from 0 to 255. */
const darkness = (page: Page, x: number, y: number) =>
  page.evaluate(
    (at) => {
      const { data, width } = window.instruments.pixelsOf(window.harness.internals.base);
      return 255 - (data[4 * (at.y * width + at.x)] as number);
    },
    { x, y },
  );

test("PNT-7 800 shadows of blur 50: 200 are painted, over many frames, and a stroke drawn meanwhile is there", async ({
  canvas,
}) => {
  test.slow();
  await canvas.evaluate(async () => {
    const { harness, instruments } = window;
    const objects = Array.from({ length: 800 }, (_, i) =>
      instruments.shadowed((i * 37) % 700, (i * 61) % 420),
    );
    await harness.canvas.load(harness.board.make(objects.slice(0, 400)), "white");
    // The others arrive in slices, like a long message of a peer.
    for (let at = 400; at < 800; at += 100) {
      harness.board.add(objects.slice(at, at + 100));
      await new Promise(requestAnimationFrame);
    }
  });
  await settle(canvas);
  expect((await counts(canvas)).maxEffects).toBeLessThanOrEqual(MAX_EFFECTS);
  const full = await repaint(canvas);
  expect(full.painted).toBeGreaterThan(800);
  expect(full.effects).toBeGreaterThan(MAX_EFFECTS);
  expect(full.maxEffects).toBeLessThanOrEqual(MAX_EFFECTS);
  expect(full.frames).toBeGreaterThanOrEqual(full.effects / MAX_EFFECTS);
  expect(full.frames).toBeGreaterThan(5);
  await canvas.evaluate(() => window.harness.internals.repaintAll());
  await drag(canvas, 100, 100, 300, 300, 500, 100);
  await settle(canvas);
  expect(await darkness(canvas, 200, 200)).toBeGreaterThan(250);
  expect((await counts(canvas)).maxEffects).toBeLessThanOrEqual(MAX_EFFECTS);
  const difference = await canvas.evaluate(() => window.instruments.compareRepaint(window.harness));
  expect(difference.wrong, JSON.stringify(difference)).toBeLessThanOrEqual(4);
});

test("PNT-7 the lowest objects keep their shadow, and the next ones get theirs when those are gone", async ({
  canvas,
}) => {
  /** The pixel beside the square number `index`, in its shadow. */
  const beside = (index: number) =>
    [(index % 30) * 26 + 16, Math.floor(index / 30) * 26 + 8] as const;
  await add(
    canvas,
    Array.from({ length: 300 }, (_, index) => ({
      type: "Rect",
      originX: "left",
      originY: "top",
      left: beside(index)[0] - 14,
      top: beside(index)[1] - 6,
      width: 10,
      height: 10,
      strokeWidth: 0,
      fill: "#ffff00",
      shadow: { color: "#000000", blur: 2, offsetX: 8, offsetY: 0 },
    })),
  );
  const shades = () =>
    Promise.all(
      [0, 199, 200, 299].map(async (index) => {
        const [x, y] = beside(index);
        return (await darkness(canvas, x, y)) > 128;
      }),
    );
  expect(await shades()).toEqual([true, true, false, false]);
  await canvas.evaluate(() => {
    const ids = window.harness.board.stacked().map(({ id }) => id);
    window.harness.board.removeByPeer(ids.slice(0, 50));
  });
  await settle(canvas);
  expect(await shades()).toEqual([false, true, true, false]);
  // An object below the others takes the shadow of the highest one that had one.
  await canvas.evaluate(() => {
    const [top] = window.harness.board.stacked().slice(-1);
    window.harness.board.changeByPeer([{ id: top?.id as never, props: { z: -1 } }]);
  });
  await settle(canvas);
  expect(await shades()).toEqual([false, true, true, true]);
});

for (const seed of [1, 2, 3])
  test(`PNT-7 after any history of 320 shadows and more the picture equals a full repaint (seed ${seed})`, async ({
    canvas,
  }) => {
    test.slow();
    const difference = await canvas.evaluate(async (number) => {
      await window.instruments.playShadows(window.harness, number, 30);
      return window.instruments.compareRepaint(window.harness);
    }, seed);
    expect(difference.wrong, JSON.stringify(difference)).toBeLessThanOrEqual(4);
    expect(difference.pixels).toBeLessThanOrEqual((800 * 500) / 800);
  });

test("PNT-7 a shadow is blurred by 50 px at most, however much its object is scaled up", async ({
  canvas,
}) => {
  await add(canvas, [
    {
      type: "Rect",
      originX: "left",
      originY: "top",
      left: 200,
      top: 200,
      width: 1,
      height: 1,
      strokeWidth: 0,
      scaleX: 100,
      scaleY: 100,
      fill: "#ffff00",
      shadow: { color: "#000000", blur: 50, offsetX: 0, offsetY: 0 },
    },
  ]);
  // Unscaled it would reach 5,000 px.
  expect(await darkness(canvas, 310, 250)).toBeGreaterThan(20);
  expect(await darkness(canvas, 420, 250)).toBe(0);
});

test("PNT-2 a shadow grows and shrinks with the view", async ({ canvas }) => {
  await add(canvas, [
    {
      ...{ type: "Rect", originX: "left", originY: "top", left: 100, top: 100 },
      ...{ width: 40, height: 40, strokeWidth: 0, fill: "#ffff00" },
      shadow: { color: "#000000", blur: 0, offsetX: 100, offsetY: 0 },
    },
  ]);
  for (const zoom of [0.5, 1, 2]) {
    await setView(canvas, 0, 0, zoom);
    await settle(canvas);
    const at = [150, 190, 210, 230, 250].map((x) => darkness(canvas, x * zoom, 120 * zoom));
    expect(await Promise.all(at), `at ${zoom * 100} %`).toEqual([0, 0, 255, 255, 0]);
  }
});

test("PNT-7 an outline of a million dashes is painted without gaps", async ({ canvas }) => {
  const line = (dash: number): NewObject => ({
    type: "Path",
    originX: "left",
    originY: "top",
    left: 100,
    top: dash < 1 ? 100 : 200,
    path: "M0 0L1000000 0",
    scaleX: 0.0005,
    fill: null,
    stroke: "#000000",
    strokeWidth: 10,
    strokeDashArray: [dash, dash],
  });
  await add(canvas, [line(0.5), line(40_000)]);
  const row = (y: number) =>
    canvas.evaluate((at) => {
      const { data, width } = window.instruments.pixelsOf(window.harness.internals.base);
      const dark = Array.from(
        { length: 400 },
        (_, i) => (data[4 * (at * width + 150 + i)] ?? 0) < 64,
      );
      return dark.filter(Boolean).length;
    }, y);
  expect(await row(105)).toBe(400);
  expect(await row(205)).toBeGreaterThan(150);
  expect(await row(205)).toBeLessThan(250);
});

/** Objects that are painted in steps, each too long for a frame when it lies everywhere. */
const LARGE: Readonly<Record<string, NewObject>> = {
  "a path of 20,000 points": {
    type: "Path",
    originX: "left",
    originY: "top",
    left: 100,
    top: 100,
    path: "",
    fill: null,
    stroke: "#000000",
    strokeWidth: 5,
  },
  "a group of 3,000 parts": {
    type: "Group",
    originX: "left",
    originY: "top",
    left: 100,
    top: 100,
    width: 400,
    height: 300,
    objects: Array.from({ length: 3000 }, (_, i) => ({
      type: "Circle",
      left: ((i * 37) % 400) - 200,
      top: ((i * 61) % 300) - 150,
      radius: 20,
      fill: "#9b59b6",
      stroke: "#000000",
    })),
  },
};

for (const [what, object] of Object.entries(LARGE))
  test(`PNT-7 ${what} is painted over several frames`, async ({ canvas }) => {
    test.slow();
    await canvas.evaluate(
      async (given) => {
        const { harness, instruments } = window;
        const path = instruments.scribble(20_000, 300);
        const one = { ...given, ...(given.type === "Path" && { path }) };
        await harness.canvas.load(harness.board.make([one, one, one] as never), "white");
      },
      object as { readonly type: string },
    );
    await settle(canvas);
    const { frames, painted } = await repaint(canvas);
    expect(frames).toBeGreaterThan(3);
    expect(painted).toBe(3);
    expect(await darkness(canvas, 300, 250)).toBeGreaterThan(64);
  });

test("PNT-7 a peer's drag is shown as long as it costs little, else the object stays where it was", async ({
  canvas,
}) => {
  await canvas.evaluate(async () => {
    const { harness, instruments } = window;
    const common = { originX: "left", originY: "top", fill: null, strokeWidth: 5 } as const;
    const path = instruments.scribble(20_000, 100);
    harness.board.add([
      { type: "Path", ...common, path, left: 100, top: 100, stroke: "#000000" },
      { type: "Rect", ...common, left: 300, top: 100, width: 90, height: 90, fill: "#000000" },
    ]);
    await instruments.settled(harness);
    const to = { top: 350, scaleX: 1, scaleY: 1, angle: 0 };
    const drags = harness.board.stacked().map(({ id, left }) => ({ id, left, ...to }));
    const peer = { clientId: "a", name: "A", pointer: { x: 9, y: 9 }, ink: [] };
    harness.canvas.showPeers([{ ...peer, drags }] as never);
  });
  await settle(canvas);
  expect(await darkness(canvas, 340, 140)).toBe(0);
  expect(await darkness(canvas, 150, 150)).toBeGreaterThan(64);
});

test("PNT-7 a gradient of a huge text is not made while the text is edited either", async ({
  canvas,
}) => {
  const ends = { x1: 0, y1: 0, x2: 1, y2: 0 };
  const colorStops = [
    { offset: 0, color: "#ff0000" },
    { offset: 1, color: "#0000ff" },
  ];
  const fill = { type: "linear", gradientUnits: "percentage", coords: ends, colorStops };
  const sizes = await canvas.evaluateHandle((paint) => {
    const { board, canvas: shown } = window.harness;
    const at = { left: 100, top: 100, originX: "left", originY: "top" };
    const size = { fontSize: 5_000, scaleX: 0.02, scaleY: 0.02 };
    board.add([{ type: "IText", text: "Hello", ...at, ...size, fill: paint }]);
    shown.tools.choose("select");
    const made: number[] = [];
    CanvasRenderingContext2D.prototype.createPattern = (image) => {
      made.push((image as HTMLCanvasElement).width * (image as HTMLCanvasElement).height);
      return null;
    };
    return made;
  }, fill);
  await settle(canvas);
  await canvas.mouse.dblclick(120, 150);
  await canvas.keyboard.press("End");
  await canvas.keyboard.type("!");
  await canvas.keyboard.press("Escape");
  await settle(canvas);
  expect(await sizes.jsonValue()).toEqual([]);
  const [text] = await canvas.evaluate(() => window.harness.board.stacked());
  expect(text).toMatchObject({ text: "Hello!", fill });
});
