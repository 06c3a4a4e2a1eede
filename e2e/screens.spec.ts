import type { Page } from "@playwright/test";
import { COLORS, DEFAULT_COLOR } from "../board/constants.ts";
import { expect, test } from "./fixtures.ts";
import { savedObjects } from "./ui/controls.ts";

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
  await expect
    .poll(() => person.canvas.locator("canvas").first().boundingBox())
    .toEqual({ x: 0, y: 80, width: 900, height: 420 });
  await expect(person.canvas).toHaveCSS("background-color", "rgb(255, 255, 255)");
  const picture = await person.drawing();
  expect([picture.width, picture.height]).toEqual([900, 420]);
  await expect.poll(() => person.colorAt([250, 200])).toBe(DEFAULT_COLOR);
});

/** Returns the names of the pressed presets, and the value of the custom colour; runs in the page. */
function colorInUse(): unknown {
  const colors = document.querySelector("[role=toolbar][aria-label=Colors]");
  const pressed = [...(colors?.querySelectorAll("[aria-pressed=true]") ?? [])];
  const custom = document.querySelector<HTMLInputElement>("input[type=color]")?.value;
  return { pressed: pressed.map(({ ariaLabel }) => ariaLabel), custom };
}

test("UI-5 twelve presets and a colour of one's own, which shows the one in use, colour the next stroke and shape", async ({
  product,
  visit,
}) => {
  const person = await visit();
  const { page } = person;
  const custom = page.getByLabel("Custom color");
  await expect(custom).toHaveAttribute("type", "color");
  await expect(page.getByRole("button", { name: "Black", pressed: true })).toBeVisible();
  expect(COLORS).toHaveLength(12);
  for (const [at, { name, value }] of COLORS.entries()) {
    await person.color(name);
    await expect.poll(() => page.evaluate(colorInUse)).toEqual({ pressed: [name], custom: value });
    await person.stroke([100, 40 + at * 20], [200, 40 + at * 20]);
    await expect.poll(() => person.colorAt([150, 40 + at * 20])).toBe(value);
  }
  await custom.fill("#123456");
  const colors = page.getByRole("toolbar", { name: "Colors" });
  await expect(colors.locator('[aria-pressed="true"]')).toHaveCount(0);
  await person.stroke([100, 300], [200, 300]);
  await expect.poll(() => person.colorAt([150, 300])).toBe("#123456");
  await person.tool("Circle");
  await expect
    .poll(async () => (await savedObjects(product, person)).at(-1))
    .toMatchObject({ type: "Circle", fill: "#123456" });
});

test("UI-7 any other path answers 404 with the 404 page, logs the route, and leads home", async ({
  product,
  visit,
}) => {
  const person = await visit();
  person.allow(/status of 404/, /unknown route.*\/no\/such\/page/);
  const answer = await person.page.goto(`${product.url}/no/such/page`);
  expect(answer?.status()).toBe(404);
  await expect(person.page.getByRole("heading")).toHaveText("404");
  await expect(person.page.getByText("Oops! Page not found")).toBeVisible();
  const logged = person.problems.filter((text) => text.includes("/no/such/page"));
  expect(logged).toEqual([expect.stringMatching(/^console error: .*unknown route/)]);
  await person.page.getByRole("link", { name: "Return to Home" }).click();
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
