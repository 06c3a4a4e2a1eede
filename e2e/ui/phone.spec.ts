import { COLORS, LIMITS } from "../../board/constants.ts";
import { TOOLS } from "../../board/tools.ts";
import { expect, test } from "../fixtures.ts";
import { switchTabs } from "../person.ts";
import { button, savedObjects } from "./controls.ts";
import { setLocked } from "./host-steps.ts";
import { findControls } from "./press.ts";

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

test("UI-8 a phone shows every control, large enough and out of the drawing's way", async ({
  visit,
}) => {
  const { page } = await visit({ context: PHONE });
  const names = [...TOOLS, ...COLORS].map(({ name }) => name);
  const controls = [
    ...[...names, "Clear Canvas", "Undo", "Redo", "Menu"].map((name) => button(page, name)),
    page.getByLabel("Custom color"),
  ];
  // Shapes and stickers are added there, with their handles around them.
  const top = LIMITS.headerHeight + LIMITS.insertTop - 60;
  const bottom = LIMITS.headerHeight + LIMITS.insertTop + 2 * LIMITS.circleRadius + 20;
  for (const control of controls) {
    await expect(control).toBeInViewport({ ratio: 1 });
    const box = (await control.boundingBox())!;
    expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(40);
    expect(box.y >= bottom || box.y + box.height <= top).toBe(true);
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});

test("CAN-21 a finger draws; it does not scroll or zoom", async ({ product, visit }) => {
  const { page, context } = await visit({ context: PHONE });
  const touch = await context.newCDPSession(page);
  const at = (x: number, y: number) => ({ touchPoints: [{ x, y, id: 1 }] });
  await touch.send("Input.dispatchTouchEvent", { type: "touchStart", ...at(180, 450) });
  for (let y = 440; y >= 200; y -= 40)
    await touch.send("Input.dispatchTouchEvent", { type: "touchMove", ...at(180, y) });
  await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await expect.poll(() => savedObjects(product, { page })).toHaveLength(1);
  const view = await page.evaluate(() => ({
    scrolled: window.scrollY + document.body.scrollTop,
    scale: window.visualViewport?.scale,
    offset: window.visualViewport?.offsetTop,
  }));
  expect(view).toEqual({ scrolled: 0, scale: 1, offset: 0 });
});

test("UI-164 Back to the board can be pressed beside the panel of an earlier version, and the sign of a lock does not lie over it", async ({
  product,
  visit,
}) => {
  const visitor = await visit({ context: PHONE });
  const { page } = visitor;
  await button(page, "Rectangle").click();
  await switchTabs(visitor);
  await visitor.clear();
  await switchTabs(visitor);
  const sign = page.locator(".lock-sign");
  await button(page, "Menu").click();
  await page.getByRole("menuitem", { name: "History" }).click();
  await page.locator(".version").last().click();
  await expect(button(page, "Back to the board")).toBeVisible();
  await setLocked(product, true);
  await expect(sign).toBeVisible();
  for (const [width, height] of [
    [320, 568],
    [390, 844],
    [667, 375],
    [740, 360],
    [844, 390],
    [1000, 500],
  ] as const) {
    await page.setViewportSize({ width, height });
    const [back] = await findControls(page, ".banner");
    expect(back, `${width}x${height}`).toMatchObject({ name: "Back to the board", isHit: true });
    const [banner, lock] = [
      (await page.locator(".banner").boundingBox())!,
      (await sign.boundingBox())!,
    ];
    expect(banner.x).toBeGreaterThanOrEqual(0);
    const isBelow = lock.y >= banner.y + banner.height;
    expect(isBelow || lock.y + lock.height <= banner.y, `${width}x${height}`).toBe(true);
  }
  await setLocked(product, false);
});
