/** Tests fading ink on the canvas: that of peers and this visitor's own. */

import type { Page } from "@playwright/test";
import { drag, expect, settle, test } from "./page.ts";

/** The look of a canvas of fading ink in the document. */
interface Look {
  readonly opacity: string;
  readonly transition: string;
}

const looks = (page: Page): Promise<Look[]> =>
  page.locator("canvas[data-fading]").evaluateAll((canvases) =>
    canvases.map((canvas) => ({
      opacity: (canvas as HTMLElement).style.opacity,
      transition: (canvas as HTMLElement).style.transition,
    })),
  );

const STAYS: Look = { opacity: "", transition: "" };

/** Shows the fading ink of so many peers, each a horizontal line at its own height, or of none. */
const showPeers = (page: Page, count: number, first = 0): Promise<void> =>
  page.evaluate(
    ([from, many]) =>
      window.harness.canvas.showPeers(
        Array.from({ length: many }, (_, at) => ({
          ...{ clientId: `peer${from + at}`, pointer: null, drags: [] },
          ink: [
            {
              ...{ stroke: "s", color: "#ff0000", width: 6, look: "fading" as const },
              points: Array.from({ length: 80 }, (_point, i) =>
                i % 2 === 0 ? 100 + 5 * i : 20 + 20 * (from + at),
              ),
            },
          ],
        })),
      ),
    [first, count] as const,
  );

/** Whether fading ink is painted at a point, on any of its canvases. */
const isInked = (page: Page, x: number, y: number): Promise<boolean> =>
  page.locator("canvas[data-fading]").evaluateAll(
    (canvases, [atX, atY]) =>
      canvases.some((element) => {
        const canvas = element as HTMLCanvasElement;
        const host = document.querySelector("#host")?.getBoundingClientRect() as DOMRect;
        const box = canvas.getBoundingClientRect();
        const [left, top] = [host.left + atX - box.left, host.top + atY - box.top];
        if (canvas.width === 0 || left < 0 || top < 0) return false;
        const data = canvas.getContext("2d")?.getImageData(left, top, 1, 1).data;
        return (data?.[3] ?? 0) > 0;
      }),
    [x, y] as const,
  );

/** Stops the clock: from here on time passes by `runFor` alone. */
async function stopClock(page: Page): Promise<void> {
  await page.clock.install();
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000);
}

async function chooseFading(page: Page): Promise<void> {
  await page.evaluate(() => window.harness.canvas.tools.choose("fading"));
}

for (const reducedMotion of ["no-preference", "reduce"] as const)
  test.describe(`with motion: ${reducedMotion}`, () => {
    test.use({ contextOptions: { reducedMotion } });

    test("CAN-90 one's own ink stays while one writes on and for 2 s after, then it all disappears together, as a peer's does when it is shown no more", async ({
      canvas,
    }) => {
      await chooseFading(canvas);
      await stopClock(canvas);
      await drag(canvas, 100, 100, 300, 100);
      await canvas.clock.runFor(1_500);
      await canvas.mouse.move(100, 200);
      await canvas.mouse.down();
      await canvas.mouse.move(300, 200, { steps: 4 });
      // Writing continues, however long that takes.
      await canvas.clock.runFor(10_000);
      expect(await looks(canvas)).toEqual([STAYS]);
      expect(await isInked(canvas, 200, 100)).toBe(true);
      await canvas.mouse.up();
      await canvas.clock.runFor(1_900);
      expect(await looks(canvas)).toEqual([STAYS]);
      for (const y of [100, 200]) expect(await isInked(canvas, 200, y)).toBe(true);
      await canvas.clock.runFor(200);
      const fades = { opacity: "0", transition: "opacity 600ms" };
      if (reducedMotion === "no-preference") {
        expect(await looks(canvas)).toEqual([fades]);
        await canvas.clock.runFor(400);
        expect(await looks(canvas)).toHaveLength(1);
        await canvas.clock.runFor(200);
      }
      expect(await looks(canvas)).toEqual([]);
      expect(await canvas.evaluate(() => window.harness.board.stacked())).toEqual([]);

      await showPeers(canvas, 2);
      expect(await looks(canvas)).toEqual([STAYS, STAYS]);
      await showPeers(canvas, 0);
      if (reducedMotion === "no-preference") {
        expect(await looks(canvas)).toEqual([fades, fades]);
        await canvas.clock.runFor(600);
      }
      expect(await looks(canvas)).toEqual([]);
    });
  });

test("CAN-90 the ink of 20 peers and of this visitor is shown, that of eight on a canvas of each", async ({
  canvas,
}) => {
  await stopClock(canvas);
  await showPeers(canvas, 20);
  await chooseFading(canvas);
  await drag(canvas, 100, 450, 300, 450);
  await canvas.clock.runFor(500);
  expect(await looks(canvas)).toHaveLength(10);
  for (let peer = 0; peer < 20; peer++)
    expect(await isInked(canvas, 300, 20 + 20 * peer)).toBe(true);
  expect(await isInked(canvas, 200, 450)).toBe(true);
  // One of the peers that share a canvas has no ink left, and another one still has.
  await showPeers(canvas, 19);
  expect(await isInked(canvas, 300, 20 + 20 * 19)).toBe(false);
  expect(await isInked(canvas, 300, 20 + 20 * 18)).toBe(true);
  await showPeers(canvas, 0);
  await canvas.clock.runFor(3_000);
  expect(await looks(canvas)).toEqual([]);
});

