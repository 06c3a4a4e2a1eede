/**
 * Measures what 30 addresses, each with two reads without a pause that look into a drawing of 9 MB, cost a visitor
 * with a real page: how long it takes to show the drawing, and to save a stroke with the guard, alone and meanwhile.
 * Prints medians and their ratio, and asserts that none is over 2.
 *
 *   npx tsx lab/page-beside-attack.ts [--postgres] [--rounds=N]
 *
 * Needs a built product (npm run build), a Chromium, and with --postgres PostgreSQL's programs.
 */

import "../scripts/node-version.mjs";
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Browser, Page } from "@playwright/test";
import { median, table } from "./measuring/figures.ts";
import { runOrderly, sleep, until } from "./installation/tools.ts";
import type { AttackName } from "./one-visitor/attacks.ts";
import { openAttacked } from "./one-visitor/open.ts";
import { openBrowser } from "./soak/pages.ts";

const { values: options } = parseArgs({
  options: {
    postgres: { type: "boolean", default: false },
    rounds: { type: "string", default: "9" },
  },
});
const ROUNDS = Number(options.rounds);
const CHILD = fileURLToPath(new URL("one-visitor/attacker.ts", import.meta.url));
const ATTACK: AttackName = "slow reads from 30 addresses";
const MAX_RATIO = 2;
/** Milliseconds for one step of the page. */
const PATIENCE = 60_000;

/** Makes a drawing of 9 MB, of few and long strokes, so that the way to the page is measured and not its painting. */
function makeDrawing(): string {
  const path = `M0 0${"q1.5 2.5 3.5 4.5".repeat(19_500)}`;
  const objects = Array.from({ length: 30 }, (_, at) => ({
    ...{ type: "Path", id: `0filler-${at}`, z: at, left: 20 * at, top: 10 * at, path },
    ...{ stroke: "#000000", strokeWidth: 3, fill: null },
  }));
  const inkpool = { format: 1, seen: { "0filler": objects.length - 1 } };
  return JSON.stringify({ canvas_json: { objects, background: "white", inkpool } });
}

/**
 * Waits for an expression. The page's policy does not allow evaluating it in the page repeatedly, so each time is a
 * call of its own.
 */
const waitFor = (page: Page, expression: string) =>
  until(() => page.evaluate(expression).then(Boolean), expression, PATIENCE);

const PREPARE = `localStorage.setItem("inkpool:hints", "shown"); localStorage.setItem("inkpool:debug", "1");`;
const IS_SAVED = `window.inkpool?.saveState.get().state === "saved"`;
/** The script that hides the page, which then saves pending edits immediately. */
const HIDE = `for (const value of ["hidden", "visible"]) {
  Object.defineProperty(document, "visibilityState", { value, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}`;

/** The times in milliseconds. */
interface Times {
  "shows the drawing": number;
  "reads the row": number;
  "saves a stroke": number;
}

/** Visits the page with a browser profile of its own. */
async function visit(browser: Browser, url: string): Promise<Times> {
  const context = await browser.newContext({
    viewport: { width: 1000, height: 700 },
    extraHTTPHeaders: { "x-forwarded-for": "192.0.2.2" },
  });
  try {
    await context.addInitScript({ content: PREPARE });
    const page = await context.newPage();
    let read = 0;
    page.on("requestfinished", (request) => {
      const isLoad = request.method() === "GET" && request.url().includes("order=updated_at");
      if (isLoad) read = Math.max(read, request.timing().responseEnd);
    });
    const begin = performance.now();
    await page.goto(url);
    await waitFor(page, IS_SAVED);
    const shown = performance.now() - begin;
    await page.mouse.move(500, 400);
    await page.mouse.down();
    await page.mouse.move(600, 450, { steps: 5 });
    await page.mouse.up();
    await waitFor(page, `!(${IS_SAVED})`);
    const hidden = performance.now();
    await page.evaluate(HIDE);
    await waitFor(page, IS_SAVED);
    const saved = performance.now() - hidden;
    await until(() => read > 0, "the page reads the row");
    return { "shows the drawing": shown, "reads the row": read, "saves a stroke": saved };
  } finally {
    await context.close();
  }
}

async function measure(browser: Browser, url: string): Promise<Times[]> {
  const times: Times[] = [];
  // The first one warms up the server and the browser.
  for (let round = 0; round <= ROUNDS; round++) times.push(await visit(browser, url));
  return times.slice(1);
}

await runOrderly(async (undo) => {
  const { server, key, failed } = await openAttacked(undo, options.postgres);
  const headers = { apikey: key, "content-type": "application/json" };
  const address = `${server.url}/rest/v1/canvas_state`;
  const made = await fetch(address, { method: "POST", headers, body: makeDrawing() });
  if (!made.ok) throw new Error(`the drawing: ${made.status}`);
  const browser = await openBrowser(undo);
  const alone = await measure(browser, server.url);
  const attacker = fork(CHILD, [ATTACK, server.url, key]);
  undo.push(() => attacker.kill());
  await once(attacker, "message");
  await sleep(2_000);
  const beside = await measure(browser, server.url);
  attacker.kill();
  const rows = (Object.keys(alone[0] as Times) as (keyof Times)[]).map((what) => {
    const [before, meanwhile] = [alone, beside].map((all) => median(all.map((one) => one[what])));
    const ratio = (meanwhile ?? Number.NaN) / (before ?? Number.NaN);
    if (!(ratio <= MAX_RATIO)) failed.push(`${what}: ${ratio.toFixed(2)} times as long`);
    return [what, ...[before, meanwhile].map((ms) => (ms ?? 0).toFixed(0)), ratio.toFixed(2)];
  });
  const code = await server.stop();
  if (code !== 0) failed.push(`the server ended with ${code}`);
  console.log(table(["a page", "alone, ms", "beside the attack, ms", "ratio"], rows));
  for (const one of failed) console.error(`failed: ${one}`);
  console.log(failed.length === 0 ? "ok" : "failed");
  return failed.length === 0 ? 0 : 1;
});
