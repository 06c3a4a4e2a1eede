/** Tests the page read from right to left, as languages such as Arabic are. */

import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures.ts";
import { violations } from "./axe.ts";
import { button, selectionBar } from "./controls.ts";

/** Sets the direction before the page's first script runs. */
const mirror = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      observer.disconnect();
      document.documentElement.dir = "rtl";
    }).observe(document, { childList: true });
  });

/** Returns the pairs of elements whose first is not at the right of the second one. */
function notRightOf(page: Page, pairs: readonly (readonly [string, string])[]): Promise<string[]> {
  return page.evaluate(
    (all) =>
      all
        .filter((pair) => {
          const [one, other] = pair.map((part) => document.querySelector(part)!);
          const { left, width } = one!.getBoundingClientRect();
          return width === 0 || left < other!.getBoundingClientRect().right;
        })
        .map((pair) => pair.join(" and ")),
    pairs,
  );
}

/** Returns the left and right edge of an element, in pixels of the window. */
async function across(page: Page, selector: string): Promise<{ left: number; right: number }> {
  const box = await page.locator(selector).first().boundingBox();
  if (!box) throw new Error(`${selector} is not shown`);
  return { left: box.x, right: box.x + box.width };
}

const isRightOf = async (page: Page, one: string, other: string): Promise<boolean> =>
  (await across(page, one)).left >= (await across(page, other)).right;

async function openPanel(page: Page, item: string): Promise<void> {
  await button(page, "Menu").click();
  await page.getByRole("menuitem", { name: item, exact: true }).click();
  await expect(page.getByRole("dialog", { name: item })).toBeVisible();
}

const named = (name: string): string => `[aria-label="${name}"]`;

test("LANG-20 from right to left the page is mirrored, its arrow keys too; the canvas and addresses are not", async ({
  visit,
}) => {
  const person = await visit({ prepare: mirror });
  const { page } = person;
  const width = page.viewportSize()?.width ?? 0;
  // These are header, dock and the elements that float beside the canvas.
  const pairs = [
    [".logo", ".header-title"],
    [".header-title", ".save"],
    [".save", ".badge"],
    [".badge", named("Undo")],
    [named("Undo"), named("Redo")],
    [named("Redo"), named("Menu")],
    [named("Select"), named("Draw")],
    [".tools", ".colors"],
    [".colors", ".clear"],
    [named("Zoom out"), named("Zoom in")],
  ] as const;
  expect(await notRightOf(page, pairs)).toEqual([]);
  await expect(button(page, "Undo").locator("svg")).toHaveCSS("scale", "-1 1");
  expect((await across(page, ".view")).right).toBe(width - 16);
  await button(page, "More tools").click();
  await expect(page.getByRole("radio", { name: "Thin" })).toBeVisible();
  expect((await across(page, "main > .more-tools")).right).toBe(width - 16);

  await expect(person.canvas).toHaveCSS("direction", "ltr");
  // Ink lies under the pointer, and shapes are added where they always are.
  await button(page, "Draw").click();
  await person.stroke([200, 400], [400, 400]);
  expect(await person.colorAt([300, 400])).toBe("#000000");
  expect(await person.colorAt([width - 300, 400])).toBe("#ffffff");
  await button(page, "Rectangle").click();
  await expect(selectionBar(page)).toBeVisible();
  expect(await person.colorAt([175, 150])).toBe("#000000");

  // These are the keys.
  await button(page, "Draw").focus();
  for (const [key, name] of [
    ["ArrowLeft", "Rectangle"],
    ["ArrowLeft", "Circle"],
    ["ArrowRight", "Rectangle"],
  ] as const) {
    await page.keyboard.press(key);
    await expect(button(page, name)).toBeFocused();
  }
  await button(page, "Menu").click();
  const menu = page.getByRole("menu");
  await expect(menu).toHaveCSS("direction", "rtl");
  await expect
    .poll(async () => (await across(page, ".menu")).left)
    .toBe((await across(page, named("Menu"))).left);
  expect(await isRightOf(page, ".menu-item > svg", ".menu-item > kbd")).toBe(true);
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press("Escape");

  // The panel is at the left, with a notice beside it.
  await openPanel(page, "Objects");
  expect((await across(page, ".panel")).left).toBe(16);
  await expect(page.locator(".object-row").first()).toHaveCSS("text-align", "right");
  await expect(page.locator(".object-name").first()).toHaveCSS("direction", "ltr");
  await person.clear();
  await expect(person.toast("Canvas cleared!")).toBeVisible();
  await expect.poll(() => isRightOf(page, "[data-sonner-toast]", ".panel")).toBe(true);
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await button(page, "Menu").click();
  await page.getByRole("menuitem", { name: "Copy link" }).click();
  await expect(page.getByRole("textbox", { name: "Link" })).toHaveCSS("direction", "ltr");
});

/** Returns the names of elements that extend beyond the window at its sides. */
async function outside(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll("body *")]
      .filter((element) => !element.closest(".canvas, .unseen, .colors"))
      .filter((element) => getComputedStyle(element).visibility === "visible")
      .map((element) => ({ element, box: element.getBoundingClientRect() }))
      .filter(({ box }) => box.width * box.height > 0)
      .filter(({ box }) => box.left < -0.5 || box.right > innerWidth + 0.5)
      .map(({ element, box }) => `${element.outerHTML.slice(0, 80)} ${box.left} to ${box.right}`),
  );
}

/** Returns the names of controls of header and dock that lie below something else. */
async function covered(page: Page): Promise<readonly string[]> {
  return page.locator(":is(.header, .dock) :is(button, input)").evaluateAll((controls) =>
    controls
      .map((control) => ({ control, box: control.getBoundingClientRect() }))
      .filter(({ box }) => box.width * box.height > 0)
      .filter(({ control, box: { x, y, width, height } }) => {
        const hit = document.elementFromPoint(x + width / 2, y + height / 2);
        return !control.contains(hit);
      })
      .map(({ control }) => control.ariaLabel ?? control.textContent),
  );
}

test("LANG-21 from right to left nothing lies outside of a window of any size, and nothing over a control of header and dock; a wheel goes on through the colours", async ({
  visit,
}) => {
  const { page } = await visit({ prepare: mirror });
  for (const [width, height] of [
    [1280, 800],
    [390, 844],
    [320, 256],
  ] as const) {
    const size = `${width}x${height}`;
    await page.setViewportSize({ width, height });
    const isFolded = height < 394;
    await expect(button(page, "Tools")).toBeVisible({ visible: isFolded });
    await expect.poll(() => outside(page), size).toEqual([]);
    if (isFolded) await button(page, "Tools").click();
    await expect.poll(() => covered(page), size).toEqual([]);
    await expect.poll(() => outside(page), `${size} the dock`).toEqual([]);
    await button(page, "Menu").click();
    await expect(page.getByRole("menu")).toBeVisible();
    await expect.poll(() => outside(page), `${size} the menu`).toEqual([]);
    await page.keyboard.press("Escape");
    await openPanel(page, "Keyboard shortcuts");
    await expect.poll(() => outside(page), `${size} a panel`).toEqual([]);
    await page.keyboard.press("Escape");
  }
  // On a phone on its side the colours are a strip that scrolls.
  await page.setViewportSize({ width: 640, height: 400 });
  const colors = page.locator(".colors");
  await expect(colors).toHaveCSS("overflow-x", "auto");
  await colors.hover();
  await page.mouse.wheel(0, 50);
  await expect.poll(() => colors.evaluate((strip) => strip.scrollLeft)).toBeLessThan(0);
});
