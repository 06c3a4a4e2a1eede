import type { Page } from "@playwright/test";
import { COLORS, LIMITS } from "../../board/constants.ts";
import { STICKERS } from "../../board/stickers.ts";
import { TOOLS } from "../../board/tools.ts";
import { expect, test } from "../fixtures.ts";
import { switchTabs } from "../person.ts";
import { button } from "./controls.ts";
import { findControls } from "./press.ts";

/** The first and the fifth size stand for a window of 1280 px at a zoom of 400 and 200 %. */
const SIZES = [
  { width: 320, height: 256, folded: true },
  { width: 320, height: 568, folded: false },
  { width: 360, height: 740, folded: false },
  { width: 390, height: 844, folded: false },
  { width: 640, height: 400, folded: false },
  { width: 740, height: 360, folded: true },
  { width: 820, height: 1180, folded: false },
] as const;

const TOOL_NAMES = TOOLS.map(({ name }) => name);
const ALL = [...TOOL_NAMES, ...COLORS.map(({ name }) => name), "Custom color", "Clear Canvas"];

interface Part {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The area where shapes and stickers are added, in pixels of the window. */
const NEW_SHAPE: Part = {
  left: LIMITS.insertLeft,
  top: LIMITS.headerHeight + LIMITS.insertTop,
  right: LIMITS.insertLeft + 150,
  bottom: LIMITS.headerHeight + LIMITS.insertTop + 150,
};

/** Returns the boxes of the elements that extend into a part of the window, which should be none. */
async function covering(page: Page, selector: string, part: Part): Promise<readonly string[]> {
  return page.locator(selector).evaluateAll((elements, { left, top, right, bottom }) => {
    return elements
      .map((element) => element.getBoundingClientRect())
      .filter((box) => box.width > 0)
      .filter((box) => box.left < right && box.right > left && box.top < bottom && box.bottom > top)
      .map((box) => JSON.stringify(box));
  }, part);
}

for (const { width, height, folded } of SIZES) {
  const size = `${width}x${height}`;
  const hasTouch = width < 800;
  // An element that slides in is not yet where it is pressed.
  const context = { viewport: { width, height }, hasTouch, reducedMotion: "reduce" } as const;

  /** Expects that a press would reach each control, and these names among them. */
  const usable = async (page: Page, within: string, names: readonly string[]): Promise<void> => {
    const found = await findControls(page, within);
    expect(found.map(({ name }) => name)).toEqual(expect.arrayContaining([...names]));
    for (const { name, box, isHit } of found) {
      expect(isHit, `${name} is reached by a press`).toBe(true);
      const end = { x: box.x + box.width, y: box.y + box.height };
      expect(Math.min(box.x, box.y, width - end.x, height - end.y), name).toBeGreaterThanOrEqual(0);
      if (width <= 400 && name !== "input")
        expect(Math.min(box.width, box.height), name).toBeGreaterThanOrEqual(40);
    }
  };

  test(`UI-8 ${size}: every control of header, dock, menu and panels is in the window and can be pressed, and no notice covers a new shape or its handles`, async ({
    visit,
  }) => {
    const person = await visit({ context });
    const { page } = person;
    const more = button(page, "Tools");
    await expect(more).toBeVisible({ visible: folded });
    expect(await covering(page, ".dock", NEW_SHAPE)).toEqual([]);
    await usable(page, ".header", ["Undo", "Redo", "Menu"]);
    if (folded) {
      await usable(page, ".dock", ["Draw", "Tools"]);
      await more.click();
      await expect(more).toHaveAttribute("aria-expanded", "true");
    }
    await usable(page, ".dock", ALL);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);

    const open = async (item: string): Promise<void> => {
      await button(page, "Menu").click();
      await page.getByRole("menuitem", { name: item }).click();
    };
    await button(page, "Stickers").click();
    await expect(page.getByRole("dialog", { name: "Sticker panel" })).toBeVisible();
    await usable(
      page,
      ".stickers",
      STICKERS.map(({ name }) => name),
    );
    await page.keyboard.press("Escape");
    await open("Appearance");
    await expect(page.getByRole("menuitemradio")).toHaveCount(3);
    await usable(page, ".menu", ["History", "Keyboard shortcuts", "System", "Light", "Dark"]);
    await page.keyboard.press("Escape");
    await open("Keyboard shortcuts");
    await expect(page.getByRole("checkbox")).toBeVisible();
    await usable(page, ".panel", ["Close", "input"]);
    await page.keyboard.press("Escape");
    await open("History");
    await expect(button(page, "Restore this version")).toBeVisible();
    await usable(page, ".panel", ["Close", "Restore this version", "Bring back what is missing"]);
    await page.keyboard.press("Escape");
    await button(page, "1 user online").click();
    await expect(button(page, "Save")).toBeVisible();
    await usable(page, ".panel", ["Close", "input", "Save"]);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);

    const choose = async (name: string): Promise<void> => {
      if (folded) await button(page, "Tools").click();
      await button(page, name).click();
    };
    await choose("Rectangle");
    await choose("Clear Canvas");
    await expect(person.toast("Canvas cleared!")).toBeVisible();
    const toast = "[data-sonner-toast]";
    const everywhere = { left: 0, top: 0, right: width, bottom: height };
    // A folded dock lies beside the notice.
    if (width < 700)
      await expect
        .poll(async () => {
          const [dock, notice] = [
            await covering(page, ".dock", everywhere),
            await covering(page, toast, everywhere),
          ].map(([box = "null"]) => JSON.parse(box) as { top: number; bottom: number } | null);
          return dock && notice && notice.bottom <= dock.top;
        })
        .toBe(true);
    await choose("Rectangle");
    // The handle that rotates the shape is 40 px above it.
    const x = LIMITS.insertLeft + LIMITS.rectangleWidth / 2;
    const y = NEW_SHAPE.top - 40;
    const handle = { left: x - 5, top: y - 5, right: x + 5, bottom: y + 5 };
    await expect.poll(() => covering(page, toast, handle)).toEqual([]);
    expect(await covering(page, toast, NEW_SHAPE)).toEqual([]);
  });
}

