import { COLORS, LIMITS } from "../../board/constants.ts";
import { TOOLS } from "../../board/tools.ts";
import { expect, test } from "../fixtures.ts";
import { button, savedObjects } from "./controls.ts";

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
