/**
 * Runs the same steps in every engine: a visitor's actions, by real pointers and keys, against the compiled product,
 * with a console that stays empty.
 */

import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test as base } from "@playwright/test";
import { startProduct, type Product, type SavedObject } from "../product.ts";
import { chromium } from "./chromium.ts";
import { expectedPixels, storeNextFile, largeBoard, wrongPixels } from "./large-board.ts";
import type { Engine, SharedBrowser } from "./tab.ts";
import { Visitor } from "./visitor.ts";

const BLACK = "#000000";
const RED = "#ff0000";
const GREEN = "#2ecc71";
const WHITE = "#ffffff";

interface Shared {
  /** The engine's browser, for all steps. */
  readonly own: SharedBrowser;
  /** The Chromium for the other visitors. */
  readonly other: SharedBrowser;
  readonly shared: Product;
}

interface Steps {
  readonly product: Product;
  /** A visitor on the whiteboard, in the engine. Nothing may be on its console. */
  readonly visitor: Visitor;
  /** A visitor on the whiteboard, in Chromium. */
  readonly partner: Visitor;
}

/** Defines the steps for an engine; they are skipped where the machine lacks it. */
export function suite(engine: Engine): void {
  const missing = engine.missing();
  const test = stepsOf(engine);
  test.skip(missing !== null, missing ?? "");

  test(`${engine.name}: the page loads`, async ({ visitor }) => {
    expect(await visitor.text("h1")).toBe("Inkpool");
    await visitor.sees("1 user online");
  });

  test(`${engine.name}: what is on the console is noticed`, async ({ own, product }) => {
    const tab = await own.open();
    await tab.goto(product.url);
    await tab.evaluate(() => {
      console.error("a word");
      console.warn("a warning");
      setTimeout(() => {
        throw new Error("a fault");
      });
    });
    for (const text of ["a word", "a warning", "a fault"])
      await expect.poll(async () => (await tab.problems()).join()).toContain(text);
    await tab.close();
  });

  test(`${engine.name}: strokes, undo and redo`, async ({ visitor, product }) => {
    await visitor.stroke([200, 200], [400, 200]);
    await visitor.shows([300, 200], BLACK);
    await visitor.press("Red");
    await visitor.stroke([200, 300], [400, 300]);
    await visitor.shows([300, 300], RED);
    await visitor.tab.press("Control+z");
    await visitor.shows([300, 300], WHITE);
    await visitor.shows([300, 200], BLACK);
    await visitor.tab.press("Control+Shift+z");
    await visitor.shows([300, 300], RED);
    await visitor.saved();
    expect(await objectsOf(product)).toMatchObject([{ type: "Path" }, { stroke: RED }]);
  });

  test(`${engine.name}: shapes, a sticker and the eraser`, async ({ visitor, product }) => {
    await visitor.press("Green");
    await visitor.press("Rectangle");
    await visitor.shows([240, 190], GREEN);
    await visitor.press("Red");
    await visitor.press("Circle");
    await visitor.shows([175, 175], RED);
    await visitor.press("Eraser");
    await visitor.stroke([150, 175], [230, 175]);
    await visitor.shows([175, 175], WHITE);
    await visitor.sticker("rocket");
    await visitor.saved();
    expect(await objectsOf(product)).toMatchObject([
      { type: "Rect", width: 150, height: 100, left: 100, top: 100, fill: GREEN },
      { type: "Circle", radius: 75, left: 100, top: 100, fill: RED },
      { type: "Path", eraser: true, strokeWidth: 20 },
      { type: "IText", text: "🚀", fontSize: 60, left: 100, top: 100 },
    ]);
  });

  test(`${engine.name}: select, move, recolour and remove`, async ({ visitor, product }) => {
    await visitor.press("Green");
    await visitor.press("Rectangle");
    await visitor.shows([150, 150], GREEN);
    await visitor.press("Select");
    await visitor.click([220, 170]);
    await visitor.sees("Duplicate");
    await visitor.stroke([150, 150], [450, 250]);
    await visitor.shows([450, 250], GREEN);
    await visitor.shows([150, 150], WHITE);
    await visitor.press("Colour");
    // The dock has a Teal too.
    await visitor.press("Teal", '[aria-label="Selection colour"]');
    await visitor.shows([450, 250], "#4ecdc4");
    await visitor.tab.press("Escape");
    await visitor.saved();
    expect(await objectsOf(product)).toMatchObject([{ left: 400, top: 200, fill: "#4ecdc4" }]);
    await visitor.click([450, 250]);
    await visitor.press("Delete");
    await visitor.shows([450, 250], WHITE);
    await visitor.saved();
    expect(await objectsOf(product)).toEqual([]);
  });

  test(`${engine.name}: a line, an arrow, the highlighter and fading ink`, async ({
    visitor,
    partner,
    product,
  }) => {
    for (const person of [visitor, partner]) await person.sees("2 users online");
    await visitor.press("Red");
    for (const [at, key] of ["l", "a", "h"].entries()) {
      await visitor.rest([200, 200]);
      await visitor.tab.press(key);
      await visitor.stroke([200, 200 + at * 80], [500, 200 + at * 80]);
    }
    for (const person of [visitor, partner]) {
      await person.shows([300, 200], RED);
      await person.shows([300, 280], RED);
      // It is 0.4 of the colour, on white.
      await person.shows([300, 368], "#ff9999");
    }
    await visitor.tab.press("f");
    await visitor.beginStroke([200, 440], [500, 440]);
    for (const person of [visitor, partner]) await person.shows([300, 440], RED, "all");
    await visitor.release();
    await visitor.saved();
    expect(await objectsOf(product)).toMatchObject([
      { type: "Path", strokeWidth: 3 },
      { type: "Path", strokeWidth: 3 },
      { type: "Path", strokeWidth: 20, globalCompositeOperation: "multiply" },
    ]);
  });

  test(`${engine.name}: ink of a finger or a pen becomes a line when it rests, for both`, async ({
    visitor,
    partner,
    product,
  }) => {
    for (const person of [visitor, partner]) await person.sees("2 users online");
    await visitor.press("Red");
    await visitor.beginTouch([200, 200], [350, 208], [500, 200]);
    // The ink was 4 px away from there; the partner sees the ink until the end.
    await visitor.shows([275, 200], RED, "all");
    await partner.shows([275, 204], RED, "all");
    await visitor.tab.contact.up();
    for (const person of [visitor, partner]) {
      await person.shows([275, 200], RED);
      await person.shows([275, 204], WHITE);
    }
    await visitor.saved();
    expect(await objectsOf(product)).toMatchObject([{ type: "Path", stroke: RED, strokeWidth: 3 }]);
  });

  test(`${engine.name}: a picture that is dropped is shown to both`, async ({
    visitor,
    partner,
    product,
  }) => {
    for (const person of [visitor, partner]) await person.sees("2 users online");
    await visitor.tab.evaluate(dropPicture);
    for (const person of [visitor, partner]) await person.shows([700, 400], BLACK);
    await visitor.saved();
    expect(await objectsOf(product)).toMatchObject([
      { type: "Image", src: expect.stringMatching(/^data:image\/(webp|jpeg);base64,/) },
    ]);
  });

  test(`${engine.name}: a text, with capitals`, async ({ visitor, product }) => {
    await visitor.click([20, 600]);
    await visitor.tab.press("Control+z");
    await visitor.rest([300, 200]);
    await visitor.tab.press("t");
    await expect.poll(() => focused(visitor)).toBe("TEXTAREA");
    await visitor.tab.type("Hello World");
    await visitor.tab.press("Escape");
    await expect.poll(() => focused(visitor)).not.toBe("TEXTAREA");
    await visitor.saved();
    expect(await objectsOf(product)).toMatchObject([{ type: "IText", text: "Hello World" }]);
  });

  test(`${engine.name}: two people in two engines see each other's pointer and ink at once`, async ({
    visitor,
    partner,
  }) => {
    const both = [visitor, partner] as const;
    for (const person of both) await person.sees("2 users online");
    for (const [at, [one, two]] of [both, both.toReversed() as [Visitor, Visitor]].entries()) {
      const y = 200 + at * 100;
      await one.beginStroke([200, y], [400, y]);
      // A peer that does not know this one yet begins with the next point.
      await expect
        .poll(async () => {
          await one.move([400 + (Date.now() % 50), y]);
          return two.colourAt([300, y], "all");
        })
        .toBe(BLACK);
      expect(await two.colourAt([300, y])).toBe(WHITE);
      await expect
        .poll(async () => {
          await one.move([400 + (Date.now() % 50), y]);
          return two.text("[data-peer]");
        })
        .not.toBeNull();
      await one.tab.up();
      await two.shows([300, y], BLACK);
    }
  });

  test(`${engine.name}: a reload shows the drawing, and asks once for the configuration`, async ({
    visitor,
    product,
  }) => {
    await visitor.press("Red");
    await visitor.stroke([200, 200], [400, 200]);
    await visitor.saved();
    const before = await configRequests(product);
    await visitor.tab.reload();
    await visitor.ready();
    await visitor.shows([300, 200], RED);
    expect((await configRequests(product)) - before, "requests for the configuration").toBe(1);
  });

  test(`${engine.name}: kill -9 right after a stroke loses nothing`, async () => {
    const product = await startProduct();
    const profile = mkdtempSync(join(tmpdir(), "inkpool-lasting-"));
    const first = await engine.startOn(profile);
    await first.goto(product.url);
    await expect.poll(() => connections(product)).toBe(1);
    // Before the page has its canvas a stroke has no effect.
    await expect
      .poll(async () => {
        await first.move([300, 300]);
        await first.down();
        for (const x of [340, 380, 420]) await first.move([x, 300]);
        await first.up();
        return first.changes();
      })
      .toBeGreaterThan(0);
    await first.kill();
    const second = await engine.startOn(profile);
    await second.goto(product.url);
    await expect.poll(async () => (await objectsOf(product)).length, LONGER).toBeGreaterThan(0);
    const problems = [...(await first.problems()), ...(await second.problems())];
    expect(problems, "what the console says").toEqual([]);
    await second.kill();
    await product.dispose();
    // WebKit's desktop portal mounts a folder there, which may outlive it.
    await rm(profile, { recursive: true, force: true }).catch(() => undefined);
  });

  test(`${engine.name}: the page opens without the server, and joins when it is back`, async ({
    own,
  }) => {
    const product = await startProduct();
    const tab = await own.open();
    const visitor = new Visitor(tab);
    await visitor.open(product.url);
    await visitor.stroke([200, 200], [400, 200]);
    await visitor.saved();
    await expect
      .poll(() => tab.evaluate(() => navigator.serviceWorker.controller?.state))
      .toBe("activated");
    await product.stop();
    await tab.goto(product.url);
    await visitor.ready();
    await visitor.shows([300, 200], BLACK);
    await visitor.press("Red");
    await visitor.stroke([200, 300], [400, 300]);
    await visitor.shows([300, 300], RED);
    await product.start();
    await expect.poll(async () => (await objectsOf(product)).length, LONGER).toBe(2);
    await expect.poll(() => visitor.text("output"), LONGER).toBe("Saved");
    await tab.close();
    await product.dispose();
  });

  test(`${engine.name}: the picture of a large board shows every object`, async ({
    product,
    own,
  }) => {
    await product.seed(largeBoard());
    const visitor = new Visitor(await own.open());
    await visitor.open(product.url);
    await visitor.tab.evaluate(storeNextFile);
    await visitor.chooseFromMenu("Download picture (PNG)");
    await expect
      .poll(() => visitor.tab.evaluate(wrongPixels, expectedPixels()), LONGER)
      .toEqual({ size: [3560, 2680], wrong: [] });
    await visitor.tab.close();
  });

  test(`${engine.name}: copy and paste of objects by keys`, async ({ visitor, product }) => {
    await visitor.press("Green");
    await visitor.press("Rectangle");
    await visitor.press("Select");
    await visitor.click([150, 150]);
    await visitor.sees("Duplicate");
    await visitor.tab.press("Control+c");
    await visitor.rest([600, 400]);
    await visitor.tab.press("Control+v");
    await visitor.shows([600, 400], GREEN);
    await visitor.shows([150, 150], GREEN);
    await visitor.saved();
    expect(await objectsOf(product)).toMatchObject([{ type: "Rect" }, { type: "Rect" }]);
  });

  test(`${engine.name}: the wheel, the middle button and keys move the view`, async ({
    visitor,
  }) => {
    await visitor.press("Green");
    await visitor.press("Rectangle");
    await visitor.sees("Zoom: 100 %");
    await visitor.move([700, 400]);
    await visitor.tab.wheel("up", "Control");
    await visitor.sees("Zoom: 127 %");
    await visitor.tab.press("Shift+Digit0");
    await visitor.sees("Zoom: 100 %");
    await visitor.tab.press("=");
    await visitor.sees("Zoom: 125 %");
    await visitor.tab.press("Shift+Digit0");
    await visitor.shows([150, 190], GREEN);
    await visitor.tab.wheel("down");
    await visitor.shows([150, 190], WHITE);
    await visitor.tab.press("Shift+Digit0");
    await visitor.shows([150, 190], GREEN);
    await visitor.move([700, 400]);
    await visitor.tab.down("middle");
    await visitor.move([750, 430]);
    await visitor.move([800, 450]);
    await visitor.tab.up("middle");
    await visitor.shows([340, 240], GREEN);
    await visitor.shows([150, 110], WHITE);
  });

  test(`${engine.name}: Dark`, async ({ visitor }) => {
    const look = () =>
      visitor.tab.evaluate(() => ({
        header: getComputedStyle(document.querySelector("header")!).backgroundColor,
        scrollbar: getComputedStyle(document.documentElement).scrollbarColor,
      }));
    await visitor.chooseFromMenu("Appearance", "Light");
    const light = await look();
    await visitor.tab.press("Escape");
    await visitor.chooseFromMenu("Appearance", "Dark");
    await expect.poll(async () => (await look()).header).not.toBe(light.header);
    // WebKit's scrollbars have no colour of their own.
    if (engine.name !== "webkit")
      await expect.poll(async () => (await look()).scrollbar).not.toBe(light.scrollbar);
  });
}

