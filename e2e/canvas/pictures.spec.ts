import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { readPdf } from "../../testing/pictures/pdf.ts";
import { colorAt, decodePng, type Picture } from "../../testing/pictures/png.ts";
import { expect, test } from "../fixtures.ts";
import { knowEachOther } from "../person.ts";
import { type Traffic, updatesOf, watchTraffic } from "../traffic.ts";
import { button, savedObjects, selectionButton } from "../ui/controls.ts";
import { addPicture, nameOf, shows, twoColors } from "./picture-steps.ts";

async function download(page: Page, item: string): Promise<Buffer> {
  await button(page, "Menu").click();
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: item, exact: true }).click(),
  ]);
  return readFile(await file.path());
}

/** Returns the picture of two colours as a camera writes it that was held to the side: it is to be turned to the right. */
async function turnedJpeg(page: Page): Promise<Buffer> {
  const jpeg = await twoColors(page, 400, "image/jpeg");
  // After the two bytes that begin a JPEG there is an Exif segment with the orientation 6, a quarter to the right.
  const exif = "ffe10022457869660000" + "4d4d002a00000008000101120003000000010006000000000000";
  return Buffer.concat([jpeg.subarray(0, 2), Buffer.from(exif, "hex"), jpeg.subarray(2)]);
}

test("IMG-8 a picture is added in the middle, seen by all, moved without its bytes and saved", async ({
  product,
  visit,
}) => {
  const traffics: Traffic[] = [];
  const ann = await visit({ prepare: (page) => void traffics.push(watchTraffic(page)) });
  const ben = await visit();
  const updates = () => updatesOf(traffics[0]!);
  await knowEachOther(ann, ben);
  const { page } = ann;
  await addPicture(page, "cat.png", await twoColors(page));
  await expect(ann.toast("1 object added from cat.png.")).toBeVisible();
  for (const person of [ann, ben]) {
    await shows(person, [500, 300], "red");
    await shows(person, [780, 300], "blue");
  }
  // A picture has no colour of its own.
  await expect(selectionButton(page, "Duplicate")).toBeVisible();
  await expect(selectionButton(page, "Colour")).toHaveCount(0);

  // Its bytes have been sent, and the following messages are small. The arrows move it 100 px down.
  await expect.poll(() => updates().length).toBeGreaterThan(0);
  const first = updates().length;
  expect(JSON.stringify(updates()[0]?.payload)).toContain("data:image/webp;base64,");
  // The menu's button has the focus.
  await ann.canvas.focus();
  for (let times = 0; times < 10; times++) await page.keyboard.press("Shift+ArrowDown");
  await shows(ben, [500, 545], "red");
  expect(updates().length).toBeGreaterThan(first);
  for (const { bytes } of updates().slice(first)) expect(bytes).toBeLessThan(600);

  // Its removal is one change for everybody, and so is its restoration.
  await page.keyboard.press("Delete");
  await shows(ben, [500, 545], "white");
  await page.keyboard.press("Control+z");
  for (const person of [ann, ben]) await shows(person, [500, 545], "red");

  await expect
    .poll(() => savedObjects(product, ann), { timeout: 20_000 })
    .toMatchObject([{ type: "Image", width: 400, height: 200, alt: "cat.png" }]);
  const [saved] = await savedObjects(product, ann);
  expect(String(saved?.["src"])).toMatch(/^data:image\/webp;base64,/);
});

