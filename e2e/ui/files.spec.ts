import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { decodePng } from "../../testing/png.ts";
import { expect, test } from "../fixtures.ts";
import type { Person } from "../person.ts";
import { button } from "./controls.ts";

async function choose(page: Page, item: string): Promise<void> {
  await button(page, "Menu").click();
  await page.getByRole("menuitem", { name: item }).click();
}

async function download(page: Page, item: string): Promise<{ name: string; bytes: Buffer }> {
  const [file] = await Promise.all([page.waitForEvent("download"), choose(page, item)]);
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}

/** A green rectangle, a black stroke above it and a rocket. */
async function drawSome(person: Person): Promise<void> {
  await person.color("Green");
  await person.tool("Rectangle");
  await person.color("Black");
  await person.stroke([120, 150], [230, 150]);
}

test("UI-25 the drawing leaves as PNG, SVG and JSON, whole or as far as it is selected", async ({
  visit,
}) => {
  const person = await visit();
  const { page } = person;
  await drawSome(person);
  const day = new Date().toISOString().slice(0, 10);

  const png = await download(page, "Download picture (PNG)");
  expect(png.name).toBe(`Inkpool ${day}.png`);
  const picture = decodePng(png.bytes);
  // The rectangle of 150 x 100 and 20 px around it, twice as large.
  expect([picture.width, picture.height]).toEqual([380, 280]);
  const pixel = (x: number, y: number) => [
    ...picture.rgba.subarray((y * 380 + x) * 4, (y * 380 + x) * 4 + 3),
  ];
  expect(pixel(10, 10)).toEqual([255, 255, 255]);
  expect(pixel(60, 60)).toEqual([46, 204, 113]);
  expect(pixel(200, 140)).toEqual([0, 0, 0]);

  const json = await download(page, "Download drawing (JSON)");
  expect(json.name).toBe(`Inkpool ${day}.json`);
  expect(JSON.parse(json.bytes.toString())).toMatchObject({
    objects: [{ type: "Rect", left: 100, top: 100 }, { type: "Path" }],
    background: "white",
  });

  const svg = (await download(page, "Download drawing (SVG)")).bytes.toString();
  const shown = await page.context().newPage();
  await shown.setViewportSize({ width: 190, height: 140 });
  await shown.setContent(`<body style="margin:0">${svg}</body>`);
  const rendered = decodePng(await shown.screenshot());
  const at = (x: number, y: number) => [
    ...rendered.rgba.subarray((y * 190 + x) * 4, (y * 190 + x) * 4 + 3),
  ];
  expect(at(5, 5)).toEqual([255, 255, 255]);
  expect(at(30, 30)).toEqual([46, 204, 113]);
  expect(at(100, 70)).toEqual([0, 0, 0]);
  await shown.close();

  await person.tool("Select");
  await person.click([110, 190]);
  const selected = JSON.parse(
    (await download(page, "Download drawing (JSON)")).bytes.toString(),
  ) as { objects: object[] };
  expect(selected.objects).toMatchObject([{ type: "Rect" }]);
});

test("UI-25 a picture goes onto the clipboard and onto paper; an empty board says so", async ({
  visit,
}) => {
  const person = await visit({ context: { permissions: ["clipboard-read", "clipboard-write"] } });
  const { page } = person;
  await choose(page, "Copy picture");
  await expect(person.toast("There is nothing on the board yet.")).toBeVisible();
  await drawSome(person);
  await choose(page, "Copy picture");
  await expect(person.toast("The picture is on the clipboard.")).toBeVisible();
  const size = await page.evaluate(async () => {
    const [item] = await navigator.clipboard.read();
    const bitmap = await createImageBitmap(await item!.getType("image/png"));
    return [bitmap.width, bitmap.height];
  });
  expect(size).toEqual([380, 280]);

  // The browser's dialog would wait for a person.
  await page.evaluate(() => {
    window.print = () => void (document.title += " printed");
  });
  await choose(page, "Print");
  await expect(page).toHaveTitle("Inkpool printed");
  await page.emulateMedia({ media: "print" });
  await expect(page.locator(".print-picture")).toBeVisible();
  await expect(page.getByRole("banner")).toBeHidden();
  await expect(person.canvas).toBeHidden();
  await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
  await page.emulateMedia({ media: null });
  await expect(page.locator(".print-picture")).toHaveCount(0);
  await expect(page.getByRole("banner")).toBeVisible();
});