/** Drops a black picture on the canvas; runs in the page. */
async function dropPicture(): Promise<void> {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [200, 100];
  const context = canvas.getContext("2d")!;
  context.fillRect(0, 0, 200, 100);
  const blob = await new Promise<Blob>((resolve) => canvas.toBlob((made) => resolve(made!)));
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([blob], "black.png", { type: "image/png" }));
  const surface = document.querySelector("[role=application]")!;
  const { left, top } = surface.getBoundingClientRect();
  const at = { clientX: left + 700, clientY: top + 400, bubbles: true, cancelable: true };
  surface.dispatchEvent(new DragEvent("drop", { dataTransfer, ...at }));
}

/** A time limit for a reconnection, or a large picture. */
const LONGER = { timeout: 60_000 };

function stepsOf(engine: Engine) {
  return base.extend<Steps, Shared>({
    own: [shareBrowser(engine), { scope: "worker" }],
    other: [shareBrowser(chromium), { scope: "worker" }],
    shared: [
      // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures here
      async ({}, use) => {
        // Only the step without the server needs the copy on the device, which costs each page some work.
        const product = await startProduct({ OFFLINE: "off" });
        await use(product);
        await product.dispose();
      },
      { scope: "worker" },
    ],
    product: async ({ shared }, use) => {
      await shared.empty();
      await use(shared);
    },
    visitor: async ({ own, product }, use) => visit(own, product, use),
    partner: async ({ other, product }, use) => visit(other, product, use),
  });
}

