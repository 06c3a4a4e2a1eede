/**
 * Measures how far ink stays behind the pointer: a bare canvas (floor), the product's canvas and the peers, in turns
 * in one run. The mouse moves at 1,000 px/s, 110 events in a second, each with the time of its making, and a
 * screencast shows in each frame where the ink ends. A move is shown in the first frame whose ink reaches it. The
 * peers must be installed (npm run bench does it).
 *
 * npx tsx bench/latency/run.ts [--sizes 0,10000] [--throttles 1,4] [--strokes 3] [--subjects floor,ours,excalidraw,tldraw]
 *   [--skip-build]
 */

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Browser, CDPSession } from "@playwright/test";
import { table } from "../../lab/measuring/figures.ts";
import { launch, makeBoards, serve } from "../canvas/session.ts";

const { values: options } = parseArgs({
  options: {
    sizes: { type: "string", default: "0,10000" },
    throttles: { type: "string", default: "1,4" },
    strokes: { type: "string", default: "3" },
    subjects: { type: "string", default: "floor,ours,excalidraw,tldraw" },
    "skip-build": { type: "boolean", default: false },
  },
});

const root = fileURLToPath(new URL("../..", import.meta.url));
/** Events in a second, pixels in a second, and the beginning and end of a stroke. */
const [RATE, SPEED, LEFT, RIGHT] = [110, 1000, 120, 1120];
/** Milliseconds at the beginning of a stroke that do not count. */
const WARM_UP = 150;
/** Pixels at which the ink has reached a move: no more than a pixel of a soft edge. */
const NEAR = 2;
/** The greatest value of a channel of dark ink. */
const DARK = 100;
/** The least value of a pixel on which ink is searched for. */
const LIGHT = 170;

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}

interface Move {
  /** The time in milliseconds since 1970. */
  readonly time: number;
  readonly x: number;
}

interface Figures {
  /** Milliseconds from each move to the frame that shows it; 0 for a predicted one. */
  readonly latencies: number[];
  /** Pixels from the newest move to the end of the ink, for each frame. */
  readonly behind: number[];
}

/** Draws a line and returns its moves. Nothing is awaited between them: the browser answers when the page has handled one. */
async function drawLine(session: CDPSession, y: number): Promise<Move[]> {
  const sent: Promise<unknown>[] = [];
  const send = (type: "mouseMoved" | "mousePressed" | "mouseReleased", x: number, buttons = 1) => {
    const time = Date.now();
    const button: "none" | "left" = buttons === 0 && type === "mouseMoved" ? "none" : "left";
    const clickCount = type === "mouseMoved" ? 0 : 1;
    const event = {
      ...{ type, x, y, buttons, button, clickCount },
      timestamp: time / 1000,
    } as const;
    sent.push(session.send("Input.dispatchMouseEvent", event));
    return { time, x };
  };
  send("mouseMoved", LEFT, 0);
  send("mousePressed", LEFT);
  const moves: Move[] = [];
  const start = performance.now();
  for (let step = 1; step <= ((RIGHT - LEFT) / SPEED) * RATE; step++) {
    const wait = start + (step * 1000) / RATE - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    // This is the present position of the pointer, also when this process was late.
    const x = LEFT + (SPEED * (performance.now() - start)) / 1000;
    if (x > RIGHT) break;
    moves.push(send("mouseMoved", x));
  }
  send("mouseReleased", moves.at(-1)?.x ?? LEFT, 0);
  await Promise.all(sent);
  return moves;
}

interface Shot {
  /** The time in milliseconds since 1970. */
  readonly time: number;
  readonly data: string;
}

/** Films the page while `work` runs, and takes a picture before. */
async function film(session: CDPSession, work: () => Promise<unknown>): Promise<Shot[]> {
  const look = { format: "jpeg", quality: 85 } as const;
  const { data: before } = await session.send("Page.captureScreenshot", look);
  const shots: Shot[] = [{ time: 0, data: before }];
  const take = (shot: { data: string; sessionId: number; metadata: { timestamp?: number } }) => {
    void session.send("Page.screencastFrameAck", { sessionId: shot.sessionId }).catch(() => {});
    shots.push({ time: 1000 * (shot.metadata.timestamp ?? Number.NaN), data: shot.data });
  };
  session.on("Page.screencastFrame", take);
  await session.send("Page.startScreencast", { ...look, everyNthFrame: 1 });
  await work();
  await session.send("Page.stopScreencast");
  session.off("Page.screencastFrame", take);
  return shots;
}

/**
 * Returns the end of the dark ink of a line at `y` in each shot but the first, which is without it, in pixels; NaN
 * where there is none.
 */
