import type { Page } from "@playwright/test";
import { LIMITS } from "../../board/constants.ts";
import { clickOn } from "../click.ts";
import { expect, test } from "../fixtures.ts";
import { knowEachOther } from "../person.ts";
import { button, itemNames, savedObjects, selectionBar } from "./controls.ts";
import { findControls } from "./press.ts";

const menu = (page: Page) => page.getByRole("menu", { name: "Board" });
const item = (page: Page, name: string) => menu(page).getByRole("menuitem", { name, exact: true });

/** Returns the names of the items that are usable now. */
async function usable(page: Page): Promise<string[]> {
  await expect(menu(page)).toBeVisible();
  return itemNames(menu(page));
}

const ALL = [
  ...["Cut", "Copy", "Paste", "Duplicate", "To front", "To back", "Delete", "Select all"],
  ...["Show all", "Add text", "by you"],
];

const rightClickOn =
  (page: Page) =>
  (x: number, y: number): Promise<void> =>
    page.mouse.click(x, y + LIMITS.headerHeight, { button: "right" });

test("UI-56 a right click opens a menu that acts on the selection", async ({ product, visit }) => {
  const person = await visit({ context: { permissions: ["clipboard-read", "clipboard-write"] } });
  const { page } = person;
  const rightClick = rightClickOn(page);
  // With Draw, on an empty board, the press draws nothing. The menu's code arrives when the board is ready.
  await expect(async () => {
    await rightClick(300, 300);
    await expect(menu(page)).toBeVisible({ timeout: 500 });
  }).toPass();
  expect(await usable(page)).toEqual(["Paste", "Add text"]);
  await page.keyboard.press("Escape");
  await expect(menu(page)).toHaveCount(0);
  await expect(person.canvas).toBeFocused();
  await expect(button(page, "Draw")).toHaveAttribute("aria-pressed", "true");
  expect(await person.colorAt([300, 300])).toBe("#ffffff");

  await person.color("Green");
  await clickOn(page, "button", "Rectangle");
  await page.keyboard.press("Escape");
  await clickOn(page, "button", "Draw");
  // An object that is not selected is selected first, whatever the tool is.
  await rightClick(150, 150);
  expect(await usable(page)).toEqual(ALL);
  await expect(button(page, "Select")).toHaveAttribute("aria-pressed", "true");
  await clickOn(page, "menuitem", "Copy");
  await expect(menu(page)).toHaveCount(0);
  await rightClick(600, 300);
  expect(await usable(page)).toEqual(["Paste", "Select all", "Show all", "Add text"]);
  await clickOn(page, "menuitem", "Paste");
  await expect.poll(() => person.colorAt([600, 300])).toBe("#2ecc71");
  await rightClick(600, 300);
  await clickOn(page, "menuitem", "Cut");
  await expect.poll(() => person.colorAt([600, 300])).toBe("#ffffff");

  // The objects that were copied are pasted where the system ends lines as Windows does, too.
  await page.keyboard.press("t");
  await page.keyboard.type("two\nlines");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Control+c");
  await page.evaluate(() => {
    navigator.clipboard.readText = () => Promise.resolve("two\r\nlines");
  });
  await rightClick(600, 600);
  await clickOn(page, "menuitem", "Paste");
  await expect
    .poll(() => savedObjects(product, person), { timeout: 20_000 })
    .toMatchObject([{ type: "Rect" }, { type: "IText" }, { type: "Rect" }, { type: "IText" }]);

  // Where the browser does not let a page read the clipboard, a sentence says so.
  await person.context.clearPermissions();
  await page.evaluate(() => {
    navigator.clipboard.readText = () => Promise.reject(new DOMException("no", "NotAllowedError"));
  });
  await rightClick(500, 300);
  await clickOn(page, "menuitem", "Paste");
  await expect(person.toast(/^The browser does not let a menu read the clipboard/)).toBeVisible();
});

test("CAN-23 a right click in the middle of a stroke ends it with the points drawn until then", async ({
  visit,
}) => {
  const person = await visit();
  const { page } = person;
  await clickOn(page, "button", "Draw");
  await person.press([300, 300]);
  await person.move([400, 300], 5);
  // The menu's code arrives when the board is ready; until then a right click ends nothing.
  await expect(async () => {
    await page.mouse.down({ button: "right" });
    await page.mouse.up({ button: "right" });
    await expect(menu(page)).toBeVisible({ timeout: 500 });
  }).toPass();
  await person.move([500, 300], 5);
  await person.release();
  await page.keyboard.press("Escape");
  await expect(menu(page)).toHaveCount(0);
  expect(await person.colorAt([350, 300])).toBe("#000000");
  expect(await person.colorAt([450, 300])).toBe("#ffffff");
  await expect(button(page, "Draw")).toHaveAttribute("aria-pressed", "true");
  await page.keyboard.press("Control+z");
  await expect.poll(() => person.colorAt([350, 300])).toBe("#ffffff");
  await person.stroke([300, 400], [500, 400]);
  await expect.poll(() => person.colorAt([400, 400])).toBe("#000000");
});

