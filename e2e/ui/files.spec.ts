import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { readPdf } from "../../testing/pictures/pdf.ts";
import { anyObject } from "../../testing/objects/objects.ts";
import {
  colorAt,
  countDifferences,
  crop,
  decodePng,
  type Picture,
} from "../../testing/pictures/png.ts";
import { clickOn } from "../click.ts";
import { expect, test } from "../fixtures.ts";
import type { Person } from "../person.ts";
import { savedObjects } from "./controls.ts";
import { choose } from "./file-steps.ts";

async function download(page: Page, item: string): Promise<{ name: string; bytes: Buffer }> {
  const [file] = await Promise.all([page.waitForEvent("download"), choose(page, item)]);
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}

/** Draws a green rectangle, a black stroke above it and a rocket. */
async function drawSome(person: Person): Promise<void> {
  await person.color("Green");
  await person.tool("Rectangle");
  await person.tool("Draw");
  await person.color("Black");
  await person.stroke([120, 150], [230, 150]);
}

test("UI-52 the drawing leaves as PNG and JSON, whole or as far as it is selected", async ({
  visit,
}) => {
  const person = await visit({ context: { deviceScaleFactor: 2 } });
  const { page } = person;
  await drawSome(person);
  const day = new Date().toLocaleDateString("sv");

  const png = await download(page, "Download picture (PNG)");
  expect(png.name).toBe(`Inkpool ${day}.png`);
  const picture = decodePng(png.bytes);
  // This is the rectangle of 150 x 100 and 20 px around it, twice as large.
  expect([picture.width, picture.height]).toEqual([380, 280]);
  const pixel = (x: number, y: number) => [
    ...picture.rgba.subarray((y * 380 + x) * 4, (y * 380 + x) * 4 + 3),
  ];
  expect(pixel(10, 10)).toEqual([255, 255, 255]);
  expect(pixel(60, 60)).toEqual([46, 204, 113]);
  expect(pixel(200, 140)).toEqual([0, 0, 0]);
  // It is as on the canvas, whose box begins at (80, 80).
  await person.leaveCanvas();
  const onCanvas = crop(await person.drawing(), [160, 160], [380, 280]);
  expect(countDifferences(picture, onCanvas, 8)).toBeLessThan(20);

  const json = await download(page, "Download drawing (JSON)");
  expect(json.name).toBe(`Inkpool ${day}.json`);
  expect(JSON.parse(json.bytes.toString())).toMatchObject({
    objects: [{ type: "Rect", left: 100, top: 100 }, { type: "Path" }],
    background: "white",
  });

  // A plain Fabric page shows it alike.
  const plain = await page.context().newPage();
  await plain.addScriptTag({ path: "node_modules/fabric/dist/index.min.js" });
  const url = await plain.evaluate(async (text) => {
    const { fabric } = window as unknown as { fabric: typeof import("fabric") };
    const canvas = new fabric.StaticCanvas(undefined, { width: 400, height: 300 });
    await canvas.loadFromJSON(text);
    canvas.renderAll();
    return canvas.toDataURL({ multiplier: 2, left: 80, top: 80, width: 190, height: 140 });
  }, json.bytes.toString());
  await plain.close();
  const byFabric = decodePng(Buffer.from(url.slice(url.indexOf(",") + 1), "base64"));
  expect(countDifferences(byFabric, picture, 24)).toBeLessThan(130);

  await person.tool("Select");
  await person.click([110, 190]);
  const selected = JSON.parse(
    (await download(page, "Download selection (JSON)")).bytes.toString(),
  ) as { objects: object[] };
  expect(selected.objects).toMatchObject([{ type: "Rect" }]);

  // A larger picture is painted in strips, whose seams are invisible.
  await page.keyboard.press("Escape");
  await person.tool("Draw");
  await person.stroke([300, 200], [1000, 520]);
  const larger = decodePng((await download(page, "Download picture (PNG)")).bytes);
  expect(larger.width * larger.height).toBeGreaterThan(2 ** 20);
  await person.leaveCanvas();
  const size = [larger.width, larger.height] as const;
  expect(countDifferences(larger, crop(await person.drawing(), [160, 160], size), 8)).toBeLessThan(
    40,
  );
});

