import type { Page } from "@playwright/test";
import { clickOn } from "../click.ts";
import { expect, test } from "../fixtures.ts";
import { inSteps } from "../in-steps.ts";
import { knowEachOther } from "../person.ts";
import { button, savedObjects, selectionBar, surface } from "./controls.ts";
import { choose } from "./file-steps.ts";

/** Returns the last announcement of the visitor's own actions. */
const said = (page: Page) => page.locator("[data-own-actions]");

test("UI-15 own actions, joining peers and what these do are announced", async ({ visit }) => {
  const one = await visit();
  const { page } = one;
  await expect(said(page)).toHaveAttribute("aria-live", "polite");
  await one.stroke([400, 300], [500, 300]);
  await expect(said(page)).toHaveText("Black stroke, added at 399, 299.");
  await clickOn(page, "button", "Rectangle");
  await expect(said(page)).toHaveText(
    "Black rectangle, 150 by 100, added at 100, 100, selected. 2 of 2.",
  );
  await page.keyboard.press("Shift+ArrowRight");
  await expect(said(page)).toHaveText("Moved to 110, 100.");
  await page.keyboard.press("Control+Shift+ArrowDown");
  await expect(said(page)).toHaveText("Resized to 100 % by 110 %.");
  await page.keyboard.press("Alt+ArrowLeft");
  await expect(said(page)).toHaveText("Turned to 345 degrees.");
  await page.keyboard.press("Control+z");
  await expect(said(page)).toHaveText("Undone: turn.");
  await page.keyboard.press("[");
  await expect(said(page)).toHaveText("Black stroke, at 399, 299, selected. 1 of 2.");
  await clickOn(page, "button", "Select");
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Delete");
  await expect(said(page)).toHaveText("2 objects deleted.");
  const other = await visit();
  await expect(said(page)).toHaveText(/^[A-Z][a-z]+ [A-Z][a-z]+ joined\.$/);
  await knowEachOther(one, other);
  await expect(said(other.page)).toHaveText("");
  await other.stroke([300, 200], [420, 260]);
  const log = page.getByRole("log");
  await expect(log).toHaveAttribute("aria-live", "polite");
  await expect(log).toHaveText(/^[A-Z][a-z]+ [A-Z][a-z]+ added black stroke$/);
});

test("CAN-26 after a shape, a sticker and Clear the next keys are for the canvas, whose crosshair shows with the focus of the keyboard and whose description follows the tool", async ({
  product,
  visit,
}) => {
  const person = await visit();
  const { page } = person;
  await clickOn(page, "button", "Rectangle");
  await expect(surface(page)).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await person.sticker("rocket");
  await expect(surface(page)).toBeFocused();
  await page.keyboard.press("Shift+ArrowDown");
  await expect
    .poll(() => savedObjects(product, person))
    .toMatchObject([
      { type: "Rect", left: 101, top: 100 },
      { type: "IText", left: 100, top: 110 },
    ]);
  await person.clear();
  await expect(surface(page)).toBeFocused();
  await expect(page.locator("[data-crosshair]")).toBeHidden();
  await button(page, "Circle").focus();
  await page.keyboard.press("Enter");
  await expect(surface(page)).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await expect
    .poll(() => savedObjects(product, person))
    .toMatchObject([{ type: "Circle", left: 101, top: 100 }]);

  // The crosshair shows with the keyboard's focus.
  await page.keyboard.press("Escape");
  await clickOn(page, "button", "Draw");
  const crosshair = page.locator("[data-crosshair]");
  await button(page, "Menu").focus();
  await page.keyboard.press("Tab");
  await expect(surface(page)).toBeFocused();
  await expect(crosshair).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(crosshair).toBeHidden();
  await expect(surface(page)).toHaveAccessibleDescription(/^Draw: arrow keys move a crosshair/);
  await clickOn(page, "button", "Eraser");
  await expect(surface(page)).toHaveAccessibleDescription(/^Eraser: arrow keys move a crosshair/);
  await clickOn(page, "button", "Select");
  await expect(surface(page)).toHaveAccessibleDescription(/^Select: .*Delete removes it/);
});

