import { SIZE_CHECK, TEXTS } from "../board/constants.ts";
import { expect, test } from "./fixtures.ts";
import { button, selectionBar } from "./ui/controls.ts";

const TABLE = "**/rest/v1/canvas_state*";

test("SAV-14 a save that fails says so, or that the canvas is too large, keeps the drawing, and is tried again", async ({
  product,
  visit,
}) => {
  const message = `new row for relation "canvas_state" violates check constraint "${SIZE_CHECK}"`;
  let refusal = { status: 400, message };
  const a = await visit({
    prepare: (page) =>
      page.route(TABLE, async (route) => {
        if (["GET", "OPTIONS"].includes(route.request().method())) return route.fallback();
        const json = { code: "23514", details: null, hint: null, message: refusal.message };
        await route.fulfill({ status: refusal.status, json });
      }),
  });
  a.allow(/status of (?:400|500)/, /save/i);
  await a.stroke([200, 200], [400, 200]);
  await expect(a.toast(TEXTS.tooLargeToSave)).toBeVisible();
  await expect(a.toast(TEXTS.saveFailed)).toHaveCount(0);
  expect(await a.colorAt([300, 200])).toBe("#000000");
  await expect(a.saving).toHaveText("1 change not saved yet");
  refusal = { status: 500, message: "the disk is full" };
  await a.stroke([200, 300], [400, 300]);
  await expect(a.toast(TEXTS.saveFailed)).toBeVisible();
  await expect(a.saving).toHaveText("2 changes not saved yet");
  await a.page.unroute(TABLE);
  await a.stroke([200, 400], [400, 400]);
  await expect(a.saving).toHaveText("Saved", { timeout: 60_000 });
  expect((await product.row())?.canvas_json.objects).toHaveLength(3);
});

test("UI-154 texts are painted once the code for them arrives, which is fetched again", async ({
  product,
  visit,
}) => {
  let refusals = 3;
  const text = { type: "IText", text: "\u2588\u2588", fontSize: 40, fill: "#ff0000" };
  await product.seed({
    version: "7.4.0",
    objects: [
      { ...text, left: 100, top: 100 },
      { ...text, left: 100, top: 300 },
    ],
    background: "white",
  });
  const a = await visit({
    unready: true,
    prepare: (page) =>
      page.route(/\/fabric-shape-[^/]*\.js$/, (route) => {
        refusals -= 1;
        return refusals < 0 ? route.continue() : route.abort();
      }),
  });
  a.allow(/ERR_FAILED/, /The code for it did not arrive/, /fabric-shape-/);
  for (const at of [
    [115, 120],
    [115, 320],
  ] as const)
    await expect.poll(() => a.colorAt(at)).toBe("#ff0000");
  expect(refusals).toBe(-1);
});

test("UI-154 the panels and notices arrive once the network does, with their styles", async ({
  visit,
}) => {
  const refusals = new Map([
    ["js", 3],
    ["css", 3],
  ]);
  const a = await visit({
    prepare: (page) =>
      page.route(/\/board-features-[^/]*\.(?:js|css)$/, (route) => {
        const kind = route.request().url().split(".").at(-1) ?? "";
        const left = refusals.get(kind) ?? 0;
        refusals.set(kind, left - 1);
        return left > 0 ? route.abort() : route.continue();
      }),
  });
  a.allow(/ERR_FAILED/, /board-features/);
  await button(a.page, "Rectangle").click();
  await expect(selectionBar(a.page)).toHaveCSS("position", "fixed");
  await button(a.page, "Clear Canvas").click();
  await expect(a.toast(TEXTS.cleared)).toBeVisible();
  expect(Math.max(...refusals.values())).toBeLessThan(0);
});
