/**
 * Measures the whole page, with its board, its channel and its server, beside a bare canvas (floor) that shows the
 * same strokes: the cost of a peer's stroke, of a released pointer and of a pan for the browser. Needs a built
 * product.
 *
 * npx tsx bench/page/run.ts [--sizes 1000,10000] [--rounds 3] [--throttle 1] [--skip-build]
 */

import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Browser, CDPSession, Page } from "@playwright/test";
import { WebSocketServer } from "ws";
import type { BoardObject, NewObject } from "../../board/drawing.ts";
import { digits, median, table } from "../../lab/measuring/figures.ts";
import { startProduct } from "../../lab/measuring/product.ts";
import { ROOT } from "../../scripts/root.mjs";
import {
  boards,
  cpu,
  isSaved,
  launch,
  makeBoards,
  mouseOf,
  saveBoard,
  serve,
  settle,
} from "../canvas/session.ts";
import { importBundled } from "../bundle.ts";

const { values: options } = parseArgs({
  options: {
    sizes: { type: "string", default: "1000,10000" },
    rounds: { type: "string", default: "3" },
    throttle: { type: "string", default: "1" },
    "skip-build": { type: "boolean", default: false },
  },
});

const VIEWPORT = { width: 1280, height: 720 };
/** The height of the page's header, which the canvas does not cover. */
const HEADER = 80;
/** The number of operations of each kind, of which the median counts. */
const STROKES = 12;
/** The number of operations before them, whose code has not run before. */
const WARM_UP = 3;
/** The number of steps of a pan, in a second. */
const STEPS = 60;
/** Milliseconds in which the work of a stroke is over, except for the save; peers send one message in a second. */
const WINDOW = 600;
/** Milliseconds in which everything is saved, and everything that waits for a quiet page is done. */
const QUIET = 12_000;

const MAIN = "main thread, ms";
const ALL = "all processes, ms";

/** The measurement of one subject. */
interface Subject {
  readonly url: string;
  readonly isReady: (page: Page) => Promise<unknown>;
  /** Sends a peer's stroke to the page. */
  readonly sendStroke: (index: number) => void;
}

type Figures = Map<string, number>;

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Returns the milliseconds of CPU of all processes of the browser while `work` runs. */
async function cpuOfAll(browser: Browser, work: () => Promise<unknown>): Promise<number> {
  const session = await browser.newBrowserCDPSession();
  const read = async () => {
    const { processInfo } = await session.send("SystemInfo.getProcessInfo");
    return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime * 1000, 0);
  };
  const before = await read();
  await work();
  const spent = (await read()) - before;
  await session.detach();
  return spent;
}

/** Returns the median cost of `operate` for the main thread. */
async function each(session: CDPSession, operate: (index: number) => Promise<unknown>) {
  const times = [];
  for (let i = 0; i < WARM_UP + STROKES; i++) times.push(await cpu(session, () => operate(i)));
  return median(times.slice(WARM_UP));
}

async function measure({ url, isReady, sendStroke }: Subject): Promise<Figures> {
  const browser = await launch();
  try {
    const page = await browser.newPage({ viewport: VIEWPORT });
    const session = await page.context().newCDPSession(page);
    await session.send("Performance.enable");
    await session.send("Emulation.setCPUThrottlingRate", { rate: Number(options.throttle) });
    await page.goto(url);
    await isReady(page);
    const mouse = mouseOf(session);
    const figures: Figures = new Map();
    const pan = await panned(browser, page, session);
    for (const [name, value] of Object.entries(pan)) figures.set(`a step of a pan, ${name}`, value);

    const draw = async (i: number) => {
      const x = 200 + 30 * i;
      await mouse.move(x, 300);
      await mouse.down(x, 300);
      for (let k = 1; k <= 40; k++) await mouse.move(x + 8 * k, 300 + 60 * Math.sin(k / 3 + i));
      await settle(page);
    };
    const painted: number[] = [];
    for (let i = 0; i < WARM_UP + STROKES; i++) {
      await draw(i);
      const up = async () => {
        await mouse.up(520 + 30 * i, 300);
        await settle(page);
      };
      painted.push(await cpu(session, up));
      await wait(WINDOW);
    }
    figures.set(`pointer up until painted, ${MAIN}`, median(painted.slice(WARM_UP)));
    await wait(QUIET);
    const ups = await each(session, async (i) => {
      await draw(i);
      await mouse.up(520 + 30 * i, 300);
      await wait(WINDOW);
    });
    figures.set(`a stroke of 40 moves and what follows it, ${MAIN}`, ups);
    await wait(QUIET);
    const remote = async (i: number) => {
      sendStroke(i);
      await wait(2 * WINDOW);
    };
    figures.set(`a peer's stroke, ${MAIN}`, await each(session, remote));
    return figures;
  } finally {
    await browser.close();
  }
}

