import type { Page } from "@playwright/test";
import { COLORS, LIMITS } from "../../board/constants.ts";
import { STICKERS } from "../../board/stickers.ts";
import { TOOLS } from "../../board/tools.ts";
import { expect, test } from "../fixtures.ts";
import { type Person, switchTabs } from "../person.ts";
import { button } from "./controls.ts";
import { findControls } from "./press.ts";

interface Size {
  readonly width: number;
  readonly height: number;
  readonly folded: boolean;
  readonly hasTouch: boolean;
}

/** The windows; the first and the fifth stand for one of 1280 px at a zoom of 400 and 200 %. */
const SIZES: readonly Size[] = [
  { width: 320, height: 256, folded: true, hasTouch: true },
  { width: 320, height: 568, folded: false, hasTouch: true },
  { width: 360, height: 740, folded: false, hasTouch: true },
  { width: 390, height: 844, folded: false, hasTouch: true },
  { width: 640, height: 400, folded: false, hasTouch: true },
  { width: 740, height: 360, folded: true, hasTouch: true },
  { width: 820, height: 1180, folded: false, hasTouch: false },
];

/** The lowest window in which the dock of a narrow phone is unfolded: just below new shapes. */
const LOWEST: Size = { width: 320, height: 504, folded: false, hasTouch: true };

const TOOL_NAMES = TOOLS.map(({ name }) => name);
const COLOR_NAMES = [...COLORS.map(({ name }) => name), "Custom color"];
const ALL = [...TOOL_NAMES, ...COLOR_NAMES, "Clear Canvas"];

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

async function resize(page: Page, width: number, height: number): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.waitForFunction(([w, h]) => innerWidth === w && innerHeight === h, [width, height]);
}

/** Expects that a press would reach each control, and these names among them. */
async function expectUsable(page: Page, within: string, names: readonly string[]): Promise<void> {
  const { width, height } = page.viewportSize()!;
  const found = await findControls(page, within);
  expect(found.map(({ name }) => name)).toEqual(expect.arrayContaining([...names]));
  const faults = found.flatMap(({ name, box, isHit }) => {
    const end = { x: box.x + box.width, y: box.y + box.height };
    const isLarge = width > 400 || name === "input" || Math.min(box.width, box.height) >= 40;
    return [
      ...(isHit ? [] : [`a press does not reach ${name}`]),
      ...(Math.min(box.x, box.y, width - end.x, height - end.y) >= 0 ? [] : [`${name} is outside`]),
      ...(isLarge ? [] : [`${name} is too small`]),
    ];
  });
  expect(faults).toEqual([]);
}

/** Expects that header, dock and stickers can be used, and that the dock leaves new shapes free. */
async function expectUsableDock({ page, canvas }: Person, { width, folded }: Size): Promise<void> {
  const more = button(page, "Tools");
  await expect(more).toBeVisible({ visible: folded });
  expect(await covering(page, ".dock", NEW_SHAPE)).toEqual([]);
  await expectUsable(page, ".header", ["Undo", "Redo", "Menu"]);
  if (folded) {
    await expectUsable(page, ".dock", ["Draw", "Tools"]);
    await more.click();
    await expect(more).toHaveAttribute("aria-expanded", "true");
  }
  await expectUsable(page, ".dock", ALL);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  await button(page, "Stickers").click();
  await expect(page.getByRole("dialog", { name: "Sticker panel" })).toBeVisible();
  const stickers = STICKERS.map(({ name }) => name);
  await expectUsable(page, ".stickers", stickers);
  await page.keyboard.press("Escape");
  if (folded) await page.keyboard.press("Escape");
  await canvas.focus();
  await page.keyboard.press("d");
  await expect(button(page, "Draw")).toHaveAttribute("aria-pressed", "true");
}

