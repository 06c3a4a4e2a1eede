/** Tests the second toolbar: the drawings of its tools, here and on the other side. */

import type { Page } from "@playwright/test";
import { LIMITS } from "../../board/constants.ts";
import { expect, test } from "../fixtures.ts";
import { knowEachOther, type Person } from "../person.ts";
import { button, savedObjects } from "./controls.ts";

const WIDE = { viewport: { width: 1280, height: 800 } };

/** Has the page open the second toolbar as at a first visit. */
const asFirstVisit = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    if (sessionStorage.getItem("visited") === null) localStorage.removeItem("inkpool:more-tools");
    sessionStorage.setItem("visited", "yes");
  });

const bar = ({ page }: Person) => page.getByRole("toolbar", { name: "More tools" });

const RED = [255, 0, 0];
const WHITE = [255, 255, 255];

test("UI-130 the second toolbar is open in a wide window, stays as it was left, and has its place on a phone; the pen is Thin again after a reload", async ({
  product,
  visit,
}) => {
  const person = await visit({ context: WIDE, prepare: asFirstVisit });
  const { page } = person;
  const toggle = button(page, "More tools");
  const width = (name: string) => page.getByRole("radio", { name });
  await expect(bar(person).getByRole("button")).toHaveCount(5);
  // Until somebody chooses, the window decides.
  for (const [across, isOpen] of [
    [1199, "false"],
    [1200, "true"],
  ] as const) {
    await page.setViewportSize({ width: across, height: 800 });
    await expect(toggle).toHaveAttribute("aria-expanded", isOpen);
  }
  const widths = bar(person).getByRole("radiogroup", { name: "Pen width" }).getByRole("radio");
  await expect(widths).toHaveCount(3);
  await expect(widths.first()).toBeChecked();
  for (const [key, name, y] of [
    ["3", "Thick", 200],
    ["2", "Medium", 240],
  ] as const) {
    await page.keyboard.press(key);
    await expect(width(name)).toBeChecked();
    await person.stroke([200, y], [400, y]);
  }
  await toggle.click();
  await expect(bar(person)).toBeHidden();
  expect(await page.evaluate(() => localStorage.getItem("inkpool:more-tools"))).toBe("closed");
  await expect.poll(() => savedObjects(product, person)).toHaveLength(2);
  await page.reload();
  await person.ready();
  await expect(toggle).toHaveAttribute("aria-expanded", "false");
  await toggle.click();
  await expect(width("Thin")).toBeChecked();
  await person.stroke([200, 280], [400, 280]);
  await page.keyboard.press("l");
  await expect(button(page, "Line")).toHaveAttribute("aria-pressed", "true");
  await person.stroke([200, 320], [400, 320]);
  await expect.poll(() => savedObjects(product, person)).toHaveLength(4);
  expect(await savedObjects(product, person)).toMatchObject(
    [12, 6, 3, 3].map((strokeWidth) => ({ type: "Path", strokeWidth })),
  );

  await page.setViewportSize({ width: 360, height: 740 });
  await expect(toggle).toHaveAttribute("aria-expanded", "true");
  for (const name of ["Text", "Line", "Arrow", "Highlighter", "Fading ink"])
    await expect(button(page, name)).toBeInViewport({ ratio: 1 });
  for (const name of ["Thin", "Medium", "Thick"])
    await expect(width(name)).toBeInViewport({ ratio: 1 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});

test("UI-16 with forced colours the button More tools is marked like a tool while it hides the active one", async ({
  visit,
}) => {
  const { page } = await visit({ context: { ...WIDE, forcedColors: "active" } });
  const highlight = await button(page, "Draw").evaluate(
    (draw) => getComputedStyle(draw).backgroundColor,
  );
  await expect(button(page, "More tools")).not.toHaveCSS("background-color", highlight);
  await page.keyboard.press("l");
  await expect(button(page, "More tools")).toHaveCSS("background-color", highlight);
});

test("CAN-87 a line and an arrow are drawn from a press to its release, in the pen width; both ends are moved by keys alone, Escape lets go of them, and each step is one change", async ({
  product,
  visit,
}) => {
  const ann = await visit({ context: WIDE, prepare: asFirstVisit });
  const { page } = ann;
  await page.keyboard.press("l");
  await ann.stroke([300, 300], [600, 300]);
  await ann.tool("Select");
  await ann.canvas.focus();
  await page.keyboard.press("]");
  await expect(page.getByRole("toolbar", { name: "Selection" })).toBeVisible();
  const ends = async (): Promise<number[]> => {
    const [line] = await savedObjects(product, ann);
    const [x = 0, y = 0, dx = 0, dy = 0] = (String(line?.["path"]).match(/-?[\d.]+/g) ?? []).map(
      Number,
    );
    return [x, y, x + dx, y + dy];
  };
  // First the end where the line leads: 40 px down, 3 px to the left.
  await page.keyboard.press("Enter");
  await expect(page.getByText(", at 600, 300. Arrow keys move it")).toBeAttached();
  for (let i = 0; i < 4; i++) await page.keyboard.press("Shift+ArrowDown");
  for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowLeft");
  await expect.poll(ends).toEqual([300, 300, 597, 340]);
  await expect.poll(() => ann.colorAt([594, 340])).toBe("#000000");
  expect(await ann.colorAt([590, 300])).toBe("#ffffff");
  await expect(page.getByText("End at 597, 340.")).toBeAttached();
  // Then the one where it begins: 20 px up, 10 to the right.
  await page.keyboard.press("Enter");
  for (let i = 0; i < 2; i++) await page.keyboard.press("Shift+ArrowUp");
  await page.keyboard.press("Shift+ArrowRight");
  await expect.poll(ends).toEqual([310, 280, 597, 340]);
  // Let go of, the whole line moves, and it is still selected.
  await page.keyboard.press("Escape");
  await expect(page.getByRole("toolbar", { name: "Selection" })).toBeVisible();
  await page.keyboard.press("Shift+ArrowDown");
  await expect.poll(() => ann.colorAt([312, 290])).toBe("#000000");
  await expect.poll(() => ann.colorAt([594, 350])).toBe("#000000");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("toolbar", { name: "Selection" })).toHaveCount(0);
  await page.keyboard.press("Control+z");
  await expect.poll(() => ann.colorAt([312, 280])).toBe("#000000");
  await page.keyboard.press("Control+z");
  await expect.poll(ends).toEqual([300, 280, 597, 340]);

  await button(page, "Clear Canvas").click();
  await page.keyboard.press("l");
  await page.getByRole("radio", { name: "Medium" }).click();
  await page.mouse.click(300, 500);
  await ann.stroke([200, 200], [400, 210]);
  await page.keyboard.down("Shift");
  await ann.strokeWithKeys([200, 300], [400, 310]);
  await page.keyboard.up("Shift");
  await page.keyboard.press("a");
  await ann.stroke([500, 200], [600, 200]);
  await expect.poll(() => savedObjects(product, ann)).toHaveLength(3);
  expect(await savedObjects(product, ann)).toMatchObject([
    { type: "Path", path: "M200 200l200 10", strokeWidth: 6, fill: null },
    { type: "Path", path: "M200 300l200 0", strokeWidth: 6 },
    { type: "Path", path: expect.stringMatching(/^M500 200l100 0-22\.\d-10\.\d/), strokeWidth: 6 },
  ]);
  expect(await ann.colorAt([300, 300])).toBe("#000000");
  expect(await ann.colorAt([550, 200])).toBe("#000000");
  await page.locator("header").getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => ann.colorAt([550, 200])).toBe("#ffffff");
  await expect.poll(() => savedObjects(product, ann)).toHaveLength(2);
});

