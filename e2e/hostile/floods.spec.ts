/** Tests floods: of digests, of writes, of people who do not exist, and of work. */

import { setTimeout as pause } from "node:timers/promises";
import type { Page } from "@playwright/test";
import { encodeLive, EVENTS } from "../../board/messages.ts";
import { MAX_BLUR } from "../../board/limits.ts";
import { expect, test } from "../fixtures.ts";
import { switchTabs } from "../person.ts";
import { watchTraffic, type Traffic } from "../traffic.ts";
import { openAttacker, openPresences } from "./attacker.ts";
import {
  authorOfVisitor,
  drawLines,
  EMPTY,
  expectLines,
  objectsOf,
  partialDrawing,
  sendMark,
} from "./lines.ts";

test.use({ ownServer: true });
test.describe.configure({ mode: "default" });

/** Runs `work` again and again, `ms` milliseconds apart, until `stop` is called, which returns the number of runs. */
function repeat(ms: number, work: (at: number) => Promise<unknown>) {
  let [stopped, count] = [false, 0];
  const done = (async () => {
    for (; !stopped; count++) {
      await work(count);
      await pause(ms);
    }
  })();
  return {
    count: () => count,
    async stop(): Promise<number> {
      stopped = true;
      await done;
      return count;
    },
  };
}

test("SYN-12 85 true-looking digests a second cost a small read now and then, and stop no save", async ({
  product,
  visit,
}) => {
  const traffics: Traffic[] = [];
  const ann = await visit({ prepare: (page) => void traffics.push(watchTraffic(page)) });
  const [traffic] = traffics as [Traffic];
  const attacker = await openAttacker(product);
  await drawLines(ann, [150]);
  await authorOfVisitor(attacker);
  const known = attacker.received.find(({ digest }) => typeof digest === "string")?.["digest"];
  await switchTabs(ann);
  await expect(ann.saving).toHaveText("Saved");
  await drawLines(ann, [200]);
  const [broadcasts, requests] = [traffic.broadcasts.length, traffic.table.length];
  const began = Date.now();
  const flood = repeat(110, async (burst) => {
    for (let at = 10 * burst; at < 10 * burst + 10; at++) {
      const digest = at % 3 === 0 ? known : `forged${at}`;
      const saved = { at: new Date().toISOString(), seen: `s${at}`, n: at };
      const message = { clientId: `attacker${at % 50}`, digest };
      await attacker.send(EVENTS.digest, at % 2 === 0 ? { ...message, saved } : message);
    }
  });
  await expect(ann.saving).toHaveText("Saved", { timeout: 40_000 });
  await expect.poll(flood.count, { timeout: 40_000 }).toBeGreaterThan(15);
  await flood.stop();
  await sendMark(attacker, ann);
  // There are ten digests in each of at least 16 bursts. A save takes three requests, and a small read happens at
  // most once in 3 s.
  const allowed = 6 + (Date.now() - began) / 1500;
  expect(traffic.table.length - requests).toBeLessThan(allowed);
  expect(traffic.broadcasts.length - broadcasts).toBeLessThan(allowed);
  expect(await objectsOf(product)).toBe(2);
  await attacker.leave();
});

test("SAV-10 somebody who changes updated_at 15 times a second stops no save, not even that of the page that made the row", async ({
  product,
  visit,
}) => {
  const ann = await visit();
  await drawLines(ann, [150]);
  await switchTabs(ann);
  await expect(ann.saving).toHaveText("Saved");
  const attacker = await openAttacker(product);
  const flood = repeat(60, (at) =>
    attacker.patch({ updated_at: new Date(Date.now() + 86_400_000 * (at % 3)).toISOString() }),
  );
  await drawLines(ann, [200]);
  await expect(ann.saving).toHaveText("Saved", { timeout: 40_000 });
  await expect.poll(() => objectsOf(product)).toBe(2);
  const ben = await visit();
  await drawLines(ben, [250]);
  await expect(ben.saving).toHaveText("Saved", { timeout: 40_000 });
  await expect.poll(() => objectsOf(product)).toBe(3);
  await expect.poll(flood.count, { timeout: 40_000 }).toBeGreaterThan(20);
  await flood.stop();
  await attacker.leave();
});

