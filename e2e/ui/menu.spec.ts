import type { Page } from "@playwright/test";
import { decodePng } from "../../testing/pictures/png.ts";
import { SIZE_CHECK, TEXTS } from "../../board/constants.ts";
import { expect, test } from "../fixtures.ts";
import { inSteps } from "../in-steps.ts";
import { knowEachOther } from "../person.ts";
import {
  button,
  itemNames,
  savedObjects,
  selectionBar,
  selectionButton,
  surface,
} from "./controls.ts";

const PANELS = /\/assets\/(?:HistoryPanel|panels)-[^/]*\.js/;

async function expectHeaderFits(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 740 });
  await expect(button(page, "Menu")).toBeInViewport({ ratio: 1 });
  const found = await page.getByRole("banner").evaluate((header) => {
    const menu = header.querySelector('[aria-label="Menu"]')!.getBoundingClientRect();
    const isInside = [...header.querySelectorAll("button, h1, output")].every((element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      return left >= 0 && right <= innerWidth && top >= 0 && bottom <= 80;
    });
    const { scrollWidth } = document.documentElement;
    return { isInside, scrollWidth, menuSize: Math.min(menu.width, menu.height) };
  });
  expect(found).toMatchObject({ isInside: true, scrollWidth: width });
  expect(found.menuSize).toBeGreaterThanOrEqual(44);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menu")).toBeInViewport({ ratio: 1 });
  await page.keyboard.press("Escape");
  await expect(button(page, "Menu")).toBeFocused();
}

test("UI-25 the menu opens and closes by keys, and gives the focus back; a panel keeps letters and Delete from the board; with reduced motion neither slides; the header fits a window of 320 to 740 px", async ({
  visit,
}) => {
  const { page } = await visit();
  const menu = page.getByRole("menu", { name: "Menu" });
  const item = (name: string) => page.getByRole("menuitem", { name });
  const running = () => page.evaluate(() => document.getAnimations().length);
  await button(page, "Rectangle").click();
  await button(page, "Menu").focus();
  for (const key of ["Enter", "Space", "ArrowDown"]) {
    await page.keyboard.press(key);
    await expect(item("Add text")).toBeFocused();
    expect(await running()).toBe(0);
    await expect(button(page, "Menu")).toHaveAttribute("aria-expanded", "true");
    await page.keyboard.press("ArrowDown");
    await expect(item("Add picture")).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(menu).toHaveCount(0);
    await expect(button(page, "Menu")).toBeFocused();
  }
  await page.keyboard.press("Enter");
  await expect(item("Add text")).toBeFocused();
  await page.keyboard.press("w");
  await expect(item("Who drew what")).toBeFocused();
  await page.keyboard.press("Enter");
  const panel = page.getByRole("dialog", { name: "Who drew what" });
  await expect(panel).toBeFocused();
  expect(await running()).toBe(0);
  await expect(panel.getByRole("listitem")).toHaveCount(1);
  await page.keyboard.press("e");
  await page.keyboard.press("Delete");
  await expect(button(page, "Eraser")).toHaveAttribute("aria-pressed", "false");
  await expect(panel.getByRole("listitem")).toHaveCount(1);
  await page.keyboard.press("Escape");
  await expect(panel).toHaveCount(0);
  await expect(button(page, "Menu")).toBeFocused();
  const widths = [320, 360, 414, 600, 740];
  const fits = (width: number) => (): Promise<void> => expectHeaderFits(page, width);
  await inSteps(Object.fromEntries(widths.map((width) => [`${width} px`, fits(width)])));
});

test("UI-97 the focus stays where somebody put it directly after Escape closed a menu, the stickers or the colours", async ({
  visit,
}) => {
  const { page } = await visit();
  const openers = {
    Menu: () => button(page, "Menu").click(),
    Board: () => surface(page).click({ button: "right", position: { x: 300, y: 300 } }),
    "Sticker panel": () => button(page, "Stickers").click(),
    "Selection colour": async () => {
      await button(page, "Circle").click();
      await selectionButton(page, "Colour").press("Enter");
    },
  };
  for (const [name, open] of Object.entries(openers)) {
    await open();
    const opened = page.locator(`[role=menu]:focus, [role=dialog]:has(:focus)`);
    await expect(opened).toHaveAccessibleName(name);
    const focused = await page.evaluate(async () => {
      const escape = new KeyboardEvent("keydown", { key: "Escape", bubbles: true });
      document.activeElement?.dispatchEvent(escape);
      // Of what the closing set off, timers come after this.
      await new Promise((resolve) => queueMicrotask(() => queueMicrotask(() => resolve(null))));
      const more = document.querySelector<HTMLElement>(".more-toggle");
      const returned = document.activeElement?.closest(".header, .canvas, .dock, .selection-bar");
      more?.focus();
      await new Promise((resolve) => setTimeout(resolve));
      await new Promise((resolve) => setTimeout(resolve));
      return [returned !== null, document.activeElement === more];
    });
    expect(focused, name).toEqual([true, true]);
  }
});

