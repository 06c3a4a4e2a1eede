import type { Page } from "@playwright/test";
import { clickOn } from "../click.ts";
import { expect, test } from "../fixtures.ts";
import { holdRequests } from "../traffic.ts";
import { button, savedObjects, saveState, surface } from "./controls.ts";
import { choose } from "./file-steps.ts";

const CANVAS_CODE = /\/assets\/board-code-[^/]*\.js/;

/** Remembers the properties that React gave a button, which are others when the button is rendered again. */
const rendersAgain = async (page: Page, name: string): Promise<() => Promise<boolean>> => {
  const given = await button(page, name).evaluateHandle((element) => {
    const key = Object.keys(element).find((one) => one.startsWith("__reactProps$"));
    if (key === undefined) throw new Error("React gives its elements no properties any more");
    return { element, key, before: Reflect.get(element, key) as unknown };
  });
  return () => given.evaluate(({ element, key, before }) => Reflect.get(element, key) !== before);
};

test("PNT-87 a board that becomes ready, and the first press on it, do not render the tools again", async ({
  visit,
}) => {
  let release = (): void => undefined;
  const person = await visit({
    unready: true,
    prepare: async (one) => {
      await one.setViewportSize({ width: 390, height: 800 });
      release = await holdRequests(one, CANVAS_CODE);
    },
  });
  const { page } = person;
  await expect(button(page, "Draw")).toHaveAttribute("aria-pressed", "true");
  const isRenderedAgain = await rendersAgain(page, "Draw");
  release();
  await person.ready();
  await person.stroke([60, 200], [200, 260]);
  await expect(button(page, "Undo")).toHaveAttribute("aria-disabled", "false");
  await expect(page.getByRole("group", { name: "View" })).toBeAttached();
  expect(await isRenderedAgain()).toBe(false);
  await page.keyboard.press("e");
  await expect.poll(isRenderedAgain).toBe(true);
});

/** The part of a source map that is read here. */
interface RawMap {
  readonly sources: readonly string[];
  readonly sourcesContent?: readonly string[];
}

test("SRV-17 nothing from elsewhere, nothing inline, nothing in the console", async ({
  product,
  visit,
}) => {
  const elsewhere: string[] = [];
  const html = await (await fetch(product.url)).text();
  expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/);
  const person = await visit({
    prepare: (one) =>
      one.on("request", (request) => {
        const { origin } = new URL(request.url());
        if (origin !== new URL(product.url).origin && !request.url().startsWith("data:"))
          elsewhere.push(request.url());
      }),
  });
  const { page } = person;
  await expect(saveState(page)).toHaveText("Saved");
  await button(page, "Undo").hover();
  await expect(page.getByRole("tooltip")).toBeVisible();
  await clickOn(page, "button", "Stickers");
  await clickOn(page, "button", "rocket");
  await person.tool("Draw");
  await person.stroke([300, 200], [420, 260]);
  await person.clear();
  await expect(person.toast("Canvas cleared!")).toBeVisible();
  expect(await page.locator("style").count()).toBe(0);
  expect(person.unexpected()).toEqual([]);
  expect(elsewhere).toEqual([]);
});