async function inkEnds(browser: Browser, shots: readonly Shot[], y: number): Promise<number[]> {
  const page = await browser.newPage();
  // It is a text: a compiler would give functions inside functions names that the page does not know.
  await page.evaluate(`window.bare = {};
  window.inkEnd = async (data, isBare) => {
    const image = new Image();
    image.src = "data:image/jpeg;base64," + data;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.width, 7];
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, ${3 - y});
    const pixels = context.getImageData(0, 0, canvas.width, 7).data;
    for (let x = canvas.width - 1; x >= 0; x--)
      for (let row = 0; row < 7; row++) {
        const at = 4 * (row * canvas.width + x);
        const value = Math.max(pixels[at], pixels[at + 1], pixels[at + 2]);
        if (isBare) bare[at] = value;
        else if (value < ${DARK} && bare[at] > ${LIGHT}) return x;
      }
    return NaN;
  }`);
  const ends: number[] = [];
  for (const [at, { data }] of shots.entries()) {
    const end = await page.evaluate(`inkEnd(${JSON.stringify(data)}, ${at === 0})`);
    ends.push(typeof end === "number" ? end : Number.NaN);
  }
  await page.close();
  return ends;
}

/** Adds the results of a line's shots: when its ink reached each move, and how far behind the newest one it ended. */
function read(
  moves: readonly Move[],
  shots: readonly Shot[],
  ends: readonly number[],
  into: Figures,
) {
  const [first, last] = [moves[0], moves.at(-1)];
  if (!first || !last) return;
  for (const { time, x } of moves) {
    const shown = shots.findIndex((_, at) => (ends[at] ?? Number.NaN) >= x - NEAR);
    if (shown >= 0 && time >= first.time + WARM_UP)
      into.latencies.push(Math.max(0, (shots[shown]?.time ?? Number.NaN) - time));
  }
  for (const [at, { time }] of shots.entries()) {
    const end = ends[at] ?? Number.NaN;
    if (time < first.time + WARM_UP || time > last.time || Number.isNaN(end)) continue;
    const newest = moves.findLast((move) => move.time <= time);
    if (newest) into.behind.push(newest.x - end);
  }
}

async function measure(
  origin: string,
  subject: string,
  size: number,
  throttles: readonly number[],
) {
  const browser = await launch();
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 480 } });
    const session = await page.context().newCDPSession(page);
    await page.goto(`${origin}/${subject}.html?n=${size}`);
    await page.waitForFunction(() => window.results?.readyAt > 0, undefined, { timeout: 120_000 });
    await page.waitForTimeout(1_500);
    const found = new Map<number, Figures>();
    let y = 130;
    for (const rate of throttles) {
      await session.send("Emulation.setCPUThrottlingRate", { rate });
      const figures: Figures = { latencies: [], behind: [] };
      for (let stroke = 0; stroke < Number(options.strokes); stroke++) {
        let moves: Move[] = [];
        const shots = await film(session, async () => {
          moves = await drawLine(session, (y += 20));
          await page.waitForTimeout(500);
        });
        read(moves, shots, await inkEnds(browser, shots, y), figures);
      }
      found.set(rate, figures);
    }
    return found;
  } finally {
    await browser.close();
  }
}

if (!options["skip-build"])
  for (const config of ["bench/canvas/vite.config.ts", "bench/peers/vite.config.ts"])
    execFileSync("npx", ["vite", "build", "--config", config], { cwd: root, stdio: "ignore" });
const [sizes, throttles] = [options.sizes, options.throttles].map((list) =>
  list.split(",").map(Number),
) as [number[], number[]];
const subjects = options.subjects.split(",");
const server = await serve();
await makeBoards(server.origin, sizes);
const rows: string[][] = [];
for (const size of sizes) {
  const bySubject = new Map<string, Map<number, Figures>>();
  for (const subject of subjects) {
    console.error(`${subject}, ${size} strokes`);
    bySubject.set(subject, await measure(server.origin, subject, size, throttles));
  }
  for (const rate of throttles)
    rows.push([
      `${size.toLocaleString("en")}, ${rate}x`,
      ...subjects.map((subject) => {
        const { latencies = [], behind = [] } = bySubject.get(subject)?.get(rate) ?? {};
        const [middle, high] = [0.5, 0.95].map((share) => percentile(latencies, share).toFixed(1));
        const [near, far] = [0.5, 0.95].map((share) => percentile(behind, share).toFixed(0));
        return `${middle}, ${high} ms; ${near}, ${far} px`;
      }),
    ]);
}
server.close();
const names = subjects.map((name) => ({ ours: "Inkpool" })[name] ?? name);
console.log(table(["strokes, throttle", ...names], rows));
