/**
 * Records the strokes of `testing/fixtures/strokes`: 200 of each kind that code draws with noise, and as many as are
 * asked for over the mouse of Chromium, on the built product. A model of how hands move (`testing/strokes/motion.ts`)
 * moves that mouse, about 110 times in a second and by the clock; what is recorded is what the page receives. Half a
 * second of rest is at the end of each, as of whoever holds a stroke to have it become a shape. It takes some 15 minutes.
 *
 *   npx tsx bench/shapes/record.ts [--code 200] [--mouse 80] [--kinds line,arrow]
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Browser, CDPSession, Page } from "@playwright/test";
import { startProduct } from "../../lab/measuring/product.ts";
import { createRandom } from "../../testing/random/random.ts";
import { meantMotion } from "../../testing/strokes/intents.ts";
import { type RecordedStroke, writeStrokes } from "../../testing/strokes/recorded.ts";
import { type DrawnKind, drawnStroke, SHAPE_KINDS } from "../../testing/strokes/strokes.ts";
import { isSaved, launch, mouseOf } from "../canvas/session.ts";

const { values: options } = parseArgs({
  options: {
    code: { type: "string", default: "200" },
    mouse: { type: "string", default: "80" },
    kinds: { type: "string", default: [...SHAPE_KINDS, "scribble"].join() },
  },
});

const WINDOW = { width: 1440, height: 1200 };

/** Moves in a second. */
const RATE = 110;

/** Seconds that the pointer rests before the release. */
const REST = 0.55;

/** From 30 to 900 px, as often from 30 to 60 as from 450 to 900. */
function sizesOf(count: number, seed: number): number[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => Math.round(30 * 30 ** random.next()));
}

function drawnByCode(kind: DrawnKind): RecordedStroke[] {
  return sizesOf(Number(options.code), 1).map((size, seed) => ({
    origin: "code",
    points: drawnStroke(kind, 10_000 + seed, size),
  }));
}

/** Has the page note where and when its canvas gets a pointer: x, y, ms. As text: a compiler would add names to functions. */
const WATCH = `{
  window.strokes = [];
  const surface = document.querySelector("[role=application]");
  const note = (event) => {
    if (event.buttons !== 1 && event.type !== "pointerup") return;
    if (event.type === "pointerdown") window.strokes.push([]);
    const coalesced = event.type === "pointermove" ? event.getCoalescedEvents() : [];
    for (const one of coalesced.length > 0 ? coalesced : [event])
      window.strokes.at(-1).push([Math.round(one.clientX), Math.round(one.clientY), Math.round(one.timeStamp)]);
  };
  for (const type of ["pointerdown", "pointermove", "pointerup"])
    surface.addEventListener(type, note, true);
}`;

async function drawByMouse(
  session: CDPSession,
  kind: DrawnKind,
  seed: number,
  size: number,
): Promise<void> {
  const motion = meantMotion(kind, seed, size, WINDOW);
  const mouse = mouseOf(session);
  const rounded = (seconds: number) => {
    const { x, y } = motion.at(seconds);
    return [Math.round(x), Math.round(y)] as const;
  };
  await mouse.move(...rounded(0));
  const sent: Promise<unknown>[] = [mouse.down(...rounded(0))];
  const start = performance.now();
  let last = "";
  for (let step = 1; ; step++) {
    const wait = start + (step * 1000) / RATE - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    // Where the hand is by now, also when this process was late.
    const seconds = (performance.now() - start) / 1000;
    if (seconds > motion.seconds + REST) break;
    const to = rounded(seconds);
    // A mouse reports nothing while it is where it was.
    if (String(to) !== last) sent.push(mouse.move(...to));
    last = String(to);
  }
  const [x = 0, y = 0] = last.split(",").map(Number);
  sent.push(mouse.up(x, y));
  await Promise.all(sent);
}

function read(events: readonly (readonly number[])[]): RecordedStroke {
  const begin = events[0]?.[2] ?? 0;
  return {
    origin: "mouse",
    points: events.map(([x = 0, y = 0]) => ({ x, y })),
    times: events.map(([, , time = 0]) => time - begin),
  };
}

async function drawnByMouse(browser: Browser, url: string, kind: DrawnKind) {
  const context = await browser.newContext({ viewport: WINDOW });
  const page: Page = await context.newPage();
  await page.goto(url);
  await isSaved(page);
  await page.keyboard.press("d");
  await page.evaluate(WATCH);
  const session = await context.newCDPSession(page);
  for (const [seed, size] of sizesOf(Number(options.mouse), 2).entries())
    await drawByMouse(session, kind, seed, size);
  const strokes = await page.evaluate("window.strokes");
  await context.close();
  return (strokes as number[][][]).map(read);
}

const folder = mkdtempSync(join(tmpdir(), "inkpool-strokes-"));
const product = await startProduct(folder);
const browser = await launch();
try {
  for (const kind of options.kinds.split(",") as DrawnKind[]) {
    const byMouse = await drawnByMouse(browser, product.url, kind);
    const byCode = drawnByCode(kind);
    writeStrokes(kind, [...byCode, ...byMouse]);
    console.log(`${kind}: ${byCode.length} by code, ${byMouse.length} over the mouse`);
  }
} finally {
  await browser.close();
  await product.stop();
  rmSync(folder, { recursive: true });
}