test("UI-107 Copy picture calls the clipboard during the press, with a picture that is still to be painted, and leads to the download where the browser refuses", async ({
  visit,
}) => {
  const person = await visit({ context: { permissions: ["clipboard-read", "clipboard-write"] } });
  const { page } = person;
  await drawSome(person);
  await page.evaluate(() => {
    const calls: boolean[] = [];
    const { clipboard } = navigator;
    const write = clipboard.write.bind(clipboard);
    let isPressing = false;
    // The press of a menu's item ends when its event has gone through all of its listeners.
    for (const name of ["click", "pointerup"])
      window.addEventListener(
        name,
        () => {
          isPressing = true;
          setTimeout(() => (isPressing = false));
        },
        true,
      );
    clipboard.write = (items) => {
      calls.push(isPressing);
      return write(items);
    };
    Object.assign(window, { calls });
  });
  await page.getByRole("button", { name: "Menu", exact: true }).click();
  await page.waitForLoadState("networkidle");
  await clickOn(page, "menuitem", "Copy picture");
  await expect(person.toast("The picture is on the clipboard.")).toBeVisible();
  expect(await page.evaluate(() => (window as unknown as { calls: boolean[] }).calls)).toEqual([
    true,
  ]);
  await page.evaluate(() => {
    const refused = new DOMException("refused", "NotAllowedError");
    Object.assign(navigator.clipboard, { write: () => Promise.reject(refused) });
  });
  await choose(page, "Copy picture");
  await expect(person.toast("Download it instead.")).toBeVisible();
});

/** Returns the picture on the clipboard: its size in pixels, and the colour where {@link drawSome} puts its stroke. */
function copiedPicture(page: Page): Promise<{ size: number[]; onStroke: number[] }> {
  return page.evaluate(async () => {
    const [item] = await navigator.clipboard.read();
    const bitmap = await createImageBitmap(await item!.getType("image/png"));
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d")!;
    context.drawImage(bitmap, 0, 0);
    const color = [...context.getImageData(200, 140, 1, 1).data].slice(0, 3);
    return { size: [bitmap.width, bitmap.height], onStroke: color };
  });
}

test("UI-52 a picture goes onto the clipboard and onto paper; an empty board says so", async ({
  visit,
}) => {
  const person = await visit({ context: { permissions: ["clipboard-read", "clipboard-write"] } });
  const { page } = person;
  await choose(page, "Copy picture");
  await expect(person.toast("There is nothing on the board yet.")).toBeVisible();
  await drawSome(person);
  await choose(page, "Copy picture");
  await expect(person.toast("The picture is on the clipboard.")).toBeVisible();
  expect(await copiedPicture(page)).toEqual({ size: [380, 280], onStroke: [0, 0, 0] });

  // The rectangle is alone, of the same size, without the stroke above it.
  await person.tool("Select");
  await person.click([110, 190]);
  await choose(page, "Copy selection as picture");
  await expect(person.toast("The picture is on the clipboard. Selection, 380 x 280")).toBeVisible();
  expect(await copiedPicture(page)).toEqual({ size: [380, 280], onStroke: [46, 204, 113] });

  // The browser's own command, with and without a selection, prints the drawing alone, on one page.
  for (const press of ["Escape", "Control+a"]) {
    await person.tool("Select");
    await page.keyboard.press(press);
    const { pages, fonts, pictures } = readPdf(await page.pdf({ format: "A4" }));
    expect([pages, fonts, pictures.length]).toEqual([1, 0, 1]);
    const [printed] = pictures;
    expect([printed!.width, printed!.height]).toEqual([380, 280]);
    const colors = [10, 60, 200].map((at) => colorAt(printed!, at, at === 200 ? 140 : at));
    expect(colors).toEqual(["#ffffff", "#2ecc71", "#000000"]);
    await expect(page.locator(".print-picture")).toHaveCount(0);
  }
  await page.keyboard.press("Escape");
  // The browser's dialog would wait for a person.
  await page.evaluate(() => {
    window.print = () => void (document.title += " printed");
  });
  await choose(page, "Print");
  await expect(page).toHaveTitle("Inkpool printed");
  await expect(page.locator(".print-picture")).toHaveCount(1);
  // A browser that ignores it reports no end: the next picture takes the place of this one.
  await choose(page, "Print");
  await expect(page).toHaveTitle("Inkpool printed printed");
  await expect(page.locator(".print-picture")).toHaveCount(1);
  // This is as the menu prints it.
  const byMenu = readPdf(await page.pdf({ format: "A4" }));
  expect([byMenu.pages, byMenu.fonts]).toEqual([1, 0]);
  expect(byMenu.pictures.map(({ width, height }) => [width, height])).toEqual([[380, 280]]);
  await expect(page.locator(".print-picture")).toHaveCount(0);
  await expect(page.getByRole("banner")).toBeVisible();
});

/** Whether the page asks for the event `copy`, which Safari otherwise gives to no page without selected text. */
function wantsCopy({ canvas }: Person): Promise<boolean> {
  return canvas.evaluate(
    (surface) =>
      !surface.dispatchEvent(new Event("beforecopy", { bubbles: true, cancelable: true })),
  );
}

