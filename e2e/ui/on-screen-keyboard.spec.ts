/** Tests a text that is being written while a keyboard on the screen makes the window lower, and higher again. */

import { expect, test } from "../fixtures.ts";
import { button } from "./controls.ts";

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;

test("CAN-51 the caret is above the dock as soon as a keyboard resizes the window, and stays when it is put away", async ({
  visit,
}) => {
  const { page } = await visit({ context: PHONE });
  const field = page.locator("textarea");
  const caret = async () => Math.round((await field.boundingBox())?.y ?? 0);
  /** Resizes the window; resolves when the canvas follows it. */
  const resize = async (height: number): Promise<void> => {
    await page.setViewportSize({ width: 390, height });
    await expect
      .poll(() =>
        page
          .locator("canvas")
          .first()
          .evaluate((one) => one.clientHeight),
      )
      .toBe(height - 80);
  };
  await page.mouse.move(60, 620);
  await page.keyboard.press("t");
  await expect(field).toBeFocused();
  await page.keyboard.type("low");
  await resize(480);
  const dock = await page.locator(".dock").boundingBox();
  // The field begins where the letters end.
  await expect.poll(caret).toBeLessThan(dock!.y);
  const above = await caret();
  await page.keyboard.type("er");
  await resize(844);
  await page.keyboard.press("ArrowLeft");
  expect(await caret()).toBe(above);
});

test("CAN-51 Show all does not lie over a text that is being written on a phone that is turned upright", async ({
  visit,
}) => {
  const { page } = await visit({ context: { ...PHONE, viewport: { width: 844, height: 190 } } });
  await page.mouse.move(620, 140);
  await page.keyboard.press("t");
  await expect(page.locator("textarea")).toBeFocused();
  await page.keyboard.type("some words on a phone");
  await page.setViewportSize({ width: 390, height: 520 });
  await expect(button(page, "Show all")).toBeHidden();
  await page.keyboard.press("Escape");
  await expect(button(page, "Show all")).toBeVisible();
});