/** Turns a wheel over the board: 30 steps to one side and 30 back, once to warm up. */
async function panned(browser: Browser, page: Page, session: CDPSession) {
  const roll = async () => {
    const start = performance.now();
    const sent = [];
    for (let step = 0; step < STEPS; step++) {
      const next = start + (step * 1000) / STEPS - performance.now();
      if (next > 0) await wait(next);
      const delta = { deltaX: step < STEPS / 2 ? 12 : -12, deltaY: step < STEPS / 2 ? 4 : -4 };
      sent.push(
        session.send("Input.dispatchMouseEvent", { type: "mouseWheel", x: 640, y: 360, ...delta }),
      );
    }
    await Promise.all(sent);
    await settle(page);
  };
  await page.mouse.move(640, 360);
  await wait(QUIET);
  await roll();
  await wait(2_000);
  let main = Number.NaN;
  const all = await cpuOfAll(browser, async () => {
    main = await cpu(session, roll);
  });
  await wait(2_000);
  return { [MAIN]: main / STEPS, [ALL]: all / STEPS };
}

/** Returns a stroke of the board of this size, some pixels lower. */
function strokeOf(size: number, index: number): NewObject {
  const { objects } = JSON.parse(boards.get(String(size))?.drawing ?? "") as {
    objects: readonly BoardObject[];
  };
  const object = objects.at(3);
  if (object === undefined) throw new Error(`the board of ${size} has no strokes`);
  const { id: _id, z: _z, ...rest } = object;
  return { ...rest, top: Number(object["top"] ?? 0) + index } as NewObject;
}

/** Measures a bare canvas, which a peer's stroke reaches as a message of a socket. */
async function measureFloor(origin: string, size: number, page: string): Promise<Figures> {
  const sockets = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await once(sockets, "listening");
  const { port } = sockets.address() as { port: number };
  try {
    return await measure({
      url: `${origin}/${page}.html?n=${size}&height=${VIEWPORT.height - HEADER}`,
      async isReady(shown) {
        await shown.waitForFunction(() => window.results?.readyAt > 0, undefined, {
          timeout: 120_000,
        });
        await shown.evaluate(
          (to) =>
            new Promise((resolve) => {
              const opened = new WebSocket(`ws://127.0.0.1:${to}`);
              opened.onopen = resolve;
              opened.onmessage = ({ data }) => window.subject.remote(JSON.parse(String(data)));
            }),
          port,
        );
      },
      sendStroke(index) {
        for (const socket of sockets.clients) socket.send(JSON.stringify(strokeOf(size, index)));
      },
    });
  } finally {
    sockets.close();
  }
}

async function measureProduct(size: number): Promise<Figures> {
  const folder = mkdtempSync(join(tmpdir(), "inkpool-page-"));
  const product = await startProduct(join(folder, "data"), { TABLE_RATE_LIMIT: "0" });
  try {
    const { supabaseAnonKey: apikey } = await (await fetch(`${product.url}/config.json`)).json();
    await saveBoard(product.url, apikey, size);
    const peer = openPerson(product.url, apikey);
    await peer.start();
    try {
      return await measure({
        url: product.url,
        isReady: isSaved,
        sendStroke: (index) => void peer.editor.add([strokeOf(size, index)]),
      });
    } finally {
      await peer.dispose();
    }
  } finally {
    await product.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

if (!options["skip-build"])
  execFileSync("npx", ["vite", "build", "--config", "bench/canvas/vite.config.ts"], {
    cwd: ROOT,
    stdio: "ignore",
  });
const { openPerson } =
  await importBundled<typeof import("../saves/client.ts")>("bench/saves/client.ts");
const server = await serve();
const sizes = options.sizes.split(",").map(Number);
await makeBoards(server.origin, sizes);
for (const size of sizes) {
  const rounds: Record<string, Figures[]> = { floor: [], "floor of a view": [], Inkpool: [] };
  for (let round = 0; round < Number(options.rounds); round++) {
    console.error(`round ${round + 1}: ${size} strokes`);
    rounds["floor"]?.push(await measureFloor(server.origin, size, "floor"));
    rounds["floor of a view"]?.push(await measureFloor(server.origin, size, "floor-view"));
    rounds["Inkpool"]?.push(await measureProduct(size));
  }
  const figure = (subject: string, what: string) =>
    median((rounds[subject] ?? []).map((one) => one.get(what) ?? Number.NaN));
  const rows = [...(rounds["Inkpool"]?.[0]?.keys() ?? [])].map((what) => {
    const floor = figure(what.includes("pan") ? "floor of a view" : "floor", what);
    const ours = figure("Inkpool", what);
    return [what, digits(floor), digits(ours), digits(ours / floor)];
  });
  console.log(`${size.toLocaleString("en")} strokes:\n`);
  console.log(`${table(["", "floor", "Inkpool", "Inkpool / floor"], rows)}\n`);
}
server.close();
