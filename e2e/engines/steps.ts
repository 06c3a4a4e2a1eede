/** The setting of the steps in each engine: a product, a visitor in the engine and a partner in Chromium. */

import { expect, test as base } from "@playwright/test";
import { startProduct, type Product, type SavedObject } from "../product.ts";
import { chromium } from "./chromium.ts";

import type { Engine, SharedBrowser } from "./tab.ts";
import { Visitor } from "./visitor.ts";

export const BLACK = "#000000";
export const RED = "#ff0000";
export const GREEN = "#2ecc71";
export const WHITE = "#ffffff";

interface Shared {
  /** The engine's browser, for all steps. */
  readonly own: SharedBrowser;
  /** Chromium. */
  readonly other: SharedBrowser;
  readonly product: Product;
  /** The visitors who are on the whiteboard, by their browsers. */
  readonly present: Map<SharedBrowser, Visitor>;
}

interface Steps {
  /**
   * On the whiteboard, which is empty, in the engine, with the page that the test before has left open. Nothing may be
   * on its console.
   */
  readonly visitor: Visitor;
  /** The same in Chromium; both pages know of each other. */
  readonly partner: Visitor;
  /** The engine's browser after everybody has left the product, which is empty. */
  readonly alone: SharedBrowser;
}

/** For what waits for a reconnection, or a large picture. */
export const LONGER = { timeout: 60_000 };

export function stepsOf(engine: Engine) {
  return base.extend<Steps, Shared>({
    own: [shareBrowser(engine), { scope: "worker" }],
    other: [shareBrowser(chromium), { scope: "worker" }],
    product: [
      // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures here
      async ({}, use) => {
        // Only the step without the server needs the copy on the device, which costs each page some work.
        const product = await startProduct({ OFFLINE: "off" });
        await use(product);
        await product.dispose();
      },
      { scope: "worker" },
    ],
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures here
    present: [async ({}, use) => use(new Map()), { scope: "worker" }],
    visitor: async ({ own, product, present }, use) => visit(own, product, present, use),
    partner: async ({ visitor, other, product, present }, use) =>
      visit(other, product, present, async (partner) => {
        for (const person of [visitor, partner]) await person.sees("2 users online");
        await use(partner);
      }),
    alone: async ({ own, product, present }, use) => {
      for (const { tab } of present.values()) await tab.close();
      present.clear();
      await product.empty();
      await use(own);
    },
  });
}

export type Test = ReturnType<typeof stepsOf>;

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
  present: Map<SharedBrowser, Visitor>,
  use: (visitor: Visitor) => Promise<void>,
): Promise<void> {
  let visitor = present.get(browser);
  if (visitor) await visitor.startAgain();
  else {
    visitor = new Visitor(await browser.open());
    await visitor.open(product.url);
    present.set(browser, visitor);
  }
  await use(visitor);
  expect(await visitor.tab.problems(), "what the console says").toEqual([]);
}

export async function objectsOf(product: Product): Promise<readonly SavedObject[]> {
  return (await product.row())?.canvas_json.objects ?? [];
}

/** Returns the number of connected pages. */
export function connections(product: Product): Promise<number> {
  return metric(product, /^inkpool_realtime_connections (\d+)$/m);
}

/** Returns the number of requests for the configuration. */
export function configRequests(product: Product): Promise<number> {
  return metric(
    product,
    /^inkpool_http_request_duration_seconds_count\{route="\/config\.json"\} (\d+)$/m,
  );
}

/** A number among those that the server gives for operations. */
async function metric(product: Product, line: RegExp): Promise<number> {
  return Number(line.exec(await (await fetch(`${product.url}/metrics`)).text())?.[1]);
}
