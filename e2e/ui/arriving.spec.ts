/** Files and pastes that arrive while their visitor does something else. */

import type { Page } from "@playwright/test";
import { DEFAULT_COLOR } from "../../board/constants.ts";
import { expect, test } from "../fixtures.ts";
import type { Product, SavedObject } from "../product.ts";
import type { Person } from "../person.ts";
import { button, savedObjects, selectionBar } from "./controls.ts";
import { choose } from "./file-steps.ts";

const square = { type: "rect", width: 9, height: 9 };

/** Has the code that reads files wait until the function that this returns is called. */
function holdReader(): { prepare: (page: Page) => Promise<void>; arrive: () => void } {
  let arrive = (): void => undefined;
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  const prepare = async (page: Page): Promise<void> => {
    await page.route(/read-worker/, async (route) => {
      await arrived;
      await route.continue();
    });
  };
  return { prepare, arrive };
}

/** Opens a file of squares by the menu. */
async function open({ page }: Person, count = 450): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    choose(page, "Open drawing..."),
  ]);
  const objects = Array.from({ length: count }, (_, at) => ({ ...square, left: at, top: at }));
  const buffer = Buffer.from(JSON.stringify({ version: "5.3.0", objects }));
  await chooser.setFiles({ name: "a.json", mimeType: "", buffer });
}

const saved = async (type: string, product: Product, person: Person) =>
  (await savedObjects(product, person)).filter((one: SavedObject) => one.type === type);

for (const way of ["T", "the tool Text"])
  test(`UI-151 a text that is begun by ${way} while a file is being opened goes on`, async ({
    product,
    visit,
  }) => {
    const { prepare, arrive } = holdReader();
    const person = await visit({ prepare });
    const { page } = person;
    await open(person);
    await person.move([500, 400]);
    if (way === "T") await page.keyboard.press("t");
    else {
      await button(page, "More tools").click();
      await button(page, "Text").click();
      await person.press([500, 400]);
      await person.release();
    }
    await expect(page.locator("textarea")).toBeFocused();
    const tool = page.getByRole("button", { name: way === "T" ? "Select" : "Text", exact: true });
    await page.keyboard.type("one");
    arrive();
    await expect(person.toast("450 objects added from a.json.")).toBeVisible();
    await page.keyboard.type(" two");
    await expect(tool).toHaveAttribute("aria-pressed", "true");
    await page.keyboard.press("Escape");
    await expect.poll(() => saved("IText", product, person)).toMatchObject([{ text: "one two" }]);
  });

test("UI-151 a stroke that is begun while a file is being opened goes on, and so does its tool", async ({
  product,
  visit,
}) => {
  const { prepare, arrive } = holdReader();
  const person = await visit({ prepare });
  await open(person);
  await person.press([500, 150]);
  await person.move([600, 150], 5);
  arrive();
  await expect(person.toast("450 objects added from a.json.")).toBeVisible();
  await person.move([700, 150], 5);
  await person.release();
  await expect(selectionBar(person.page)).toHaveCount(0);
  await person.stroke([500, 200], [700, 200]);
  await expect.poll(() => saved("Path", product, person)).toHaveLength(2);
  expect(await person.colorAt([690, 150])).toBe(DEFAULT_COLOR);
});

test("UI-151 a drag that is begun while a file is being opened goes on to its release", async ({
  product,
  visit,
}) => {
  const { prepare, arrive } = holdReader();
  const person = await visit({ prepare });
  await person.tool("Circle");
  await open(person);
  await person.press([175, 175]);
  await person.move([275, 275], 5);
  arrive();
  await expect(person.toast("450 objects added from a.json.")).toBeVisible();
  await person.move([375, 275], 5);
  await person.release();
  await expect(selectionBar(person.page)).toBeVisible();
  await expect(selectionBar(person.page)).not.toContainText("selected");
  await expect
    .poll(() => saved("Circle", product, person))
    .toMatchObject([{ left: 300, top: 200 }]);
});

test("UI-151 objects of a file that are no longer selected when the last of them arrive stay so", async ({
  visit,
}) => {
  const { prepare, arrive } = holdReader();
  const person = await visit({ prepare });
  const { page } = person;
  await open(person, 3_000);
  await page.evaluate(() => {
    const escape = new KeyboardEvent("keydown", { key: "Escape", bubbles: true });
    new MutationObserver((_, observer) => {
      if (!document.querySelector("[role=toolbar][aria-label=Selection]")) return;
      observer.disconnect();
      document.activeElement?.dispatchEvent(escape);
      document.title = "escaped";
    }).observe(document.body, { childList: true, subtree: true });
  });
  arrive();
  await expect(person.toast("3,000 objects added from a.json.")).toBeVisible();
  await expect(page).toHaveTitle("escaped");
  await expect(selectionBar(page)).toHaveCount(0);
});