function shareBrowser(engine: Engine) {
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures here
  return async ({}, use: (browser: SharedBrowser) => Promise<void>): Promise<void> => {
    const browser = await engine.start();
    await use(browser);
    await browser.close();
  };
}

async function visit(
  browser: SharedBrowser,
  product: Product,
  use: (visitor: Visitor) => Promise<void>,
): Promise<void> {
  const tab = await browser.open();
  const visitor = new Visitor(tab);
  await visitor.open(product.url);
  await use(visitor);
  const problems = await tab.problems();
  await tab.close();
  expect(problems, "what the console says").toEqual([]);
}

async function objectsOf(product: Product): Promise<readonly SavedObject[]> {
  return (await product.row())?.canvas_json.objects ?? [];
}

/** Returns the number of connected pages. */
function connections(product: Product): Promise<number> {
  return metric(product, /^inkpool_realtime_connections (\d+)$/m);
}

/** Returns the number of requests of the configuration. */
function configRequests(product: Product): Promise<number> {
  return metric(
    product,
    /^inkpool_http_request_duration_seconds_count\{route="\/config\.json"\} (\d+)$/m,
  );
}

/** Returns a number among the server's metrics. */
async function metric(product: Product, line: RegExp): Promise<number> {
  return Number(line.exec(await (await fetch(`${product.url}/metrics`)).text())?.[1]);
}

function focused({ tab }: Visitor): Promise<string | undefined> {
  return tab.evaluate(() => document.activeElement?.tagName);
}
