import { expect, test } from "../fixtures.ts";
import { button, draw, openBoard, saveState, surface } from "./board.ts";

test("UI-1 the header names the product and says what is going on", async ({ page, product }) => {
  await openBoard(page, product.url);
  const header = page.getByRole("banner");
  await expect(header.getByRole("heading", { level: 1 })).toHaveText("Inkpool");
  await expect(header.getByText("Draw together in real-time")).toBeVisible();
  await expect(header.getByText("1 user online")).toBeVisible();
  await expect(header.getByRole("button", { name: "Undo" })).toBeVisible();
  await expect(header.getByRole("button", { name: "Redo" })).toBeVisible();
  await expect(page).toHaveTitle("Inkpool");
  expect(await header.boundingBox()).toEqual({ x: 0, y: 0, width: 1280, height: 80 });
});

test("UI-2 the badge counts who is here", async ({ page, product, browser }) => {
  await openBoard(page, product.url);
  await expect(page.getByText("1 user online")).toBeVisible();
  const other = await browser.newContext();
  await openBoard(await other.newPage(), product.url);
  await expect(page.getByText("2 users online")).toBeVisible();
  await other.close();
  await expect(page.getByText("1 user online")).toBeVisible();
});

test("UI-3 the canvas fills the window below the header, and follows it", async ({
  page,
  product,
}) => {
  await openBoard(page, product.url);
  const measure = () => surface(page).boundingBox();
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect.poll(measure).toEqual({ x: 0, y: 80, width: 1280, height: 720 });
  await page.setViewportSize({ width: 640, height: 500 });
  await expect.poll(measure).toEqual({ x: 0, y: 80, width: 640, height: 420 });
  const canvas = surface(page).locator("canvas").first();
  await expect.poll(() => canvas.boundingBox()).toEqual({ x: 0, y: 80, width: 640, height: 420 });
  await expect(surface(page)).toHaveCSS("background-color", "rgb(255, 255, 255)");
});

test("UI-10 the header tells how far saving has come, politely", async ({ page, product }) => {
  await openBoard(page, product.url);
  await expect(saveState(page)).toHaveAttribute("aria-live", "polite");
  await draw(page, [300, 200], [420, 260]);
  await expect(saveState(page)).toHaveText("1 change not saved yet");
  await draw(page, [300, 300], [420, 360]);
  await expect(saveState(page)).toHaveText("2 changes not saved yet");
  await expect(saveState(page)).toHaveText("Saved", { timeout: 15_000 });
});

test("UI-13 undo and redo by keys and by buttons", async ({ page, product }) => {
  await openBoard(page, product.url);
  await expect(button(page, "Undo")).toHaveAttribute("aria-disabled", "true");
  await draw(page, [300, 200], [420, 260]);
  await expect(button(page, "Undo")).toHaveAttribute("aria-disabled", "false");
  await page.keyboard.press("Control+z");
  await expect(button(page, "Undo")).toHaveAttribute("aria-disabled", "true");
  await expect(button(page, "Redo")).toHaveAttribute("aria-disabled", "false");
  await page.keyboard.press("Control+Shift+z");
  await expect(button(page, "Undo")).toHaveAttribute("aria-disabled", "false");
  await button(page, "Undo").click();
  await page.keyboard.press("Control+y");
  await expect(button(page, "Redo")).toHaveAttribute("aria-disabled", "true");
});

test("UI-7 any other path is the 404 page, and is logged", async ({ page, product }) => {
  const logged: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") logged.push(message.text());
  });
  const answer = await page.goto(`${product.url}/no/such/page`);
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole("heading", { name: "404" })).toBeVisible();
  await expect(page.getByText("Oops! Page not found")).toBeVisible();
  expect(logged.filter((line) => line.includes("/no/such/page"))).toHaveLength(1);
  await page.getByRole("link", { name: "Return to Home" }).click();
  await expect(page).toHaveURL(`${product.url}/`);
  await expect(surface(page)).toBeVisible();
});
