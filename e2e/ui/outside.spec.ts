/** Tests objects outside the view: where the chip says they are, and what a press shows. */

import { expect, test } from "../fixtures.ts";
import { inSteps } from "../in-steps.ts";
import type { Person } from "../person.ts";
import { button, replaceObjects, surface } from "./controls.ts";

const WINDOWS = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
  { width: 820, height: 1180 },
  { width: 740, height: 360 },
  { width: 320, height: 256 },
] as const;

const rectangle = (left: number, top: number) => ({
  ...{ type: "Rect", version: "7.4.0", originX: "left", originY: "top", left, top },
  ...{ width: 100, height: 100, fill: "#ff0000", strokeWidth: 0 },
});

const drawing = (...objects: readonly object[]) => ({ version: "7.4.0", objects });

const chip = ({ page }: Person) => page.getByRole("button", { name: /^Drawing: / });

test("UI-92 in a window of any size a chip says where the drawing is, and goes there; there is none while a part of each object is in view", async ({
  visit,
  product,
}) => {
  await product.seed(drawing(rectangle(2480, 20)));
  const visitor = await visit();
  const { page } = visitor;
  const check = async (viewport: (typeof WINDOWS)[number]): Promise<void> => {
    await page.setViewportSize(viewport);
    await page.keyboard.press("Shift+0");
    const distance = `${(2480 - viewport.width).toLocaleString("en")} px`;
    await expect(chip(visitor)).toHaveAccessibleName(`Drawing: ${distance} to the right`);
    await expect(chip(visitor)).toContainText(distance);
    await expect(chip(visitor)).toBeInViewport({ ratio: 1 });
    await chip(visitor).click();
    await expect(chip(visitor)).toHaveCount(0);
    // This is the middle of the area above the dock; the smallest window shows the object's upper part.
    const dock = await page.locator(".dock").boundingBox();
    const free = dock!.y - 80;
    const at = free < 100 ? ([250, 50] as const) : ([viewport.width / 2, free / 2] as const);
    await expect.poll(() => visitor.colorAt(at)).toBe("#ff0000");
    await expect(surface(page)).toBeFocused();
  };
  await inSteps(
    Object.fromEntries(
      WINDOWS.map((size) => [`${size.width}x${size.height}`, () => check(size)] as const),
    ),
  );
  await page.setViewportSize(WINDOWS[0]);
  await page.keyboard.press("Shift+0");
  await replaceObjects(product, [rectangle(-99, 300), rectangle(500, 300)]);
  await expect(page.getByRole("button", { name: /^Show all/ })).toBeVisible();
  await expect(chip(visitor)).toHaveCount(0);
  await page.mouse.move(600, 400);
  await page.mouse.wheel(200, 0);
  await expect(chip(visitor)).toHaveAccessibleName("Drawing: 199 px to the left");
});

test("CAN-61 Show all leaves out objects more than ten windows from everything else, and says so once", async ({
  visit,
  product,
}) => {
  await product.seed(
    drawing(
      rectangle(100, 100),
      rectangle(1500, 400),
      rectangle(20_000, 100),
      rectangle(0, 90_000),
    ),
  );
  const visitor = await visit();
  const { page } = visitor;
  await page.keyboard.press("Shift+1");
  const notice = visitor.toast("2 objects lie far from everything else and are not shown");
  await expect(notice).toHaveCount(1);
  await expect(button(page, "Zoom: 80 %")).toBeVisible();
  await expect(chip(visitor)).toHaveAccessibleName(/^Drawing: 18,\d\d\d px to the right$/);
  await notice.getByRole("button", { name: /close/i }).click();
  await expect(notice).toHaveCount(0);
  await page.keyboard.press("Shift+0");
  await expect(button(page, "Zoom: 100 %")).toBeVisible();
  await page.keyboard.press("Shift+1");
  await expect(button(page, "Zoom: 80 %")).toBeVisible();
  await expect(notice).toHaveCount(0);
});

// Pages of the library's own: they were never here before.
test("UI-93 the first visit of a board of twice the window is offered Show all, in a window of any size", async ({
  page,
  product,
}) => {
  await product.seed(drawing(rectangle(0, 0), rectangle(2 * 1280, 300)));
  await page.goto(product.url);
  const offer = page.getByRole("note").filter({ hasText: "There is more than you see" });
  for (const viewport of WINDOWS.slice(0, 4)) {
    await page.setViewportSize(viewport);
    await expect(offer).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole("note").filter({ hasText: "Press and move" })).toBeHidden();
    await offer.getByRole("button", { name: "Show all" }).click({ trial: true });
  }
  await offer.getByRole("button", { name: "Show all" }).click();
  await expect(offer).toHaveCount(0);
  await expect(surface(page)).toBeFocused();
  await expect(page.getByRole("button", { name: /^Drawing: / })).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole("button", { name: /^Drawing: / })).toBeVisible();
  await expect(offer).toHaveCount(0);
});

test("UI-94 in landscape the first hint shows, beside new shapes, also where the board is a little wider than the window", async ({
  page,
  product,
}) => {
  await product.seed(drawing(rectangle(0, 0), rectangle(750, 300)));
  await page.setViewportSize({ width: 740, height: 360 });
  await page.goto(product.url);
  const hint = page.getByRole("note");
  await expect(hint).toHaveText("Press and move to draw");
  await expect(hint).toBeInViewport({ ratio: 1 });
  const box = await hint.boundingBox();
  expect(box!.x).toBeGreaterThan(262);
  const dock = await page.locator(".dock").boundingBox();
  expect(box!.y + box!.height).toBeLessThan(dock!.y);
});
