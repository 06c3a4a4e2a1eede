import type { Page } from "@playwright/test";
import { encodeGif } from "../../testing/pictures/gif.ts";
import { expect, test } from "../fixtures.ts";
import { inSteps } from "../in-steps.ts";
import type { Person } from "../person.ts";
import type { Product } from "../product.ts";
import { button, savedObjects } from "../ui/controls.ts";
import { addPicture, shows, twoColors } from "./picture-steps.ts";

/** The same two colours as a GIF, whose second frame is another picture. */
const movingGif = (): Buffer =>
  encodeGif(
    { width: 400, height: 200 },
    [0xff0000, 0x0000ff, 0x00ff00],
    [(x) => (x < 200 ? 0 : 1), () => 2],
  );

const TWO_COLORS_SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="200">
  <path fill="#f00" d="M0 0h200v200H0z"/><path fill="#00f" d="M200 0h200v200H200z"/></svg>`;

interface Given {
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
  readonly text?: string;
}

/** Has the page get a file by paste or drop, as the browser gives it, with a text if any. */
async function give(
  page: Page,
  by: "paste" | "drop",
  { name, type, bytes, text = "" }: Given,
): Promise<void> {
  await page.evaluate(
    ([how, title, as, base64, words]) => {
      const content = Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
      const data = new DataTransfer();
      data.items.add(new File([content], title, { type: as }));
      if (words) data.setData("text/plain", words);
      const at = { clientX: innerWidth / 2, clientY: innerHeight / 2 };
      const init = { bubbles: true, cancelable: true, ...at };
      if (how === "paste")
        document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, ...init }));
      else
        document
          .querySelector(".canvas")
          ?.dispatchEvent(new DragEvent("drop", { dataTransfer: data, ...init }));
    },
    [by, name, type, bytes.toString("base64"), text] as const,
  );
}

/** Waits until the picture is in the middle and saved, and removes it. */
async function expectPicture(product: Product, person: Person): Promise<void> {
  await shows(person, [480, 360], "red");
  await shows(person, [800, 360], "blue");
  await expect
    .poll(() => savedObjects(product, person), { timeout: 20_000 })
    .toMatchObject([{ type: "Image", width: 400, height: 200 }]);
  const [saved] = await savedObjects(product, person);
  expect(saved?.["src"]).toMatch(/^data:image\/(?:webp|png|gif);base64,/);
  await person.canvas.focus();
  await person.page.keyboard.press("Delete");
  await shows(person, [480, 360], "white");
}

async function openPicture(page: Page, name: string, mimeType: string, buffer: Buffer) {
  await button(page, "Menu").click();
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.getByRole("menuitem", { name: "Open drawing..." }).click(),
  ]);
  await chooser.setFiles({ name, mimeType, buffer });
}

test("IMG-8 a picture that is pasted, dropped, opened and added (GIF, WebP, SVG) is one object, of a GIF's first frame, with the pixels of the file", async ({
  product,
  visit,
}) => {
  const person = await visit();
  const { page } = person;
  const webp = await twoColors(page, 400, "image/webp");
  expect(webp.subarray(8, 12).toString()).toBe("WEBP");
  const gif = movingGif();
  // The ways join before a file is read: each format is given in one or two of them.
  const ways = {
    "an SVG, added": () =>
      addPicture(page, "two.svg", Buffer.from(TWO_COLORS_SVG), "image/svg+xml"),
    "a GIF, opened": () => openPicture(page, "two.gif", "image/gif", gif),
    "a GIF, dropped": () => give(page, "drop", { name: "two.gif", type: "image/gif", bytes: gif }),
    "a WebP, pasted": () =>
      give(page, "paste", { name: "two.webp", type: "image/webp", bytes: webp }),
  };
  await inSteps(
    Object.fromEntries(
      Object.entries(ways).map(([way, take]) => [
        way,
        async () => {
          // What is pasted lies under the pointer.
          await person.move([640, 360]);
          await take();
          await expectPicture(product, person);
        },
      ]),
    ),
  );
});

test("IMG-8 a file with its name as text is pasted itself, a text with a picture of it is pasted as text, and space with a picture as the picture", async ({
  product,
  visit,
}) => {
  const person = await visit();
  const { page } = person;
  const picture = { type: "image/png", bytes: await twoColors(page) };
  await give(page, "paste", { ...picture, name: "caf\u00e9.png", text: "cafe\u0301.png\r\n" });
  await shows(person, [600, 360], "red");
  await give(page, "paste", { ...picture, name: "image.png", text: " \r\n" });
  await expect(person.toast("1 object added from image.png.")).toBeVisible();
  await give(page, "paste", { ...picture, name: "image.png", text: "Cell" });
  await expect
    .poll(() => savedObjects(product, person), { timeout: 20_000 })
    .toMatchObject([
      { type: "Image", alt: "caf\u00e9.png" },
      { type: "Image", alt: "image.png" },
      { type: "IText", text: "Cell" },
    ]);
});