/** Expects that no notice covers a new shape or its handles. A rectangle is on the board. */
async function expectNoticeBeside(person: Person, { width, height, folded }: Size): Promise<void> {
  const { page } = person;
  const choose = async (name: string): Promise<void> => {
    if (folded) await button(page, "Tools").click();
    await button(page, name).click();
  };
  await choose("Clear Canvas");
  await expect(person.toast("Canvas cleared!")).toHaveCount(1);
  const toast = '[data-sonner-toast][data-removed="false"]';
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
  // One that has disappeared meanwhile would cover nothing.
  const look = async () => [
    ...(await covering(page, toast, handle)),
    ...(await covering(page, toast, NEW_SHAPE)),
    (await covering(page, toast, everywhere)).length,
  ];
  await expect.poll(look).toEqual([1]);
  // The next size has a notice of its own.
  await person.toast("Canvas cleared!").getByRole("button", { name: "Undo" }).click();
  await expect(page.locator(toast)).toHaveCount(0);
}

/** Expects that the colours of the selection can be used. */
async function expectUsableColours(page: Page): Promise<void> {
  await button(page, "Colour").click();
  await expect(page.getByRole("dialog", { name: "Selection colour" })).toBeVisible();
  await expectUsable(page, ".selection-colours", COLOR_NAMES);
  await page.keyboard.press("Escape");
}

/** Looks at a page in windows of these sizes, one after the other. */
async function inEach(
  page: Page,
  look: (size: Size) => Promise<void>,
  sizes: readonly Size[] = SIZES,
): Promise<void> {
  const session = await page.context().newCDPSession(page);
  for (const size of sizes)
    await test.step(`${size.width}x${size.height}`, async () => {
      const { hasTouch } = size;
      await session.send("Emulation.setTouchEmulationEnabled", { enabled: hasTouch });
      await resize(page, size.width, size.height);
      expect(await page.evaluate(() => matchMedia("(pointer: coarse)").matches)).toBe(hasTouch);
      await look(size);
    });
  await session.detach();
}

test("UI-8 in windows of 320x256 to 740x360 with touch, and 820x1180 without, every control of header, dock and stickers is in the window and can be pressed, and no notice covers a new shape or its handles", async ({
  visit,
}) => {
  const person = await visit({ context: { viewport: SIZES[0]!, hasTouch: true } });
  const { page } = person;
  await inEach(page, (size) => expectUsableDock(person, size), [...SIZES, LOWEST]);
  await page.keyboard.press("r");
  await inEach(page, () => expectUsableColours(page), SIZES.slice(0, 2));
  await inEach(page, (size) => expectNoticeBeside(person, size));
});

test("UI-8 in windows of 320x256 to 740x360 with touch, and 820x1180 without, every control of menu and panels is in the window and can be pressed", async ({
  visit,
}) => {
  const { page } = await visit({ context: { viewport: SIZES[0]!, hasTouch: true } });
  const open = async (item: string): Promise<void> => {
    await button(page, "Menu").click();
    await page.getByRole("menuitem", { name: item }).click();
  };
  await open("Appearance");
  await expect(page.getByRole("menuitemradio")).toHaveCount(3);
  const items = ["History", "Keyboard shortcuts", "System", "Light", "Dark"];
  await inEach(page, () => expectUsable(page, ".menu", items));
  await page.keyboard.press("Escape");
  await open("Keyboard shortcuts");
  await expect(page.getByRole("checkbox")).toBeVisible();
  await inEach(page, () => expectUsable(page, ".panel", ["Close", "input"]));
  await page.keyboard.press("Escape");
  await button(page, "1 user online").click();
  await expect(button(page, "Save")).toBeVisible();
  await inEach(page, () => expectUsable(page, ".panel", ["Close", "input", "Save"]));
  await page.keyboard.press("Escape");
  await open("History");
  const restore = button(page, "Restore this version");
  await expect(restore).toBeVisible();
  const buttons = ["Close", "Restore this version", "Bring back what is missing"];
  await inEach(page, () => expectUsable(page, ".panel", buttons));
  // This is a window of 1280 by 720 px at 400 %.
  await resize(page, 320, 180);
  await page.mouse.move(100, 20);
  await page.mouse.wheel(0, 500);
  await expect(restore).toBeInViewport({ ratio: 1 });
});