test("UI-161 a stroke that is released over the menu, which a pen's button opened meanwhile, chooses no item", async ({
  visit,
}) => {
  const person = await visit();
  const { page } = person;
  await person.color("Green");
  await clickOn(page, "button", "Rectangle");
  await page.keyboard.press("Escape");
  await clickOn(page, "button", "Draw");
  await person.press([20, 150]);
  await person.move([150, 150], 5);
  // The menu's code arrives when the board is ready; until then a right click opens nothing.
  await expect(async () => {
    await page.mouse.down({ button: "right" });
    await page.mouse.up({ button: "right" });
    await expect(menu(page)).toBeVisible({ timeout: 500 });
  }).toPass();
  await item(page, "Delete").hover();
  await person.release();
  await expect(menu(page)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(menu(page)).toHaveCount(0);
  expect(await person.colorAt([200, 180])).toBe("#2ecc71");
  await page.keyboard.press("Escape");
  await expect(selectionBar(page)).toHaveCount(0);
  // A press of the menu itself still chooses.
  await rightClickOn(page)(200, 180);
  await clickOn(page, "menuitem", "Delete");
  await expect.poll(() => person.colorAt([200, 180])).toBe("#ffffff");
});

test("UI-56 the menu keys open it at the selection, and an added text begins where it was opened", async ({
  product,
  visit,
}) => {
  const person = await visit();
  const { page } = person;
  const rightClick = rightClickOn(page);
  await person.color("Green");
  await clickOn(page, "button", "Rectangle");
  await rightClick(150, 150);
  await page.keyboard.press("Escape");
  await expect(person.canvas).toBeFocused();
  await page.keyboard.press("Shift+F10");
  await expect(item(page, "Cut")).toBeFocused();
  const [x, y] = [
    LIMITS.insertLeft + LIMITS.rectangleWidth / 2,
    LIMITS.insertTop + LIMITS.rectangleHeight / 2 + LIMITS.headerHeight,
  ];
  await expect.poll(() => menu(page).boundingBox()).toMatchObject({ x, y: y + 2 });
  // The library moves the focus after the key: one pressed immediately would start from the same item.
  for (const next of ["Copy", "Paste", "Duplicate"]) {
    await page.keyboard.press("ArrowDown");
    await expect(item(page, next)).toBeFocused();
  }
  await page.keyboard.press("Enter");
  await expect.poll(() => person.colorAt([265, 215])).toBe("#2ecc71");
  await page.keyboard.press("ContextMenu");
  await expect(item(page, "Cut")).toBeFocused();
  await page.keyboard.press("End");
  await expect(item(page, "by you")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(person.canvas).toBeFocused();

  // A text begins where the menu was opened.
  await rightClick(500, 400);
  await clickOn(page, "menuitem", "Add text");
  await page.keyboard.type("here");
  await page.keyboard.press("Escape");
  await expect
    .poll(() => savedObjects(product, person), { timeout: 20_000 })
    .toMatchObject([{ type: "Rect" }, { type: "Rect" }, { type: "IText", text: "here" }]);
  await rightClick(500, 300);
  await clickOn(page, "menuitem", "Select all");
  await expect(menu(page)).toHaveCount(0);
  await expect(person.canvas).toBeFocused();
  await page.keyboard.press("ContextMenu");
  await clickOn(page, "menuitem", "Delete");
  await expect.poll(() => person.colorAt([150, 150])).toBe("#ffffff");
});

/** Milliseconds after which a finger has certainly rested. */
const REST = 700;

test("UI-56 a finger that rests opens the menu, inside the window, and leaves several objects selected", async ({
  visit,
}) => {
  const person = await visit({
    context: { viewport: { width: 390, height: 844 }, hasTouch: true },
    prepare: (visited) => visited.clock.install(),
  });
  const { page } = person;
  const client = await person.context.newCDPSession(page);
  const touch = (type: string, ...touchPoints: readonly { x: number; y: number }[]) =>
    client.send("Input.dispatchTouchEvent", { type, touchPoints } as never);
  const opensAt = async (at: { x: number; y: number }): Promise<void> => {
    await touch("touchStart", at);
    await expect(menu(page)).toBeVisible();
    await touch("touchEnd");
  };
  const close = async (): Promise<void> => {
    await page.keyboard.press("Escape");
    await expect(menu(page)).toHaveCount(0);
  };
  await clickOn(page, "button", "Select");
  for (const [width, height] of [
    [390, 844],
    [320, 256],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expect(person.canvas).toHaveCSS("width", `${width}px`);
    for (const at of [
      { x: 4, y: LIMITS.headerHeight + 4 },
      { x: width - 4, y: LIMITS.headerHeight + 60 },
    ]) {
      await opensAt(at);
      const box = (await menu(page).boundingBox())!;
      expect(box.x).toBeGreaterThanOrEqual(0);
      expect(box.y).toBeGreaterThanOrEqual(0);
      expect(box.x + box.width).toBeLessThanOrEqual(width);
      expect(box.y + box.height).toBeLessThanOrEqual(height);
      const items = await findControls(page, '[role="menu"]');
      expect(items.length).toBeGreaterThan(1);
      for (const { name, isHit, box: own } of items) {
        const isWithin = own.y >= 0 && own.y + own.height <= height && own.x + own.width <= width;
        expect([isHit, isWithin, own.height >= 44], name).toEqual([true, true, true]);
      }
      await close();
    }
  }

  // A finger that moves, or another tool, opens nothing.
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(person.canvas).toHaveCSS("width", "1280px");
  const at = { x: 300, y: LIMITS.headerHeight + 250 };
  await touch("touchStart", at);
  await touch("touchMove", { ...at, x: at.x + 9 });
  await page.clock.fastForward(REST);
  await touch("touchEnd");
  await clickOn(page, "button", "Draw");
  await touch("touchStart", at);
  await page.clock.fastForward(REST);
  await touch("touchEnd");
  await expect(menu(page)).toHaveCount(0);

  // One of several objects leaves them selected, a tap selects it.
  await person.stroke([400, 200], [400, 300]);
  await person.stroke([300, 200], [300, 300]);
  await page.keyboard.press("Control+a");
  await expect(selectionBar(page)).toContainText("3 selected");
  await opensAt(at);
  await close();
  await expect(selectionBar(page)).toContainText("3 selected");
  await page.touchscreen.tap(at.x, at.y);
  await expect(selectionBar(page)).not.toContainText("selected");
});

test("UI-106 on macOS a press with Ctrl draws nothing", async ({ visit }) => {
  const userAgent = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/148";
  const person = await visit({
    prepare: (one) =>
      one.addInitScript(
        (value) => Object.defineProperty(navigator, "userAgent", { value }),
        userAgent,
      ),
  });
  await person.page.keyboard.down("Control");
  await person.strokeWithKeys([300, 300], [500, 300]);
  await person.page.keyboard.up("Control");
  await person.stroke([300, 400], [500, 400]);
  await expect.poll(() => person.colorAt([400, 400])).toBe("#000000");
  expect(await person.colorAt([400, 300])).toBe("#ffffff");
});

test("UI-8 a long name without a space stays inside the menu, Who drew what and its tooltips in a narrow window", async ({
  visit,
}) => {
  const author = await visit();
  const person = await visit({
    prepare: (one) => one.setViewportSize({ width: 320, height: 640 }),
  });
  const { page } = person;
  await knowEachOther(author, person);
  await clickOn(author.page, "button", "2 users online");
  const field = author.page.getByRole("textbox", { name: "Your name" });
  await field.fill("W".repeat(24));
  await field.press("Enter");
  await author.stroke([60, 200], [200, 200], [200, 320]);
  await expect.poll(() => person.colorAt([100, 200])).toBe("#000000");
  const fits = (selector: string): Promise<boolean> =>
    page.locator(selector).evaluate((element) => element.scrollWidth <= element.clientWidth);
  await page.mouse.click(100, 200 + LIMITS.headerHeight, { button: "right" });
  const row = page.getByRole("menuitem", { name: /^by WW/ });
  await expect(row).toBeVisible();
  expect(await fits(".menu")).toBe(true);
  await row.click();
  const remove = page.getByRole("button", { name: /^Remove everything by WW/ });
  await remove.hover();
  await expect(page.locator(".hint")).toBeInViewport({ ratio: 1 });
  expect(await fits(".panel-list")).toBe(true);
});
