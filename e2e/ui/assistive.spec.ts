/** Tests the page for people with assistive technology: rules of axe-core, the accessibility tree, forced colours, dark. */

import type { Page } from "@playwright/test";
import { clickOn } from "../click.ts";
import { expect, test } from "../fixtures.ts";
import type { Person } from "../person.ts";
import { DARK, expectNoViolations, FORCED, FORCED_DARK, LIGHT, violations } from "./axe.ts";
import { button, selectionBar, surface } from "./controls.ts";
import { choose } from "./file-steps.ts";

const LOOKS = [LIGHT, DARK, FORCED];

/** The states of the page in which something is open. */
const STATES: Readonly<Record<string, (person: Person) => Promise<void>>> = {
  "the stickers, and something outside of the view": async (person) => {
    const { page } = person;
    await clickOn(page, "button", "Rectangle");
    await page.mouse.move(150, 400);
    await page.mouse.wheel(0, 900);
    await expect(button(page, "Drawing: 700 px above")).toBeVisible();
    await clickOn(page, "button", "Stickers");
    await expect(page.getByRole("dialog")).toBeVisible();
    await expect(button(page, "Drawing: 700 px above")).toBeVisible();
  },
  "the menu": async ({ page }) => {
    await choose(page, "Appearance");
    await expect(page.getByRole("menuitemradio")).toHaveCount(3);
  },
  "the canvas's menu": async (person) => {
    await clickOn(person.page, "button", "Rectangle");
    await person.canvas.focus();
    await expect(async () => {
      await person.page.keyboard.press("Shift+F10");
      await expect(person.page.getByRole("menu", { name: "Board" })).toBeVisible({
        timeout: 500,
      });
    }).toPass();
  },
  "a notice, the second toolbar, and a text that is being written": async (person) => {
    const { page } = person;
    await clickOn(page, "button", "Rectangle");
    await person.clear();
    await clickOn(page, "button", "More tools");
    await expect(page.getByRole("toolbar", { name: "More tools" })).toBeVisible();
    await expect(page.getByRole("radio", { name: "Thin" })).toBeVisible();
    await person.tool("Select");
    // A notice under the pointer stays.
    await person.toast("Canvas cleared!").hover();
    await person.canvas.focus();
    await page.keyboard.press("t");
    await page.keyboard.type("one two three");
    await expect(page.getByRole("textbox", { name: "Text" })).toBeFocused();
    await expect(person.toast("Canvas cleared!")).toBeVisible();
  },
  "several objects selected, and their colours": async (person) => {
    const { page } = person;
    await clickOn(page, "button", "More tools");
    await expect(page.getByRole("toolbar", { name: "More tools" })).toBeHidden();
    await clickOn(page, "button", "Circle");
    await clickOn(page, "button", "Select");
    await page.keyboard.press("Control+a");
    await expect(selectionBar(page)).toContainText("selected");
    await clickOn(page, "button", "Colour");
    await expect(page.getByRole("dialog", { name: "Selection colour" })).toBeVisible();
  },
  "an author's objects shown": async ({ page }) => {
    await choose(page, "Who drew what");
    const row = page.getByRole("dialog").locator(".author button[aria-pressed]");
    await expect(row).toHaveAttribute("aria-pressed", "false");
    await expectNoViolations(page, LOOKS);
    await row.click();
    await expect(row).toHaveAttribute("aria-pressed", "true");
  },
  "the report on an opened file": async ({ page }) => {
    await clickOn(page, "button", "Menu");
    const [chooser] = await Promise.all([
      page.waitForEvent("filechooser"),
      clickOn(page, "menuitem", "Open drawing..."),
    ]);
    const buffer = Buffer.from('{"objects":[{"type":"image"}]}');
    await chooser.setFiles({ name: "a.json", mimeType: "", buffer });
    await expect(page.getByRole("dialog")).toBeVisible();
  },
  ...Object.fromEntries(
    ["History", "Objects", "Keyboard shortcuts", "People", "Copy link"].map((name) => [
      `the panel ${name}`,
      async ({ page }: Person) => {
        if (name === "Objects") await clickOn(page, "button", "Rectangle");
        if (name === "People") await clickOn(page, "button", "1 user online");
        else await choose(page, name);
        const title = name === "Copy link" ? "Link to this board" : name;
        await expect(page.getByRole("dialog", { name: title })).toBeVisible();
        await expect(page.getByText(/^(Loading|Counting)/)).toHaveCount(0);
      },
    ]),
  ),
};

