import { COLORS } from "../../board/constants.ts";
import { STICKERS } from "../../board/stickers.ts";
import { TOOLS } from "../../board/tools.ts";
import { clickOn } from "../click.ts";
import { expect, test } from "../fixtures.ts";
import { knowEachOther } from "../person.ts";
import { button, savedObjects, saveState, surface } from "./controls.ts";

const checked = (yes: boolean): string => (yes ? " [pressed]" : "");

test("UI-4 the accessibility tree: six tools, one of them active, and Clear Canvas apart; a shape's tool adds a shape each time it is chosen", async ({
  product,
  visit,
}) => {
  const { page } = await visit();
  await expect(page).toHaveTitle("Inkpool");
  await expect(saveState(page)).toHaveText("Saved");
  const header = await page.getByRole("banner").boundingBox();
  expect(header).toEqual({ x: 0, y: 0, width: 1280, height: 80 });
  await expect(button(page, "Draw")).toHaveAttribute("aria-pressed", "true");
  const tools = page.getByRole("toolbar", { name: "Tools", exact: true }).getByRole("button");
  const names = await tools.evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")));
  expect(names).toEqual(TOOLS.map(({ name }) => name));
  // The description of any other tool is like the one or the other.
  for (const [chosen, help] of [
    ["Draw", "arrow keys move a crosshair, Space begins and ends a stroke."],
    [
      "Rectangle",
      "brackets go through the objects, Space selects at the crosshair. Arrow keys move what is selected, Delete removes it, Escape lets go of it.",
    ],
  ] as const) {
    await clickOn(page, "button", chosen);
    // The other one is the colour.
    await expect(page.getByRole("button", { pressed: true })).toHaveCount(2);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("main")).toMatchAriaSnapshot(`
      - main:
        - application "Canvas"
        - paragraph: "${chosen}: ${help}"
        - toolbar "Tools":
${TOOLS.map(({ name }) => `          - button "${name}"${checked(name === chosen)}`).join("\n")}
        - toolbar "Colors":
${COLORS.map(({ name }) => `          - button "${name}"${checked(name === "Black")}`).join("\n")}
        - textbox "Custom color": "#000000"
        - button "Clear Canvas"
    `);
    await expect(page.getByRole("banner")).toMatchAriaSnapshot(`
      - banner:
        - heading "Inkpool" [level=1]
        - text: Draw together in real-time
        - status
        - button "1 user online"
        - button "Undo"
        - button "Redo"
        - button "Menu"
    `);
  }
  await clickOn(page, "button", "Rectangle");
  await expect.poll(() => savedObjects(product, { page })).toHaveLength(2);
});

test("UI-6 twenty stickers in a panel through which arrows go, and which goes when it is no longer wanted; a click puts one onto the canvas", async ({
  product,
  visit,
}) => {
  const person = await visit();
  const { page } = person;
  const panel = page.getByRole("dialog", { name: "Sticker panel" });
  await clickOn(page, "button", "Stickers");
  await expect(button(page, "Stickers")).toHaveAttribute("aria-pressed", "true");
  const stickers = panel.getByRole("button");
  await expect(stickers).toHaveCount(20);
  expect(
    await stickers.evaluateAll((all) => all.map((one) => one.getAttribute("aria-label"))),
  ).toEqual(STICKERS.map(({ name }) => name));
  await expect(button(page, "grinning face")).toBeFocused();
  for (const [key, name] of [
    ["ArrowRight", "face with tears of joy"],
    ["ArrowDown", "thumbs up"],
    ["ArrowDown", "artist palette"],
    ["ArrowLeft", "party popper"],
    ["ArrowUp", "crying face"],
    ["ArrowUp", "grinning face"],
    ["ArrowUp", "grinning face"],
  ] as const) {
    await page.keyboard.press(key);
    await expect(button(page, name)).toBeFocused();
  }
  await page.keyboard.press("Escape");
  await expect(panel).toBeHidden();
  await expect(button(page, "Stickers")).toBeFocused();

  await clickOn(page, "button", "Stickers");
  await expect(panel).toBeVisible();
  await surface(page).click({ position: { x: 600, y: 40 } });
  await expect(panel).toBeHidden();

  await clickOn(page, "button", "Stickers");
  await clickOn(page, "button", "rocket");
  await expect(panel).toBeHidden();
  await expect.poll(() => savedObjects(product, { page })).toHaveLength(1);
  await person.tool("Draw");
  await person.leaveCanvas();
  const picture = await person.drawing();
  let painted = 0;
  for (let y = 100; y < 168; y++)
    for (let x = 100; x < 170; x++)
      if (picture.rgba[(y * picture.width + x) * 4 + 1] !== 255) painted++;
  expect(painted).toBeGreaterThan(500);
});