test("UI-8 320x180: a panel scrolls to its buttons in a window of 1280 by 720 px at 400 %", async ({
  visit,
}) => {
  const context = { viewport: { width: 320, height: 180 }, hasTouch: true } as const;
  const { page } = await visit({ context });
  await button(page, "Menu").click();
  await page.getByRole("menuitem", { name: "History" }).click();
  const restore = button(page, "Restore this version");
  await expect(restore).toBeVisible();
  await page.mouse.move(100, 20);
  await page.mouse.wheel(0, 500);
  await expect(restore).toBeInViewport({ ratio: 1 });
});

test("UI-1 with the text spacing of WCAG 1.4.12 the texts of a phone's header stay in it", async ({
  visit,
}) => {
  const { page } = await visit({ context: { viewport: { width: 320, height: 568 } } });
  const spacing = "line-height: 1.5; letter-spacing: 0.12em; word-spacing: 0.16em".split(";");
  const css = `* { ${spacing.join(" !important;")} !important } p { margin-bottom: 2em !important }`;
  await page.addStyleTag({ content: css });
  for (const name of [".header-title", ".header-tagline", ".badge-pill", ".save"]) {
    const box = await page.locator(name).boundingBox();
    expect(box?.y, name).toBeGreaterThanOrEqual(0);
    expect((box?.y ?? 0) + (box?.height ?? 0), name).toBeLessThanOrEqual(LIMITS.headerHeight);
  }
});

test("UI-8 with letters twice as large the menu stays inside a phone's window, and History shows a version", async ({
  visit,
}) => {
  const person = await visit({ context: { viewport: { width: 320, height: 568 } } });
  const { page } = person;
  await person.tool("Rectangle");
  await switchTabs(person);
  await expect(person.saving).toHaveText("Saved");
  await person.clear();
  await switchTabs(person);
  await page.addStyleTag({ content: "* { font-size: 26px !important; line-height: normal; }" });
  await button(page, "Menu").click();
  const menu = await page.getByRole("menu").boundingBox();
  expect(menu?.x).toBeGreaterThanOrEqual(0);
  expect((menu?.x ?? 0) + (menu?.width ?? 0)).toBeLessThanOrEqual(320);
  await page.getByRole("menuitem", { name: "History" }).click();
  await expect(page.locator(".version").first()).toBeInViewport({ ratio: 0.5 });
});

