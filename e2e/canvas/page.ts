/** A page with nothing but the canvas on it, built once for all workers. */

import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { type Page, test as base } from "@playwright/test";
import { fingerprint } from "../../scripts/build/fingerprint.mjs";
import { withLock } from "../../scripts/build/lock.mjs";
import { ROOT } from "../../scripts/root.mjs";
import type {} from "../../testing/canvas-page/main.ts";
import { createTabs, ownSession, type Tabs } from "./tabs.ts";

interface File {
  readonly body: string;
  readonly contentType: string;
}

type Files = ReadonlyMap<string, File>;

const DIST = join(ROOT, "dist/testing/canvas-page");
const SOURCES = ["board", "testing", "web", "package-lock.json", "tsconfig.base.json"];

function typeOf(name: string): string {
  if (name.endsWith(".html")) return "text/html";
  return name.endsWith(".css") ? "text/css" : "text/javascript";
}

/** Builds the page unless it is fresh: a build costs as much as several tests, and each worker needs it. */
async function buildPage(): Promise<void> {
  const stamp = join(DIST, "stamp");
  const wanted = fingerprint(ROOT, SOURCES);
  await withLock(`${DIST}.lock`, async () => {
    if (existsSync(stamp) && (await readFile(stamp, "utf8")) === wanted) return;
    const { build } = await import("vite");
    const configFile = join(ROOT, "testing/canvas-page/vite.config.ts");
    await build({ configFile, logLevel: "error" });
    await writeFile(stamp, wanted);
  });
}

async function readPage(): Promise<Files> {
  await buildPage();
  const files = new Map<string, File>();
  for (const name of await readdir(DIST, { recursive: true }))
    if (/\.(?:css|html|js)$/.test(name))
      files.set(`/${name}`, {
        body: await readFile(join(DIST, name), "utf8"),
        contentType: typeOf(name),
      });
  // This is Fabric alone, as a plain client would load it.
  files.set("/fabric.js", {
    body: await readFile(join(ROOT, "node_modules/fabric/dist/index.min.js"), "utf8"),
    contentType: "text/javascript",
  });
  files.set("/plain.html", {
    body: '<!doctype html><title>Plain</title><canvas id="plain"></canvas><script src="fabric.js"></script>',
    contentType: "text/html",
  });
  return files;
}

/** Opens the page at a path, by default the canvas of 800 x 500. Fails the test on an error of the page. */
export type Open = (page: Page, path?: string) => Promise<void>;

interface Shared {
  /** The origin of the page: a secure context, as the product's; elsewhere the browser hides the points between two frames. */
  readonly origin: string;
  readonly tabs: Tabs;
}

interface Fixtures {
  /** Collects the errors of a page from now on, which fail the test. */
  readonly watch: (page: Page) => void;
  readonly open: Open;
  /** The width and height of `canvas`; 800 x 500 unless `test.use` sets it. */
  readonly size: readonly [width: number, height: number];
  /** The page with an empty canvas, and all of its code. */
  readonly canvas: Page;
}

export const test = base.extend<Fixtures, Shared>({
  origin: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures here
    async ({}, use) => {
      const files = await readPage();
      const server = createServer(({ url = "/" }, response) => {
        const file = files.get(new URL(url, "http://canvas.localhost").pathname);
        if (!file) return response.writeHead(404).end();
        // The browser retains the compiled code with what it caches.
        const headers = { "content-type": file.contentType, "cache-control": "max-age=3600" };
        return response.writeHead(200, headers).end(file.body);
      });
      await new Promise<void>((resolve) => {
        server.listen(0, "127.0.0.1", resolve);
      });
      await use(`http://canvas.localhost:${(server.address() as AddressInfo).port}`);
      server.closeAllConnections();
      server.close();
    },
    { scope: "worker" },
  ],
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures here
  tabs: [async ({}, use) => use(createTabs()), { scope: "worker" }],
  page: async (
    { tabs, browser, viewport, deviceScaleFactor, hasTouch, contextOptions },
    use,
    info,
  ) => {
    const options = { viewport, hasTouch, ...contextOptions };
    const page = await tabs.take(
      browser,
      deviceScaleFactor === undefined ? options : { ...options, deviceScaleFactor },
    );
    await use(page);
    await (info.status === "passed" ? tabs.putBack(page) : page.context().close());
  },
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures here
  watch: async ({}, use) => {
    const errors: string[] = [];
    const listened = new Map<Page, (error: Error) => void>();
    await use((page) => {
      if (listened.has(page)) return;
      const listener = (error: Error): void => void errors.push(error.stack ?? error.message);
      listened.set(page, listener);
      page.addListener("pageerror", listener);
    });
    for (const [page, listener] of listened) page.removeListener("pageerror", listener);
    if (errors.length > 0) throw new Error(`Errors in the page:\n${errors.join("\n")}`);
  },
  open: async ({ origin, watch }, use) => {
    await use(async (page, path = "/index.html") => {
      watch(page);
      await page.goto(`${origin}${path}`);
    });
  },
  size: [[800, 500], { option: true }],
  canvas: async ({ page, open, size, watch }, use) => {
    watch(page);
    const isOpen = await page.evaluate((of) => window.reopen?.(...of) ?? false, size);
    if (!isOpen) {
      await open(page, `/index.html?width=${size[0]}&height=${size[1]}`);
      await page.evaluate(() => window.harness.internals.complete());
    }
    await use(page);
  },
});

export { expect } from "@playwright/test";

/** Waits until the canvas has painted everything. */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(() => window.instruments.settled(window.harness));
}

/** A point in CSS pixels of the page. */
export type Point = readonly [x: number, y: number];

/** Sends an event of the left button, without modifier keys. */
const send = (page: Page, type: "mousePressed" | "mouseMoved" | "mouseReleased", [x, y]: Point) =>
  ownSession(page).send("Input.dispatchMouseEvent", {
    ...{ type, x, y, button: "left", clickCount: type === "mouseMoved" ? 0 : 1 },
    buttons: type === "mouseReleased" ? 0 : 1,
  });

/** Returns the points of so many equal steps from a point to another one. */
export const steps = (from: Point, to: Point, count: number): readonly Point[] =>
  Array.from({ length: count }, (_, at) => {
    const share = (at + 1) / count;
    return [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share];
  });

/**
 * Moves the pressed mouse through points. All but the last one go past Playwright's mouse, which asks the page about
 * each move: two thirds of the work.
 */
export async function moveThrough(page: Page, points: readonly Point[]): Promise<void> {
  for (const point of points.slice(0, -1)) await send(page, "mouseMoved", point);
  await page.mouse.move(...points.at(-1)!);
}

/** Presses at the first point, moves through the others and releases at the last; points are flat. */
export async function drag(page: Page, ...flat: readonly number[]): Promise<void> {
  const points = Array.from({ length: flat.length / 2 }, (_, at): Point => [
    flat[2 * at]!,
    flat[2 * at + 1]!,
  ]);
  const first = points[0]!;
  await page.mouse.move(...first);
  await send(page, "mousePressed", first);
  for (const [at, to] of points.slice(1).entries())
    for (const point of steps(points[at]!, to, 4)) await send(page, "mouseMoved", point);
  await send(page, "mouseReleased", points.at(-1)!);
}