test("LIV-2 40 invented people do not switch live ink off", async ({ product, visit }) => {
  const traffics: Traffic[] = [];
  const ann = await visit({ prepare: (page) => void traffics.push(watchTraffic(page)) });
  const [traffic] = traffics as [Traffic];
  const ben = await visit();
  const leave = await openPresences(product, 40);
  for (const { page } of [ann, ben])
    await expect(page.getByText("42 users online")).toBeVisible({ timeout: 40_000 });
  const live = (): number => traffic.broadcasts.filter(({ event }) => event === EVENTS.live).length;
  const before = live();
  await ann.press([200, 150]);
  await ann.move([300, 150], 10);
  await expect.poll(live).toBeGreaterThan(before);
  // The pen is still down, and Ben sees its ink: on the overlay, the second canvas.
  await expect
    .poll(() =>
      ben.canvas.locator("canvas").evaluateAll((canvases) =>
        canvases.slice(1).some((canvas) => {
          const { width, height } = canvas as HTMLCanvasElement;
          const copy = document.createElement("canvas");
          Object.assign(copy, { width, height });
          const context = copy.getContext("2d", { willReadFrequently: true });
          if (!context || width * height === 0) return false;
          context.drawImage(canvas as HTMLCanvasElement, 0, 0);
          return context.getImageData(0, 0, width, height).data.some((byte) => byte > 0);
        }),
      ),
    )
    .toBe(true);
  await ann.move([420, 150], 4);
  await ann.release();
  await expectLines(ben, [150]);
  await leave();
});

test("LIV-30 a flood of fading ink that never ends leaves the page usable: the visitor pans and draws, and a bounded part is painted in each frame", async ({
  product,
  visit,
}) => {
  const ann = await visit({ prepare: countCurves });
  const [leave, attacker] = [await openPresences(product, 10), await openAttacker(product)];
  // These are zigzags below the visitor's drawing.
  const points = Array.from({ length: 2_400 }, (_, at) =>
    at % 2 === 0 ? (37 * at) % 1_200 : 350 + ((61 * at) % 250),
  );
  const details = { points, color: "#ff0000", width: 6, look: "fading" } as const;
  const flood = repeat(30, (at) => {
    const [clientId, tick] = [`invented${at % 10}`, 1 + Math.floor(at / 10)];
    const strokes = [1, 2, 3, 4].map((one) => `s${tick % 5}${one}`);
    const ink = strokes.map((stroke) => ({ stroke, offset: points.length * tick, ...details }));
    return attacker.send(EVENTS.live, encodeLive({ clientId, tick, ink }));
  });
  const curves = (): Promise<Curves> =>
    ann.page.evaluate(() => ({ ...(window as never as { curves: Curves }).curves }));
  await expect.poll(async () => (await curves()).all, { timeout: 40_000 }).toBeGreaterThan(20_000);
  await ann.move([600, 300]);
  for (let step = 0; step < 10; step++) await ann.page.mouse.wheel(0, step % 2 === 0 ? 40 : -40);
  await drawLines(ann, [150, 200]);
  await expectLines(ann, [150, 200]);
  await expect(ann.page.locator("canvas[data-fading]")).not.toHaveCount(0);
  await flood.stop();
  expect((await curves()).max).toBeLessThanOrEqual(MAX_CURVES);
  await switchTabs(ann);
  await expect.poll(() => objectsOf(product)).toBe(2);
  await Promise.all([attacker.leave(), leave()]);
});

/** Greatest number of curves in a frame: peers, the view and the frame itself paint at most 2,000 points each; the rest is for the visitor's own drawing. */
const MAX_CURVES = 10_000;

interface Curves {
  /** The number of curves since the last frame, the greatest count between two frames, and the sum. */
  now: number;
  max: number;
  all: number;
}

/** Counts the curves that the page paints. */
async function countCurves(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const curves = { now: 0, max: 0, all: 0 };
    Object.assign(window, { curves });
    const proto = CanvasRenderingContext2D.prototype;
    const curveTo = Reflect.get(proto, "quadraticCurveTo") as (...at: number[]) => void;
    proto.quadraticCurveTo = function (...at) {
      curves.now += 1;
      curves.all += 1;
      curveTo.apply(this, at);
    };
    const frame = (): void => {
      curves.max = Math.max(curves.max, curves.now);
      curves.now = 0;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
}

interface Counts {
  pauses: number;
  frames: number;
  /** The strongest blur of a shadow that was painted. */
  blur: number;
}

/** Counts the pauses that the page makes in its work and the frames that the browser paints, and notes the blur of shadows. */
async function countWork(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const counts: Counts = { pauses: 0, frames: 0, blur: 0 };
    Object.assign(window, { counts });
    // A pause is a message to oneself (`pause` of web/sync/browser-environment.ts).
    window.MessageChannel = class extends MessageChannel {
      constructor() {
        super();
        counts.pauses += 1;
      }
    };
    const frame = (): void => {
      counts.frames += 1;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    const proto = CanvasRenderingContext2D.prototype;
    const shadowBlur = Object.getOwnPropertyDescriptor(proto, "shadowBlur") as PropertyDescriptor;
    Object.defineProperty(proto, "shadowBlur", {
      ...shadowBlur,
      set(blur: number) {
        counts.blur = Math.max(counts.blur, blur);
        shadowBlur.set?.call(this, blur);
      },
    });
  });
}