test("SRV-16 an error of the page can be mapped to the sources: each script names its map", async ({
  product,
}) => {
  const scripts = new Map<string, string>();
  // The page names its first scripts, and each script those that it loads.
  const collect = async (text: string): Promise<void> => {
    for (const [, name = ""] of text.matchAll(/[/"'`]([\w-]+\.js)\b/g)) {
      if (scripts.has(name)) continue;
      const response = await fetch(`${product.url}/assets/${name}`);
      if (!response.ok) continue;
      scripts.set(name, await response.text());
      await collect(scripts.get(name) ?? "");
    }
  };
  await collect(await (await fetch(product.url)).text());
  expect(scripts.size).toBeGreaterThan(2);
  const sources: string[] = [];
  for (const [script, text] of scripts) {
    // The bundler's own few lines have no source.
    if (script.startsWith("rolldown-runtime-")) continue;
    const [, name = ""] = /\n\/\/# sourceMappingURL=(\S+)\s*$/.exec(text) ?? [];
    const map = (await (await fetch(`${product.url}/assets/${name}`)).json()) as RawMap;
    expect(map.sourcesContent ?? []).toHaveLength(map.sources.length);
    sources.push(...map.sources);
  }
  for (const path of [
    "web/ui/header/Header.tsx",
    "web/sync/saving/row.ts",
    "web/canvas/painting/base.ts",
    "board/merge.ts",
  ])
    expect(
      sources.some((source) => source.endsWith(`/${path}`)),
      path,
    ).toBe(true);
});

test("UI-49 without its configuration the page keeps new strokes, and joins its peers later; an open list of objects and the other tabs follow", async ({
  product,
  visit,
}) => {
  let down = true;
  const person = await visit({
    prepare: (one) =>
      one.route("**/config.json", (route) =>
        down ? route.fulfill({ status: 503 }) : route.continue(),
      ),
  });
  person.allow(/status of (401|503)/, /HTTP Authentication failed/, /Invalid API key/, /config/);
  const { page } = person;
  await person.stroke([300, 200], [420, 260]);
  await expect(saveState(page)).toHaveText(/Saving soon|not saved yet|kept on this device/);
  await choose(page, "Objects");
  const rows = page.getByRole("listbox", { name: "Objects" }).getByRole("option");
  await expect(rows).toHaveCount(1);
  down = false;
  await expect(saveState(page)).toHaveText("Saved", { timeout: 30_000 });
  expect(await savedObjects(product)).toMatchObject([{ type: "Path" }]);
  await person.stroke([300, 300], [420, 360]);
  await expect(rows).toHaveCount(2);

  const second = await page.context().newPage();
  await second.goto(product.url);
  const other = await visit();
  await clickOn(other.page, "button", "3 users online");
  const people = other.page.getByRole("dialog", { name: "People" }).getByRole("listitem");
  await expect(people.last()).toContainText("in two tabs");
});

test("UI-21 leaving and coming back leaves nothing behind", async ({ visit }) => {
  const person = await visit();
  person.allow(/unknown route: \/away/);
  const { page } = person;
  await expect(saveState(page)).toHaveText("Saved");
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Performance.enable");
  // Counts elements, including those that are off the page but not garbage yet.
  const elements = async () => {
    await cdp.send("HeapProfiler.collectGarbage");
    const { metrics } = await cdp.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "Nodes")!.value;
  };
  const openAndClose = async () => {
    await page.evaluate(() => {
      history.pushState(null, "", "/away");
      dispatchEvent(new PopStateEvent("popstate"));
    });
    await expect(page.getByRole("link", { name: "Return to Home" })).toBeVisible();
    await page.goBack();
    await expect(surface(page).locator("canvas").first()).toBeVisible();
    await expect(saveState(page)).toHaveText("Saved");
  };
  await openAndClose();
  const canvases = await page.locator("canvas").count();
  const before = await elements();
  // A timer of a board that was just closed may still refer to it, but never to the boards of all ten rounds.
  const twoBoards = 2 * (await page.locator("body *").count());
  for (let count = 0; count < 10; count += 1) await openAndClose();
  expect(await page.locator("canvas").count()).toBe(canvases);
  await expect.poll(elements).toBeLessThanOrEqual(before + twoBoards);
  await expect(page.getByText("1 user online")).toBeVisible();
});

/** A shift of layout, as the browser reports it. */
type Shift = PerformanceEntry & { value: number; sources: readonly { node: Node | null }[] };

test("UI-22 nothing moves while the page loads, which is used before its canvas has come, and with reduced motion nothing runs or slides", async ({
  product,
  visit,
}) => {
  let release = (): void => undefined;
  const person = await visit({
    unready: true,
    prepare: async (one) => {
      release = await holdRequests(one, CANVAS_CODE);
    },
  });
  const { page } = person;
  const bar = page.getByRole("progressbar");
  await expect(bar).toBeVisible();
  expect((await bar.boundingBox())!.height).toBeLessThanOrEqual(4);
  await expect(button(page, "Draw")).toHaveAttribute("aria-pressed", "true");
  await clickOn(page, "button", "Red");
  await clickOn(page, "button", "Rectangle");
  await expect(button(page, "Rectangle")).toHaveAttribute("aria-pressed", "true");
  const running = await page.evaluate(() =>
    document
      .getAnimations()
      .filter((animation) => animation.playState === "running")
      .map((animation) => (animation as CSSAnimation).animationName),
  );
  expect(running).toEqual([]);
  release();
  await person.ready();
  await expect(bar).toHaveCount(0);
  await expect
    .poll(() => savedObjects(product, person))
    .toMatchObject([{ type: "Rect", fill: "#ff0000" }]);
  await expect(saveState(page)).toHaveText("Saved");
  const shifts = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0;
        // This is a shift of our own, which is reported after all earlier ones.
        const last = document.createElement("div");
        last.style.cssText =
          "position:fixed;inset:0 auto auto 0;width:200px;height:100px;background:red";
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as Shift[]) {
            if (entry.sources.some(({ node }) => node === last)) resolve(sum);
            sum += entry.value;
          }
        }).observe({ type: "layout-shift", buffered: true });
        document.body.append(last);
        requestAnimationFrame(() =>
          requestAnimationFrame(() => (last.style.inset = "200px auto auto 0")),
        );
      }),
  );
  expect(shifts).toBe(0);
});

test("UI-23 a canvas that does not arrive is reported, with a button to try again", async ({
  visit,
}) => {
  let down = true;
  const person = await visit({
    unready: true,
    prepare: (one) => one.route(CANVAS_CODE, (route) => (down ? route.abort() : route.continue())),
  });
  person.allow(/ERR_FAILED|board-code|loaded/);
  const { page } = person;
  await expect(page.getByRole("alert")).toContainText("The canvas could not be loaded.");
  down = false;
  await clickOn(page, "button", "Try again");
  await expect(saveState(page)).toHaveText("Saved");
  await expect(surface(page).locator("canvas").first()).toBeVisible();
});
