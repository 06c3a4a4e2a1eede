/** Tests the names of objects, as they are announced, and the panel that lists them. */

import { expect, test } from "../fixtures.ts";
import type { Person } from "../person.ts";
import type { SavedObject } from "../product.ts";
import { button, replaceObjects, savedObjects, selectionBar } from "./controls.ts";

/** Draws a text, a sticker, a red rectangle and a teal stroke, the stroke on top. */
async function drawFour(person: Person): Promise<void> {
  const { page } = person;
  await button(page, "Menu").click();
  await page.getByRole("menuitem", { name: "Add text" }).click();
  await page.keyboard.type("Hello world");
  await page.keyboard.press("Escape");
  await person.sticker("rainbow");
  await person.color("Red");
  await person.tool("Rectangle");
  await person.color("Teal");
  await person.tool("Draw");
  // A straight stroke would be called a line.
  await person.stroke([500, 300], [620, 360], [500, 400]);
}

async function openObjects(person: Person) {
  await button(person.page, "Menu").click();
  await person.page.getByRole("menuitem", { name: "Objects" }).click();
  return person.page.getByRole("listbox", { name: "Objects" });
}

test("UI-77 while others add and remove objects the active one stays active, none is after its removal, and a press and Delete reach no other", async ({
  visit,
  product,
}) => {
  const person = await visit();
  const { page } = person;
  /** Adds or removes an object, as another program does. */
  const change = async (act: (objects: readonly SavedObject[]) => readonly object[]) =>
    replaceObjects(product, act(await savedObjects(product, person)));
  const sticker = (text: string) => change((objects) => [...objects, { type: "IText", text }]);
  await person.color("Red");
  await person.tool("Rectangle");
  await person.color("Teal");
  await person.tool("Rectangle");
  const list = await openObjects(person);
  await list.focus();
  await expect.poll(() => savedObjects(product, person)).toHaveLength(2);
  await sticker("🌈");
  const rows = list.getByRole("option");
  await expect(rows).toHaveCount(3);
  const active = list.getByRole("option", { selected: true });
  await expect(active).toHaveAccessibleName(/^Teal rectangle/);
  await expect(list).toHaveAttribute(
    "aria-activedescendant",
    (await active.getAttribute("id")) ?? "",
  );
  await page.keyboard.press("Delete");
  await expect(rows).toHaveCount(2);
  await expect(active).toHaveAccessibleName(/^Red rectangle/);
  await expect.poll(() => savedObjects(product, person)).toHaveLength(2);
  await sticker("⭐");
  await expect(rows).toHaveCount(3);
  await expect(active).toHaveAccessibleName(/^Red rectangle/);
  // Another row is below the pointer when it is released.
  await list.getByRole("option", { name: "Sticker rainbow" }).hover();
  await page.mouse.down();
  await sticker("⭐");
  await expect(rows).toHaveCount(4);
  await page.mouse.up();
  await expect(active).toHaveAccessibleName(/^Red rectangle/);

  await page.keyboard.press("ArrowUp");
  await expect(active).toHaveAccessibleName("Sticker rainbow");
  await change((objects) => objects.filter(({ text }) => text !== "🌈"));
  await expect(rows).toHaveCount(3);
  await expect(active).toHaveCount(0);
  await expect(list).not.toHaveAttribute("aria-activedescendant");
  await expect(list).toBeFocused();
  await page.keyboard.press("Delete");
  await page.keyboard.press("ArrowDown");
  await expect(active).toHaveAccessibleName(/^Red rectangle/);
  await expect(rows).toHaveCount(3);
});

