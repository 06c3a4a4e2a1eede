import { LIMITS, SIZE_CHECK, TEXTS } from "../board/constants.ts";
import { expect, test } from "./fixtures.ts";
import { switchTabs } from "./person.ts";
import { button, selectionBar } from "./ui/controls.ts";
import { watchTraffic, writesOf, type Traffic } from "./traffic.ts";

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

test("SAV-15 a drawing of more than 10 MB is not sent: the reason is shown with its size", async ({
  product,
  visit,
}) => {
  // There are many bytes for each curve: the test is about the size, not about the work of 2 million curves.
  const path = `M0 0${"q101.25 102.25 3.75 4.75".repeat(500)}`;
  const objects: object[] = [];
  // As a foreign client writes it, it just fits; with our ids and a stroke it does not.
  for (let bytes = 200, at = 0; bytes < LIMITS.canvasBytes; at++) {
    const object = {
      type: "Path",
      // It is outside the window.
      left: 7000,
      top: 5000 + (at % 50),
      stroke: "#000000",
      fill: null,
      path: `${path}l${at} 0`,
    };
    bytes += JSON.stringify(object).length + 1;
    if (bytes < LIMITS.canvasBytes) objects.push(object);
  }
  await product.seed({ version: "7.4.0", objects, background: "white" });
  const traffics: Traffic[] = [];
  const a = await visit({ prepare: (page) => void traffics.push(watchTraffic(page)) });
  a.allow(/too large/);
  await a.stroke([100, 50], [200, 50]);
  const [traffic] = traffics as [Traffic];
  const toast = a.page.getByText(
    /^Cannot save: Canvas data too large \(\d+\.\d\dMB\)\. Maximum is 10MB\.$/,
  );
  await expect(toast).toBeVisible({ timeout: 60_000 });
  expect(writesOf(traffic)).toEqual([]);
  expect(await a.colorAt([150, 50])).toBe("#000000");
});

test("SYN-19 a failing load is logged and nothing is shown", async ({ visit }) => {
  const a = await visit({
    unready: true,
    prepare: async (page) => {
      await page.route(TABLE, (route) =>
        route.request().method() === "GET"
          ? route.fulfill({ status: 500, json: { code: "XX000", message: "broken" } })
          : route.fallback(),
      );
    },
  });
  await expect(a.canvas.locator("canvas").first()).toBeVisible();
  a.allow(/status of 500/, /load/i);
  await a.stroke([200, 200], [400, 200]);
  await expect
    .poll(() => a.problems.some((text) => /load/i.test(text) && !/status of/.test(text)))
    .toBe(true);
  await expect(a.page.locator("[data-sonner-toast]")).toHaveCount(0);
  expect(await a.colorAt([300, 200])).toBe("#000000");
});

test("SYN-18 the page shows the readable objects of a row with rubbish, logs the rest, and writes it back as it came when a visitor draws", async ({
  product,
  visit,
}) => {
  const rubbish = {
    version: "7.4.0",
    background: "white",
    objects: [
      { type: "Rect", left: 300, top: 300, width: 100, height: 100, fill: "#ff0000" },
      { type: "Image", left: 0, top: 0, src: "https://example.org/x.png" },
      { type: "Rect", left: "NaN", top: 1e308, width: -1, fill: "url(javascript:alert(1))" },
      42,
      null,
    ],
  };
  await product.seed(rubbish);
  const before = await product.row();
  const traffics: Traffic[] = [];
  const a = await visit({
    async prepare(page) {
      traffics.push(watchTraffic(page));
      await page.clock.install();
    },
  });
  a.allow(/console (?:warning|error): (?!Failed to load)/);
  const [traffic] = traffics as [Traffic];
  await expect.poll(() => a.colorAt([320, 320])).toBe("#ff0000");
  expect(a.problems.length).toBeGreaterThan(0);
  // Long after a save would be due the page has written nothing.
  await a.page.clock.fastForward(2 * LIMITS.saveDebounce);
  await switchTabs(a);
  await a.page.waitForLoadState("networkidle");
  expect(writesOf(traffic)).toEqual([]);
  expect(await product.row()).toEqual(before);
  await a.stroke([100, 200], [200, 200]);
  await switchTabs(a);
  await expect.poll(async () => (await product.row())?.canvas_json.objects.length).toBe(4);
  // An object that this page cannot read may be somebody else's: it stays in the row. A number and null are no
  // objects.
  const stored = (await product.row())?.canvas_json.objects ?? [];
  expect(stored).toEqual(expect.arrayContaining([rubbish.objects[1], rubbish.objects[2]]));
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
