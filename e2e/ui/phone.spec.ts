import { COLORS, LIMITS } from "../../board/constants.ts";
import { MAX_OBJECTS } from "../../board/limits.ts";
import { TOOLS } from "../../board/tools.ts";
import { expect, test } from "../fixtures.ts";
import { button, replaceObjects, savedObjects, saveState } from "./controls.ts";
import { enterAsPeer } from "./socket-peer.ts";
import { setLocked } from "./host-steps.ts";
import { findControls, overlapping } from "./press.ts";

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

test("UI-8 a phone shows every control, large enough and out of the drawing's way, and no tooltip stays after a touch; a finger draws, and does not scroll or zoom", async ({
  product,
  visit,
}) => {
  const { page, canvas } = await visit({ context: PHONE });
  const names = [...TOOLS, ...COLORS].map(({ name }) => name);
  // Shapes and stickers are added there, with their handles around them.
  const top = LIMITS.headerHeight + LIMITS.insertTop - 60;
  const bottom = LIMITS.headerHeight + LIMITS.insertTop + 2 * LIMITS.circleRadius + 20;
  const controls = [
    ...(await findControls(page, ".header")),
    ...(await findControls(page, ".dock")),
  ];
  expect(controls.map(({ name }) => name)).toEqual(
    expect.arrayContaining([...names, "Custom color", "Clear Canvas", "Undo", "Redo", "Menu"]),
  );
  const faults = controls.flatMap(({ name, box }) => {
    const edges = [box.x, box.y, 360 - box.x - box.width, 740 - box.y - box.height];
    return [
      ...(Math.min(...edges) >= 0 ? [] : [`${name} is outside`]),
      ...(Math.min(box.width, box.height) >= 40 ? [] : [`${name} is too small`]),
      ...(box.y >= bottom || box.y + box.height <= top ? [] : [`${name} is in the way`]),
    ];
  });
  expect(faults).toEqual([]);
  // Nothing had to be scrolled for that.
  const colors = page.locator(".colors");
  expect(await colors.evaluate(({ scrollLeft, scrollTop }) => [scrollLeft, scrollTop])).toEqual([
    0, 0,
  ]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);

  await button(page, "Menu").tap();
  await page.getByRole("menuitem", { name: "Keyboard shortcuts" }).tap();
  await button(page, "Close").tap();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  // The focus alone opens a tooltip only where it arrived by keys.
  await expect(button(page, "Menu")).toBeFocused();
  await expect(page.getByRole("tooltip")).toHaveCount(0);
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("tooltip")).toHaveText("Menu");

  const touch = await page.context().newCDPSession(page);
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
  // Before the code of the canvas has arrived, the style sheet alone keeps fingers from zooming.
  await canvas.evaluate((element) => element.style.removeProperty("touch-action"));
  await expect(canvas).toHaveCSS("touch-action", "none");
});

test("UI-164 Back to the board can be pressed beside the panel of an earlier version, and the sign of a lock does not lie over it", async ({
  product,
  visit,
}) => {
  await product.seed({ objects: [{ type: "Rect", left: 100, top: 100, width: 50, height: 50 }] });
  await replaceObjects(product, []);
  const { page } = await visit({ context: PHONE });
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
    [568, 320],
    [667, 375],
    [740, 360],
    [844, 390],
    [1000, 500],
  ] as const) {
    await page.setViewportSize({ width, height });
    const [back] = await findControls(page, ".banner");
    expect(back, `${width}x${height}`).toMatchObject({ name: "Back to the board", isHit: true });
    const [banner, lock] = await page.evaluate(() =>
      [".banner", ".lock-sign"].map((part) =>
        document.querySelector(part)!.getBoundingClientRect().toJSON(),
      ),
    );
    expect(banner.x).toBeGreaterThanOrEqual(0);
    const isBelow = lock.y >= banner.y + banner.height;
    expect(isBelow || lock.y + lock.height <= banner.y, `${width}x${height}`).toBe(true);
  }
  await setLocked(product, false);
});

