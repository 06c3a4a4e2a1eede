import type { Locator, Page } from "@playwright/test";
import { LIMITS } from "../../board/constants.ts";
import { TEXT_SIZES } from "../../board/text-sizes.ts";
import { expect, test } from "../fixtures.ts";
import type { Person } from "../person.ts";
import { button, savedObjects, selectionBar, selectionButton } from "./controls.ts";

const colours = (page: Page) => page.getByRole("dialog", { name: "Selection colour" });

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;
const ACCENT = [0x25, 0x63, 0xeb];

/** Whether the colour of outlines is within 4 px of points of the canvas. */
async function outlined(person: Person, points: readonly (readonly [number, number])[]) {
  const { width, rgba } = await person.shot();
  const isAccent = (x: number, y: number): boolean =>
    ACCENT.every((value, channel) => rgba[4 * (y * width + x) + channel] === value);
  return points.map(([x, y]) => {
    for (let dx = -4; dx <= 4; dx++) if (isAccent(x + dx, y)) return true;
    return false;
  });
}

test("UI-60 with several objects selected each has an outline, and the toolbar says how many there are and how many are outside", async ({
  visit,
}) => {
  const person = await visit({ context: PHONE });
  const { page } = person;
  await person.stroke([20, 40], [60, 40], [60, 70]);
  await button(page, "Rectangle").click();
  await expect(selectionButton(page, "Delete")).toBeVisible();
  await expect(selectionBar(page)).not.toContainText("selected");
  await page.keyboard.press("Escape");
  await page.keyboard.press("v");
  // There is a stroke to the right of the rectangle, on a phone too.
  await button(page, "Draw").click();
  await person.stroke([300, 60], [340, 90]);
  await button(page, "Select").click();
  await page.keyboard.press("Control+a");
  await expect(selectionBar(page)).toContainText("3 selected");
  await expect(selectionBar(page)).not.toContainText("outside");
  await expect(page.locator("[data-own-actions]")).toContainText("3 selected");
  // The left sides of the boxes around the rectangle and the second stroke lie inside the box around all.
  await person.leaveCanvas();
  await expect
    .poll(() =>
      outlined(person, [
        [100, 130],
        [298, 75],
        [275, 150],
      ]),
    )
    .toEqual([true, true, false]);

  await page.keyboard.press("Escape");
  await expect(selectionBar(page)).toHaveCount(0);
  await person.stroke([80, 30], [380, 300]);
  await expect(selectionBar(page)).toContainText("2 selected");
  await expect(page.locator("[data-own-actions]")).toContainText("2 selected");
  await page.mouse.move(200, 500);
  await page.mouse.wheel(270, 0);
  await expect(selectionBar(page)).toContainText("2 selected, 1 outside the view");
  await page.mouse.wheel(2000, 0);
  await expect(selectionBar(page)).toContainText("2 selected, 2 outside the view");
  await expect(selectionButton(page, "Delete")).toBeInViewport({ ratio: 1 });
  await selectionButton(page, "Delete").click({ trial: true });
  // A wide window says the same.
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.keyboard.press("Control+a");
  await expect(selectionBar(page)).toContainText("3 selected, 3 outside the view");
  await page.keyboard.press("Shift+Digit0");
  await expect(selectionBar(page)).toContainText("3 selected");
  await expect(selectionBar(page)).not.toContainText("outside");
});

