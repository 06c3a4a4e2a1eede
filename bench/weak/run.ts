/**
 * Measures the page on a weak device, a telephone with a CPU 6 times as slow, beside a bare canvas (floor): when it
 * is ready, the fate of a stroke that begins in that moment, how long the page is busy afterwards, and the cost of a
 * stroke and its end once it is idle; and the time to paint all strokes of the board once, with nothing around it.
 * Needs a built product. With `--peers` Excalidraw and tldraw stand beside it; they must be installed (npm run bench
 * does it).
 *
 * npx tsx bench/weak/run.ts [--sizes 3000,10000] [--rounds 1] [--throttle 6] [--peers] [--skip-build]
 */

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { CDPSession, Page } from "@playwright/test";
import { median, table } from "../../lab/measuring/figures.ts";
import { startProduct } from "../../lab/measuring/product.ts";
import {
  boards,
  isSaved,
  launch,
  makeBoards,
  mouseOf,
  saveBoard,
  serve,
  settle,
} from "../canvas/session.ts";

const { values: options } = parseArgs({
  options: {
    sizes: { type: "string", default: "3000,10000" },
    rounds: { type: "string", default: "1" },
    throttle: { type: "string", default: "6" },
    peers: { type: "boolean", default: false },
    "skip-build": { type: "boolean", default: false },
  },
});

const VIEWPORT = { width: 390, height: 800 };
/** Moves of a stroke, which takes a second. */
const MOVES = 60;
const BUSY = "busy after that stroke, ms";
const PAINTING = "painting every stroke once, ms";
/** The number of pen-ups, of which the median counts. */
const STROKES = 5;

type Figures = Record<string, number>;

/**
 * Returns the milliseconds for which the main thread was in tasks, by the clock, with the addition of the throttle: other
 * work on the machine counts. `ThreadTime` would be CPU time, but the throttle spends that while nothing is to be done,
 * too, so that no page would ever be idle.
 */
async function busyTime(session: CDPSession): Promise<number> {
  const { metrics } = await session.send("Performance.getMetrics");
  return 1000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN);
}

/** Waits until the main thread has had nothing to do for a second; returns how long it was busy. */
async function untilIdle(page: Page, session: CDPSession): Promise<number> {
  const before = await busyTime(session);
  let last = before;
  for (let quiet = 0; quiet < 4;) {
    await page.waitForTimeout(250);
    const now = await busyTime(session);
    quiet = now - last < 25 ? quiet + 1 : 0;
    last = now;
  }
  return last - before;
}

/** Draws for a second. Scripts are text: a compiler would give functions inside functions names that the page does not know. */
async function stroke(page: Page, session: CDPSession, y: number) {
  await page.evaluate(`{
    window.drawn = { frames: 0, moves: 0, on: true };
    if (!window.counts) addEventListener("pointermove", (event) => {
      window.drawn.moves += Math.max(1, event.getCoalescedEvents().length);
    }, true);
    window.counts = true;
    window.countFrame = () => {
      if (!window.drawn.on) return;
      window.drawn.frames++;
      requestAnimationFrame(window.countFrame);
    };
    requestAnimationFrame(window.countFrame);
  }`);
  const mouse = mouseOf(session);
  const start = performance.now();
  const sent: Promise<unknown>[] = [mouse.down(60, y)];
  for (let step = 1; step <= MOVES; step++) {
    const wait = start + (step * 1000) / MOVES - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    sent.push(mouse.move(60 + 4 * step, y + 30 * Math.sin(step / 6)));
  }
  const drawn = await page.evaluate<{ frames: number; moves: number }>(
    `(window.drawn.on = false, window.drawn)`,
  );
  await Promise.all(sent);
  const before = await busyTime(session);
  await mouse.up(60 + 4 * MOVES, y);
  await settle(page);
  return { ...drawn, up: (await busyTime(session)) - before };
}

/**
 * Returns the milliseconds that it takes to paint every stroke of the board onto a canvas of this page, once
 * and in one go.
 */
async function paintingTime(page: Page, session: CDPSession, size: number): Promise<number> {
  await page.evaluate(`fetch("/board.json?n=${size}").then((answer) => answer.json())
    .then(({ objects }) => { window.strokes = objects; })`);
  await untilIdle(page, session);
  const before = await busyTime(session);
  await page.evaluate(`{
    const context = document.querySelector("canvas").getContext("2d");
    for (const { path, stroke } of window.strokes) {
      context.strokeStyle = stroke;
      context.stroke(new Path2D(path));
    }
    document.createElement("canvas").getContext("2d").drawImage(context.canvas, 0, 0, 1, 1, 0, 0, 1, 1);
  }`);
  await settle(page);
  return (await busyTime(session)) - before;
}