test("UI-44 Ctrl+Shift and arrows resize, Alt and arrows turn, several objects about one centre, press after press: there and back is where they were", async ({
  product,
  visit,
}) => {
  const person = await visit();
  const { page } = person;
  const rotate = async (key: string, count = 6): Promise<void> => {
    for (let presses = 0; presses < count; presses += 1) await page.keyboard.press(key);
  };
  await clickOn(page, "button", "Rectangle");
  await page.keyboard.press("Control+Shift+ArrowRight");
  await page.keyboard.press("Control+Shift+ArrowRight");
  await page.keyboard.press("Control+Shift+ArrowUp");
  // It is 170 by 90, and the corner stays.
  await expect
    .poll(() => savedObjects(product, person))
    .toMatchObject([{ left: 100, top: 100, scaleX: 1.1334, scaleY: 0.9 }]);
  await page.keyboard.press("Alt+ArrowRight");
  await expect.poll(() => savedObjects(product, person)).toMatchObject([{ angle: 15 }]);
  await rotate("Alt+ArrowRight", 5);
  // It is rotated by a quarter about the centre, (185, 145): what was above is to the right.
  await expect
    .poll(() => savedObjects(product, person))
    .toMatchObject([{ angle: 90, left: expect.closeTo(230, 0), top: expect.closeTo(60, 0) }]);

  await person.clear();
  await clickOn(page, "button", "Draw");
  await person.stroke([300, 300], [500, 350], [420, 420]);
  await clickOn(page, "button", "Rectangle");
  await expect(selectionBar(page)).toBeVisible();
  // The chord comes after the tool that the letter before it chose, however soon it follows (UI-12).
  await page.keyboard.press("d");
  await page.keyboard.press("Control+a");
  await expect(selectionBar(page)).toContainText("2 selected");
  await expect(button(page, "Select")).toHaveAttribute("aria-pressed", "true");
  expect(await page.evaluate(() => String(getSelection()))).toBe("");
  await rotate("Alt+ArrowRight");
  const positions = async () =>
    (await savedObjects(product, person)).map(({ angle = 0, left, top }) => [angle, left, top]);
  const any: unknown = expect.any(Number);
  await expect.poll(positions).toEqual([
    [90, any, any],
    [90, any, any],
  ]);
  await rotate("Alt+ArrowLeft");
  const near = (at: number): unknown => expect.closeTo(at, 0);
  await expect.poll(positions).toEqual([
    [0, near(298.5), near(298.5)],
    [0, near(100), near(100)],
  ]);
  // Once they were moved, they turn about the centre that they have then.
  for (let presses = 0; presses < 10; presses += 1) await page.keyboard.press("Shift+ArrowRight");
  await rotate("Alt+ArrowRight");
  await rotate("Alt+ArrowRight");
  const about = (at: number): unknown => expect.closeTo(at, -1);
  await expect.poll(positions).toEqual([
    [180, about(400), about(223)],
    [180, about(599), about(422)],
  ]);
});

test("CAN-8 Shift holds a rotation to 15 degrees", async ({ product, visit }) => {
  const person = await visit();
  const { page } = person;
  await clickOn(page, "button", "Rectangle");
  await person.press([175, 60]);
  await page.keyboard.down("Shift");
  await person.move([230, 75], 5);
  await person.release();
  await page.keyboard.up("Shift");
  await expect.poll(() => savedObjects(product, person)).toMatchObject([{ angle: 30 }]);
});