test("UI-76 the panel Objects lists a text, a sticker, a red rectangle and a stroke by description, and keys alone use it; brackets and a press describe an object, and a log names additions, removals and authors", async ({
  visit,
}) => {
  const one = await visit();
  const other = await visit();
  await drawFour(one);
  const log = other.page.getByRole("log");
  await expect(log).toHaveText(/ added /);
  const list = await openObjects(one);
  await expect(list).toMatchAriaSnapshot(`
    - listbox "Objects":
      - option "Teal stroke" [selected]
      - option "Red rectangle, 150 by 100"
      - option "Sticker rainbow"
      - option "Text \\"Hello world\\""
  `);
  await expect(list.getByRole("option").nth(1)).toHaveAccessibleDescription("by you, at 100, 100");
  await list.focus();
  await one.page.keyboard.press("ArrowDown");
  await one.page.keyboard.press("Enter");
  await expect(selectionBar(one.page)).toBeVisible();
  const said = one.page.locator("[data-own-actions]");
  await expect(said).toHaveText("Red rectangle, 150 by 100, at 100, 100, selected. 3 of 4.");
  await one.page.keyboard.press("Delete");
  await expect(list.getByRole("option")).toHaveCount(3);
  await expect(list.getByRole("option", { name: "Sticker rainbow" })).toHaveAttribute(
    "aria-selected",
    "true",
  );
  await expect(list).toBeFocused();
  await one.page.getByRole("dialog").getByRole("button", { name: "Go to" }).click();
  await expect(said).toHaveText(/^Sticker rainbow, at 100, 100, selected\. 2 of 3\.$/);
  await expect(button(one.page, "Select").first()).toHaveAttribute("aria-pressed", "true");
  await expect(one.page.getByRole("button", { name: /^Zoom: / })).not.toHaveText("100 %");

  await expect(log).toHaveText(/ removed red rectangle/);
  await one.page.keyboard.press("Escape");
  await expect(list).toHaveCount(0);
  await one.canvas.focus();
  await one.page.keyboard.press("Escape");
  await expect(selectionBar(one.page)).toHaveCount(0);
  await one.page.keyboard.press("[");
  await expect(said).toHaveText(/^Teal stroke, at \d+, \d+, selected\. 3 of 3\.$/);
  await one.page.keyboard.press("[");
  await expect(said).toHaveText("Sticker rainbow, at 100, 100, selected. 2 of 3.");
  await one.page.keyboard.press("[");
  await expect(said).toHaveText(/^Text "Hello world", .* 1 of 3\.$/);
  await one.page.keyboard.press("Delete");
  await expect(log).toHaveText(/ removed text "Hello world"/);
  await one.page.keyboard.press("Shift+Digit0");
  await one.click([560, 330]);
  await expect(said).toHaveText(/^Teal stroke, at \d+, \d+, selected\. 2 of 2\.$/);
  await one.page.keyboard.press("Delete");
  await expect(log).toHaveText(/^(?!Someone)\S+ \S+ removed teal stroke/);
});

test("UI-78 the menu exports the selection beside the whole board, and describes the export", async ({
  visit,
}) => {
  const person = await visit();
  const { page } = person;
  await person.stroke([500, 300], [620, 360]);
  await button(page, "Menu").click();
  await expect(page.getByRole("menuitem", { name: /selection/ })).toHaveCount(0);
  await page.keyboard.press("Escape");
  await person.tool("Rectangle");
  const take = async (name: string): Promise<void> => {
    await button(page, "Menu").click();
    await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("menuitem", { name, exact: true }).click(),
    ]);
  };
  await take("Download selection (PNG)");
  await expect(person.toast("Selection, 380 x 280")).toBeVisible();
  await take("Download picture (PNG)");
  await expect(person.toast(/Whole board, 1,1\d\d x \d{3}/)).toBeVisible();
  await take("Download selection (JSON)");
  await expect(person.toast("Selection, 1 object")).toBeVisible();
  // On paper the selection is alone too.
  await page.evaluate(() => {
    window.print = () => void (document.title += " printed");
  });
  await button(page, "Menu").click();
  await page.getByRole("menuitem", { name: "Print selection", exact: true }).click();
  await expect(page).toHaveTitle("Inkpool printed");
  await expect(page.locator(".print-picture")).toHaveJSProperty("naturalWidth", 380);
});

test("UI-77 the panel Objects lists 1,000 objects by the few rows that are in view", async ({
  visit,
  product,
}) => {
  const objects = Array.from({ length: 1_000 }, (_, n) => ({
    ...{ type: "Rect", width: n + 1, height: 10, left: n % 900, top: n % 500 },
  }));
  await product.seed({ objects });
  const person = await visit();
  const list = await openObjects(person);
  await list.focus();
  await person.page.keyboard.press("End");
  const last = list.getByRole("option", { name: "Black rectangle, 1 by 10", exact: true });
  await expect(last).toHaveAttribute("aria-posinset", "1000");
  await expect(last).toHaveAttribute("aria-setsize", "1000");
  await expect(last).toBeInViewport();
  // The list is not scrolled back to the active row when a peer draws.
  await list.hover();
  await person.page.mouse.wheel(0, -50 * 52);
  await expect(last).not.toBeInViewport();
  await replaceObjects(product, [...(await savedObjects(product)), { type: "Circle", radius: 9 }]);
  await expect(last).toHaveAttribute("aria-posinset", "1001");
  await expect(last).not.toBeInViewport();
  await list.focus();
  expect(await list.getByRole("option").count()).toBeLessThan(60);
  await person.page.keyboard.press("Delete");
  await expect(list.getByRole("option").first()).toHaveAttribute("aria-setsize", "1000");
});
