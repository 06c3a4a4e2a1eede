/**
 * A board that this version wrote, in the version before its newest kinds of objects: whether an older page loses any of
 * it. The older version is checked out and built in a folder of its own, or `--folder` names one that is built. Needs a
 * built product.
 *
 *   npx tsx bench/before/run.ts [--commit 989dc32] [--folder /tmp/inkpool-before]
 */

import type { Browser, BrowserContext, Page } from "@playwright/test";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { parseArgs } from "node:util";
import { LIMITS } from "../../board/constants.ts";
import type { Json } from "../../board/drawing.ts";
import { canonicalJson } from "../../board/json.ts";
import { type Product, startProduct } from "../../lab/measuring/product.ts";
import { ROOT } from "../../scripts/root.mjs";
import { isSaved, launch } from "../canvas/session.ts";
import { DRAWN, drawEverything, preparePage } from "../fabric/draw.ts";
import { differing, untilStill, WIDTH } from "../fabric/pixels.ts";
import { type SavedDrawing, type SavedObject, seedRow, untilSaved } from "../fabric/saved.ts";

const { values: options } = parseArgs({
  options: { commit: { type: "string", default: "989dc32" }, folder: { type: "string" } },
});

const VIEWPORT = { width: 1280, height: 900 };
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};

/** The folder of the older version, built. */
function checkedOut(): string {
  if (options.folder) return options.folder.replace(/\/?$/, "/");
  const folder = `${mkdtempSync(join(tmpdir(), "inkpool-before-"))}/`;
  const run = (command: string, ...args: readonly string[]) =>
    execFileSync(command, args, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  execFileSync("git", ["worktree", "add", "--force", "--detach", folder, options.commit], {
    cwd: ROOT,
    stdio: "ignore",
  });
  process.once("exit", () =>
    execFileSync("git", ["worktree", "remove", "--force", folder], { cwd: ROOT }),
  );
  run("npm", "ci", "--no-audit", "--no-fund", "--loglevel=error");
  run("npm", "run", "build");
  return folder;
}

/** Has pages of a context be those of the older version, on the server of this one. */
async function serveOlderPage(context: BrowserContext, folder: string): Promise<void> {
  const files = `${folder}dist/web`;
  await context.route(
    ({ pathname }) => pathname === "/" || existsSync(files + pathname),
    async (route) => {
      const { pathname } = new URL(route.request().url());
      const path = pathname === "/" ? "/index.html" : pathname;
      const contentType = TYPES[extname(path)] ?? "application/octet-stream";
      await route.fulfill({ body: readFileSync(files + path), contentType });
    },
  );
}

async function openPage(browser: Browser, url: string, olderPage?: string): Promise<Page> {
  const context = await browser.newContext({
    ...{ viewport: VIEWPORT, serviceWorkers: "block" },
    // Chromium takes a page that a route fulfils for one of the public network, which may not open our WebSocket.
    permissions: ["local-network-access"],
  });
  if (olderPage) await serveOlderPage(context, olderPage);
  const page = await context.newPage();
  await preparePage(page);
  await page.goto(url);
  await isSaved(page);
  return page;
}

const press = (page: Page, name: string) =>
  page.getByRole("button", { name, exact: true }).first().click();

async function drag(page: Page, [x, y]: readonly number[], [toX, toY]: readonly number[]) {
  await page.mouse.move(x ?? 0, (y ?? 0) + LIMITS.headerHeight);
  await page.mouse.down();
  await page.mouse.move(toX ?? 0, (toY ?? 0) + LIMITS.headerHeight, { steps: 6 });
  await page.mouse.up();
}

/** Has an older page draw, move a rectangle, a line and ink of a pen's pressure, and remove the circle. */
async function edit(page: Page): Promise<void> {
  await press(page, "Draw");
  await drag(page, [620, 620], [780, 640]);
  await press(page, "Select");
  for (const [from, to] of [
    [
      [720, 320],
      [720, 350],
    ],
    [
      [320, 186],
      [320, 176],
    ],
    [
      [818, 50],
      [818, 30],
    ],
  ] as const) {
    await page.mouse.click(from[0], from[1] + LIMITS.headerHeight);
    await page.getByRole("toolbar", { name: "Selection" }).waitFor();
    await drag(page, from, to);
    await page.keyboard.press("Escape");
  }
  await page.mouse.click(1000, 320 + LIMITS.headerHeight);
  await page.getByRole("toolbar", { name: "Selection" }).waitFor();
  await page.keyboard.press("Delete");
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+Shift+z");
}

/** The fate of the objects, as numbers of them. */
interface Outcome {
  /** Neither there nor removed by the older page, or there with other content. */
  readonly lost: number;
  readonly same: number;
  readonly moved: number;
  readonly removed: number;
  readonly added: number;
}

/** An object as text, whatever the order of its properties. */
const textOf = (object: Readonly<Record<string, unknown>>) => canonicalJson(object as Json);

function compare({ objects: before }: SavedDrawing, { objects: after }: SavedDrawing): Outcome {
  const byId = new Map(after.map((object) => [object.id, object]));
  let [lost, same, moved, removed] = [0, 0, 0, 0];
  for (const object of before) {
    const now = byId.get(object.id);
    const { left: _left, top: _top, stamps: _stamps, ...rest } = object;
    if (!now && object.type === "Circle") removed++;
    else if (!now) lost++;
    else if (textOf(now) === textOf(object)) same++;
    else {
      const { left: _nowLeft, top: _nowTop, stamps: _nowStamps, ...restNow } = now;
      if (textOf(restNow) === textOf(rest)) moved++;
      else {
        console.error(`${object.id} ${object.type} differs`);
        lost++;
      }
    }
  }
  return { lost, same, moved, removed, added: after.length - (before.length - removed - lost) };
}

/** Whether all that the older page did is in a row: the circle is not, and the new stroke is. */
const isEdited = (before: SavedDrawing) => (objects: readonly SavedObject[]) => {
  const ids = new Set(before.objects.map(({ id }) => id));
  return objects.some(({ id }) => !ids.has(id)) && !objects.some(({ type }) => type === "Circle");
};

/** Pixels in which two pages differ, on the left of the picture, and in the columns in which it is. */
function differences(a: Uint8Array, b: Uint8Array): readonly [number, number] {
  const from = 870;
  const part = (pixels: Uint8Array, isLeft: boolean) =>
    pixels.filter((_, i) => Math.floor(i / 4) % WIDTH < from === isLeft);
  return [differing(part(a, true), part(b, true)), differing(part(a, false), part(b, false))];
}

function report(title: string, outcome: Outcome): void {
  const { lost, same, moved, removed, added } = outcome;
  console.log(
    `${title}: ${same} objects as they were, ${moved} moved, ${removed} removed, ${added} added, ${lost} lost`,
  );
  if (lost > 0 || same + moved + removed !== DRAWN || moved !== 3 || added !== 1)
    process.exitCode = 1;
}

const folders: string[] = [];
const start = (root = ROOT): Promise<Product> => {
  const data = mkdtempSync(join(tmpdir(), "inkpool-data-"));
  folders.push(data);
  return startProduct(data, {}, root);
};

const older = checkedOut();
const browser = await launch();
const product = await start();
const olderProduct = await start(older);
const after = await start();
try {
  const drawing = await openPage(browser, product.url);
  await drawEverything(drawing);
  const before = await untilSaved(product.url, ({ length }) => length === DRAWN);
  await drawing.context().close();
  await seedRow(olderProduct.url, before);

  // An older page, as a tab that was not reloaded, on the server of this version and beside a page of it.
  const page = await openPage(browser, product.url);
  const own = await untilStill(page);
  const olderPage = await openPage(browser, product.url, older);
  await olderPage.getByText("2 users online").waitFor();
  const [elsewhere, atPicture] = differences(own, await untilStill(olderPage));
  console.log(
    `pixels that an older page shows differently: ${elsewhere}, and ${atPicture} where the picture is`,
  );
  await edit(olderPage);
  report(
    "an older page on this server, beside a page of this version",
    compare(before, await untilSaved(product.url, isEdited(before))),
  );
  await page.context().close();
  await olderPage.context().close();

  // The older version alone, page and server: its row is then opened by this one.
  const alone = await openPage(browser, olderProduct.url);
  await edit(alone);
  const written = await untilSaved(olderProduct.url, isEdited(before));
  report("the older version alone", compare(before, written));
  await seedRow(after.url, written);
  const again = await openPage(browser, after.url);
  const [left, right] = differences(await untilStill(alone), await untilStill(again));
  console.log(
    `opened here again, pixels that differ from the older page: ${left}, and ${right} where the picture is`,
  );
  await press(again, "Draw");
  await drag(again, [620, 660], [780, 680]);
  const ids = new Set(written.objects.map(({ id }) => id));
  const last = await untilSaved(after.url, (objects) => objects.some(({ id }) => !ids.has(id)));
  const lost = written.objects.filter(({ id }) => !last.objects.some((object) => object.id === id));
  console.log(`and after a stroke there: ${last.objects.length} objects, ${lost.length} lost`);
  if (lost.length > 0 || left > 0) process.exitCode = 1;
} finally {
  await browser.close();
  for (const one of [product, olderProduct, after]) await one.stop();
  for (const folder of folders) rmSync(folder, { recursive: true });
}
