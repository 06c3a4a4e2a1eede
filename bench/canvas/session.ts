/**
 * The common parts of the benches that compare canvases: the pages' server, browsers, boards, and the measurement of
 * the main thread.
 */

import { chromium, type Browser, type CDPSession, type Page } from "@playwright/test";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { LIMITS } from "../../board/constants.ts";
import { BROWSER_ARGS, findBrowser } from "../../scripts/browser.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const built = [join(root, "dist/bench/canvas"), join(root, "bench/peers/dist")];
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
};

interface Board {
  /** The product's drawing, and the same strokes as bare points, both as JSON text. */
  readonly drawing: string;
  readonly strokes: string;
  /** Points of each stroke. */
  readonly length: number;
}

/** The boards by size. */
export const boards = new Map<string, Board>();

export function serve(): Promise<{ origin: string; close: () => unknown }> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    if (pathname === "/board.json" || pathname === "/strokes.json") {
      const board = boards.get(searchParams.get("n") ?? "");
      response.setHeader("content-type", "application/json");
      response.end(pathname === "/board.json" ? board?.drawing : board?.strokes);
      return;
    }
    Promise.any(built.map((folder) => readFile(join(folder, pathname)))).then(
      (body) => {
        response.setHeader("content-type", TYPES[extname(pathname)] ?? "application/octet-stream");
        response.end(body);
      },
      () => {
        response.statusCode = 404;
        response.end();
      },
    );
  });
  return new Promise((resolve) =>
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      resolve({ origin: `http://127.0.0.1:${port}`, close: () => server.close() });
    }),
  );
}

export async function launch() {
  const executablePath = await findBrowser();
  return chromium.launch({
    // tldraw asks a server of its makers for fonts and icons; no subject waits for a network.
    args: [...BROWSER_ARGS, "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"],
    ...(executablePath !== null && { executablePath }),
  });
}

/**
 * The numbers of points in a stroke, which are 4 pixels apart: fewer where the board would not fit into the row, from
 * 20,000 strokes on.
 */
const LENGTHS = [40, 20, 12, 8];

/** Makes the boards of these sizes. Throws where not even the shortest strokes fit into the row. */
export async function makeBoards(origin: string, sizes: readonly number[]): Promise<void> {
  const browser = await launch();
  const page = await browser.newPage();
  await page.goto(`${origin}/make.html`);
  for (const size of sizes) {
    for (const length of LENGTHS) {
      const board = await page.evaluate(([count, points]) => window.makeBoard(count, points), [
        size,
        length,
      ] as const);
      if (board.drawing.length > LIMITS.canvasBytes) continue;
      boards.set(String(size), { ...board, length });
      break;
    }
    if (!boards.has(String(size))) throw new Error(`${size} strokes do not fit into the row`);
  }
  await browser.close();
}

/** Makes the board of a size the row of a product. Throws when it is not saved. */
export async function saveBoard(url: string, apikey: string, size: number): Promise<void> {
  const answer = await fetch(`${url}/rest/v1/canvas_state`, {
    method: "POST",
    headers: { apikey, "content-type": "application/json" },
    body: `{"canvas_json":${boards.get(String(size))?.drawing}}`,
  });
  if (!answer.ok) throw new Error(`the board was not saved: ${answer.status}`);
}

/** Waits until the product's page says that the board is saved, when it is ready. */
export const isSaved = (page: Page) =>
  page.waitForFunction(
    () => /\bSaved\b/.test(document.querySelector("header")?.innerText ?? ""),
    undefined,
    { timeout: 120_000, polling: 50 },
  );

/** Returns the CPU milliseconds of the page's main thread while `work` runs. */
export async function cpu(session: CDPSession, work: () => Promise<unknown>): Promise<number> {
  const read = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    // `TaskDuration` is the time by the clock, in every time domain, and so contains what other work takes. Under a
    // throttle this contains what the throttle spends while the page is idle.
    const duration = metrics.find((metric) => metric.name === "ThreadTime")?.value;
    return (duration ?? Number.NaN) * 1000;
  };
  const before = await read();
  await work();
  return (await read()) - before;
}

export const settle = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 0)));
      }),
  );

/** Controls the mouse by the browser's own protocol: Playwright's adds work of its own to the page for each move. */
export function mouseOf(session: CDPSession) {
  let buttons = 0;
  const send = (type: "mouseMoved" | "mousePressed" | "mouseReleased", x: number, y: number) =>
    session.send("Input.dispatchMouseEvent", {
      ...{ type, x, y, buttons },
      button: type === "mouseMoved" && buttons === 0 ? "none" : "left",
      clickCount: type === "mouseMoved" ? 0 : 1,
    });
  return {
    move: (x: number, y: number) => send("mouseMoved", x, y),
    down(x: number, y: number) {
      buttons = 1;
      return send("mousePressed", x, y);
    },
    up(x: number, y: number) {
      buttons = 0;
      return send("mouseReleased", x, y);
    },
  };
}

/** Returns the private memory of the page's renderer process, in MB. */
export async function memory(browser: Browser, page: Page, session: CDPSession): Promise<number> {
  for (let i = 0; i < 2; i++) await session.send("HeapProfiler.collectGarbage");
  await page.waitForTimeout(500);
  const system = await browser.newBrowserCDPSession();
  const { processInfo } = await system.send("SystemInfo.getProcessInfo");
  let highest = 0;
  for (const { type, id } of processInfo) {
    if (type !== "renderer") continue;
    const text = await readFile(`/proc/${id}/smaps_rollup`, "utf8");
    const kilobytes = [...text.matchAll(/^Private_\w+:\s+(\d+) kB/gm)].reduce(
      (sum, match) => sum + Number(match[1]),
      0,
    );
    highest = Math.max(highest, kilobytes / 1024);
  }
  return highest;
}

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
