/** Files and pastes that arrive while their visitor does something else. */

import { DEFAULT_COLOR } from "../../board/constants.ts";
import { clickOn } from "../click.ts";
import { expect, test } from "../fixtures.ts";
import type { Product, SavedObject } from "../product.ts";
import type { Person } from "../person.ts";
import { holdRequests } from "../traffic.ts";
import { button, savedObjects, selectionBar } from "./controls.ts";
import { choose } from "./file-steps.ts";

const square = { type: "rect", width: 9, height: 9 };

/** Opens a file of squares by the menu, whose objects do not arrive until the returned function is called. */
async function open({ page }: Person, name: string, count = 210): Promise<() => void> {
  const arrive = await holdRequests(page, /read-worker/);
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    choose(page, "Open drawing..."),
  ]);
  const objects = Array.from({ length: count }, (_, at) => ({ ...square, left: at, top: at }));
  const buffer = Buffer.from(JSON.stringify({ version: "5.3.0", objects }));
  await chooser.setFiles({ name, mimeType: "", buffer });
  return arrive;
}

const saved = async (type: string, product: Product, person: Person) =>
  (await savedObjects(product, person)).filter((one: SavedObject) => one.type === type);

test("UI-151 a text that is begun by T or by the tool Text while a file is being opened goes on", async ({
  product,
  visit,
}) => {
  const person = await visit();
  const { page } = person;
  for (const tool of ["Select", "Text"]) {
    const arrive = await open(person, `${tool}.json`);
    await person.move([500, 400]);
    if (tool === "Select") await page.keyboard.press("t");
    else {
      await clickOn(page, "button", "More tools");
      await clickOn(page, "button", "Text");
      await person.click([500, 300]);
    }
    await expect(page.locator("textarea")).toBeFocused();
    await page.keyboard.type("one");
    arrive();
    await expect(person.toast(`210 objects added from ${tool}.json.`)).toBeVisible();
    await page.keyboard.type(" two");
    await expect(button(page, tool)).toHaveAttribute("aria-pressed", "true");
    await page.keyboard.press("Escape");
  }
  await expect
    .poll(() => saved("IText", product, person))
    .toMatchObject([{ text: "one two" }, { text: "one two" }]);
});

test("UI-151 a stroke or a drag that is begun while a file is being opened goes on, and so does the tool; objects of a file that are no longer selected when the last of them arrive stay so", async ({
  product,
  visit,
}) => {
  const person = await visit();
  const draw = await open(person, "a.json");
  await person.press([500, 150]);
  await person.move([600, 150], 5);
  draw();
  await expect(person.toast("210 objects added from a.json.")).toBeVisible();
  await person.move([700, 150], 5);
  await person.release();
  await expect(selectionBar(person.page)).toHaveCount(0);
  await person.stroke([500, 200], [700, 200]);
  await expect.poll(() => saved("Path", product, person)).toHaveLength(2);
  expect(await person.colorAt([690, 150])).toBe(DEFAULT_COLOR);

  await person.tool("Circle");
  const drag = await open(person, "b.json");
  await person.press([175, 175]);
  await person.move([275, 275], 5);
  drag();
  await expect(person.toast("210 objects added from b.json.")).toBeVisible();
  await person.move([375, 275], 5);
  await person.release();
  await expect(selectionBar(person.page)).toBeVisible();
  await expect(selectionBar(person.page)).not.toContainText("selected");
  await expect
    .poll(() => saved("Circle", product, person))
    .toMatchObject([{ left: 300, top: 200 }]);

  // Objects that are no longer selected when the last of them arrive stay so.
  await person.page.keyboard.press("Escape");
  const arrive = await open(person, "c.json", 1_000);
  await person.page.evaluate(() => {
    const escape = new KeyboardEvent("keydown", { key: "Escape", bubbles: true });
    new MutationObserver((_, observer) => {
      if (!document.querySelector("[role=toolbar][aria-label=Selection]")) return;
      observer.disconnect();
      document.activeElement?.dispatchEvent(escape);
      document.title = "escaped";
    }).observe(document.body, { childList: true, subtree: true });
  });
  arrive();
  await expect(person.toast("1,000 objects added from c.json.")).toBeVisible();
  await expect(person.page).toHaveTitle("escaped");
  await expect(selectionBar(person.page)).toHaveCount(0);
});