test("IMG-7 a picture is printed by the browser's keys though it was never in the view, and is in the files that a page writes, as its camera was held", async ({
  product,
  visit,
}) => {
  const person = await visit({
    async prepare(empty) {
      const sourceOf = (type: string, bytes: Buffer) =>
        `data:image/${type};base64,${bytes.toString("base64")}`;
      const objects = [
        { src: sourceOf("png", await twoColors(empty)), top: 300, width: 400, height: 200 },
        { src: sourceOf("jpeg", await turnedJpeg(empty)), top: 700, width: 200, height: 400 },
      ].map((picture) => ({ type: "Image", left: 5000, ...picture }));
      await product.seed({ version: "7.4.0", objects, background: "white" });
    },
  });
  const { page } = person;
  const expectColors = (picture: Picture | undefined): void =>
    expect([100, 700].map((x) => nameOf(colorAt(picture!, x, 240)))).toEqual(["red", "blue"]);
  // The browser's dialog would wait for a person.
  await page.evaluate(() => {
    window.print = () => void (document.title += " printed");
  });
  await page.keyboard.press("Control+p");
  await expect(page).toHaveTitle("Inkpool printed");
  expectColors(readPdf(await page.pdf({ format: "A4" })).pictures[0]);
  const far = (await download(page, "Download drawing (SVG)")).toString();
  expect(far).toContain('<image width="200" height="400"');

  await person.clear();
  await addPicture(page, "cat.png", await twoColors(page));
  await expect(person.toast("1 object added from cat.png.")).toBeVisible();
  const png = decodePng(await download(page, "Download picture (PNG)"));
  expect([png.width, png.height]).toEqual([880, 480]);
  expectColors(png);
  const svg = (await download(page, "Download drawing (SVG)")).toString();
  expect(svg).toContain('<image width="400" height="200"');
  const [printed] = readPdf(await page.pdf({ format: "A4" })).pictures;
  expect([printed?.width, printed?.height]).toEqual([880, 480]);
  expectColors(printed);
});

test("IMG-9 transparent pixels stay so, a large picture is made small, and one that is dropped lies there, turned as its camera was held and without the file's metadata", async ({
  product,
  visit,
}) => {
  const person = await visit();
  const { page } = person;
  await addPicture(page, "half.png", await twoColors(page, 200));
  await shows(person, [500, 360], "red");
  await shows(person, [780, 360], "white");
  const noise = await page.evaluate(async () => {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [2000, 1500];
    const context = canvas.getContext("2d");
    const pixels = context?.createImageData(900, 675);
    if (context && pixels) {
      let seed = 1;
      for (let at = 0; at < pixels.data.length; at++) {
        seed = (seed * 16_807) % 2_147_483_647;
        pixels.data[at] = at % 4 === 3 ? 255 : seed % 256;
      }
      context.putImageData(pixels, 0, 0);
    }
    return canvas.toDataURL("image/jpeg", 0.9);
  });
  const file = Buffer.from(noise.slice(noise.indexOf(",") + 1), "base64");
  expect(file.length).toBeGreaterThan(300 * 1024);
  await addPicture(page, "noise.jpg", file);
  await expect(person.toast("1 object added from noise.jpg.")).toBeVisible();
  await expect
    .poll(() => savedObjects(product, person), { timeout: 20_000 })
    .toMatchObject([{ type: "Image" }, { type: "Image" }]);
  const [, large] = await savedObjects(product, person);
  expect(String(large?.["src"]).length).toBeLessThanOrEqual(409_632);
  expect(Number(large?.["width"])).toBeLessThanOrEqual(1600);
  expect(Number(large?.["height"]) / Number(large?.["width"])).toBeCloseTo(0.75, 2);

  await person.clear();
  await page.evaluate(
    (base64) => {
      const bytes = Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([bytes], "turned.jpg", { type: "image/jpeg" }));
      const at = { clientX: 900, clientY: 400, bubbles: true, cancelable: true };
      const drop = new DragEvent("drop", { dataTransfer, ...at });
      document.querySelector(".canvas")?.dispatchEvent(drop);
    },
    (await turnedJpeg(page)).toString("base64"),
  );
  await expect(person.toast("1 object added from turned.jpg.")).toBeVisible();
  await expect(page.getByRole("toolbar", { name: "Selection" })).toBeVisible();
  await expect
    .poll(() => savedObjects(product, person), { timeout: 20_000 })
    .toMatchObject([{ width: 200, height: 400 }]);
  const [dropped] = await savedObjects(product, person);
  const bytes = Buffer.from(String(dropped?.["src"]).split(",")[1] ?? "", "base64").toString(
    "latin1",
  );
  expect(bytes).not.toMatch(/Exif|EXIF/);
  const { x, y } = (await person.canvas.boundingBox()) ?? { x: 0, y: 0 };
  const [across, down] = [900 - x, 400 - y];
  await shows(person, [across, down - 150], "red");
  await shows(person, [across, down + 150], "blue");
  await shows(person, [across - 150, down], "white");
});