test("UI-95 the menu has groups, and opens and closes by clicks; a click on the canvas closes it; in landscape it has a shadow at the edge beyond which more items are", async ({
  visit,
}) => {
  const { page } = await visit();
  const menu = page.getByRole("menu", { name: "Menu" });
  await button(page, "Menu").click();
  // On an empty board sharing is first.
  const [share, write] = [["Copy link"], ["Add text", "Add picture", "Open drawing..."]];
  const rest = [
    ...["Download picture (PNG)", "Download drawing (SVG)", "Download drawing (JSON)"],
    ...["Copy picture", "Print", "Keyboard shortcuts"],
  ];
  const view = ["Show all", "History", "Objects", "Who drew what", "Appearance", "Language"];
  await expect(menu.getByRole("menuitem")).toHaveCount(16);
  expect(await itemNames(menu)).toEqual([...share, ...write, ...view, ...rest]);
  await expect(menu.getByRole("menuitem", { name: "Show all" })).toContainText("Shift+1");
  await page.keyboard.press("Escape");
  await button(page, "Rectangle").click();
  await page.keyboard.press("Escape");
  await expect(selectionBar(page)).toHaveCount(0);
  await button(page, "Menu").click();
  expect(await itemNames(menu)).toEqual([...write, ...view, ...share, ...rest]);
  await expect(menu.getByRole("separator")).toHaveCount(4);
  for (const name of ["Write", "View", "Share", "Take out", "Help"])
    await expect(menu.getByRole("group", { name, exact: true })).toBeVisible();
  await button(page, "Menu").click();
  await expect(menu).toHaveCount(0);
  await button(page, "Menu").click();
  await surface(page).click({ position: { x: 200, y: 300 } });
  await expect(menu).toHaveCount(0);
  await expect(surface(page)).toBeFocused();

  await page.setViewportSize({ width: 740, height: 360 });
  await button(page, "Menu").click();
  await expect(menu.getByRole("menuitem").first()).toBeVisible();
  /** Returns how light the upper and the lower edge are, beside the items: 255 for white. */
  const edges = async (): Promise<readonly boolean[]> => {
    const { width, height, rgba } = decodePng(await menu.screenshot());
    return [3, height - 4].map((y) => (rgba[4 * (y * width + width - 14)] ?? 0) > 250);
  };
  await expect.poll(edges).toEqual([true, false]);
  await menu.evaluate((element) => element.scrollTo(0, 1_000));
  await expect.poll(edges).toEqual([false, true]);
});

test("UI-25 a panel's code is fetched when it is opened, and the page says when it does not come", async ({
  visit,
}) => {
  const fetched: string[] = [];
  let down = true;
  const person = await visit({
    async prepare(page) {
      page.on("request", (request) => {
        if (PANELS.test(request.url())) fetched.push(request.url());
      });
      await page.route(PANELS, (route) => (down ? route.abort() : route.continue()));
    },
  });
  person.allow(/ERR_FAILED/, /could not be loaded/);
  const { page } = person;
  expect(fetched).toEqual([]);
  await button(page, "Menu").click();
  await page.getByRole("menuitem", { name: "Who drew what" }).click();
  const failure = person.toast("This part of the page could not be loaded.");
  await expect(failure).toBeVisible();
  down = false;
  await button(page, "Menu").click();
  await page.getByRole("menuitem", { name: "Who drew what" }).click();
  await expect(page.getByRole("dialog", { name: "Who drew what" })).toBeVisible();
  // Of a build that the server has no more, no second try loads anything.
  await failure.getByRole("button", { name: "Reload" }).click();
  await expect(page.getByRole("dialog", { name: "Who drew what" })).toHaveCount(0);
  await person.ready();
});