const countsOf = (page: Page): Promise<Counts> =>
  page.evaluate(() => ({ ...(window as never as { counts: Counts }).counts }));

test("MRG-17 a broadcast of 0.6 MB, 22,000 ids that descend with gaps, is merged in slices between which the page paints", async ({
  product,
  visit,
}) => {
  test.slow();
  const ann = await visit({ prepare: countWork });
  const attacker = await openAttacker(product);
  const count = 22_000;
  const objects = Array.from({ length: count }, (_, at) => ({
    type: "Rect",
    id: `a-${2 * (count - at)}`,
  }));
  expect(JSON.stringify(objects).length).toBeGreaterThan(625_000);
  await drawLines(ann, [150]);
  const before = await countsOf(ann.page);
  const json = partialDrawing(objects);
  await attacker.send(EVENTS.update, { json, clientId: "attacker0000" });
  await drawLines(ann, [200]);
  await sendMark(attacker, ann);
  await expectLines(ann, [150, 200]);
  const after = await countsOf(ann.page);
  // There are 500 objects in a slice, once for reading and once for merging.
  expect(after.pauses - before.pauses).toBeGreaterThan(count / 500);
  expect(after.frames - before.frames).toBeGreaterThan(10);
  await attacker.leave();
});

test("PNT-7 1,000 shadows of blur 1,000 leave the page usable: a stroke that is drawn meanwhile is there and saved", async ({
  product,
  visit,
}) => {
  const ann = await visit({ prepare: countWork });
  const attacker = await openAttacker(product);
  const shadow = { color: "#ff0000", blur: 1_000, offsetX: 5, offsetY: 5 };
  const objects = Array.from({ length: 1_000 }, (_, at) => ({
    ...{ type: "Rect", id: `shadows-${at}`, originX: "left", originY: "top", fill: "#0000ff" },
    ...{ left: (37 * at) % 1_200, top: 300 + ((61 * at) % 300) },
    ...{ width: 4, height: 4, z: at, shadow },
  }));
  const json = partialDrawing(objects);
  await attacker.send(EVENTS.update, { json, clientId: "attacker0000" });
  await drawLines(ann, [150]);
  await sendMark(attacker, ann);
  await expectLines(ann, [150]);
  await drawLines(ann, [200]);
  await expectLines(ann, [150, 200]);
  // The number of painted ones is counted where that is possible, in the canvas (e2e/canvas/costly.spec.ts).
  const blur = async (): Promise<number> => (await countsOf(ann.page)).blur;
  await expect.poll(blur).toBeGreaterThan(0);
  await switchTabs(ann);
  await expect(ann.saving).toHaveText("Saved", { timeout: 40_000 });
  expect(await objectsOf(product)).toBeGreaterThan(1_000);
  expect(await blur()).toBeLessThanOrEqual(MAX_BLUR);
  await attacker.leave();
});

test("MRG-17 a row of 3 MB is opened in slices between which the page paints", async ({
  product,
  visit,
}) => {
  test.slow();
  // All of them lie outside the window: they are read and merged, not painted.
  const objects = Array.from({ length: 20_000 }, (_, at) => ({
    ...{ type: "Rect", id: `many-${at}`, originX: "left", originY: "top", strokeWidth: 0 },
    ...{ left: 5_000 + (at % 1_200), top: 300 + (at % 300), width: 4, height: 4, z: at },
    ...{ fill: "#0000ff", stroke: null, angle: (at % 7) / 10 },
  }));
  expect(JSON.stringify(objects).length).toBeGreaterThan(3_000_000);
  await product.seed({ ...EMPTY, objects, inkpool: { format: 1, seen: {} } });
  const ann = await visit({ unready: true, prepare: countWork });
  await expect(ann.saving).toHaveText("Saved", { timeout: 90_000 });
  const { pauses, frames } = await countsOf(ann.page);
  // There are 500 objects in a slice, once for reading, once for checking, once for merging.
  expect(pauses).toBeGreaterThan((3 * objects.length) / 500);
  expect(frames).toBeGreaterThan(10);
});