test("UI-12 a letter chooses a tool, for the key or the press that follows it", async ({
  product,
  visit,
}) => {
  const person = await visit();
  const { page } = person;
  const fresh = async (): Promise<void> => {
    await person.clear();
    await clickOn(page, "button", "Draw");
  };
  await inSteps({
    "letters that are typed together choose no tool; one alone does, at once for a pointer":
      async () => {
        await page.evaluate(() => {
          // This is one task, so that no pause of a slow machine happens in between.
          for (const key of "revs")
            dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
        });
        await page.keyboard.press("e");
        await expect(button(page, "Draw")).toHaveAttribute("aria-pressed", "true");
        await expect(said(page)).toHaveText("");
        await page.keyboard.press("?");
        await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
        await page.keyboard.press("Escape");
        await expect(page.getByRole("dialog")).toHaveCount(0);
      },
    "a key that writes nothing acts with it, however soon": async () => {
      await fresh();
      await person.canvas.focus();
      await person.canvas.evaluate((surface) => {
        // This is one task, so that no pause of a slow machine happens in between.
        const keys = "c ArrowRight r ArrowDown c Delete c Backspace r Escape".split(" ");
        for (const key of keys)
          surface.dispatchEvent(
            new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }),
          );
      });
      await expect
        .poll(() => savedObjects(product, person))
        .toMatchObject([
          { type: "Circle", left: 101, top: 100 },
          { type: "Rect", left: 100, top: 101 },
          { type: "Rect", left: 100, top: 100 },
        ]);
      await expect(selectionBar(page)).toHaveCount(0);
    },
    "Space draws with it, however soon": async () => {
      await fresh();
      await person.canvas.focus();
      await person.canvas.evaluate((surface) => {
        for (const key of ["l", " ", "ArrowRight", " "])
          for (const type of ["keydown", "keyup"])
            surface.dispatchEvent(
              new KeyboardEvent(type, { key, bubbles: true, cancelable: true }),
            );
      });
      await expect(said(page)).toContainText("Black line, added");
    },
    "a press of the pointer acts with it, and with no other": async () => {
      await fresh();
      await page.keyboard.press("r");
      await expect(selectionBar(page)).toBeVisible();
      await page.keyboard.press("d");
      await expect(button(page, "Draw")).toHaveAttribute("aria-pressed", "true");
      await page.keyboard.press("v");
      await person.stroke([150, 150], [250, 250]);
      const moved = { type: "Rect", left: 200, top: 200 };
      await expect.poll(() => savedObjects(product, person)).toMatchObject([moved]);
      await page.keyboard.press("d");
      await person.stroke([250, 250], [300, 400]);
      await expect
        .poll(() => savedObjects(product, person))
        .toMatchObject([moved, { type: "Path" }]);
      await expect(selectionBar(page)).toHaveCount(0);
    },
  });
});

test("UI-12 undo and redo by keys and by buttons; a panel shows all keys, and shortcuts of one letter can be switched off", async ({
  visit,
}) => {
  const person = await visit();
  const { page } = person;
  const state = (name: string) => button(page, name).getAttribute("aria-disabled");
  const states = async () => [await state("Undo"), await state("Redo")];
  expect(await states()).toEqual(["true", "true"]);
  await person.stroke([300, 200], [420, 200]);
  await expect.poll(states).toEqual(["false", "true"]);
  await page.keyboard.press("Control+z");
  await expect.poll(states).toEqual(["true", "false"]);
  await expect.poll(() => person.colorAt([360, 200])).toBe("#ffffff");
  await page.keyboard.press("Control+Shift+z");
  await expect.poll(states).toEqual(["false", "true"]);
  await expect.poll(() => person.colorAt([360, 200])).toBe("#000000");
  await clickOn(page, "button", "Undo");
  await expect.poll(states).toEqual(["true", "false"]);
  await page.keyboard.press("Control+y");
  await expect.poll(states).toEqual(["false", "true"]);

  const panel = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await page.keyboard.press("?");
  await expect(panel).toBeFocused();
  await expect(panel.locator("dt")).toHaveCount(await panel.locator("dd").count());
  await expect(panel.getByText("Turn the selection by 15°")).toBeVisible();
  for (const [what, keys] of Object.entries({ Cut: "Ctrl+X", Copy: "Ctrl+C", Paste: "Ctrl+V" }))
    await expect(panel.locator("dt", { hasText: what }).locator("xpath=..")).toContainText(keys);
  await panel.getByRole("checkbox", { name: "Shortcuts of one letter or sign" }).uncheck();
  await page.keyboard.press("Escape");
  await expect(panel).toHaveCount(0);
  await surface(page).click({ position: { x: 600, y: 300 } });
  await page.keyboard.press("?");
  await page.keyboard.press("v");
  await page.keyboard.press("Control+z");
  await expect(button(page, "Redo")).toHaveAttribute("aria-disabled", "false");
  await expect(panel).toHaveCount(0);
  await page.reload();
  await expect(surface(page).locator("canvas").first()).toBeVisible();
  await choose(page, "Keyboard shortcuts");
  await expect(panel.getByRole("checkbox")).not.toBeChecked();
});
