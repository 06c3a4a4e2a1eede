import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { decodePng } from "../../testing/png.ts";
import { expect, test } from "../fixtures.ts";
import type { Person } from "../person.ts";
import { button, savedObjects } from "./controls.ts";

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
  await person.tool("Draw");
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

test("UI-25 objects, texts and nothing else come in by the clipboard", async ({
  product,
  visit,
}) => {
  const person = await visit({ context: { permissions: ["clipboard-read", "clipboard-write"] } });
  const peer = await visit();
  const { page } = person;
  await person.color("Green");
  await person.tool("Rectangle");
  await page.keyboard.press("Control+c");
  await page.mouse.move(600, 400);
  await page.keyboard.press("Control+v");
  // The middle of the copy is under the pointer.
  await expect.poll(() => peer.colorAt([530, 280])).toBe("#2ecc71");
  await expect.poll(() => peer.colorAt([670, 360])).toBe("#2ecc71");
  await page.keyboard.press("Control+x");
  await expect.poll(() => peer.colorAt([530, 280])).toBe("#ffffff");
  await page.keyboard.press("Control+z");
  await expect.poll(() => peer.colorAt([530, 280])).toBe("#2ecc71");

  await page.evaluate(() => navigator.clipboard.writeText("two\nlines"));
  await page.mouse.move(800, 500);
  await page.keyboard.press("Control+v");
  await expect
    .poll(() => savedObjects(product), { timeout: 20_000 })
    .toMatchObject([{ type: "Rect" }, { type: "Rect" }, { type: "IText", text: "two\nlines" }]);

  await choose(page, "Copy picture");
  await expect(person.toast("The picture is on the clipboard.")).toBeVisible();
  await page.keyboard.press("Control+v");
  await expect(person.toast("Pictures can't be added yet.")).toBeVisible();
  expect(await savedObjects(product)).toHaveLength(3);
});

test("UI-25 a drawing that is opened is added in one step, and what cannot be read is said", async ({
  product,
  visit,
}) => {
  const person = await visit();
  const { page } = person;
  await person.stroke([120, 150], [230, 150]);
  const open = async (name: string, text: string): Promise<void> => {
    const [chooser] = await Promise.all([
      page.waitForEvent("filechooser"),
      choose(page, "Open drawing..."),
    ]);
    await chooser.setFiles({ name, mimeType: "application/json", buffer: Buffer.from(text) });
  };
  const circle = { type: "circle", radius: 30, left: 5, top: 5, fill: "#ff0000" };
  await open(
    "old.json",
    JSON.stringify({ version: "5.3.0", objects: [circle, { type: "image" }] }),
  );
  await expect(
    person.toast(/^1 object added from old\.json\. 1 could not be read: /),
  ).toBeVisible();
  // In the middle of the view.
  await expect.poll(() => person.colorAt([640, 360])).toBe("#ff0000");
  await expect
    .poll(() => savedObjects(product), { timeout: 20_000 })
    .toMatchObject([{ type: "Path" }, { type: "Circle" }]);
  await person.page.keyboard.press("Control+z");
  await expect.poll(() => person.colorAt([640, 360])).toBe("#ffffff");

  for (const text of ["", "no json", "[]", '{"objects":7}', JSON.stringify({ objects: [null] })]) {
    await open("bad.json", text);
    await expect(person.toast(/cannot be added|could be read/)).toBeVisible();
  }
  expect(await person.colorAt([175, 150])).toBe("#000000");

  // A file that is dropped is opened as well; a picture is refused.
  await page.evaluate(
    (text) => {
      const drop = (name: string, type: string): void => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([text], name, { type }));
        const init = { dataTransfer, bubbles: true, cancelable: true };
        document.querySelector(".canvas")?.dispatchEvent(new DragEvent("drop", init));
      };
      drop("dropped.json", "");
      drop("cat.png", "image/png");
    },
    JSON.stringify({ version: "5.3.0", objects: [circle] }),
  );
  await expect(person.toast("1 object added from dropped.json.")).toBeVisible();
  await expect(person.toast("Pictures can't be added yet.")).toBeVisible();
  await expect.poll(() => person.colorAt([640, 360])).toBe("#ff0000");
});
