/** Tests the page for people with assistive technology: rules of axe-core, the accessibility tree, forced colours, dark. */

import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures.ts";
import type { Person } from "../person.ts";
import { DARK, expectNoViolations, FORCED, FORCED_DARK, LIGHT, violations } from "./axe.ts";
import { button, selectionBar, surface } from "./controls.ts";

const LOOKS = [LIGHT, DARK, FORCED];

/** The states of the page in which something is open. */
const STATES: Readonly<Record<string, (person: Person) => Promise<void>>> = {
  start: async () => undefined,
  "a notice and the second toolbar": async (person) => {
    const { page } = person;
    await button(page, "Rectangle").click();
    await person.clear();
    await button(page, "More tools").click();
    await expect(page.getByRole("toolbar", { name: "More tools" })).toBeVisible();
    await expect(page.getByRole("radio", { name: "Thin" })).toBeVisible();
    // A notice under the pointer stays.
    await person.toast("Canvas cleared!").hover();
  },
  "the stickers, and something outside of the view": async (person) => {
    const { page } = person;
    await button(page, "Rectangle").click();
    await page.mouse.move(150, 400);
    await page.mouse.wheel(0, 900);
    await expect(button(page, "Drawing: 700 px above")).toBeVisible();
    await button(page, "Stickers").click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await expect(button(page, "Drawing: 700 px above")).toBeVisible();
  },
  "the menu": async ({ page }) => {
    await button(page, "Menu").click();
    await page.getByRole("menuitem", { name: "Appearance" }).click();
    await expect(page.getByRole("menuitemradio")).toHaveCount(3);
  },
  "the canvas's menu": async (person) => {
    await button(person.page, "Rectangle").click();
    await person.canvas.focus();
    await expect(async () => {
      await person.page.keyboard.press("Shift+F10");
      await expect(person.page.getByRole("menu", { name: "Board" })).toBeVisible({ timeout: 500 });
    }).toPass();
  },
  "a text that is being written": async (person) => {
    await person.tool("Select");
    await person.canvas.focus();
    await person.page.keyboard.press("t");
    await person.page.keyboard.type("one two three");
    await expect(person.page.getByRole("textbox", { name: "Text" })).toBeFocused();
  },
  "several objects selected, and their colours": async (person) => {
    const { page } = person;
    await button(page, "More tools").click();
    await expect(page.getByRole("toolbar", { name: "More tools" })).toBeHidden();
    await button(page, "Circle").click();
    await button(page, "Select").click();
    await page.keyboard.press("Control+a");
    await expect(selectionBar(page)).toContainText("selected");
    await button(page, "Colour").click();
    await expect(page.getByRole("dialog", { name: "Selection colour" })).toBeVisible();
  },
  "an author's objects shown": async ({ page }) => {
    await button(page, "Menu").click();
    await page.getByRole("menuitem", { name: "Who drew what" }).click();
    const row = page.getByRole("dialog").locator(".author button[aria-pressed]");
    await expect(row).toHaveAttribute("aria-pressed", "false");
    await expectNoViolations(page, LOOKS);
    await row.click();
    await expect(row).toHaveAttribute("aria-pressed", "true");
  },
  "the report on an opened file": async ({ page }) => {
    await button(page, "Menu").click();
    const [chooser] = await Promise.all([
      page.waitForEvent("filechooser"),
      page.getByRole("menuitem", { name: "Open drawing..." }).click(),
    ]);
    const buffer = Buffer.from('{"objects":[{"type":"image"}]}');
    await chooser.setFiles({ name: "a.json", mimeType: "", buffer });
    await expect(page.getByRole("dialog")).toBeVisible();
  },
  ...Object.fromEntries(
    ["History", "Objects", "Keyboard shortcuts", "People", "Copy link"].map((name) => [
      `the panel ${name}`,
      async ({ page }: Person) => {
        if (name === "Objects") await button(page, "Rectangle").click();
        if (name === "People") await button(page, "1 user online").click();
        else {
          await button(page, "Menu").click();
          await page.getByRole("menuitem", { name }).click();
        }
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
  await expectNoViolations(page, [LIGHT, DARK, FORCED, FORCED_DARK]);
  await button(page, "Menu").click();
  await page.getByRole("menuitem", { name: "Appearance" }).click();
  await page.getByRole("menuitemcheckbox", { name: "Dim canvas" }).click();
  await page.keyboard.press("Escape");
  for (const key of ["Shift+Tab", "Tab"]) await page.keyboard.press(key);
  await expect(page.getByRole("tooltip", { name: "Menu" })).toBeAttached();
  await expectNoViolations(page, [LIGHT, DARK, FORCED, FORCED_DARK]);

  await page.emulateMedia(LIGHT);
  await page.goto(`${product.url}/nowhere`);
  await expect(page.getByRole("heading", { name: "404" })).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.evaluate(() => document.body.append(document.createElement("button")));
  expect((await violations(page)).join()).toContain("button-name");
  await context.close();
});

/** Returns the value of a system colour. */
const systemColor = (page: Page, keyword: string): Promise<string> =>
  page.evaluate((color) => {
    const probe = document.body.appendChild(document.createElement("i"));
    probe.style.cssText = `forced-color-adjust: none; color: ${color}`;
    const { color: value } = getComputedStyle(probe);
    probe.remove();
    return value;
  }, keyword);

test("UI-16 forced colours keep the swatches, with a border, mark active controls by Highlight, and give pen widths and what is off system colours, whatever the Appearance", async ({
  visit,
}) => {
  const { page } = await visit({
    context: { forcedColors: "active" },
    prepare: (one) => one.addInitScript(() => localStorage.setItem("inkpool:more-tools", "open")),
  });
  const highlight = await systemColor(page, "Highlight");
  await expect(button(page, "Draw")).toHaveCSS("background-color", highlight);
  await expect(button(page, "Eraser")).not.toHaveCSS("background-color", highlight);
  await button(page, "Red").click();
  const dot = (name: string) => button(page, name).locator(".swatch-dot");
  await expect(dot("Red")).toHaveCSS("background-color", "rgb(255, 0, 0)");
  await expect(dot("Red")).toHaveCSS("outline", `${highlight} solid 4px`);
  await expect(dot("White")).toHaveCSS("background-color", "rgb(255, 255, 255)");
  await expect(dot("White")).toHaveCSS(
    "border",
    `1px solid ${await systemColor(page, "CanvasText")}`,
  );
  await expect(surface(page)).toHaveCSS("background-color", "rgb(255, 255, 255)");
  await button(page, "Eraser").focus();
  await page.keyboard.press("ArrowRight");
  await expect(button(page, "Stickers")).toHaveCSS("outline-color", highlight);
  await button(page, "Menu").click();
  const item = page.getByRole("menuitem", { name: "Add text" });
  await item.hover();
  await expect(item.locator("kbd")).toHaveCSS("color", await systemColor(page, "HighlightText"));
  await expect(page.getByRole("separator").first()).toHaveCSS("border-top-style", "solid");
  for (const key of ["Escape", "Escape"]) await page.keyboard.press(key);

  const width = (name: string) => page.getByRole("radio", { name }).locator("span");
  for (const [colorScheme, appearance] of [
    ["dark", "Light"],
    ["light", "Dark"],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await button(page, "Menu").click();
    await page.getByRole("menuitem", { name: "Appearance" }).click();
    await page.getByRole("menuitemradio", { name: appearance }).click();
    const style = `color-scheme: ${appearance.toLowerCase()};`;
    await expect(page.locator("html")).toHaveAttribute("style", style);
    for (const key of ["Escape", "Escape"]) await page.keyboard.press(key);
    for (const [name, keyword] of [
      ["Thin", "HighlightText"],
      ["Medium", "ButtonText"],
      ["Thick", "ButtonText"],
    ] as const)
      await expect(width(name)).toHaveCSS("background-color", await systemColor(page, keyword));
    await expect(button(page, "Undo")).toHaveCSS("opacity", "1");
    await expect(button(page, "Undo")).toHaveCSS("color", await systemColor(page, "GrayText"));
  }
});

test("UI-16 the page is dark with the system, or by choice; the canvas stays white", async ({
  visit,
}) => {
  const { page } = await visit({ context: { colorScheme: "dark" } });
  const header = page.getByRole("banner");
  const [dark, light] = ["rgb(29, 32, 52)", "rgb(255, 255, 255)"];
  const choose = async (name: string): Promise<void> => {
    await page.getByRole("menuitemradio", { name }).click();
    await expect(page.getByRole("menuitemradio", { name })).toBeChecked();
  };
  await expect(header).toHaveCSS("background-color", dark);
  await expect(page.locator(".dock")).toHaveCSS("background-color", dark);
  await expect(surface(page)).toHaveCSS("background-color", light);
  await button(page, "Menu").click();
  await page.getByRole("menuitem", { name: "Appearance" }).click();
  await expect(page.getByRole("menuitemradio", { name: "System" })).toBeChecked();
  await choose("Light");
  await expect(header).toHaveCSS("background-color", light);
  await page.reload();
  await expect(header).toHaveCSS("background-color", light);
  await page.emulateMedia({ colorScheme: "light" });
  await button(page, "Menu").click();
  await page.getByRole("menuitem", { name: "Appearance" }).click();
  await choose("Dark");
  await expect(header).toHaveCSS("background-color", dark);
  await expect(page.getByRole("menu")).toHaveCSS("background-color", dark);
  await expect(surface(page)).toHaveCSS("background-color", light);
  await choose("System");
  await expect(header).toHaveCSS("background-color", light);
});

test("UI-96 Dim canvas dims the canvas of this device in the dark, and not the drawing", async ({
  visit,
}) => {
  const visitor = await visit({ context: { colorScheme: "dark" } });
  const { page } = visitor;
  const dimmed = surface(page);
  await expect(dimmed).toHaveCSS("filter", "none");
  await button(page, "Menu").click();
  await page.getByRole("menuitem", { name: "Appearance" }).click();
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
  await button(page, "Menu").click();
  await page.getByRole("menuitem", { name: "Appearance" }).click();
  await page.getByRole("menuitemradio", { name: "Dark" }).click();
  await expect(dimmed).toHaveCSS("filter", "brightness(0.72)");
  await item.click();
  await expect(item).not.toBeChecked();
  await expect(dimmed).toHaveCSS("filter", "none");
});