test("UI-8 with letters twice as large the long words of German stay inside a phone's panels", async ({
  visit,
}) => {
  const person = await visit({
    context: { viewport: { width: 320, height: 568 } },
    prepare: (one) => one.addInitScript(() => localStorage.setItem("inkpool:language", "de")),
  });
  const { page } = person;
  await button(page, "Rechteck").click();
  await page.addStyleTag({ content: "* { font-size: 26px !important; line-height: normal; }" });
  const saving = page.locator("output", { hasText: "Gespeichert" });
  await switchTabs(person);
  expect(await saving.evaluate((state) => state.scrollWidth - state.clientWidth)).toBe(0);
  for (const [item, name] of [
    ["Verlauf", "Version wiederherstellen"],
    ["Objekte", "Auswählen"],
  ] as const) {
    await button(page, "Menü").click();
    await page.getByRole("menuitem", { name: item }).click();
    await expect(page.locator(".panel").getByRole("button", { name })).toBeVisible();
    const foot = page.locator(".panel-foot");
    expect(await foot.evaluate((part) => part.scrollWidth - part.clientWidth), item).toBe(0);
    await page.keyboard.press("Escape");
  }
  await page.keyboard.press("?");
  const keys = page.locator(".keys");
  await expect(keys).toBeVisible();
  expect(await keys.evaluate((list) => list.scrollWidth - list.clientWidth)).toBe(0);
});

test("UI-8 with letters twice as large the rows of Objects contain their lines, and keys go on through them", async ({
  visit,
}) => {
  const { page } = await visit({ context: { viewport: { width: 360, height: 740 } } });
  for (const name of ["Rectangle", "Circle", "Rectangle"]) await button(page, name).click();
  await page.addStyleTag({ content: "* { font-size: 26px !important; line-height: normal; }" });
  await button(page, "Menu").click();
  await page.getByRole("menuitem", { name: "Objects" }).click();
  const rows = page.getByRole("option");
  await expect(rows).toHaveCount(3);
  const overflow = await rows.evaluateAll((all) =>
    all.map((row) => {
      const lines = [...row.children].map((line) => line.scrollHeight);
      return Math.max(0, lines.reduce((sum, line) => sum + line) - row.clientHeight);
    }),
  );
  expect(overflow).toEqual([0, 0, 0]);
  const [first, second] = await Promise.all([rows.nth(0).boundingBox(), rows.nth(1).boundingBox()]);
  expect(second!.y).toBe(first!.y + first!.height);
  await page.getByRole("listbox", { name: "Objects" }).press("End");
  await expect(rows.nth(2)).toHaveAttribute("aria-selected", "true");
  await expect(rows.nth(2)).toBeInViewport({ ratio: 1 });
});

test("UI-42 a folded dock unfolds until a tool, Clear, Escape or a press beside it", async ({
  visit,
}) => {
  const person = await visit({ context: { viewport: { width: 740, height: 360 } } });
  const { page } = person;
  const more = button(page, "Tools");
  const red = button(page, "Red");
  await expect(red).toBeHidden();
  await expect(button(page, "Draw")).toBeVisible();
  for (const close of [
    () => button(page, "Eraser").click(),
    () => button(page, "Clear Canvas").click(),
    () => page.keyboard.press("Escape"),
    () => person.click([500, 100]),
  ]) {
    await more.click();
    await red.click();
    await expect(red).toHaveAttribute("aria-pressed", "true");
    await close();
    await expect(red).toBeHidden();
  }
  await expect(button(page, "Eraser")).toBeVisible();
  await expect(button(page, "Draw")).toBeHidden();
});

test("UI-8 where the colours do not fit they scroll, and fade where they go on", async ({
  visit,
}) => {
  const { page } = await visit({ context: { viewport: { width: 640, height: 400 } } });
  const colors = page.locator(".colors");
  expect(await colors.evaluate((element) => element.scrollWidth > element.clientWidth)).toBe(true);
  await expect(colors).toHaveCSS("mask-image", /^linear-gradient\(/);
  await colors.hover();
  await page.mouse.wheel(0, 600);
  await expect(page.getByLabel("Custom color")).toBeInViewport({ ratio: 1 });
});

test("UI-8 no tooltip stays after a touch", async ({ visit }) => {
  const { page } = await visit({
    context: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  });
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
});

test("UI-11 one notice about a clear at a time, and none for an empty board", async ({ visit }) => {
  const person = await visit();
  const { page } = person;
  const notices = page.locator("[data-sonner-toast]");
  await person.clear();
  await expect(button(page, "Undo")).toHaveAttribute("aria-disabled", "true");
  for (let count = 0; count < 3; count += 1) {
    await button(page, "Rectangle").click();
    await expect(button(page, "Undo").first()).toHaveAttribute("aria-disabled", "false");
    await person.clear();
    await expect(notices).toHaveCount(1);
  }
});
