/** Steps over a kill of the browser and a time without the server. */

import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { startProduct } from "../product.ts";

import type { Engine } from "./tab.ts";
import { Visitor } from "./visitor.ts";
import { BLACK, connections, LONGER, objectsOf, RED, type stepsOf } from "./steps.ts";

/** Defines the steps for an engine. */
export function connectionSteps(engine: Engine, test: ReturnType<typeof stepsOf>): void {
  test(`${engine.name}: kill -9 right after a stroke loses nothing`, async ({
    alone: _alone,
    product,
  }) => {
    const profile = mkdtempSync(join(tmpdir(), "inkpool-lasting-"));
    const first = await engine.startOn(profile);
    await first.goto(product.url);
    await expect.poll(() => connections(product)).toBe(1);
    // Before the page has its canvas a stroke goes nowhere.
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
    // WebKit's desktop portal mounts a folder there, which may outlive it.
    await rm(profile, { recursive: true, force: true }).catch(() => undefined);
  });

  test(`${engine.name}: the page opens without the server, and joins when it is back`, async ({
    alone,
  }) => {
    const product = await startProduct();
    const tab = await alone.open();
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
}
