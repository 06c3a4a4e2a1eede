/**
 * Compares the canvas with a bare canvas (floor), with a quick Fabric page (naive) and with the peers, in
 * turns in one run. Main-thread times are CPU time (Performance.getMetrics, ThreadTime); read the ratios.
 * The peers must be installed (npm run bench does it).
 *
 * npx tsx bench/canvas/run.ts [--rounds 3] [--sizes 1000,10000] [--naive] [--peers] [--skip-build]
 */

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { BoardObject } from "../../board/drawing.ts";
import {
  boards,
  cpu,
  launch,
  makeBoards,
  median,
  memory,
  mouseOf,
  serve,
  settle,
} from "./session.ts";

declare global {
  interface Window {
    /** The object that remote strokes repeat. */
    sample: BoardObject;
  }
}

const root = fileURLToPath(new URL("../..", import.meta.url));
const PEERS = ["excalidraw", "tldraw"];
/** Operations of each kind in one round. */
const USUAL = { strokes: 12, remotes: 30, hovers: 300, drags: 300, framed: 8 };
/** The number of operations that take seconds each on a full board. */
const FEWER = { strokes: 3, remotes: 5, hovers: 60, drags: 30, framed: 2 };
const FEWEST = { strokes: 2, remotes: 1, hovers: 30, drags: 5, framed: 1 };
const FULL = 2_000;

function countsOf(subject: string, size: number) {
  if (subject === "floor" || subject === "ours") return USUAL;
  return size > FULL ? FEWEST : FEWER;
}

const { values: options } = parseArgs({
  options: {
    rounds: { type: "string", default: "3" },
    sizes: { type: "string", default: "1000,10000" },
    naive: { type: "boolean", default: false },
    peers: { type: "boolean", default: false },
    "skip-build": { type: "boolean", default: false },
  },
});

/** The results of a round, by the keys of LABELS. */
type Row = Partial<Record<keyof typeof LABELS, number>>;

async function measure(origin: string, subject: string, size: number): Promise<Row> {
  const browser = await launch();
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    const session = await page.context().newCDPSession(page);
    await session.send("Performance.enable");
    const mouse = mouseOf(session);
    const counts = countsOf(subject, size);
    await page.goto(`${origin}/${subject}.html?n=${size}`);
    await page.waitForFunction(() => window.results?.readyAt > 0, undefined, { timeout: 120_000 });
    const row: Row = { ready: await page.evaluate(() => window.results.readyAt) };
    row.memory = await memory(browser, page, session);

    const draw = async (i: number) => {
      const x = 200 + 30 * i;
      await mouse.move(x, 200);
      await mouse.down(x, 200);
      const spent = await cpu(session, async () => {
        for (let k = 1; k <= 40; k++) await mouse.move(x + 8 * k, 200 + 60 * Math.sin(k / 3 + i));
      });
      const up = await cpu(session, async () => {
        await mouse.up(x + 320, 200);
        await settle(page);
      });
      return { spent: spent / 40, up };
    };
    const drawn = [];
    for (let i = 0; i < counts.strokes; i++) drawn.push(await draw(i));
    row.move = median(drawn.map((one) => one.spent));
    row.up = median(drawn.map((one) => one.up));
    row.commit = median(await page.evaluate(() => window.results.commits));

    const object = objectOf(size, 3);
    await page.evaluate((one: unknown) => {
      window.sample = one as BoardObject;
    }, object as unknown);
    const remote = [];
    for (let i = 0; i < counts.remotes; i++)
      remote.push(
        await cpu(session, async () => {
          await page.evaluate(() => window.subject.remote(window.sample));
          await settle(page);
        }),
      );
    row.remote = median(remote);

    await page.evaluate(() => window.subject.choose("select"));
    await settle(page);
    row.hover =
      (await cpu(session, async () => {
        for (let i = 0; i < counts.hovers; i++)
          await mouse.move(100 + 3 * i, 360 + 200 * Math.sin(i / 9));
      })) / counts.hovers;

    const { path } = objectOf(size, -1);
    const [x = Number.NaN, y = Number.NaN] = (path as string).match(/-?[\d.]+/g)?.map(Number) ?? [];
    await mouse.move(x, y);
    await mouse.down(x, y);
    await mouse.move(x + 4, y + 4);
    await settle(page);
    row.drag =
      (await cpu(session, async () => {
        for (let i = 0; i < counts.drags; i++)
          await mouse.move(x + 4 * Math.sin(i) + i / 4, y + 4 * Math.cos(i));
      })) / counts.drags;
    await mouse.up(x, y);
    await settle(page);
    return row;
  } finally {
    await browser.close();
  }
}

