/**
 * Opens files that take long in a real browser, and measures the longest task of the page while a file is read and
 * added, and the time from the press of Cancel until the page is idle, after several shares of the work.
 *
 *   npx tsx bench/files/run.ts [--only=TEXT,TEXT]
 *
 * Needs a built product (npm run build) and a Chromium.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chromium, type Browser, type Page } from "@playwright/test";
import { table } from "../../lab/measuring/figures.ts";
import { startProduct } from "../../lab/measuring/product.ts";
import { BROWSER_ARGS, findBrowser } from "../../scripts/browser.mjs";
import { FILES } from "./files.ts";

const { values: options } = parseArgs({ options: { only: { type: "string", default: "" } } });
/** Shares of the time that the work takes alone after which Cancel is pressed. */
const SHARES = [0, 0.5, 0.9];
/** Milliseconds within which the page is done with any of the files. */
const PATIENCE = 60_000;

declare global {
  interface Window {
    bench: {
      /** Milliseconds of the longest task in which the page's thread did nothing else. */
      longest: number;
      begunAt: number;
      endedAt: number;
      pressedAt: number;
      /** Milliseconds after which Cancel is pressed; null for never. */
      cancelAfter: number | null;
    };
  }
}

/** Watches the page's thread and the bar that shows what the page is working on. */
function watch() {
  const bench = (window.bench = {
    ...{ longest: 0, begunAt: 0, endedAt: 0, pressedAt: 0 },
    cancelAfter: null as number | null,
  });
  let last = performance.now();
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    const now = performance.now();
    if (bench.begunAt > 0) bench.longest = Math.max(bench.longest, now - last);
    last = now;
    setTimeout(() => port2.postMessage(null));
  };
  port2.postMessage(null);
  const cancel = () => document.querySelector<HTMLElement>(".work-button");
  const look = () => {
    const isThere = cancel() !== null;
    if (isThere && bench.begunAt === 0) {
      bench.begunAt = performance.now();
      if (bench.cancelAfter !== null)
        setTimeout(press, bench.cancelAfter, bench.begunAt + bench.cancelAfter);
    }
    if (isThere || bench.begunAt === 0 || bench.endedAt > 0) return;
    bench.endedAt = performance.now();
    document.documentElement.dataset["worked"] = "";
  };
  /** Makes a visitor's press when the timer is due, even while the thread is busy. */
  const press = (dueAt: number) => {
    if (cancel() === null) return;
    bench.pressedAt = dueAt;
    cancel()?.click();
  };
  new MutationObserver(look).observe(document, { childList: true, subtree: true });
}

interface Taken {
  longest: number;
  /** Milliseconds from the bar's appearance to its end, 0 when there was none. */
  worked: number;
  /** Milliseconds from the press to the end; null when nothing was left to cancel. */
  cancelled: number | null;
}

async function take(
  browser: Browser,
  url: string,
  name: string,
  buffer: Buffer,
  cancelAfter: number | null,
): Promise<Taken> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    // The compiler of this file keeps functions' names by a helper that the page does not have.
    await context.addInitScript({
      content: `{ const __name = (value) => value; (${watch.toString()})(); }`,
    });
    const page = await context.newPage();
    await page.goto(url);
    await page.getByRole("banner").getByText("Saved", { exact: true }).waitFor();
    await page.evaluate((after) => void (window.bench.cancelAfter = after), cancelAfter);
    await open(page, name, buffer);
    await page.waitForSelector("dialog[open], [data-sonner-toast], [data-worked]", {
      state: "attached",
      timeout: PATIENCE,
    });
    const { longest, begunAt, endedAt, pressedAt } = await page.evaluate(() => window.bench);
    return {
      longest,
      worked: endedAt - begunAt,
      cancelled: pressedAt > 0 ? endedAt - pressedAt : null,
    };
  } finally {
    await context.close();
  }
}

async function open(page: Page, name: string, buffer: Buffer) {
  await page.getByRole("button", { name: "Menu" }).click();
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.getByRole("menuitem", { name: "Open drawing..." }).click(),
  ]);
  await chooser.setFiles({ name, mimeType: "application/octet-stream", buffer });
}

const folder = mkdtempSync(join(tmpdir(), "inkpool-files-"));
const product = await startProduct(join(folder, "data"), { TABLE_RATE_LIMIT: "0" });
const executablePath = await findBrowser();
const browser = await chromium.launch({
  args: BROWSER_ARGS,
  ...(executablePath === null ? {} : { executablePath }),
});
try {
  const ms = (value: number) => value.toFixed(0);
  const texts = options.only.split(",");
  const rows: string[][] = [];
  for (const [name, content] of Object.entries(FILES)) {
    if (!texts.some((text) => name.includes(text))) continue;
    const buffer = Buffer.from(content());
    const whole = await take(browser, product.url, name, buffer, null);
    const cancels: number[] = [];
    for (const share of SHARES) {
      if (!(whole.worked > 0)) break;
      const { cancelled } = await take(browser, product.url, name, buffer, share * whole.worked);
      if (cancelled !== null) cancels.push(cancelled);
    }
    const row = [
      name,
      (buffer.length / 1e6).toFixed(1),
      whole.worked > 0 ? ms(whole.worked) : "under 300",
      whole.worked > 0 ? ms(whole.longest) : "-",
      cancels.map(ms).join(", "),
    ];
    rows.push(row);
    console.error(row.join(" | "));
  }
  console.log(table(["file", "MB", "takes, ms", "longest task, ms", "Cancel, ms"], rows));
} finally {
  await browser.close();
  await product.stop();
  rmSync(folder, { recursive: true, force: true });
}