test("UI-176 on a phone the toolbar of a selection can be pressed above the sheet of Objects, which Go to and a followed person leave free", async ({
  product,
  visit,
}) => {
  const peer = await enterAsPeer(product);
  const { page } = await visit({
    context: { ...PHONE, viewport: { width: 390, height: 844 } },
  });
  await button(page, "Circle").click();
  await button(page, "Menu").click();
  await page.getByRole("menuitem", { name: "Objects" }).click();
  await page.getByRole("option").click();
  const bar = page.getByRole("toolbar", { name: "Selection" });
  for (const press of ["Select", "Go to"]) {
    await page.locator(".panel").getByRole("button", { name: press }).click();
    const controls = await findControls(page, ".selection-bar");
    expect(controls.map(({ isHit }) => isHit)).toEqual(controls.map(() => true));
    expect(controls).not.toEqual([]);
  }
  const [toolbar, panel] = [bar, page.locator(".panel")].map((part) => part.boundingBox());
  const { y, height } = (await toolbar)!;
  const { y: top } = (await panel)!;
  expect(y + height).toBeLessThan(top);

  await button(page, "2 users online").click();
  peer.point(600, 300);
  await page.getByRole("button", { name: /^Follow / }).click();
  const pointer = page.locator("[data-peer]");
  // The view keeps it a fifth of the free height away from the sheet.
  await expect(async () => {
    for (const x of [600, 620]) peer.point(x, 590);
    const pointed = (await pointer.boundingBox({ timeout: 500 }))!;
    expect(pointed.y).toBeGreaterThan(top - 80);
    expect(pointed.y).toBeLessThan(top - 60);
  }).toPass({ intervals: [100] });
  peer.leave();
});

test("UI-177 the sign of a lock, the warning about an unreadable row and a notice lie beside each other; the warning has a way to the history", async ({
  product,
  visit,
}) => {
  await product.seed({ objects: Array.from({ length: MAX_OBJECTS + 1 }, () => ({})) });
  const visitor = await visit({ context: { viewport: { width: 360, height: 500 } } });
  visitor.allow(/cannot be read/);
  const { page } = visitor;
  await expect(saveState(page).first()).toHaveText("The saved drawing cannot be read");
  await expect(page.getByText("Your changes are kept on this device.")).toBeVisible();
  const parts = [".lock-sign", ".banner-warning", "[data-sonner-toast]"];
  await setLocked(product, true);
  await expect(page.locator(parts[0]!)).toBeVisible();
  await visitor.canvas.evaluate((canvas) => {
    const data = new DataTransfer();
    data.setData("text/plain", "words");
    canvas.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
  });
  await visitor.toast("The host has locked the board").hover();
  for (const width of [360, 640, 980]) {
    await page.setViewportSize({ width, height: 500 });
    await expect.poll(() => overlapping(page, parts), { message: `${width} px` }).toEqual([]);
  }
  await setLocked(product, false);
  await button(page, "History").click();
  await expect(page.getByRole("dialog", { name: "History" })).toBeVisible();
});

test("UI-178 zoom, hints, notices and panels stand above More tools where these are above the dock", async ({
  visit,
}) => {
  const visitor = await visit({ context: { viewport: { width: 768, height: 1024 } } });
  const { page } = visitor;
  await button(page, "Rectangle").click();
  await button(page, "More tools").click();
  const parts = [".dock > .more-tools", ".view"];
  await expect(page.locator(parts[0]!)).toBeVisible();
  await expect.poll(() => overlapping(page, parts)).toEqual([]);
  await page.keyboard.press("?");
  await expect(page.locator(".keys")).toBeVisible();
  await expect.poll(() => overlapping(page, [".dock", parts[0]!, ".panel"])).toEqual([]);
  await page.keyboard.press("Escape");
  await page.setViewportSize({ width: 390, height: 844 });
  await visitor.clear();
  await visitor.toast("Canvas cleared!").hover();
  await expect.poll(() => overlapping(page, [parts[0]!, "[data-sonner-toast]"])).toEqual([]);
});
