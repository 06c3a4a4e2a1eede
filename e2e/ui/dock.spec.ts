import { COLORS, STICKERS, TOOLS } from "../../board/spec.ts";
import { expect, test } from "../fixtures.ts";
import { button, draw, openBoard, savedObjects, saveState, surface } from "./board.ts";

test("UI-4 six tools, one of them active, and Clear Canvas apart", async ({ page, product }) => {
  await openBoard(page, product.url);
  for (const { name } of TOOLS) {
    const active = name === "Draw";
    await expect(button(page, name)).toHaveAttribute("aria-pressed", String(active));
  }
  await button(page, "Eraser").click();
  await expect(button(page, "Eraser")).toHaveAttribute("aria-pressed", "true");
  await expect(button(page, "Draw")).toHaveAttribute("aria-pressed", "false");
  await expect(page.getByRole("toolbar", { name: "Tools" }).getByRole("button")).toHaveCount(6);
  await expect(button(page, "Clear Canvas")).toBeVisible();
});

test("UI-4 a shape's tool adds a shape each time it is chosen", async ({ page, product }) => {
  await openBoard(page, product.url);
  await button(page, "Rectangle").click();
  await button(page, "Rectangle").click();
  await expect(saveState(page)).toHaveText("2 changes not saved yet");
});

test("UI-5 twelve presets and a colour of one's own, which shows the one in use", async ({
  page,
  product,
}) => {
  await openBoard(page, product.url);
  const custom = page.getByLabel("Custom color");
  await expect(custom).toHaveAttribute("type", "color");
  await expect(button(page, "Black")).toHaveAttribute("aria-pressed", "true");
  for (const { name, value } of COLORS) {
    await button(page, name).click();
    await expect(button(page, name)).toHaveAttribute("aria-pressed", "true");
    await expect(custom).toHaveValue(value);
  }
  await custom.fill("#123456");
  await expect(
    page.getByRole("toolbar", { name: "Colors" }).locator('[aria-pressed="true"]'),
  ).toHaveCount(0);
  await button(page, "Circle").click();
  await expect(saveState(page)).toHaveText("Saved", { timeout: 15_000 });
  expect(await savedObjects(page)).toMatchObject([{ type: "Circle", fill: "#123456" }]);
});

test("UI-6 twenty stickers in a panel that goes when it is no longer wanted", async ({
  page,
  product,
}) => {
  await openBoard(page, product.url);
  const panel = page.getByRole("dialog", { name: "Sticker panel" });
  await button(page, "Stickers").click();
  await expect(button(page, "Stickers")).toHaveAttribute("aria-pressed", "true");
  await expect(panel.getByRole("button")).toHaveCount(20);
  for (const { name } of STICKERS) await expect(button(page, name)).toBeVisible();

  await page.keyboard.press("Escape");
  await expect(panel).toBeHidden();
  await expect(button(page, "Stickers")).toBeFocused();

  await button(page, "Stickers").click();
  await expect(panel).toBeVisible();
  await surface(page).click({ position: { x: 600, y: 40 } });
  await expect(panel).toBeHidden();

  await button(page, "Stickers").click();
  await button(page, "rocket").click();
  await expect(panel).toBeHidden();
  await expect(saveState(page)).toHaveText("1 change not saved yet");
});

test("UI-11 a clear can be taken back by the person and by the others", async ({
  page,
  product,
  browser,
}) => {
  const context = await browser.newContext();
  const other = await context.newPage();
  await openBoard(page, product.url);
  await openBoard(other, product.url);
  await button(page, "Rectangle").click();
  await expect(saveState(page)).toHaveText("Saved", { timeout: 15_000 });

  await button(page, "Clear Canvas").click();
  const own = page.locator("[data-sonner-toast]", { hasText: "Canvas cleared!" });
  await expect(own).toBeVisible();
  const theirs = other.locator("[data-sonner-toast]", { hasText: "Someone cleared the board" });
  await expect(theirs.getByRole("button", { name: "Restore" })).toBeVisible();
  await own.getByRole("button", { name: "Undo" }).click();
  await expect(saveState(page)).toHaveText("Saved", { timeout: 15_000 });
  expect(await savedObjects(page)).toHaveLength(1);

  await button(page, "Clear Canvas").click();
  await expect(saveState(page)).toHaveText("Saved", { timeout: 15_000 });
  expect(await savedObjects(page)).toHaveLength(0);
  await theirs.last().getByRole("button", { name: "Restore" }).click();
  await expect.poll(() => savedObjects(page), { timeout: 15_000 }).toHaveLength(1);
  await context.close();
});

test("UI-12 keys choose the tools, but not while a field takes them", async ({ page, product }) => {
  await openBoard(page, product.url);
  for (const { name, key } of TOOLS) {
    await page.keyboard.press(key);
    await expect(button(page, name)).toHaveAttribute("aria-pressed", "true");
  }
  await expect(page.getByRole("dialog", { name: "Sticker panel" })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Shift+V");
  await expect(button(page, "Stickers")).toHaveAttribute("aria-pressed", "true");
});

test("UI-14 the selection is moved and removed by keys", async ({ page, product }) => {
  await openBoard(page, product.url);
  await button(page, "Rectangle").click();
  await button(page, "Select").click();
  await surface(page).click({ position: { x: 150, y: 150 } });
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Shift+ArrowDown");
  await expect(saveState(page)).toHaveText("Saved", { timeout: 15_000 });
  expect(await savedObjects(page)).toMatchObject([{ type: "Rect", left: 101, top: 110 }]);
  await page.keyboard.press("Delete");
  await expect(saveState(page)).toHaveText("Saved", { timeout: 15_000 });
  await expect.poll(() => savedObjects(page), { timeout: 15_000 }).toHaveLength(0);
});

test("UI-24 a stroke goes on below the dock, which fades", async ({ page, product }) => {
  await openBoard(page, product.url);
  const dock = await button(page, "Draw").boundingBox();
  await page.mouse.move(640, 400);
  await page.mouse.down();
  await page.mouse.move(dock!.x + 10, dock!.y + 10, { steps: 4 });
  await expect(page.locator(".dock")).toHaveCSS("opacity", "0.25");
  await expect(page.locator(".dock")).toHaveCSS("pointer-events", "none");
  await page.mouse.up();
  await expect(page.locator(".dock")).toHaveCSS("opacity", "1");
  await expect(button(page, "Draw")).toHaveAttribute("aria-pressed", "true");
  await draw(page, [300, 100], [400, 100]);
  await expect(saveState(page)).toHaveText("2 changes not saved yet");
});
