/**
 * Measures the page with a drawing of nearly 10 MB: the tasks that block its main thread for more than 50 ms (as
 * browsers report them), for each operation on the whole drawing. Needs a built product.
 *
 *   npx tsx bench/large/run.ts [--rounds=3]
 */

import { chromium, type Browser, type Page } from "@playwright/test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { BROWSER_ARGS, findBrowser } from "../../scripts/browser.mjs";
import { startProduct } from "../../lab/measuring/product.ts";

const { values: options } = parseArgs({ options: { rounds: { type: "string", default: "3" } } });
const BYTES = 9.5 * 1024 * 1024;
declare global {
  interface Window {
    /** Milliseconds of each long task. */
    long: number[];
  }
}

const VIEWPORT = { width: 1280, height: 800 };

/** Returns Park and Miller's generator, so that each run has the same drawing. */
function seeded(seed: number) {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

/** Makes strokes of 40 points all over the canvas, as a client that does not know our fields would save them. */
function makeDrawing() {
  const random = seeded(7);
  const step = () => (random() * 6 - 3).toFixed(1);
  const objects: { left: number }[] = [];
  for (let bytes = 0; bytes < BYTES; bytes += JSON.stringify(objects.at(-1)).length + 1) {
    const tenths = (value: number) => Number(value.toFixed(1));
    const [left, top] = [tenths(random() * 1200), tenths(random() * 560)];
    const curves = Array.from({ length: 40 }, () => `q${step()} ${step()} ${step()} ${step()}`);
    objects.push({
      ...{ type: "Path", path: `M${left} ${top}${curves.join("")}`, left, top },
      ...{ originX: "left", originY: "top", fill: null, stroke: "#45b7d1", strokeWidth: 3 },
      ...{ strokeLineCap: "round", strokeLineJoin: "round" },
    });
  }
  return { version: "7.4.0", objects, background: "white" };
}

async function openPage(browser: Browser, url: string) {
  const page = await browser.newPage({ viewport: VIEWPORT });
  await page.addInitScript(() => {
    window.long = [];
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) window.long.push(Math.round(duration));
    }).observe({ type: "longtask", buffered: true });
  });
  await page.goto(url);
  await saved(page);
  return page;
}

/** Waits until the header says that everything is saved. */
const saved = (page: Page) =>
  page.waitForFunction(() => /\bSaved\b/.test(document.querySelector("header")?.innerText ?? ""), {
    timeout: 60_000,
  });

async function stroke(page: Page, top: number) {
  const box = await page.getByRole("application", { name: "Canvas" }).boundingBox();
  if (box === null) throw new Error("the canvas is not shown");
  await page.mouse.move(box.x + 200, box.y + top);
  await page.mouse.down();
  for (let i = 1; i < 40; i++)
    await page.mouse.move(box.x + 200 + 8 * i, box.y + top + 30 * Math.sin(i / 4));
  await page.mouse.up();
}

/** Runs each phase; the page is idle again at its end. */
async function measure(
  browser: Browser,
  drawing: ReturnType<typeof makeDrawing>,
  into: Record<string, number[]>,
) {
  const folder = mkdtempSync(join(tmpdir(), "inkpool-large-"));
  const product = await startProduct(join(folder, "data"), { TABLE_RATE_LIMIT: "0" });
  try {
    const { supabaseAnonKey: apikey } = await (await fetch(`${product.url}/config.json`)).json();
    const table = `${product.url}/rest/v1/canvas_state`;
    const headers = { apikey, "content-type": "application/json", prefer: "return=representation" };
    const write = (method: string, query: string, body: unknown) =>
      fetch(`${table}?select=id${query}`, { method, headers, body: JSON.stringify(body) });
    const [{ id }] = await (await write("POST", "", { canvas_json: drawing })).json();
    const page = await openPage(browser, product.url);
    const take = async (what: string, seconds: number) => {
      await page.waitForTimeout(1000 * seconds);
      (into[what] ??= []).push(...(await page.evaluate(() => window.long.splice(0))));
    };
    await take("opening the page, its scripts included", 3);
    await stroke(page, 300);
    await take("drawing a stroke", 2);
    await page.waitForTimeout(4000);
    await saved(page);
    await take("validating, writing and saving it", 1);
    const other = await openPage(browser, product.url);
    await page.bringToFront();
    await take("somebody else opens the page", 2);
    await stroke(other, 400);
    await take("their stroke, and their save", 10);
    const [row] = await (await fetch(`${table}?select=canvas_json`, { headers })).json();
    const { inkpool: _, ...foreign } = row.canvas_json;
    foreign.objects[5].left += 50;
    const changed = { canvas_json: foreign, updated_at: new Date().toISOString() };
    await write("PATCH", `&id=eq.${id}`, changed);
    await page.evaluate(() => window.dispatchEvent(new Event("online")));
    await take("taking in a row that a foreign program wrote", 6);
  } finally {
    await product.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const executablePath = await findBrowser();
const drawing = makeDrawing();
const found: Record<string, number[]> = {};
for (let round = 0; round < Number(options.rounds); round++) {
  const browser = await chromium.launch({
    args: BROWSER_ARGS,
    ...(executablePath !== null && { executablePath }),
  });
  try {
    await measure(browser, drawing, found);
  } finally {
    await browser.close();
  }
}
console.log(`| ${drawing.objects.length.toLocaleString("en")} strokes | tasks over 50 ms, in ms |`);
console.log("| --- | --- |");
for (const [what, long] of Object.entries(found))
  console.log(`| ${what} | ${long.length === 0 ? "none" : long.join(", ")} |`);
