/** A page with nothing but the canvas on it, built in memory and served to the browser without a server. */

import { test as base, type Page } from "@playwright/test";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import type {} from "../../testing/canvas-page/main.ts";

interface File {
  readonly body: string;
  readonly contentType: string;
}

type Files = ReadonlyMap<string, File>;

/** The origin of a secure context, as the product's: elsewhere the browser hides the points between two frames. */
const ORIGIN = "http://canvas.localhost";
const CONFIG = fileURLToPath(new URL("../../testing/canvas-page/vite.config.ts", import.meta.url));
const FABRIC = fileURLToPath(
  new URL("../../node_modules/fabric/dist/index.min.js", import.meta.url),
);

function typeOf(name: string): string {
  if (name.endsWith(".html")) return "text/html";
  return name.endsWith(".css") ? "text/css" : "text/javascript";
}

async function buildPage(): Promise<Files> {
  const files = new Map<string, File>();
  const result = await build({
    configFile: CONFIG,
    logLevel: "error",
    build: { write: false },
  });
  for (const one of Array.isArray(result) ? result : [result]) {
    if (!("output" in one)) continue;
    for (const part of one.output) {
      const body = part.type === "chunk" ? part.code : String(part.source);
      files.set(`/${part.fileName}`, { body, contentType: typeOf(part.fileName) });
    }
  }
  // This is Fabric alone, as a plain client would load it.
  files.set("/fabric.js", {
    body: await readFile(FABRIC, "utf8"),
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

export const test = base.extend<{ open: Open; canvas: Page }, { files: Files }>({
  files: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures here
    async ({}, use) => {
      await use(await buildPage());
    },
    { scope: "worker" },
  ],
  open: async ({ files }, use) => {
    const errors: string[] = [];
    await use(async (page, path = "/index.html") => {
      page.on("pageerror", (error) => errors.push(error.stack ?? error.message));
      await page.route(`${ORIGIN}/**`, async (route) => {
        const file = files.get(new URL(route.request().url()).pathname);
        await (file ? route.fulfill(file) : route.fulfill({ status: 404, body: "" }));
      });
      await page.goto(`${ORIGIN}${path}`);
    });
    if (errors.length > 0) throw new Error(`Errors in the page:\n${errors.join("\n")}`);
  },
  canvas: async ({ page, open }, use) => {
    await open(page);
    await page.evaluate(() => window.harness.internals.complete());
    await use(page);
  },
});

export { expect } from "@playwright/test";

/** Waits until the canvas has painted everything. */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(() => window.instruments.settled(window.harness));
}

/** Presses at the first point, moves through the others and releases at the last; points are flat. */
export async function drag(page: Page, ...points: readonly number[]): Promise<void> {
  await page.mouse.move(points[0] as number, points[1] as number);
  await page.mouse.down();
  for (let i = 2; i < points.length; i += 2)
    await page.mouse.move(points[i] as number, points[i + 1] as number, { steps: 4 });
  await page.mouse.up();
}
