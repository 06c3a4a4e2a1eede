/**
 * Compares pan and zoom with a page that draws one prepared picture under the new transform (floor), and with the
 * peers, in turns in one run: 60 wheel steps in a second. The main thread's time is CPU time until everything is
 * quiet again; frames are wall time. The peers must be installed (npm run bench does it).
 *
 * npx tsx bench/view/run.ts [--rounds 3] [--sizes 1000,10000] [--gestures "pan,zoom out"] [--peers] [--throttle 4]
 *   [--skip-build]
 *
 * With `--gestures` only these are measured, and drawing is not.
 */

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Browser, CDPSession, Page } from "@playwright/test";
import {
  cpu,
  launch,
  makeBoards,
  median,
  memory,
  mouseOf,
  serve,
  settle,
} from "../canvas/session.ts";

const PEERS = ["excalidraw", "tldraw"];
const STROKES = 12;
const STEPS = 60;
const STEP_TIME = 1000 / STEPS;
/** Milliseconds after the last step in which every subject must have become quiet. */
const QUIET = { usual: 2_000, peers: 8_000 };

const { values: options } = parseArgs({
  options: {
    rounds: { type: "string", default: "3" },
    sizes: { type: "string", default: "1000,10000" },
    gestures: { type: "string" },
    throttle: { type: "string", default: "1" },
    peers: { type: "boolean", default: false },
    "skip-build": { type: "boolean", default: false },
  },
});

type Gesture = (step: number) => { deltaX: number; deltaY: number; modifiers: number };

/** The measurements by label. */
type Row = Record<string, number>;

declare global {
  interface Window {
    /** Milliseconds between two frames. */
    gaps: number[];
    watching: boolean;
  }
}

/**
 * The gestures of the wheel: to the side and back, to 30 % and back, so that all of the board stays in view for most
 * of the time, and to 30 %. The last one ends where the page has not been before.
 */
const GESTURES: Readonly<Record<string, Gesture>> = {
  pan: (step) => ({ deltaX: step < STEPS / 2 ? 12 : -12, deltaY: 4, modifiers: 0 }),
  "zoom out and in": (step) => ({ deltaX: 0, deltaY: step < STEPS / 2 ? 4 : -4, modifiers: 2 }),
  "zoom out": () => ({ deltaX: 0, deltaY: 2, modifiers: 2 }),
};
/** The zooms at which strokes are drawn and memory is measured; the peers are not asked for it. */
const ZOOMS = [0.1, 8];

async function measure(origin: string, subject: string, size: number): Promise<Row> {
  const browser = await launch();
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    const session = await page.context().newCDPSession(page);
    await session.send("Performance.enable");
    await page.goto(`${origin}/${subject}.html?n=${size}`);
    await page.waitForFunction(() => window.results?.readyAt > 0, undefined, { timeout: 120_000 });
    await page.waitForTimeout(1_500);
    await session.send("Emulation.setCPUThrottlingRate", { rate: Number(options.throttle) });
    const row: Row = {};
    for (const [name, gesture] of Object.entries(GESTURES)) {
      if (options.gestures && !options.gestures.split(",").includes(name)) continue;
      await page.waitForTimeout(500);
      const one = await perform(page, session, gesture, subject);
      for (const [key, value] of Object.entries(one)) row[`${name} ${key}`] = value;
    }
    row["memory, MB"] = await memory(browser, page, session);
    if (!options.gestures && !PEERS.includes(subject))
      Object.assign(row, await measureDrawing(browser, page, session));
    return row;
  } finally {
    await browser.close();
  }
}

/** Draws strokes of 40 moves at the ends of the zoom's range. */
async function measureDrawing(browser: Browser, page: Page, session: CDPSession): Promise<Row> {
  const row: Row = {};
  const mouse = mouseOf(session);
  for (const zoom of ZOOMS) {
    await page.evaluate(async (scale) => {
      window.subject.show?.({ x: 0, y: 0, zoom: scale });
      do await new Promise(requestAnimationFrame);
      while (window.subject.settled?.() === false);
    }, zoom);
    await page.waitForTimeout(500);
    const times = [];
    for (let i = 0; i < STROKES; i++) {
      const [x, y] = [200 + 30 * i, 200];
      await mouse.move(x, y);
      await mouse.down(x, y);
      const spent = await cpu(session, async () => {
        for (let k = 1; k <= 40; k++) await mouse.move(x + 8 * k, y + 60 * Math.sin(k / 3 + i));
      });
      times.push(spent / 40);
      await mouse.up(x + 320, y);
      await settle(page);
    }
    row[`drawing at ${zoom * 100} %, main thread per move, ms`] = median(times);
    row[`memory at ${zoom * 100} %, MB`] = await memory(browser, page, session);
  }
  return row;
}