/** A pen by the browser's own protocol, whose pressure grows from 0.1 to 1; in canvas pixels. */
async function penStroke({ page }: Person, from: number, to: number, y: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const send = (type: "mousePressed" | "mouseMoved" | "mouseReleased", x: number, force: number) =>
    session.send("Input.dispatchMouseEvent", {
      ...{ type, x, y: y + LIMITS.headerHeight, force, pointerType: "pen" },
      ...{ button: "left", clickCount: 1, buttons: type === "mouseReleased" ? 0 : 1 },
    });
  await send("mousePressed", from, 0.1);
  for (let x = from + 10; x <= to; x += 10)
    await send("mouseMoved", x, 0.1 + (0.9 * (x - from)) / (to - from));
  await send("mouseReleased", to, 1);
  await session.detach();
}

test("PNT-63 Pressure is a check in the menu, off at first, which stays; with it the width of a pen's stroke follows the pressure", async ({
  product,
  visit,
}) => {
  const ann = await visit({ context: WIDE });
  const { page } = ann;
  const check = page.getByRole("menuitemcheckbox", { name: "Pressure" });
  await page.keyboard.press("3");
  await penStroke(ann, 200, 600, 200);
  await button(page, "Menu").click();
  await expect(check).toHaveAttribute("aria-checked", "false");
  await check.click();
  await expect(check).toHaveAttribute("aria-checked", "true");
  await page.keyboard.press("Escape");
  await expect(check).toHaveCount(0);
  await penStroke(ann, 200, 600, 300);
  await expect.poll(() => savedObjects(product, ann)).toHaveLength(2);
  expect(await savedObjects(product, ann)).toMatchObject([
    { type: "Path", stroke: "#000000", strokeWidth: 12, fill: null },
    { type: "Path", fill: "#000000", strokeWidth: 0 },
  ]);
  await page.reload();
  await ann.ready();
  await expect.poll(() => ann.colorAt([580, 308])).toBe("#000000");
  // Where it is light, the outline is thin; without Pressure it is as wide everywhere.
  expect(await ann.colorAt([220, 305])).toBe("#ffffff");
  expect(await ann.colorAt([220, 205])).not.toBe("#ffffff");
  expect(await ann.colorAt([580, 208])).toBe("#ffffff");
  await button(page, "Menu").click();
  await expect(check).toHaveAttribute("aria-checked", "true");
});

