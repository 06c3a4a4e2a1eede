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

const CODE = "parent.document.title = document.title = 'run'";

/** The same two colours as an SVG, with parts that would run or be loaded in a page of its own. */
const TWO_COLORS_SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="200" onload="${CODE}">
  <script>${CODE}</script><style>@import url("https://example.com/style.css");</style>
  <path fill="#f00" d="M0 0h200v200H0z"/><path fill="#00f" d="M200 0h200v200H200z"/>
  <image href="https://example.com/x.png" width="50" height="50"/>
  <foreignObject width="50" height="50"><iframe xmlns="http://www.w3.org/1999/xhtml" src="https://example.com"/></foreignObject>
  </svg>`;

interface Given {
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
  readonly text?: string;
}

/** Has the page get a file by paste, as the browser gives it, with a text if any. */
async function paste(page: Page, { name, type, bytes, text = "" }: Given): Promise<void> {
  await page.evaluate(
    ([title, as, base64, words]) => {
      const content = Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File([content], title, { type: as }));
      if (words) clipboardData.setData("text/plain", words);
      const init = { clipboardData, bubbles: true, cancelable: true };
      document.body.dispatchEvent(new ClipboardEvent("paste", init));
    },
    [name, type, bytes.toString("base64"), text] as const,
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

test("IMG-8 a picture that is pasted, opened and added (GIF, WebP, SVG) is one object, of a GIF's first frame, with the pixels of the file; nothing in an SVG runs or is loaded; a text beside the file is pasted in its place where it has words of its own", async ({
  product,
  visit,
}) => {
  const person = await visit();
  const { page } = person;
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  const webp = await twoColors(page, 400, "image/webp");
  expect(webp.subarray(8, 12).toString()).toBe("WEBP");
  const png = { type: "image/png", bytes: await twoColors(page) };
  // The ways join before a file is read: each format is given in one of them. A JPEG is dropped (pictures.spec.ts).
  await inSteps({
    "an SVG, added": async () => {
      await addPicture(page, "two.svg", Buffer.from(TWO_COLORS_SVG), "image/svg+xml");
      await expectPicture(product, person);
      await expect(page).toHaveTitle("Inkpool");
      expect(asked.filter((url) => url.includes("example.com"))).toEqual([]);
    },
    "a GIF, opened": async () => {
      await openPicture(page, "two.gif", "image/gif", movingGif());
      await expectPicture(product, person);
    },
    "a WebP, pasted": async () => {
      // What is pasted lies under the pointer.
      await person.move([640, 360]);
      await paste(page, { name: "two.webp", type: "image/webp", bytes: webp });
      await expectPicture(product, person);
    },
    "a file with its name as text, one with space, and one that is a picture of its text":
      async () => {
        await paste(page, { ...png, name: "caf\u00e9.png", text: "cafe\u0301.png\r\n" });
        await shows(person, [600, 360], "red");
        await paste(page, { ...png, name: "image.png", text: " \r\n" });
        await expect(person.toast("1 object added from image.png.")).toBeVisible();
        await paste(page, { ...png, name: "image.png", text: "Cell" });
        await expect
          .poll(() => savedObjects(product, person), { timeout: 20_000 })
          .toMatchObject([
            { type: "Image", alt: "caf\u00e9.png" },
            { type: "Image", alt: "image.png" },
            { type: "IText", text: "Cell" },
          ]);
      },
  });
});

/** Returns a WebP of 40 x 20 in four colours, as an encoder writes it that keeps how the camera was held. */
async function heldWebps(page: Page, orientations: readonly number[]): Promise<string[]> {
  const url = await page.evaluate(() => {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [400, 200];
    const context = canvas.getContext("2d");
    for (const [index, color] of ["#f00", "#00f", "#fff", "#000"].entries()) {
      if (!context) break;
      context.fillStyle = color;
      context.fillRect(200 * (index % 2), 100 * Math.floor(index / 2), 200, 100);
    }
    return canvas.toDataURL("image/webp");
  });
  const webp = Buffer.from(url.slice(url.indexOf(",") + 1), "base64");
  return orientations.map((orientation) => withOrientation(webp, orientation).toString("base64"));
}

/** Returns a WebP with features, as Chromium writes it, that has an orientation of EXIF behind its pixels. */
function withOrientation(webp: Buffer, orientation: number): Buffer {
  expect(webp.toString("latin1", 12, 16)).toBe("VP8X");
  const fields = `4d4d002a0000000800010112000300000001000${orientation}000000000000`;
  const file = Buffer.concat([webp, Buffer.from(`455849461a000000${fields}`, "hex")]);
  file.writeUInt32LE(file.length - 8, 4);
  file[20] = (file[20] ?? 0) | 0x08;
  return file;
}

test("IMG-9 a WebP is turned by each orientation of EXIF, which is gone afterwards; of several files each lies beside the one before", async ({
  product,
  visit,
}) => {
  const person = await visit();
  const { page } = person;
  // The corners from the top left on, row by row: red, blue, white and black where the camera was upright.
  const held = ["rbwk", "brkw", "kwbr", "wkrb", "rwbk", "wrkb", "kbwr", "bkrw"];
  await page.evaluate(
    (files) => {
      const dataTransfer = new DataTransfer();
      // It is refused, and takes up no space.
      dataTransfer.items.add(new File([], "empty.webp", { type: "image/webp" }));
      for (const [index, base64] of files.entries()) {
        const bytes = Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
        const name = `held-${index + 1}.webp`;
        dataTransfer.items.add(new File([bytes], name, { type: "image/webp" }));
      }
      const init = { dataTransfer, bubbles: true, cancelable: true, clientX: 300, clientY: 300 };
      document.querySelector(".canvas")?.dispatchEvent(new DragEvent("drop", init));
    },
    await heldWebps(page, [1, 2, 3, 4, 5, 6, 7, 8]),
  );
  await expect
    .poll(async () => (await savedObjects(product, person)).length, { timeout: 20_000 })
    .toBe(8);
  const pictures = await savedObjects(product, person);
  const shown = await page.evaluate(
    async (sources) =>
      Promise.all(
        sources.map(async (source) => {
          const image = new Image();
          image.src = source;
          await image.decode();
          const { naturalWidth: width, naturalHeight: height } = image;
          const canvas = document.createElement("canvas");
          [canvas.width, canvas.height] = [width, height];
          const context = canvas.getContext("2d");
          context?.drawImage(image, 0, 0);
          const { data = [] } = context?.getImageData(0, 0, width, height) ?? {};
          const corners = [0.25, 0.75].flatMap((y) =>
            [0.25, 0.75].map((x) => {
              const at = 4 * (y * height * width + x * width);
              const [r = 0, g = 0, b = 0] = data
                .slice(at, at + 3)
                .map((one) => Math.round(one / 255));
              return { 100: "r", 1: "b", 111: "w", 0: "k" }[100 * r + 10 * g + b];
            }),
          );
          return { size: `${width} x ${height}`, corners: corners.join("") };
        }),
      ),
    pictures.map(({ src }) => String(src)),
  );
  expect(shown).toEqual(
    held.map((corners, index) => ({ size: index < 4 ? "400 x 200" : "200 x 400", corners })),
  );
  expect(pictures).toMatchObject(
    held.map((_, index) => ({ width: index < 4 ? 400 : 200, height: index < 4 ? 200 : 400 })),
  );
  const { x } = (await person.canvas.boundingBox()) ?? { x: 0 };
  const middles = pictures.map(({ left, width }) => Number(left) + Number(width) / 2);
  expect(middles).toEqual(held.map((_, index) => 300 - x + 40 * index));
  for (const { src } of pictures) {
    const bytes = Buffer.from(String(src).split(",")[1] ?? "", "base64");
    expect(bytes.toString("latin1")).not.toContain("EXIF");
  }
});
