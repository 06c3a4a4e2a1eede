/** Readings of the page's harness, and actions on it, for the tests of the canvas. */

import type { Page } from "@playwright/test";
import { expect, moveThrough, type Point, settle, steps } from "./page.ts";

type Finger = readonly [id: number, x: number, y: number];

/** Touches by the browser's own protocol, so that capture, gestures and compatibility events are real. */
export async function fingers(page: Page) {
  const session = await page.context().newCDPSession(page);
  return (type: "touchStart" | "touchMove" | "touchEnd" | "touchCancel", ...points: Finger[]) =>
    session.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: points.map(([id, x, y]) => ({ id, x, y })),
    });
}

export const view = (page: Page) => page.evaluate(() => window.harness.internals.view);

export const setView = (page: Page, x: number, y: number, zoom: number) =>
  page.evaluate((to) => window.harness.internals.setView(to), { x, y, zoom });

export const objects = (page: Page) => page.evaluate(() => window.harness.board.stacked());

export const setTool = (page: Page, tool: "select" | "draw" | "eraser" | "rectangle") =>
  page.evaluate((name) => window.harness.canvas.tools.choose(name), tool);

export const inked = (page: Page) =>
  page.evaluate(() =>
    window.instruments.inked(window.instruments.pixelsOf(window.harness.internals.base)),
  );

export const counts = (page: Page) => page.evaluate(() => ({ ...window.harness.internals.stats }));

/** Paints everything anew; returns what was counted meanwhile. */
export async function repaint(page: Page) {
  const before = await counts(page);
  await page.evaluate(() => window.harness.internals.repaintAll());
  await settle(page);
  const after = await counts(page);
  const { frames, painted, effects } = after;
  return {
    frames: frames - before.frames,
    painted: painted - before.painted,
    effects: effects - before.effects,
    maxEffects: after.maxEffects,
  };
}

/** Loads strokes of 40 points, all of them within 800 x 500. */
export async function fill(page: Page, count = 10_000): Promise<void> {
  await page.evaluate(async (strokes) => {
    const { harness, instruments } = window;
    const style = { color: "#45b7d1", width: 3, eraser: false };
    // The sine of the 45th would be that of the first.
    const waves = Array.from({ length: 44 }, (_, n) => {
      const points = Array.from({ length: 80 }, (_unused, i) =>
        i % 2 === 0 ? 10 + i / 2 : 30 + 12 * Math.sin(i + n),
      );
      return instruments.strokeObject(points, style)!;
    });
    const objects = Array.from({ length: strokes }, (_, n) => {
      const wave = waves[n % 44]!;
      const [left, top] = [Number(wave["left"]), Number(wave["top"])];
      return { ...wave, left: left + ((n * 37) % 740), top: top + ((n * 61) % 440) };
    });
    await harness.canvas.load(harness.board.make(objects), "white");
  }, count);
}

export const made = (page: Page) =>
  page.evaluate(() => ({
    types: window.harness.board.stacked().map((object) => object.type),
    events: window.harness.live.events,
  }));

/** A rectangle whose upper side sags, from its upper left corner. */
export const SAGGING = [
  [100, 100],
  [300, 110],
  [500, 100],
  [502, 200],
  [500, 300],
  [300, 298],
  [100, 300],
  [102, 200],
  [100, 104],
] as const;

/** Draws with the mouse and rests until the stroke is a shape, which leaves a point of the ink white. */
export async function hold(page: Page, points: readonly Point[], [x, y]: Point): Promise<void> {
  // The page notes the ink while it is drawn: a busy machine may ask only when the stroke has become a shape.
  const ink = await page.evaluateHandle(
    (at) => {
      const isWhite = (): boolean => {
        const context = window.harness.internals.base.getContext("2d");
        return context?.getImageData(at.x, at.y, 1, 1).data[1] === 255;
      };
      const noted = { isWhite, wasInked: false };
      const note = (): void => {
        noted.wasInked ||= !isWhite();
        if (noted.wasInked) removeEventListener("pointermove", note);
      };
      addEventListener("pointermove", note);
      return noted;
    },
    { x, y },
  );
  await page.mouse.move(...points[0]!);
  await page.mouse.down();
  await moveThrough(
    page,
    points.slice(1).flatMap((to, at) => steps(points[at]!, to, 6)),
  );
  await expect
    .poll(() => ink.evaluate(({ isWhite, wasInked }) => [wasInked, isWhite()]))
    .toEqual([true, true]);
}

/** One of so many pixels may differ by more than 24 (of 255) in a channel: smoothed edges of curves. */
export const SMOOTHED = 800;

/** So many pixels may differ by more than smoothing explains: the tip of an acute corner in the worst known case. */
export const MAX_WRONG = 4;