test("UI-55 objects, texts and nothing else come in by the clipboard", async ({
  product,
  visit,
}) => {
  const person = await visit({ context: { permissions: ["clipboard-read", "clipboard-write"] } });
  const { page } = person;
  expect(await wantsCopy(person)).toBe(false);
  await person.color("Green");
  await person.tool("Rectangle");
  expect(await wantsCopy(person)).toBe(true);
  await page.keyboard.press("Control+c");
  await page.mouse.move(600, 400);
  await page.keyboard.press("Control+v");
  // The middle of the copy is under the pointer.
  await expect.poll(() => person.colorAt([530, 280])).toBe("#2ecc71");
  await expect.poll(() => person.colorAt([670, 360])).toBe("#2ecc71");
  await page.keyboard.press("Control+x");
  await expect.poll(() => person.colorAt([530, 280])).toBe("#ffffff");
  await page.keyboard.press("Control+z");
  await expect.poll(() => person.colorAt([530, 280])).toBe("#2ecc71");

  await page.evaluate(() => navigator.clipboard.writeText("two\nlines"));
  await page.mouse.move(800, 500);
  await page.keyboard.press("Control+v");
  await expect
    .poll(() => savedObjects(product, person), { timeout: 20_000 })
    .toMatchObject([{ type: "Rect" }, { type: "Rect" }, { type: "IText", text: "two\nlines" }]);

  await choose(page, "Copy picture");
  await expect(person.toast("The picture is on the clipboard.")).toBeVisible();
  await page.keyboard.press("Control+v");
  await expect
    .poll(() => savedObjects(product, person), { timeout: 20_000 })
    .toMatchObject([{ type: "Rect" }, { type: "Rect" }, { type: "IText" }, { type: "Image" }]);
});

test("UI-52 an SVG file shows what the tools draw as the picture does, with the highlighter below the ink", async ({
  product,
  visit,
}) => {
  const look = { originX: "left", originY: "top", fill: null };
  const ink = { type: "Path", path: "M0 0l900 0", left: 20, top: 45, ...look };
  const frame = { type: "Rect", width: 90, height: 60, scaleX: 2, strokeUniform: true, ...look };
  const drawn = Array.from({ length: 24 }, (_, at) => ({ ...anyObject(at), left: 40 + 36 * at }));
  await product.seed({
    version: "7.4.0",
    objects: [
      { ...ink, stroke: "#000000", strokeWidth: 9 },
      ...drawn.filter(({ type }) => type !== "Image" && type !== "IText"),
      { ...frame, stroke: "#4ecdc4", strokeWidth: 3 },
    ],
  });
  const { page } = await visit({ context: { deviceScaleFactor: 2 } });
  const picture = decodePng((await download(page, "Download picture (PNG)")).bytes);
  const svg = (await download(page, "Download drawing (SVG)")).bytes.toString();
  const shown = await page.context().newPage();
  await shown.setViewportSize({ width: picture.width / 2, height: picture.height / 2 });
  await shown.setContent(`<body style="margin:0">${svg}</body>`);
  const rendered = decodePng(await shown.screenshot());
  expect(countDifferences(rendered, picture, 24)).toBeLessThan(130);
  await shown.close();
});

test("UI-29 a text of any characters leaves as a well-formed SVG", async ({ product, visit }) => {
  const characters = Array.from({ length: 31 }, (_, at) => String.fromCharCode(at + 1)).join("");
  const text = { type: "IText", text: `a${characters}\ufffe\uffffb<&"'>`, left: 200, top: 200 };
  const styled = { ...text, styles: [{ start: 0, end: 3, style: { fill: "red" } }] };
  await product.seed({ version: "7.4.0", objects: [text, styled] });
  const { page } = await visit();
  const svg = (await download(page, "Download drawing (SVG)")).bytes.toString();
  const words = await page.evaluate((written) => {
    const read = new DOMParser().parseFromString(written, "image/svg+xml");
    if (read.querySelector("parsererror")) return read.documentElement.textContent;
    return [...read.querySelectorAll("text")].map(({ textContent }) => textContent);
  }, svg);
  expect(words).toEqual(Array(2).fill(expect.stringMatching(/^\s*a\s+b<&"'>\s*$/)));
});

test("PNT-7 a picture file has the shadows that the canvas shows: those of the 200 lowest objects", async ({
  visit,
  product,
}) => {
  const shadow = { color: "red", offsetX: 12, offsetY: 0, blur: 0 };
  const one = { type: "Rect", width: 10, height: 10, strokeWidth: 0, shadow };
  const at = (n: number) => ({ left: 100 + (n % 20) * 30, top: 100 + Math.floor(n / 20) * 30 });
  await product.seed({ objects: Array.from({ length: 201 }, (_, n) => ({ ...one, ...at(n) })) });
  const person = await visit();
  const reds = ({ rgba }: Picture) =>
    rgba.filter((red, byte) => byte % 4 === 0 && red === 255 && rgba[byte + 1] === 0).length;
  await expect.poll(async () => reds(await person.drawing())).toBe(200 * 100);
  const file = await download(person.page, "Download picture (PNG)");
  // It is twice as large.
  expect(reds(decodePng(file.bytes))).toBe(4 * 200 * 100);
});
