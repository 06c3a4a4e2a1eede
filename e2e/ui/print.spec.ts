/** Tests what the browser's own commands print. */

import { readFile } from "node:fs/promises";
import { expect, test } from "../fixtures.ts";
import { readPdf } from "../../testing/pictures/pdf.ts";
import { decodePng } from "../../testing/pictures/png.ts";
import { choose } from "./file-steps.ts";

test("UI-153 a page that was only looked at prints its drawing alone too; where a browser falsifies the pixels of a canvas its keys print the page as it is", async ({
  product,
  visit,
}) => {
  const fill = "#ff0000";
  const objects = [
    { type: "Rect", left: 300, top: 300, width: 200, height: 100, fill, strokeWidth: 0 },
  ];
  await product.seed({ version: "7.4.0", objects, background: "white" });
  const { page, saving, canvas } = await visit({
    unready: true,
    // The first key is a sign of the visitor: this code would arrive before the second one on a busy machine.
    prepare: (opened) => opened.route(/interaction-.*\.js$/, () => undefined),
  });
  await expect(saving).toHaveText("Saved");
  await expect(page.getByRole("log")).toBeAttached();
  const { pages, fonts, pictures } = readPdf(await page.pdf({ format: "A4" }));
  const has = (picture: (typeof pictures)[number]): boolean =>
    picture.rgba.some((red, at) => at % 4 === 0 && red === 255 && picture.rgba[at + 1] === 0);
  expect([pages, fonts, pictures.filter(has).length]).toEqual([1, 0, 1]);
  // The code of the interaction is not there, and the browser would not wait for it.
  await expect(canvas.locator("[data-crosshair]")).toHaveCount(0);
  await page.evaluate(() => {
    window.print = () => void (document.title += " printed");
  });
  await page.keyboard.press("Control+p");
  await expect(page).toHaveTitle("Inkpool printed");
  const [printed] = readPdf(await page.pdf({ format: "A4" })).pictures;
  expect([printed?.width, printed?.height]).toEqual([480, 280]);
  await page.evaluate(() => Object.assign(document.documentElement.style, { colorScheme: "dark" }));
  await page.evaluate(() => (document.documentElement.dataset["dim"] = "dark"));
  await page.emulateMedia({ media: "print" });
  await expect(page.locator("body")).toHaveCSS("background-color", "rgb(255, 255, 255)");
  await expect(canvas).toHaveCSS("filter", "none");
  const isLeftAlone = (): Promise<boolean> =>
    page.evaluate(() => {
      const init = { key: "p", ctrlKey: true, bubbles: true, cancelable: true };
      return document.body.dispatchEvent(new KeyboardEvent("keydown", init));
    });
  expect(await isLeftAlone()).toBe(false);
  await page.evaluate(() => {
    CanvasRenderingContext2D.prototype.getImageData = (_x, _y, w, h) => new ImageData(w, h);
  });
  expect(await isLeftAlone()).toBe(true);
});

test("UI-170 of a board with an object far away a picture and a printed page show both ends, and a text too", async ({
  product,
  visit,
}) => {
  const rect = { type: "Rect", width: 200, height: 100, fill: "#ff0000", strokeWidth: 0 };
  const text = { type: "IText", text: "Word", fill: "#0000ff", left: 2_500_000, top: 100 };
  await product.seed({
    version: "7.4.0",
    objects: [{ ...rect, left: 300 }, text, { ...rect, left: 5_000_000 }],
  });
  const person = await visit();
  const { page } = person;
  const file = page.waitForEvent("download");
  await choose(page, "Download picture (PNG)");
  await expect(person.toast("the picture shows it at 0.16 %.")).toBeVisible();
  const { pictures } = readPdf(await page.pdf({ format: "A4" }));
  const picture = decodePng(await readFile(await (await file).path()));
  expect([picture.width, picture.height]).toEqual([8192, 40]);
  for (const { rgba } of [picture, ...pictures]) {
    const colours = new Set<string>();
    for (let at = 0; at < rgba.length; at += 4) colours.add(rgba.slice(at, at + 3).join(" "));
    expect(colours).toContain("255 0 0");
    expect(colours).toContain("0 0 255");
  }
  expect(pictures.length).toBe(1);
});