/** Returns one of the strokes that all boards of this size have. */
function objectOf(size: number, at: number): BoardObject {
  const { objects } = JSON.parse(boards.get(String(size))?.drawing ?? "") as {
    objects: readonly BoardObject[];
  };
  const object = objects.at(at);
  if (object === undefined) throw new Error(`the board of ${size} has no object ${at}`);
  return object;
}

/** Returns the longest gap between frames while drawing, with a remote stroke every 500 ms. */
async function worstFrame(origin: string, subject: string, size: number) {
  const browser = await launch();
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    await page.goto(`${origin}/${subject}.html?n=${size}&frames`);
    await page.waitForFunction(() => window.results?.readyAt > 0, undefined, { timeout: 120_000 });
    await page.waitForTimeout(300);
    const object = objectOf(size, 3);
    await page.evaluate((one: unknown) => {
      window.results.worstFrame = 0;
      setInterval(() => window.subject.remote(one as BoardObject), 500);
    }, object as unknown);
    const mouse = mouseOf(await page.context().newCDPSession(page));
    for (let i = 0; i < countsOf(subject, size).framed; i++) {
      await mouse.move(200, 200);
      await mouse.down(200, 200);
      for (let k = 0; k < 30; k++) await mouse.move(200 + 12 * k, 300 + 80 * Math.sin(k / 4));
      await mouse.up(560, 300);
    }
    return await page.evaluate(() => window.results.worstFrame);
  } finally {
    await browser.close();
  }
}

const LABELS = {
  ready: "page ready with the board painted, ms",
  move: "drawing, main-thread ms per pointer move",
  up: "pointer up, main-thread ms",
  commit: "pointer up until painted, ms",
  remote: "a remote stroke, main-thread ms",
  drag: "dragging one object, main-thread ms per move",
  hover: "hovering, main-thread ms per move",
  frame: "worst frame while drawing under remote strokes, ms",
  memory: "renderer's private memory, MB",
};

const configs = ["bench/canvas/vite.config.ts"];
if (options.peers) configs.push("bench/peers/vite.config.ts");
if (!options["skip-build"])
  for (const config of configs)
    execFileSync("npx", ["vite", "build", "--config", config], { cwd: root, stdio: "ignore" });
const sizes = options.sizes.split(",").map(Number);
const subjects = ["floor", "ours"];
if (options.naive) subjects.push("naive");
if (options.peers) subjects.push(...PEERS);
const server = await serve();
const { origin } = server;
await makeBoards(origin, sizes);
/** The rows of each round, by size and by subject. The sizes take turns as well, since their growth is measured. */
const rows = new Map<string, Row[]>();
for (let round = 0; round < Number(options.rounds); round++)
  for (const subject of subjects)
    for (const size of sizes) {
      console.error(`round ${round + 1}: ${subject}, ${size} strokes`);
      const row = await measure(origin, subject, size);
      if (subject !== "naive" || size <= FULL) row.frame = await worstFrame(origin, subject, size);
      const key = `${subject} ${size}`;
      rows.set(key, [...(rows.get(key) ?? []), row]);
    }
const results: Record<number, Record<string, Record<string, number>>> = {};
for (const size of sizes) {
  const medians: Record<string, Record<string, number>> = {};
  results[size] = medians;
  console.log(`\n${size} strokes of 40 points, medians of ${options.rounds}`);
  for (const key of Object.keys(LABELS) as (keyof typeof LABELS)[]) {
    const values: Record<string, number> = {};
    for (const subject of subjects)
      values[subject] = median(
        (rows.get(`${subject} ${size}`) ?? []).map((row) => row[key] ?? Number.NaN),
      );
    medians[key] = values;
    const text = subjects.map((subject) => `${subject} ${values[subject]?.toFixed(2)}`).join("  ");
    const ratio = (values.ours ?? Number.NaN) / (values.floor ?? Number.NaN);
    console.log(`${LABELS[key]}: ${text}  ours/floor ${ratio.toFixed(2)}`);
  }
}
console.log(`\n${JSON.stringify(results)}`);
server.close();