/** An element that slides or fades in is transparent meanwhile, and has no contrast to measure. */
const STILL = { reducedMotion: "reduce" } as const;

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

// The colours change while a state is open.
for (const [where, context, looks] of [
  ["a desktop, in the light, in the dark and with forced colours", {}, LOOKS],
  ["a phone", PHONE, [LIGHT]],
] as const)
  test(`UI-16 axe-core finds nothing wrong on ${where}`, async ({ visit }) => {
    test.slow();
    const person = await visit({ context: { ...context, ...STILL } });
    const { page } = person;
    for (const [what, open] of Object.entries(STATES)) {
      await test.step(what, async () => {
        await open(person);
        await expectNoViolations(page, looks);
        // There are two: a submenu and its menu.
        await page.keyboard.press("Escape");
        await page.keyboard.press("Escape");
        await expect(page.locator('[role="menu"], [role="dialog"]')).toHaveCount(0);
      });
    }
  });

test("UI-16 axe-core finds nothing wrong with Show all offered, on a dimmed canvas, and on the 404 page, and finds a nameless button", async ({
  browser,
  product,
}) => {
  const rectangle = { type: "Rect", left: 0, top: 0, width: 4000, height: 300, fill: "#ff0000" };
  await product.seed({ objects: [{ ...rectangle, originX: "left", originY: "top" }] });
  // Nobody was here before.
  const context = await browser.newContext(STILL);
  const page = await context.newPage();
  await page.goto(product.url);
  await expect(page.getByText("There is more than you see")).toBeVisible();
  await button(page, "Menu").focus();
  for (const key of ["Shift+Tab", "Tab"]) await page.keyboard.press(key);
  await expect(page.getByRole("tooltip", { name: "Menu" })).toBeAttached();
  await expectNoViolations(page, [LIGHT, DARK, FORCED, FORCED_DARK]);
  await choose(page, "Appearance");
  await clickOn(page, "menuitemcheckbox", "Dim canvas");
  await page.keyboard.press("Escape");
  await expect(page.getByText("There is more than you see")).toBeVisible();
  // In the light nothing is dimmed.
  await expectNoViolations(page, [DARK, FORCED_DARK]);

  await page.emulateMedia(LIGHT);
  await page.goto(`${product.url}/nowhere`);
  await expect(page.getByRole("heading", { name: "404" })).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.evaluate(() => document.body.append(document.createElement("button")));
  expect(await violations(page, ["button-name"])).toHaveLength(1);
  await context.close();
});

/** Values of style properties, by the selectors of their elements; system colours are written by their names. */
type Styles = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Returns the values that differ from these, of the first element of each selector; runs in the page. */
function otherStyles(styles: Styles): string[] {
  const probe = document.body.appendChild(document.createElement("i"));
  const resolve = (keyword: string): string => {
    probe.style.cssText = `forced-color-adjust: none; color: ${keyword}`;
    return getComputedStyle(probe).color;
  };
  const found = Object.entries(styles).flatMap(([selector, values]) =>
    Object.entries(values).flatMap(([property, value]) => {
      const element = document.querySelector(selector);
      const actual = element && getComputedStyle(element).getPropertyValue(property);
      const expected = value.replace(/(Highlight|Gray|Button|Canvas)(Text)?/, resolve);
      return actual === expected ? [] : [`${selector} ${property}: ${actual}, not ${expected}`];
    }),
  );
  probe.remove();
  return found;
}

const expectStyles = (page: Page, styles: Styles): Promise<void> =>
  expect.poll(() => page.evaluate(otherStyles, styles)).toEqual([]);

const named = (name: string): string => `[aria-label="${name}"]`;

