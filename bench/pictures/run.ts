/**
 * Measures the page with 40 pictures on its board beside the same board without them: ready, a pan, a drag and a
 * save. The two boards take turns. Needs a built product.
 *
 *   npx tsx bench/pictures/run.ts [--rounds=3]
 */

import { chromium, type Browser, type Page } from "@playwright/test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { median, table } from "../../lab/measuring/figures.ts";
import { startProduct } from "../../lab/measuring/product.ts";
import { BROWSER_ARGS, findBrowser } from "../../scripts/browser.mjs";
import { cpu, mouseOf } from "../canvas/session.ts";

const { values: options } = parseArgs({ options: { rounds: { type: "string", default: "3" } } });
const COUNT = 40;
/** Bytes of each picture in the drawing. */
const BYTES = 150_000;
const STROKES = 1_000;
const VIEWPORT = { width: 1280, height: 800 };

/** Returns strokes of 20 curves, all over the visible board, and a rectangle above them. */
function strokes(): object[] {
  let state = 7;
  const random = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  const step = (): string => (random() * 8 - 4).toFixed(1);
  const made = Array.from({ length: STROKES }, () => {
    const [left, top] = [Math.round(random() * 1200), Math.round(random() * 600)];
    const curves = Array.from({ length: 20 }, () => `q${step()} ${step()} ${step()} ${step()}`);
    return {
      ...{ type: "Path", path: `M${left} ${top}${curves.join("")}`, left, top },
      ...{ originX: "left", originY: "top", fill: null, stroke: "#45b7d1", strokeWidth: 3 },
    };
  });
  const corner = { originX: "left", originY: "top", left: 600, top: 300 };
  return [...made, { type: "Rect", ...corner, width: 80, height: 60, fill: "#ff0000" }];
}

/** Makes pictures of 1,200 x 900 pixels, of the wanted size in the drawing, in rows. */
async function pictures(browser: Browser): Promise<object[]> {
  const page = await browser.newPage();
  const sources = await page.evaluate(
    ({ count, bytes }) => {
      // There are as many dots as the first picture needs to be large enough.
      let needed = 0;
      return Array.from({ length: count }, () => {
        const canvas = document.createElement("canvas");
        [canvas.width, canvas.height] = [1200, 900];
        const context = canvas.getContext("2d");
        if (!context) throw new Error("no canvas");
        let source = "";
        let dots = 0;
        do {
          for (const until = Math.max(needed, dots + 1_000); dots < until; dots++) {
            const size = 3 + Math.random() * 20;
            context.fillStyle = `hsl(${Math.random() * 360} 70% 50%)`;
            context.fillRect(Math.random() * 1200, Math.random() * 900, size, size);
          }
          source = canvas.toDataURL("image/webp", 0.8);
        } while (source.length < bytes);
        needed = dots;
        return source;
      });
    },
    { count: COUNT, bytes: BYTES },
  );
  await page.close();
  return sources.map((src, at) => ({
    ...{ type: "Image", src, width: 1200, height: 900, scaleX: 0.1, scaleY: 0.1 },
    ...{ originX: "left", originY: "top", left: 10 + 125 * (at % 10) },
    top: 20 + 150 * Math.floor(at / 10),
  }));
}

/** Counts frames. The script is a text: a compiler would give functions inside functions names that the page does not know. */
function frames(page: Page, count: number): Promise<unknown> {
  return page.evaluate(`new Promise((resolve) => {
    let rest = ${count};
    const next = () => (rest-- > 0 ? requestAnimationFrame(next) : resolve());
    next();
  })`);
}

const saved = (page: Page) =>
  page.waitForFunction(() => /\bSaved\b/.test(document.querySelector("header")?.innerText ?? ""), {
    timeout: 60_000,
  });

