/** Tests the hints of a first visit. */

import type { Page } from "@playwright/test";
import { LIMITS } from "../../board/constants.ts";
import { clickOn } from "../click.ts";
import { expect, test } from "../fixtures.ts";
import { surface } from "./controls.ts";
import { setLocked } from "./host-steps.ts";

type Box = Record<"left" | "top" | "right" | "bottom", number>;

/** Returns the boxes of these parts of the page. */
const boxesOf = (page: Page, ...parts: readonly string[]): Promise<Box[]> =>
  page.evaluate(
    (selectors) =>
      selectors.map(
        (part) => document.querySelector(part)!.getBoundingClientRect().toJSON() as Box,
      ),
    parts,
  );

// This is a page of the library's own, which was never here before.
test("UI-17 on a first visit each tool has a hint of one line, once, beside new shapes and the dock", async ({
  page,
  product,
}) => {
  await page.goto(product.url);
  const hint = page.getByRole("note");
  await expect(hint).toHaveText("Press and move to draw");
  await expect(page.getByRole("group", { name: "View" })).toBeAttached();
  for (const [width, height] of [
    [1280, 720],
    [800, 1180],
    [700, 800],
    [390, 844],
    [320, 570],
  ] as const) {
    await page.setViewportSize({ width, height });
    const [box, dock, view] = (await boxesOf(page, "[role=note]", ".dock", ".view")) as [
      Box,
      Box,
      Box,
    ];
    const shape = LIMITS.headerHeight + LIMITS.insertTop + 150 + 12;
    expect([box.left >= 0, box.right <= width, box.top >= shape, box.bottom <= dock.top]).toEqual([
      ...[true, true, true, true],
    ]);
    expect(box.bottom - box.top).toBeLessThanOrEqual(44);
    const zoom = page.getByRole("button", { name: "Zoom out" });
    expect(box.left).toBeGreaterThan((await zoom.isVisible()) ? view.right : -Infinity);
  }
  await page.setViewportSize({ width: 320, height: 568 });
  await expect(hint).toBeHidden();
  await page.setViewportSize({ width: 1280, height: 720 });
  // The canvas follows the window a moment later, and only then is the press on it.
  await expect(surface(page)).toHaveCSS("width", "1280px");
  await expect(surface(page).locator("canvas").first()).toBeVisible();
  // A stroke continues below it, and the hint is used up.
  await page.mouse.move(640, 400);
  await page.mouse.down();
  await expect(hint).toHaveCount(0);
  await page.mouse.up();
  await clickOn(page, "button", "Select");
  await expect(hint).toHaveText("Press an object to move or resize it");
  await clickOn(page, "button", "Draw");
  await expect(hint).toHaveCount(0);
  await clickOn(page, "button", "Eraser");
  await hint.getByRole("button", { name: "No more hints" }).click();
  await expect(surface(page)).toBeFocused();
  await clickOn(page, "button", "Circle");
  await expect(hint).toHaveCount(0);
  await page.reload();
  await expect(surface(page).locator("canvas").first()).toBeVisible();
  await expect(page.getByRole("group", { name: "View" })).toBeAttached();
  await expect(hint).toHaveCount(0);
});

test("UI-162 a long hint of another language wraps, so that its button is inside the window, and a notice, which has its place, hides it", async ({
  page,
  product,
}) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(`${product.url}/?lang=fr`);
  const hint = page.locator(".tool-hint");
  await expect(hint).toContainText("dessiner");
  await page.keyboard.press("v");
  await expect(hint).toContainText("Appuyez sur un objet");
  for (const [width, height] of [
    [320, 640],
    [360, 740],
    [600, 500],
  ] as const) {
    await page.setViewportSize({ width, height });
    const [box] = (await boxesOf(page, ".tool-hint")) as [Box];
    expect([box.left >= 0, box.right <= width]).toEqual([true, true]);
    await expect(hint.getByRole("button")).toBeInViewport({ ratio: 1 });
  }

  await page.setViewportSize({ width: 740, height: 360 });
  const unfold = page.locator(".dock-toggle");
  await unfold.click();
  await clickOn(page, "button", "Rectangle");
  await expect(hint).toContainText("Tirez un coin pour redimensionner");
  await unfold.click();
  await clickOn(page, "button", "Tout effacer");
  const notice = page.locator("[data-sonner-toast]");
  await expect(notice).toBeVisible();
  await expect(hint).toBeHidden();
  await notice.getByRole("button", { name: "Annuler" }).click();
  await expect(notice).toHaveCount(0);
  await expect(hint).toBeVisible();
});

test("HOST-19 on a locked board no hint of a first visit says how to draw", async ({
  page,
  product,
}) => {
  await setLocked(product, true);
  await page.goto(product.url);
  await expect(page.locator(".lock-sign")).toHaveText("The host has locked the board");
  await expect(page.getByRole("note")).toHaveCount(0);
  await setLocked(product, false);
  await expect(page.getByRole("note")).toHaveText("Press and move to draw");
});