test("UI-16 forced colours keep the swatches, with a border, mark active controls by Highlight, and give pen widths and what is off system colours, whatever the Appearance", async ({
  visit,
}) => {
  const { page } = await visit({
    prepare: async (one) => {
      await one.emulateMedia(FORCED);
      await one.addInitScript(() => localStorage.setItem("inkpool:more-tools", "open"));
    },
  });
  await clickOn(page, "button", "Red");
  await button(page, "Eraser").focus();
  await page.keyboard.press("ArrowRight");
  await expectStyles(page, {
    [named("Draw")]: { "background-color": "Highlight" },
    [named("Stickers")]: { "outline-color": "Highlight" },
    [`${named("Red")} .swatch-dot`]: {
      "background-color": "rgb(255, 0, 0)",
      outline: "Highlight solid 4px",
    },
    [`${named("White")} .swatch-dot`]: {
      "background-color": "rgb(255, 255, 255)",
      border: "1px solid CanvasText",
    },
    [named("Canvas")]: { "background-color": "rgb(255, 255, 255)" },
  });
  const { background } = await button(page, "Draw").evaluate((one) => getComputedStyle(one));
  await expect(button(page, "Eraser")).not.toHaveCSS("background", background);
  await clickOn(page, "button", "Menu");
  await page.getByRole("menuitem", { name: "Add text" }).hover();
  await expectStyles(page, {
    "[role=menuitem]:focus kbd": { color: "HighlightText" },
    "[role=separator]": { "border-top-style": "solid" },
  });
  for (const key of ["Escape", "Escape"]) await page.keyboard.press(key);

  for (const [colorScheme, appearance] of [
    ["dark", "Light"],
    ["light", "Dark"],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await choose(page, "Appearance");
    await clickOn(page, "menuitemradio", appearance);
    const style = `color-scheme: ${appearance.toLowerCase()};`;
    await expect(page.locator("html")).toHaveAttribute("style", style);
    for (const key of ["Escape", "Escape"]) await page.keyboard.press(key);
    await expectStyles(page, {
      [`${named("Thin")} span`]: { "background-color": "HighlightText" },
      [`${named("Medium")} span`]: { "background-color": "ButtonText" },
      [`${named("Thick")} span`]: { "background-color": "ButtonText" },
      [named("Undo")]: { opacity: "1", color: "GrayText" },
    });
  }
});

test("UI-16 the page is dark with the system, or by choice; the canvas stays white", async ({
  visit,
}) => {
  const { page } = await visit({ prepare: (one) => one.emulateMedia(DARK) });
  const [dark, light] = ["rgb(29, 32, 52)", "rgb(255, 255, 255)"];
  const expectGround = (ground: string, ...more: readonly string[]): Promise<void> => {
    const parts = [".header", ".dock", ...more].map((part) => [part, ground] as const);
    const grounds = [...parts, [named("Canvas"), light] as const];
    return expectStyles(
      page,
      Object.fromEntries(grounds.map(([part, color]) => [part, { "background-color": color }])),
    );
  };
  const prefer = async (name: string): Promise<void> => {
    await clickOn(page, "menuitemradio", name);
    await expect(page.getByRole("menuitemradio", { name })).toBeChecked();
  };
  await expectGround(dark);
  await choose(page, "Appearance");
  await expect(page.getByRole("menuitemradio", { name: "System" })).toBeChecked();
  await prefer("Light");
  await expectGround(light);
  await page.reload();
  await expectGround(light);
  await page.emulateMedia(LIGHT);
  await choose(page, "Appearance");
  await prefer("Dark");
  await expectGround(dark, "[role=menu]");
  await prefer("System");
  await expectGround(light);
});

test("UI-96 Dim canvas dims the canvas of this device in the dark, and not the drawing", async ({
  visit,
}) => {
  const visitor = await visit({ prepare: (one) => one.emulateMedia(DARK) });
  const { page } = visitor;
  const dimmed = surface(page);
  await expect(dimmed).toHaveCSS("filter", "none");
  await choose(page, "Appearance");
  const item = page.getByRole("menuitemcheckbox", { name: "Dim canvas" });
  await item.click();
  await expect(item).toBeChecked();
  await expect(dimmed).toHaveCSS("filter", "brightness(0.72)");
  await expect(dimmed).toHaveCSS("background-color", "rgb(255, 255, 255)");
  await page.keyboard.press("Escape");
  expect(await visitor.colorAt([500, 300])).toBe("#ffffff");
  await page.reload();
  await expect(dimmed).toHaveCSS("filter", "brightness(0.72)");
  await page.emulateMedia({ colorScheme: "light" });
  await expect(dimmed).toHaveCSS("filter", "none");
  await choose(page, "Appearance");
  await clickOn(page, "menuitemradio", "Dark");
  await expect(dimmed).toHaveCSS("filter", "brightness(0.72)");
  await item.click();
  await expect(item).not.toBeChecked();
  await expect(dimmed).toHaveCSS("filter", "none");
});
