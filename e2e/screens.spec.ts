import type { Page } from "@playwright/test";
import { COLORS, DEFAULT_COLOR, TAGLINE, TEXTS } from "../board/constants.ts";
import { STICKERS } from "../board/stickers.ts";
import { TOOLS } from "../board/tools.ts";
import { expect, test } from "./fixtures.ts";

test.describe("with a name of its own", () => {
  test.use({ serverEnv: { PRODUCT_NAME: "Chalk & <Talk>" } });

  test("UI-1 the front page has the product's name, the tagline and the badge", async ({
    visit,
  }) => {
    const { page } = await visit();
    await expect(page).toHaveTitle("Chalk & <Talk>");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Chalk & <Talk>");
    await expect(page.getByText(TAGLINE)).toBeVisible();
    await expect(page.getByText("1 user online")).toBeVisible();
  });
});

test("UI-3 the canvas fills the window but for 80 px, is white, and follows the window", async ({
  visit,
}) => {
  const person = await visit();
  expect(await person.canvas.boundingBox()).toEqual({ x: 0, y: 80, width: 1280, height: 720 });
  expect(await person.colorAt([640, 300])).toBe("#ffffff");
  await person.stroke([200, 200], [300, 200]);
  await person.page.setViewportSize({ width: 900, height: 500 });
  await expect
    .poll(() => person.canvas.boundingBox())
    .toEqual({ x: 0, y: 80, width: 900, height: 420 });
  const picture = await person.drawing();
  expect([picture.width, picture.height]).toEqual([900, 420]);
  await expect.poll(() => person.colorAt([250, 200])).toBe(DEFAULT_COLOR);
});

test("UI-4 six tools and Clear Canvas; Draw and Black are chosen at first", async ({ visit }) => {
  const { page } = await visit();
  const tools = page.getByRole("toolbar", { name: "Tools", exact: true }).getByRole("button");
  expect(
    await tools.evaluateAll((all) => all.map((one) => one.getAttribute("aria-label"))),
  ).toEqual(TOOLS.map(({ name }) => name));
  await expect(page.getByRole("button", { name: "Clear Canvas" })).toBeVisible();
  await expect(page.getByRole("button", { pressed: true })).toHaveCount(2);
  await expect(page.getByRole("button", { name: "Draw", pressed: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "Black", pressed: true })).toBeVisible();
});

test("UI-6 Stickers opens a panel of 20 emoji; a click puts one onto the canvas", async ({
  visit,
}) => {
  const person = await visit();
  await person.tool("Stickers");
  const panel = person.page.getByRole("dialog", { name: "Sticker panel" });
  const stickers = panel.getByRole("button");
  // The panel's code is fetched when it is opened.
  await expect(stickers).toHaveCount(STICKERS.length);
  const names = await stickers.evaluateAll((all) =>
    all.map((one) => one.getAttribute("aria-label")),
  );
  expect(names).toEqual(STICKERS.map(({ name }) => name));
  await panel.getByRole("button", { name: "rocket" }).click();
  await person.tool("Draw");
  await person.leaveCanvas();
  const picture = await person.drawing();
  let painted = 0;
  for (let y = 100; y < 168; y++)
    for (let x = 100; x < 170; x++)
      if (picture.rgba[(y * picture.width + x) * 4 + 1] !== 255) painted++;
  expect(painted).toBeGreaterThan(500);
});

test("UI-5 twelve presets and a colour of one's own colour the next stroke", async ({ visit }) => {
  const person = await visit();
  const { page } = person;
  for (const [at, { name, value }] of COLORS.entries()) {
    await person.color(name);
    await expect(page.getByRole("button", { name, exact: true, pressed: true })).toBeVisible();
    await person.stroke([100, 40 + at * 20], [200, 40 + at * 20]);
    await expect.poll(() => person.colorAt([150, 40 + at * 20])).toBe(value);
  }
  await page.getByLabel("Custom color").fill("#123456");
  await person.stroke([100, 300], [200, 300]);
  await expect.poll(() => person.colorAt([150, 300])).toBe("#123456");
});

test("UI-7 any other path answers 404 with the 404 page, logs the route, and leads home", async ({
  product,
  visit,
}) => {
  const person = await visit();
  person.allow(/status of 404/, /unknown route.*\/no\/such\/page/);
  const answer = await person.page.goto(`${product.url}/no/such/page`);
  expect(answer?.status()).toBe(404);
  await expect(person.page.getByRole("heading")).toHaveText(TEXTS.notFoundTitle);
  await expect(person.page.getByText(TEXTS.notFound)).toBeVisible();
  expect(person.problems.some((text) => text.includes("unknown route"))).toBe(true);
  await person.page.getByRole("link", { name: TEXTS.returnHome }).click();
  await expect(person.page).toHaveURL(`${product.url}/`);
  await person.ready();
});

test("UI-109 a browser that is too old reads one sentence; others never see it, also without scripts", async ({
  visit,
}) => {
  // No script arrives, as before they do, or where one cannot be read.
  const withoutScripts = (page: Page) => page.route("**/*.js", (route) => route.abort());
  const person = await visit({ unready: true, prepare: withoutScripts });
  person.allow(/Failed to load resource/);
  const sentence = person.page.getByText("This whiteboard needs a newer browser");
  await expect(sentence).toBeAttached();
  await expect(sentence).toBeHidden();
  const older = await visit({
    unready: true,
    prepare: async (page) => {
      await withoutScripts(page);
      await page.route("**/*.css", async (route) => {
        const response = await route.fetch();
        const body = (await response.text()).replaceAll("light-dark(", "unknown-to-it(");
        await route.fulfill({ response, body });
      });
    },
  });
  older.allow(/Failed to load resource/);
  await expect(older.page.getByText("This whiteboard needs a newer browser")).toBeVisible();
});