test("UI-61 Colour shows the selection's colours, recolours it in one undo step, leaves the palette as it is, and goes by keys; the canvas has the focus when a peer removes the object meanwhile", async ({
  product,
  visit,
}) => {
  const person = await visit();
  const { page } = person;
  await person.color("Green");
  await button(page, "Rectangle").click();
  await expect(selectionButton(page, "Colour").locator("span > span")).toHaveCSS(
    "background-color",
    "rgb(46, 204, 113)",
  );
  await button(page, "Draw").click();
  await person.color("Purple");
  await person.stroke([400, 120], [500, 160]);
  await button(page, "Select").click();
  await page.keyboard.press("Control+a");
  await expect(selectionButton(page, "Colour").locator("span > span")).toHaveCount(2);
  await selectionButton(page, "Colour").click();
  await expect(colours(page).getByRole("button")).toHaveCount(12);
  await expect(colours(page).locator("[aria-pressed=true]")).toHaveCount(0);
  await colours(page).getByRole("button", { name: "Red", exact: true }).click();
  await expect(colours(page)).toHaveCount(0);
  await expect(person.canvas).toBeFocused();
  await expect.poll(() => person.colorAt([150, 150])).toBe("#ff0000");
  await expect.poll(() => person.colorAt([450, 140])).toBe("#ff0000");
  await expect(button(page, "Purple")).toHaveAttribute("aria-pressed", "true");
  await page.keyboard.press("Control+z");
  await expect.poll(() => person.colorAt([150, 150])).toBe("#2ecc71");
  await expect.poll(() => person.colorAt([450, 140])).toBe("#9b59b6");

  // A colour picked on the way to a custom colour is no step of its own.
  await selectionButton(page, "Colour").click();
  await colours(page).getByLabel("Custom color").fill("#123456");
  await expect.poll(() => person.colorAt([150, 150])).toBe("#123456");
  await page.keyboard.press("Escape");
  await expect(colours(page)).toHaveCount(0);
  await page.keyboard.press("Control+z");
  await expect.poll(() => person.colorAt([150, 150])).toBe("#2ecc71");
  await expect
    .poll(() => savedObjects(product, person), { timeout: 20_000 })
    .toMatchObject([{ fill: "#2ecc71" }, { stroke: "#9b59b6" }]);

  // Keys alone use it.
  await person.color("Black");
  await button(page, "Circle").click();
  await selectionButton(page, "Colour").focus();
  await page.keyboard.press("Enter");
  const presets = colours(page).getByRole("button");
  await expect(presets.first()).toBeFocused();
  await expect(presets.first()).toHaveAttribute("aria-pressed", "true");
  await page.keyboard.press("Escape");
  await expect(selectionButton(page, "Colour")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(presets.first()).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await expect(presets.nth(1)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect.poll(() => person.colorAt([175, 240])).toBe("#ff0000");
  await expect(selectionButton(page, "Colour")).toBeFocused();

  // The canvas has the focus when a peer removes the object meanwhile.
  const peer = await visit();
  await expect.poll(() => peer.colorAt([175, 240])).toBe("#ff0000");
  await page.keyboard.press("Enter");
  await expect(presets.first()).toBeFocused();
  await peer.clear();
  await expect(colours(page)).toHaveCount(0);
  await expect(person.canvas).toBeFocused();
});

/** Opens the colours; returns whether they lie beside a part of the toolbar, not over it. */
async function openBeside(page: Page, part: Locator): Promise<boolean> {
  await selectionButton(page, "Colour").click();
  // Before they are put beside the toolbar they are above the window.
  await expect.poll(async () => (await colours(page).boundingBox())?.y).toBeGreaterThan(0);
  const palette = (await colours(page).boundingBox())!;
  const covered = (await part.boundingBox())!;
  const isBelow = palette.y >= covered.y + covered.height;
  return isBelow || palette.y + palette.height <= covered.y;
}

test("UI-61 the colours do not cover how many objects are selected in a window of 640x360, with and without touch; they are all in a phone's window, and scroll in a magnified one", async ({
  visit,
}) => {
  const person = await visit({
    context: { viewport: { width: 640, height: 360 }, hasTouch: true },
  });
  const { page } = person;
  const session = await page.context().newCDPSession(page);
  for (const [y, enabled] of [
    [0, true],
    [140, true],
    [0, false],
    [140, false],
  ] as const) {
    await session.send("Emulation.setTouchEmulationEnabled", { enabled });
    expect(await page.evaluate(() => matchMedia("(pointer: coarse)").matches)).toBe(enabled);
    await page.keyboard.press("d");
    await person.stroke([320, y + 40], [380, y + 80]);
    await person.stroke([400, y + 60], [460, y + 100]);
    await page.keyboard.press("Control+a");
    expect(await openBeside(page, page.getByText("2 selected").first())).toBe(true);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Delete");
    await expect(selectionBar(page)).toHaveCount(0);
  }

  await page.keyboard.press("r");
  const custom = colours(page).getByLabel("Custom color", { exact: true });
  for (const [width, height] of [
    [390, 800],
    [320, 256],
  ] as const) {
    await page.setViewportSize({ width, height });
    await selectionButton(page, "Colour").click();
    await custom.focus();
    await expect(custom).toBeInViewport({ ratio: 1 });
    expect((await custom.boundingBox())?.width).toBeGreaterThan(200);
    await page.keyboard.press("Escape");
    await expect(custom).toHaveCount(0);
  }
});

test("CAN-45 black words fit into a black box that is an outline", async ({ product, visit }) => {
  const person = await visit({ context: PHONE });
  const { page } = person;
  await button(page, "Rectangle").tap();
  await expect.poll(() => person.colorAt([175, 180])).toBe("#000000");
  await selectionButton(page, "Outline").tap();
  await expect(selectionButton(page, "Outline")).toHaveAttribute("aria-pressed", "true");
  await expect.poll(() => person.colorAt([175, 180])).toBe("#ffffff");
  await expect.poll(() => person.colorAt([101, 150])).toBe("#000000");
  await expect(page.locator("[data-own-actions]")).toContainText("Outlined.");
  await expect
    .poll(() => savedObjects(product, person), { timeout: 20_000 })
    .toMatchObject([
      { fill: null, stroke: "#000000", strokeWidth: 3, strokeUniform: true, left: 100, top: 100 },
    ]);

  // A press into the box selects nothing; two begin a text.
  await button(page, "Select").tap();
  await page.touchscreen.tap(350, 300);
  await expect(selectionBar(page)).toHaveCount(0);
  await expect(async () => {
    await page.touchscreen.tap(120, 150 + LIMITS.headerHeight);
    await page.touchscreen.tap(120, 150 + LIMITS.headerHeight);
    await expect(page.locator("textarea")).toBeFocused({ timeout: 2_000 });
  }).toPass();
  await page.keyboard.type("Plan");
  await page.keyboard.press("Escape");
  await expect(selectionButton(page, "Medium")).toHaveAttribute("aria-pressed", "true");
  await expect(selectionButton(page, "Outline")).toHaveCount(0);
  // It is filled again, as before.
  await page.keyboard.press("Escape");
  await expect(selectionBar(page)).toHaveCount(0);
  await page.touchscreen.tap(101, 190 + LIMITS.headerHeight);
  await selectionButton(page, "Outline").tap();
  await expect.poll(() => person.colorAt([240, 190])).toBe("#000000");
  await expect(page.locator("[data-own-actions]")).toContainText("Filled.");
});

test("CAN-48 a text gets the size that is pressed, a step each; on a phone the colours lie beside the toolbar, not over its second row", async ({
  product,
  visit,
}) => {
  const person = await visit({ context: PHONE });
  const { page } = person;
  await page.mouse.move(60, 300);
  await page.keyboard.press("t");
  await expect(page.locator("textarea")).toBeFocused();
  await page.keyboard.type("Plan");
  await page.keyboard.press("Escape");
  await expect(selectionBar(page).getByRole("group", { name: "Text size" })).toBeAttached();
  await expect(selectionButton(page, "Medium")).toHaveAttribute("aria-pressed", "true");
  expect(await openBeside(page, selectionBar(page))).toBe(true);
  expect((await selectionBar(page).boundingBox())!.height).toBeGreaterThan(90);
  await page.keyboard.press("Escape");
  for (const { name } of TEXT_SIZES) {
    await selectionButton(page, name).tap();
    await expect(selectionButton(page, name)).toHaveAttribute("aria-pressed", "true");
  }
  const sizes = async () =>
    (await savedObjects(product, person)).map(({ fontSize, text }) => [text, fontSize]);
  await expect.poll(sizes, { timeout: 20_000 }).toEqual([["Plan", 64]]);
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+z");
  await expect.poll(sizes, { timeout: 20_000 }).toEqual([["Plan", 24]]);
});
