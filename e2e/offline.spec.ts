import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";
import { expect, test as base } from "./fixtures.ts";
import { startProduct } from "./product.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Waits until the worker has stored the page, and controls it. */
async function deviceCopyStored(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === "activated");
}

/** A product whose page can be replaced: its own copy of what is compiled. */
const test = base.extend<{ readonly web: string }>({
  web: async ({ browserName: _name }, use) => {
    const root = mkdtempSync(join(tmpdir(), "inkpool-build-"));
    cpSync(join(ROOT, "dist"), join(root, "dist"), { recursive: true });
    for (const name of ["package.json", "supabase", "node_modules"])
      symlinkSync(join(ROOT, name), join(root, name));
    await use(join(root, "dist/web"));
    rmSync(root, { recursive: true, force: true });
  },
  product: async ({ serverEnv, web }, use) => {
    const product = await startProduct(serverEnv, join(web, "../server/server/main.js"));
    await use(product);
    await product.dispose();
  },
});

test.use({ serverEnv: { OFFLINE: "on" } });

/** Replaces the build by another one: every file has another name, and the old files are removed. */
function rebuild(web: string): { readonly entry: string; readonly gone: string } {
  const assets = join(web, "assets");
  const names = readdirSync(assets).filter((name) => /\.(?:js|css)$/.test(name));
  const renamed = (text: string): string =>
    names.reduce((all, name) => all.replaceAll(name, `new-${name}`), text);
  for (const folder of [assets, web])
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      if (/\.(?:br|gz)$/.test(name)) rmSync(path);
      else if (/\.(?:js|html)$/.test(name))
        writeFileSync(path, renamed(readFileSync(path, "utf8")));
    }
  for (const name of names) renameSync(join(assets, name), join(assets, `new-${name}`));
  const find = (start: string): string =>
    names.find((name) => name.startsWith(start) && name.endsWith(".js")) ?? "";
  return { entry: `/assets/new-${find("page-")}`, gone: `/assets/${find("panels-")}` };
}

test("UI-48 a new build is offered to an open tab, which goes on with its own until it is loaded again", async ({
  product,
  visit,
  web,
}) => {
  const a = await visit();
  await deviceCopyStored(a.page);
  const { entry, gone } = rebuild(web);
  const entryOf = (page: Page) => page.locator("script[src]").getAttribute("src");
  // Another tab of the same browser gets the new build immediately.
  const second = await a.context.newPage();
  await second.goto(product.url);
  expect(await entryOf(second)).toBe(entry);
  const notice = a.toast("A new version is ready");
  await expect(notice).toBeVisible();
  expect((await fetch(product.url + gone)).status).toBe(404);
  await a.page.getByRole("button", { name: "Menu" }).click();
  await a.page.getByRole("menuitem", { name: "Who drew what" }).click();
  await expect(a.page.getByRole("dialog", { name: "Who drew what" })).toBeVisible();
  await expect(second.locator("[data-sonner-toast]")).toHaveCount(0);

  await notice.getByRole("button", { name: "Reload" }).click();
  await expect.poll(() => entryOf(a.page)).toBe(entry);
  await a.ready();
  await expect.poll(() => a.page.evaluate(async () => (await caches.keys()).length)).toBe(1);
  const paths = await a.page.evaluate(async () => {
    const [name = ""] = await caches.keys();
    const requests = await (await caches.open(name)).keys();
    return requests.map(({ url }) => new URL(url).pathname);
  });
  expect(paths).toContain(entry);
  expect(paths.filter((path) => !/^\/(?:assets\/.+|config\.json)?$/.test(path))).toEqual([]);
});