/** Resolves when the main thread has been idle for a second. */
function idle(page: Page): Promise<unknown> {
  return page.evaluate(`new Promise((resolve) => {
    let quiet = 0;
    const check = (deadline) => {
      quiet = deadline.timeRemaining() > 5 ? quiet + 1 : 0;
      if (quiet > 20) resolve();
      else requestIdleCallback(check);
    };
    requestIdleCallback(check);
  })`);
}

type Figures = Record<string, number>;

async function measure(browser: Browser, objects: readonly object[]): Promise<Figures> {
  const folder = mkdtempSync(join(tmpdir(), "inkpool-pictures-"));
  const product = await startProduct(join(folder, "data"), { TABLE_RATE_LIMIT: "0" });
  const page = await browser.newPage({ viewport: VIEWPORT });
  try {
    const { supabaseAnonKey: apikey } = await (await fetch(`${product.url}/config.json`)).json();
    const response = await fetch(`${product.url}/rest/v1/canvas_state`, {
      method: "POST",
      headers: { apikey, "content-type": "application/json" },
      body: JSON.stringify({ canvas_json: { version: "7.4.0", objects, background: "white" } }),
    });
    if (!response.ok) throw new Error(`the board was not saved: ${response.status}`);
    const session = await page.context().newCDPSession(page);
    await session.send("Performance.enable");
    const mouse = mouseOf(session);
    const figures: Figures = {};
    const start = performance.now();
    figures["ready, ms"] = 0;
    figures["ready, main thread, ms"] = await cpu(session, async () => {
      await page.goto(product.url);
      await saved(page);
      // The rectangle is the topmost object.
      await page.waitForFunction(() => {
        for (const canvas of document.querySelectorAll<HTMLCanvasElement>("canvas")) {
          const context = canvas.getContext("2d");
          const ratio = canvas.width / (canvas.clientWidth || 1);
          const [r, g, b] = context?.getImageData(640 * ratio, 330 * ratio, 1, 1).data ?? [];
          if (r === 255 && g === 0 && b === 0) return true;
        }
        return false;
      });
    });
    figures["ready, ms"] = performance.now() - start;
    await page.waitForTimeout(3_000);
    await idle(page);
    await page.keyboard.press("s");
    await frames(page, 2);
    figures["pan, main thread, ms per step"] =
      (await cpu(session, async () => {
        for (let step = 0; step < 60; step++) {
          const delta = step < 30 ? 20 : -20;
          await session.send("Input.dispatchMouseEvent", {
            ...{ type: "mouseWheel", x: 400, y: 300, deltaX: 0, deltaY: delta },
          });
          await frames(page, 1);
        }
      })) / 60;
    await idle(page);
    const top = 80;
    figures["drag, main thread, ms per move"] =
      (await cpu(session, async () => {
        await mouse.move(640, 330 + top);
        await mouse.down(640, 330 + top);
        for (let step = 1; step <= 60; step++) {
          await mouse.move(640 + 2 * step, 330 + top);
          await frames(page, 1);
        }
        await mouse.up(760, 330 + top);
        await frames(page, 2);
      })) / 60;
    figures["save, main thread, ms"] = await cpu(session, () => saved(page));
    return figures;
  } finally {
    await page.close();
    await product.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const executablePath = await findBrowser();
const browser = await chromium.launch({
  args: BROWSER_ARGS,
  ...(executablePath !== null && { executablePath }),
});
const without: Figures[] = [];
const withPictures: Figures[] = [];
try {
  const plain = strokes();
  const all = [...(await pictures(browser)), ...plain];
  for (let round = 0; round < Number(options.rounds); round++) {
    without.push(await measure(browser, plain));
    withPictures.push(await measure(browser, all));
  }
} finally {
  await browser.close();
}
const rows = Object.keys(without[0] ?? {}).map((name) => {
  const [before, after] = [without, withPictures].map((list) =>
    median(list.map((figures) => figures[name] ?? Number.NaN)),
  ) as [number, number];
  return [name, before.toFixed(2), after.toFixed(2), (after / before).toFixed(2)];
});
console.log(table(["", "without", `with ${COUNT} pictures`, "ratio"], rows));