async function perform(
  page: Page,
  session: CDPSession,
  gesture: Gesture,
  subject: string,
): Promise<Row> {
  await page.mouse.move(640, 360);
  await page.evaluate(() => {
    window.gaps = [];
    window.watching = true;
    // There is no named function: tsx marks those with a helper that the page does not have.
    void (async () => {
      let before = performance.now();
      do {
        await new Promise(requestAnimationFrame);
        const now = performance.now();
        window.gaps.push(now - before);
        before = now;
      } while (window.watching);
    })();
  });
  let sharp = Number.NaN;
  let steps = Number.NaN;
  const spent = await cpu(session, async () => {
    steps = await cpu(session, () => rollWheel(session, gesture));
    sharp = await page.evaluate(async () => {
      window.watching = false;
      const from = performance.now();
      const { settled } = window.subject;
      if (!settled) return Number.NaN;
      await new Promise(requestAnimationFrame);
      while (!settled()) await new Promise(requestAnimationFrame);
      return performance.now() - from;
    });
    await page.waitForTimeout(PEERS.includes(subject) ? QUIET.peers : QUIET.usual);
  });
  const gaps = (await page.evaluate(() => window.gaps)).toSorted((a, b) => a - b);
  return {
    "main thread, ms": spent,
    "main thread for a step, ms": steps / STEPS,
    "95th percentile of frames, ms": gaps[Math.floor(gaps.length * 0.95)] ?? Number.NaN,
    "worst frame, ms": gaps.at(-1) ?? Number.NaN,
    "frames shown": gaps.length,
    "sharp after, ms": sharp,
  };
}

async function rollWheel(session: CDPSession, gesture: Gesture) {
  const start = performance.now();
  const sent = [];
  for (let step = 0; step < STEPS; step++) {
    await new Promise((resolve) =>
      setTimeout(resolve, Math.max(0, start + step * STEP_TIME - performance.now())),
    );
    // It is not awaited: the browser answers when the page has handled it.
    sent.push(
      session.send("Input.dispatchMouseEvent", {
        ...{ type: "mouseWheel", x: 640, y: 360 },
        ...gesture(step),
      }),
    );
  }
  await Promise.all(sent);
}

if (!options["skip-build"]) {
  const configs = ["bench/canvas/vite.config.ts"];
  if (options.peers) configs.push("bench/peers/vite.config.ts");
  for (const config of configs)
    execFileSync("npx", ["vite", "build", "--config", config], {
      cwd: fileURLToPath(new URL("../..", import.meta.url)),
      stdio: "ignore",
    });
}
const sizes = options.sizes.split(",").map(Number);
const subjects = ["floor-view", "ours", ...(options.peers ? PEERS : [])];
const server = await serve();
const { origin } = server;
await makeBoards(origin, sizes);
const rows = new Map<string, Row[]>();
for (let round = 0; round < Number(options.rounds); round++)
  for (const subject of subjects)
    for (const size of sizes) {
      console.error(`round ${round + 1}: ${subject}, ${size} strokes`);
      const key = `${subject} ${size}`;
      rows.set(key, [...(rows.get(key) ?? []), await measure(origin, subject, size)]);
    }
for (const size of sizes) {
  const value = (subject: string, key: string) =>
    median((rows.get(`${subject} ${size}`) ?? []).map((row) => row[key] ?? Number.NaN));
  const keys = Object.keys(rows.get(`ours ${size}`)?.[0] ?? {});
  const number = (figure: number) =>
    Number.isNaN(figure) ? "-" : figure.toFixed(figure < 10 ? 2 : 0);
  const throttled = options.throttle === "1" ? "" : `, CPU ${options.throttle} times as slow`;
  console.log(`${size.toLocaleString("en")} strokes of 40 points${throttled}:\n`);
  console.log(
    `|  | ${subjects.join(" | ").replace("floor-view", "floor").replace("ours", "Inkpool")} | Inkpool / floor |`,
  );
  console.log(`| --- |${" ---: |".repeat(subjects.length + 1)}`);
  for (const key of keys) {
    const figures = subjects.map((subject) => number(value(subject, key)));
    const ratio = number(value("ours", key) / value("floor-view", key));
    console.log(`| ${key} | ${figures.join(" | ")} | ${ratio} |`);
  }
  console.log("");
}
server.close();