test("IMG-11 peers see the frame of a picture while it is made; without WebP it is JPEG, or PNG where something is transparent", async ({
  product,
  visit,
}) => {
  // This is like Safari, which writes PNG in place of a type that it cannot write. The test lets it write.
  const ann = await visit({
    prepare: (page) =>
      page.addInitScript(() => {
        // oxlint-disable-next-line typescript/unbound-method -- called with its canvas below
        const { toBlob } = HTMLCanvasElement.prototype;
        const mayWrite = new Promise<void>((resolve) =>
          addEventListener("may-write", () => resolve(), { once: true }),
        );
        HTMLCanvasElement.prototype.toBlob = function write(done, type, quality) {
          const known = type === "image/webp" ? "image/png" : type;
          void mayWrite.then(() => toBlob.call(this, done, known, quality));
        };
      }),
  });
  const ben = await visit();
  await knowEachOther(ann, ben);
  // Returns the colours of the left edge of the frame, and of its bar, on Ben's screen.
  const frame = async (): Promise<readonly string[]> => {
    const screen = await ben.shotOf([440, 300], [61, 141]);
    return [colorAt(screen, 0, 0), colorAt(screen, 60, 140)];
  };
  await addPicture(ann.page, "cat.png", await twoColors(ann.page));
  await expect.poll(frame).toEqual(["#6b7280", "#6b7280"]);
  await ann.page.evaluate(() => dispatchEvent(new Event("may-write")));
  await shows(ben, [500, 300], "red");
  await expect.poll(async () => nameOf((await frame())[1] ?? "")).toBe("red");
  await addPicture(ann.page, "half.png", await twoColors(ann.page, 200));
  await expect
    .poll(() => savedObjects(product, ann), { timeout: 20_000 })
    .toMatchObject([
      { src: expect.stringMatching(/^data:image\/jpeg;base64,/) },
      { src: expect.stringMatching(/^data:image\/png;base64,/) },
    ]);
});

test("IMG-10 copies respect the board's limit of pictures too: a dialog says why there is none, and the board saves on", async ({
  product,
  visit,
}) => {
  // There are 15 pictures whose sources have 6,000,000 characters: another one would be too much.
  const source = (at: number): string =>
    `data:image/png;base64,${"A".repeat(399_996)}${String(at).padStart(4, "A")}`;
  const pictures = Array.from({ length: 15 }, (_, at) => ({
    ...{ type: "Image", originX: "left", originY: "top", left: 100 + 150 * (at % 5) },
    ...{ top: 100 + 150 * Math.floor(at / 5), width: 100, height: 100, src: source(at) },
  }));
  const rect = { type: "Rect", originX: "left", originY: "top", left: 900, top: 100 };
  await product.seed({
    version: "7.4.0",
    objects: [...pictures, { ...rect, width: 80, height: 80, fill: "#ff0000" }],
    background: "white",
  });
  const person = await visit();
  const { page } = person;
  await expect.poll(() => person.colorAt([940, 140])).toBe("#ff0000");
  await person.tool("Select");
  const refused = async (): Promise<void> => {
    const dialog = page.getByRole("dialog", { name: "Nothing was added" });
    await expect(dialog).toContainText(
      "The copy cannot be added: the board's pictures would take up more than 6 MB.",
    );
    await dialog.getByRole("button", { name: "Close" }).click();
    await expect(dialog).toBeHidden();
  };
  await person.click([150, 150]);
  await expect(selectionButton(page, "Duplicate")).toBeVisible();
  await page.keyboard.press("Control+d");
  await refused();
  await selectionButton(page, "Duplicate").click();
  await refused();
  await page.keyboard.down("Alt");
  await person.press([150, 150]);
  await person.move([450, 150], 5);
  await person.release();
  await page.keyboard.up("Alt");
  await refused();
  // Everything else is copied, and saved.
  await person.click([940, 140]);
  await page.keyboard.press("Control+d");
  await expect
    .poll(async () => (await savedObjects(product, person)).length, { timeout: 20_000 })
    .toBe(17);
  await expect(person.saving).toHaveText("Saved");
});