test("UI-1 with the text spacing of WCAG 1.4.12 the texts of a phone's header stay in it; where the colours do not fit they scroll, and fade where they go on", async ({
  visit,
}) => {
  const { page } = await visit({ context: { viewport: { width: 640, height: 400 } } });
  const colors = page.locator(".colors");
  expect(await colors.evaluate((element) => element.scrollWidth > element.clientWidth)).toBe(true);
  await expect(colors).toHaveCSS("mask-image", /^linear-gradient\(/);
  await colors.hover();
  await page.mouse.wheel(0, 600);
  await expect(page.getByLabel("Custom color")).toBeInViewport({ ratio: 1 });

  await resize(page, 320, 568);
  const spacing = "line-height: 1.5; letter-spacing: 0.12em; word-spacing: 0.16em".split(";");
  const css = `* { ${spacing.join(" !important;")} !important } p { margin-bottom: 2em !important }`;
  await page.addStyleTag({ content: css });
  for (const name of [".header-title", ".header-tagline", ".badge-pill", ".save"]) {
    const box = await page.locator(name).boundingBox();
    expect(box?.y, name).toBeGreaterThanOrEqual(0);
    expect((box?.y ?? 0) + (box?.height ?? 0), name).toBeLessThanOrEqual(LIMITS.headerHeight);
  }
});

test("UI-8 with letters twice as large and the long words of German a phone's menu and panels contain them, and keys go on through the rows of Objects", async ({
  visit,
}) => {
  const person = await visit({
    context: { viewport: { width: 320, height: 568 } },
    prepare: (one) => one.addInitScript(() => localStorage.setItem("inkpool:language", "de")),
  });
  const { page } = person;
  const saving = page.locator("output", { hasText: "Gespeichert" });
  await button(page, "Rechteck").click();
  await switchTabs(person);
  await expect(saving).toBeAttached();
  await button(page, "Alles löschen").click();
  await switchTabs(person);
  for (const name of ["Rechteck", "Kreis", "Rechteck"]) await button(page, name).click();
  await page.addStyleTag({ content: "* { font-size: 26px !important; line-height: normal; }" });
  await switchTabs(person);
  expect(await saving.evaluate((state) => state.scrollWidth - state.clientWidth)).toBe(0);
  const menu = page.getByRole("menu");
  for (const [item, name] of [
    ["Verlauf", "Version wiederherstellen"],
    ["Objekte", "Auswählen"],
  ] as const) {
    await button(page, "Menü").click();
    const { x, width } = (await menu.boundingBox())!;
    expect(x).toBeGreaterThanOrEqual(0);
    expect(x + width).toBeLessThanOrEqual(320);
    await page.getByRole("menuitem", { name: item }).click();
    await expect(page.locator(".panel").getByRole("button", { name })).toBeVisible();
    const foot = page.locator(".panel-foot");
    expect(await foot.evaluate((part) => part.scrollWidth - part.clientWidth), item).toBe(0);
    await expect(page.locator(".version, .object-row").first()).toBeInViewport({ ratio: 0.5 });
    if (item === "Verlauf") await page.keyboard.press("Escape");
  }
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
  await page.getByRole("listbox", { name: "Objekte" }).press("End");
  await expect(rows.nth(2)).toHaveAttribute("aria-selected", "true");
  await expect(rows.nth(2)).toBeInViewport({ ratio: 1 });
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  const keys = page.locator(".keys");
  await expect(keys).toBeVisible();
  expect(await keys.evaluate((list) => list.scrollWidth - list.clientWidth)).toBe(0);
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