/** Measures a page. `size`: the strokes of a bare canvas, which are painted once more at the end. */
async function measure(
  url: string,
  isReady: (page: Page) => Promise<unknown>,
  size?: number,
): Promise<Figures> {
  const browser = await launch();
  try {
    const context = await browser.newContext({ viewport: VIEWPORT, deviceScaleFactor: 2 });
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send("Performance.enable");
    await session.send("Emulation.setCPUThrottlingRate", { rate: Number(options.throttle) });
    const start = performance.now();
    await page.goto(url);
    await isReady(page);
    const ready = performance.now() - start;
    const atReady = await stroke(page, session, 300);
    const busy = await untilIdle(page, session);
    const whenIdle = [];
    for (let i = 0; i < STROKES; i++) {
      const drawn = await stroke(page, session, 340 + 40 * i);
      whenIdle.push({ ...drawn, rest: await untilIdle(page, session) });
    }
    return {
      "ready, ms": ready,
      "frames in 1 s of a stroke begun at ready": atReady.frames,
      [`moves of it delivered, of ${MOVES}`]: atReady.moves,
      "first pointer up until painted, ms": atReady.up,
      [BUSY]: busy,
      "frames in 1 s of a stroke on the idle page": median(whenIdle.map(({ frames }) => frames)),
      "pointer up until painted, ms": median(whenIdle.map(({ up }) => up)),
      "what waits until it is painted, ms": median(whenIdle.map(({ rest }) => rest)),
      [PAINTING]: size === undefined ? Number.NaN : await paintingTime(page, session, size),
    };
  } finally {
    await browser.close();
  }
}

async function measureProduct(size: number): Promise<Figures> {
  const folder = mkdtempSync(join(tmpdir(), "inkpool-weak-"));
  const product = await startProduct(join(folder, "data"), { TABLE_RATE_LIMIT: "0" });
  try {
    const { supabaseAnonKey: apikey } = await (await fetch(`${product.url}/config.json`)).json();
    await saveBoard(product.url, apikey, size);
    return await measure(product.url, isSaved);
  } finally {
    await product.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const PEERS: readonly string[] = options.peers ? ["excalidraw", "tldraw"] : [];

const configs = [
  "bench/canvas/vite.config.ts",
  ...(options.peers ? ["bench/peers/vite.config.ts"] : []),
];
for (const config of options["skip-build"] ? [] : configs)
  execFileSync("npx", ["vite", "build", "--config", config], {
    cwd: fileURLToPath(new URL("../..", import.meta.url)),
    stdio: "ignore",
  });
const server = await serve();
const sizes = options.sizes.split(",").map(Number);
await makeBoards(server.origin, sizes);
/** Measures a canvas that is a page of its own. */
function measurePage(name: string, size: number): Promise<Figures> {
  const { width, height } = VIEWPORT;
  const url = `${server.origin}/${name}.html?n=${size}&width=${width}&height=${height}`;
  return measure(
    url,
    (page) =>
      page.waitForFunction(() => window.results?.readyAt > 0, undefined, { timeout: 120_000 }),
    name === "floor" ? size : undefined,
  );
}

for (const size of sizes) {
  const subjects = ["floor", "Inkpool", ...PEERS];
  const figures = new Map<string, Figures[]>(subjects.map((name) => [name, []]));
  for (let round = 0; round < Number(options.rounds); round++) {
    console.error(`round ${round + 1}: ${size} strokes`);
    for (const [name, list] of figures)
      list.push(await (name === "Inkpool" ? measureProduct(size) : measurePage(name, size)));
  }
  const rows = Object.keys(figures.get("Inkpool")?.[0] ?? {}).map((what) => [
    what,
    ...[...figures.values()].map((list) =>
      median(list.map((one) => one[what] as number))
        .toFixed(0)
        .replace("NaN", "-"),
    ),
  ]);
  const medianOf = (name: string, what: string) =>
    median((figures.get(name) ?? []).map((one) => one[what] as number));
  const ratio = medianOf("Inkpool", BUSY) / medianOf("floor", PAINTING);
  rows.push([
    "busy after that stroke / painting (goal 2)",
    ...subjects.map((name) => (name === "Inkpool" ? ratio.toFixed(2) : "-")),
  ]);
  console.log(
    `${size.toLocaleString("en")} strokes of ${boards.get(String(size))?.length} points:\n`,
  );
  console.log(`${table(["", ...subjects], rows)}\n`);
}
server.close();