test("UI-43 a clear can be undone by the visitor and restored by peers, and then no notice offers it any more", async ({
  product,
  visit,
}) => {
  const one = await visit();
  const other = await visit();
  // A clear by somebody who is not known yet is "someone's".
  await knowEachOther(one, other);
  await one.tool("Rectangle");
  await expect.poll(() => other.colorAt([170, 150])).toBe("#000000");

  await one.clear();
  await expect.poll(() => other.colorAt([170, 150])).toBe("#ffffff");
  const theirs = other.toast(/^[A-Z][a-z]+ [A-Z][a-z]+ cleared the board/);
  await expect(theirs.getByRole("button", { name: "Restore" })).toBeVisible();
  await one.toast("Canvas cleared!").getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => one.colorAt([170, 150])).toBe("#000000");
  await expect.poll(() => other.colorAt([170, 150])).toBe("#000000");
  await expect(one.toast("Canvas cleared!")).toHaveCount(0);
  await expect(theirs).toHaveCount(0);

  await one.clear();
  await expect.poll(() => savedObjects(product, one, other)).toHaveLength(0);
  await theirs.getByRole("button", { name: "Restore" }).click();
  await expect.poll(() => one.colorAt([170, 150])).toBe("#000000");
  await expect.poll(() => savedObjects(product, one, other)).toHaveLength(1);
});

test("UI-11 one notice about a clear at a time, none for an empty board, and one of its own for a clear right after the last one was undone", async ({
  visit,
}) => {
  const person = await visit();
  const { page } = person;
  const notices = page.locator("[data-sonner-toast]");
  await person.clear();
  await expect(button(page, "Undo")).toHaveAttribute("aria-disabled", "true");
  await clickOn(page, "button", "Rectangle");
  await expect(button(page, "Undo")).toHaveAttribute("aria-disabled", "false");
  expect(await notices.count()).toBe(0);
  await person.clear();
  await notices.evaluate((first) => first.setAttribute("data-first", ""));
  // A notice under the pointer does not disappear by itself.
  await notices.hover();
  await button(page, "Rectangle").press("Enter");
  await expect.poll(() => person.colorAt([170, 150])).toBe("#000000");
  await button(page, "Clear Canvas").press("Enter");
  await expect(page.locator("[data-first]")).toHaveCount(0);
  await expect(notices).toHaveCount(1);

  // A clear right after the last one was undone has a notice of its own, which stays.
  const undo = notices.getByRole("button", { name: "Undo" });
  // This is one task: the first notice is still fading when the second one begins.
  await undo.evaluate((element) => {
    element.closest("[data-sonner-toast]")?.setAttribute("data-first", "");
    (element as HTMLElement).click();
    document.querySelector<HTMLElement>(".clear")?.click();
  });
  await expect(page.locator("[data-first]")).toHaveCount(0);
  await expect(notices).toHaveCount(1);
  await undo.click();
  await expect.poll(() => person.colorAt([170, 150])).toBe("#000000");
});

test("UI-179 on a phone a notice fades in above the dock, and takes no press while it disappears", async ({
  visit,
}) => {
  const viewport = { width: 360, height: 740 };
  const person = await visit({ context: { viewport, reducedMotion: "no-preference" } });
  const { page } = person;
  await person.tool("Rectangle");
  await expect(button(page, "Undo")).toHaveAttribute("aria-disabled", "false");
  const appearing = page.evaluate(async () => {
    const ends: number[] = [];
    for (;;) {
      const notice = document.querySelector("[data-sonner-toast]");
      ends.push(notice?.getBoundingClientRect().bottom ?? 0);
      if (notice?.getAttribute("data-mounted") === "true" && notice.getAnimations().length === 0)
        return Math.max(...ends) - document.querySelector(".dock")!.getBoundingClientRect().top;
      await new Promise(requestAnimationFrame);
    }
  });
  await person.clear();
  expect(await appearing).toBeLessThanOrEqual(0);
  const disappearing = page.evaluate(async () => {
    const values = new Set<string>();
    for (;;) {
      const notice = document.querySelector("[data-sonner-toast]");
      if (notice === null) return [...values];
      if (notice.getAttribute("data-removed") === "true")
        values.add(getComputedStyle(notice).pointerEvents);
      await new Promise(requestAnimationFrame);
    }
  });
  await person.toast("Canvas cleared!").getByRole("button", { name: "Undo" }).click();
  expect(await disappearing).toEqual(["none"]);
});

test("UI-24 a stroke goes on below the dock, which fades", async ({ product, visit }) => {
  const person = await visit();
  const { page } = person;
  const draw = (await button(page, "Draw").boundingBox())!;
  const dock = page.locator(".dock");
  await person.press([640, 400]);
  await page.mouse.move(640, 300, { steps: 4 });
  await expect(dock).not.toHaveAttribute("data-aside");
  await page.mouse.move(draw.x + 10, draw.y + 10, { steps: 4 });
  await expect(dock).toHaveCSS("opacity", "0.25");
  await expect(dock).toHaveCSS("pointer-events", "none");
  await person.release();
  await expect(dock).toHaveCSS("opacity", "1");
  await expect.poll(() => savedObjects(product, person)).toHaveLength(1);
});
