/** Pictures of SVG files. */

import { expect, test } from "../fixtures.ts";
import { savedObjects } from "../ui/controls.ts";
import { addPicture, shows } from "./picture-steps.ts";

test("IMG-12 an SVG that would repeat itself without an end is not drawn, and one without a size keeps its sides", async ({
  product,
  visit,
}) => {
  const person = await visit();
  const { page } = person;
  const svg = (attributes: string, inner: string): Buffer =>
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${inner}</svg>`);
  const rect = '<rect width="400" height="400" fill="#f00"/>';
  const groups = Array.from(
    { length: 40 },
    (_, at) => `<g id="n${at + 1}">${`<use href="#n${at}"/>`.repeat(2)}</g>`,
  );
  const bomb = svg('width="400" height="400"', `<g id="n0">${rect}</g>${groups.join("")}`);
  await addPicture(page, "bomb.svg", bomb, "image/svg+xml");
  const dialog = page.getByRole("dialog", { name: "Nothing was added" });
  await expect(dialog).toContainText(
    "bomb.svg cannot be added: it is larger than 20 MB with what it repeats.",
  );
  await dialog.getByRole("button", { name: "Close" }).click();
  await addPicture(page, "tall.svg", svg('viewBox="0 0 100 400"', rect), "image/svg+xml");
  await expect
    .poll(() => savedObjects(product, person), { timeout: 20_000 })
    .toMatchObject([{ type: "Image", width: 100, height: 400 }]);
  const { width = 0, height = 0 } = (await person.canvas.boundingBox()) ?? {};
  const [x, y] = [Math.round(width / 2), Math.round(height / 2)];
  for (const at of [-45, 45]) await shows(person, [x + at, y + 190], "red");
});

test("IMG-14 an SVG of which a part is left out can be added as a picture in its place, and that is undone in one step", async ({
  product,
  visit,
}) => {
  const person = await visit();
  const { page } = person;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="200">
    <filter id="f"><feFlood flood-color="#00f"/></filter>
    <rect width="400" height="200" fill="#f00"/><rect width="100" height="200" filter="url(#f)"/></svg>`;
  const kinds = async () => (await savedObjects(product, person)).map(({ type }) => type);
  const dialog = page.getByRole("dialog", { name: "2 objects added" });
  const asPicture = dialog.getByRole("button", { name: "Add as a picture" });
  const circle = `<svg xmlns="http://www.w3.org/2000/svg"><circle r="30"/></svg>`;
  const drop = (file: boolean, withAnother = false) =>
    page.evaluate(
      ([texts, isFile]) => {
        const data = new DataTransfer();
        const [text] = texts;
        const type = "image/svg+xml";
        if (!isFile) data.setData("text/plain", text);
        else for (const one of texts) data.items.add(new File([one], "blue.svg", { type }));
        const surface = document.querySelector("[role=application]");
        const at = { clientX: 640, clientY: 400 };
        const init = { dataTransfer: data, bubbles: true, cancelable: true, ...at };
        surface?.dispatchEvent(new DragEvent("drop", init));
      },
      [[svg, ...(withAnother ? [circle] : [])], file] as const,
    );
  for (const isFile of [true, false]) {
    await drop(isFile);
    await expect(dialog.getByRole("button", { name: "Close" })).toBeFocused();
    await page.keyboard.press("Shift+Tab");
    await expect(asPicture).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(dialog).toHaveCount(0);
    await expect.poll(kinds, { timeout: 20_000 }).toEqual(["Image"]);
    await page.keyboard.press("Control+z");
    await expect.poll(kinds, { timeout: 20_000 }).toEqual([]);
  }

  // Another file that was dropped with it keeps its object.
  await drop(true, true);
  await asPicture.click();
  await expect
    .poll(async () => (await kinds()).sort(), { timeout: 20_000 })
    .toEqual(["Circle", "Image"]);
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Delete");

  // Where the picture cannot be added, the objects stay.
  await page.evaluate(() => {
    HTMLCanvasElement.prototype.toBlob = (done) => done(null);
  });
  await drop(true);
  await asPicture.click();
  await page
    .getByRole("dialog", { name: "Nothing was added" })
    .getByRole("button", { name: "Close" })
    .click();
  await expect.poll(kinds, { timeout: 20_000 }).toEqual(["Rect", "Rect"]);
});