test("CAN-88 the highlighter leaves ink readable, and is no darker where it crosses itself", async ({
  product,
  visit,
}) => {
  const ann = await visit({ context: WIDE, prepare: asFirstVisit });
  await ann.stroke([200, 200], [600, 200]);
  await ann.color("Red");
  await ann.page.keyboard.press("h");
  const once = "#ff9999";
  for (const x of [300, 700]) {
    await ann.press([x, 150]);
    await ann.move([x, 250], 10);
    await ann.move([x + 40, 250], 4);
    await ann.move([x - 50, 180], 10);
    // While a busy machine looks at the colour, the pointer may rest and draw a shape.
    if (x > 300) await expect.poll(() => ann.colorAt([x, 160])).toBe(once);
    await ann.release();
  }
  await expect.poll(() => ann.colorAt([300, 160])).toBe(once);
  expect(await ann.colorAt([300, 219])).toBe(once);
  expect(await ann.colorAt([300, 200])).toBe("#000000");
  const look = { stroke: "#ff0000", strokeWidth: 20, opacity: 0.4 };
  const highlight = { ...look, globalCompositeOperation: "multiply" };
  await expect.poll(() => savedObjects(product, ann)).toMatchObject([{}, highlight, highlight]);
});

test("CAN-89 with Text a press on the empty board begins a text, and a press outside ends it", async ({
  product,
  visit,
}) => {
  const ann = await visit({ context: WIDE, prepare: asFirstVisit });
  const { page } = ann;
  await button(page, "Text").click();
  await page.mouse.click(400, 300);
  await expect(page.locator("textarea")).toBeFocused();
  await page.keyboard.type("Photosynthesis");
  await page.mouse.click(700, 500);
  await expect.poll(() => savedObjects(product, ann)).toMatchObject([{ text: "Photosynthesis" }]);
  await expect(button(page, "Text")).toHaveAttribute("aria-pressed", "true");
});

test("CAN-90 fading ink is seen by everybody, disappears by itself, with reduced motion too, and is never saved", async ({
  product,
  visit,
}) => {
  const ann = await visit({ context: { ...WIDE, reducedMotion: "no-preference" } });
  // The other pages of the tests have reduced motion.
  const ben = await visit({ context: WIDE });
  await knowEachOther(ann, ben);
  const write = async (one: Person, y: number): Promise<void> => {
    await one.color("Red");
    await one.page.keyboard.press("f");
    await one.page.keyboard.press("3");
    await one.press([300, y]);
    await one.move([500, y], 10);
  };
  await write(ann, 300);
  await expect.poll(() => ben.pixel([400, 300])).toEqual(RED);
  await ann.release();
  await write(ben, 400);
  await expect.poll(() => ann.pixel([400, 400])).toEqual(RED);
  await ben.release();
  await ann.stroke([300, 500], [500, 500]);
  for (const person of [ann, ben]) await expect.poll(() => person.pixel([400, 500])).toEqual(RED);
  for (const { page } of [ann, ben])
    await expect(page.locator("canvas[data-fading]")).toHaveCount(0, { timeout: 10_000 });
  for (const person of [ann, ben])
    for (const y of [300, 400, 500]) expect(await person.pixel([400, y])).toEqual(WHITE);
  expect(await savedObjects(product, ann, ben)).toEqual([]);
  for (const { page } of [ann, ben])
    await expect(button(page, "Undo")).toHaveAttribute("aria-disabled", "true");
});