test("UI-51 Copy link copies the page's address and shows it with a QR code; where that is refused it is selected", async ({
  visit,
  product,
}) => {
  const context = { permissions: ["clipboard-read", "clipboard-write"] };
  const { page } = await visit({ context });
  const open = async (): Promise<void> => {
    await button(page, "Menu").click();
    await page.getByRole("menuitem", { name: "Copy link" }).click();
  };
  await open();
  const panel = page.getByRole("dialog", { name: "Link to this board" });
  await expect(panel.getByRole("status")).toHaveText("Copied");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${product.url}/`);
  const code = panel.getByRole("img", { name: "QR code of the link" });
  await expect(code).toBeInViewport({ ratio: 1 });
  await page.keyboard.press("Escape");
  await expect(button(page, "Menu")).toBeFocused();

  await page.evaluate(() => {
    Object.assign(navigator.clipboard, { writeText: () => Promise.reject(new Error("refused")) });
  });
  await open();
  await expect(panel.getByRole("status")).toHaveText(/The link is selected: press Ctrl\+C/);
  const field = panel.getByRole("textbox", { name: "Link" });
  await expect(field).toBeFocused();
  expect(await page.evaluate(() => getSelection()?.toString())).toBe(`${product.url}/`);
});

test("WHO-1 Who drew what names the authors, counts hidden objects, and removes everything by one of them", async ({
  visit,
  product,
}) => {
  await product.seed({
    objects: [
      { type: "Rect", width: 10, height: 10, visible: false },
      { type: "Rect", width: 20, height: 10, left: 5_000_000 },
    ],
  });
  const one = await visit();
  const other = await visit();
  await knowEachOther(one, other);
  await one.stroke([100, 300], [200, 300]);
  await other.color("Red");
  await other.stroke([300, 300], [400, 300]);
  await other.stroke([300, 350], [400, 350]);
  await expect.poll(() => one.colorAt([350, 350])).toBe("#ff0000");
  // The name of a peer is beside its pointer.
  await other.page.mouse.move(500, 500, { steps: 3 });
  const label = surface(one.page).getByText(/^[A-Z][a-z]+ [A-Z][a-z]+$/);
  await expect(label).toBeVisible();
  const name = await label.innerText();

  await button(one.page, "Menu").click();
  await one.page.getByRole("menuitem", { name: "Who drew what" }).click();
  const panel = one.page.getByRole("dialog", { name: "Who drew what" });
  const rows = panel.getByRole("listitem");
  await expect(rows).toHaveCount(3);
  await expect(rows.filter({ hasText: "(you)" })).toContainText("1 object");
  const programs = rows.filter({ hasText: "Other programs" });
  await expect(programs).toContainText("2 objects, 2 of them hidden");
  await button(one.page, "Remove everything by “Other programs”").click();
  await expect(rows).toHaveCount(2);
  await expect(programs).toHaveCount(0);
  const theirs = rows.filter({ hasText: name }).filter({ hasText: "2 objects" });
  await expect(theirs).toHaveCount(1);
  await theirs.getByRole("button", { name: `Remove everything by ${name}` }).click();
  await expect.poll(() => one.colorAt([350, 350])).toBe("#ffffff");
  await expect(rows).toHaveCount(1);
  await expect(panel).toBeFocused();
  const notice = one.toast(`Removed 2 objects by ${name}`);
  await expect.poll(() => other.colorAt([350, 350])).toBe("#ffffff");
  await notice.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => other.colorAt([350, 350])).toBe("#ff0000");
  await expect(rows).toHaveCount(2);
  await expect.poll(() => savedObjects(product, one, other)).toHaveLength(3);
});

test("WHO-1 a save that is refused for its size offers Who drew what", async ({ visit }) => {
  const person = await visit({
    async prepare(page) {
      await page.route("**/rest/v1/canvas_state*", async (route) => {
        if (["GET", "OPTIONS"].includes(route.request().method())) return route.fallback();
        const message = `violates check constraint "${SIZE_CHECK}"`;
        const json = { code: "23514", details: null, hint: null, message };
        await route.fulfill({ status: 400, json });
      });
    },
  });
  person.allow(/status of 400/, /save/i);
  await person.stroke([200, 200], [400, 200]);
  await person.toast(TEXTS.tooLargeToSave).getByRole("button", { name: "Who drew what" }).click();
  await expect(person.page.getByRole("dialog", { name: "Who drew what" })).toBeVisible();
});