test("PNT-89 a peer's fading stroke that was cancelled is gone, and the others stay", async ({
  canvas,
}) => {
  const show = (heights: readonly number[]): Promise<void> =>
    canvas.evaluate(
      (ys) =>
        window.harness.canvas.showPeers([
          {
            ...{ clientId: "ann", pointer: null, drags: [] },
            ink: ys.map((y) => ({
              ...{ stroke: `s${y}`, color: "#ff0000", width: 6, look: "fading" as const },
              points: [100, y, 200, y, 300, y],
            })),
          },
        ]),
      heights,
    );
  const inked = (): Promise<boolean[]> =>
    Promise.all([100, 200, 300].map((y) => isInked(canvas, 180, y)));
  await show([100, 200, 300]);
  await expect.poll(inked).toEqual([true, true, true]);
  await show([100, 300]);
  await expect.poll(inked).toEqual([true, false, true]);
  await show([100]);
  await expect.poll(inked).toEqual([true, false, false]);
});

test("CAN-90 fading ink moves with the view at once and is painted anew when that rests, in slices", async ({
  canvas,
}) => {
  await canvas.evaluate(() => {
    const counts = { now: 0, max: 0, all: 0 };
    const proto = CanvasRenderingContext2D.prototype;
    const curveTo = Reflect.get(proto, "quadraticCurveTo") as (...at: number[]) => void;
    proto.quadraticCurveTo = function (...at) {
      counts.now++;
      counts.all++;
      curveTo.apply(this, at);
    };
    const frame = (): void => {
      counts.max = Math.max(counts.max, counts.now);
      counts.now = 0;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    Object.assign(window, { counts });
    const line = (at: number) => ({
      ...{ stroke: `s${at}`, color: "#ff0000", width: 6, look: "fading" as const },
      points: Array.from({ length: 4_000 }, (_, i) =>
        i % 2 === 0 ? 100 + (i % 500) : 20 + 5 * at,
      ),
    });
    const ink = Array.from({ length: 15 }, (_, at) => line(at));
    window.harness.canvas.showPeers([{ clientId: "flood", pointer: null, drags: [], ink }]);
  });
  const counts = (): Promise<{ max: number; all: number }> =>
    canvas.evaluate(() => (window as never as { counts: { max: number; all: number } }).counts);
  await expect.poll(async () => (await counts()).all).toBeGreaterThan(29_000);
  await expect.poll(() => isInked(canvas, 200, 90)).toBe(true);
  const before = await counts();
  await canvas.evaluate(() => {
    for (let i = 0; i < 50; i++)
      document
        .querySelector("#host")
        ?.dispatchEvent(new WheelEvent("wheel", { deltaX: -1, deltaY: -3, cancelable: true }));
  });
  await settle(canvas);
  // The line that was at 90 is at 240, and there is none in its former position.
  await expect.poll(() => isInked(canvas, 250, 240)).toBe(true);
  await expect.poll(async () => (await counts()).all).toBeGreaterThan(before.all + 29_000);
  expect(await isInked(canvas, 250, 130)).toBe(false);
  const after = await counts();
  expect(after.all - before.all).toBeLessThan(3 * 30_000);
  expect(after.max).toBeLessThanOrEqual(8_000);
});

test("CAN-90 a long stroke is one fading ink, which needs no space on the board", async ({
  canvas,
}) => {
  await stopClock(canvas);
  await canvas.evaluate(() => void (window.harness.board.capacity = 0));
  await chooseFading(canvas);
  await canvas.mouse.move(100, 100);
  await canvas.mouse.down();
  await canvas.evaluate(() => {
    const host = document.querySelector<HTMLElement>("#host") as HTMLElement;
    const { left, top } = host.getBoundingClientRect();
    const move = (i: number, coalescedEvents: PointerEvent[] = []): PointerEvent =>
      new PointerEvent("pointermove", {
        ...{ pointerId: 1, pointerType: "mouse", bubbles: true, buttons: 1, coalescedEvents },
        ...{ clientX: left + 100 + ((i * 7) % 500), clientY: top + 100 + ((i * 3) % 300) },
      });
    for (let i = 1_000; i <= 12_000; i += 1_000)
      host.dispatchEvent(
        move(
          i,
          Array.from({ length: 1_000 }, (_, at) => move(i - 999 + at)),
        ),
      );
  });
  await canvas.clock.runFor(10_000);
  const { events } = await canvas.evaluate(() => window.harness.live);
  expect(events.filter((event) => event.startsWith("start"))).toHaveLength(2);
  // The first part stays as long as its author continues to write.
  expect(await looks(canvas)).toEqual([STAYS]);
  await canvas.mouse.up();
  expect(await canvas.evaluate(() => window.harness.board.refusals)).toBe(0);
  await canvas.clock.runFor(1_900);
  expect(await looks(canvas)).toEqual([STAYS]);
  await canvas.clock.runFor(800);
  expect(await looks(canvas)).toEqual([]);
});
