import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { LIMITS } from "../../board/constants.ts";
import { HOSTILE_FILES } from "../../testing/hostile/files.ts";
import { readPdf } from "../../testing/pictures/pdf.ts";
import { colorAt, countDifferences, crop, decodePng } from "../../testing/pictures/png.ts";
import { createRandom } from "../../testing/random/random.ts";
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

/** Draws a green rectangle, a black stroke above it and a rocket. */
async function drawSome(person: Person): Promise<void> {
  await person.color("Green");
  await person.tool("Rectangle");
  await person.tool("Draw");
  await person.color("Black");
  await person.stroke([120, 150], [230, 150]);
}

test("UI-52 the drawing leaves as PNG, SVG and JSON, whole or as far as it is selected", async ({
  visit,
}) => {
  const person = await visit({ context: { deviceScaleFactor: 2 } });
  const { page } = person;
  await drawSome(person);
  const day = new Date().toISOString().slice(0, 10);

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

  const svg = (await download(page, "Download drawing (SVG)")).bytes.toString();
  const shown = await page.context().newPage();
  await shown.setViewportSize({ width: 190, height: 140 });
  await shown.setContent(`<body style="margin:0">${svg}</body>`);
  const rendered = decodePng(await shown.screenshot());
  expect(countDifferences(rendered, picture, 24)).toBeLessThan(130);
  await shown.close();

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

test("UI-107 Copy picture calls the clipboard during the press, with a picture that is still to be painted", async ({
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
  await page.getByRole("menuitem", { name: "Copy picture" }).click();
  await expect(person.toast("The picture is on the clipboard.")).toBeVisible();
  expect(await page.evaluate(() => (window as unknown as { calls: boolean[] }).calls)).toEqual([
    true,
  ]);
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
  const peer = await visit();
  const { page } = person;
  expect(await wantsCopy(person)).toBe(false);
  await person.color("Green");
  await person.tool("Rectangle");
  expect(await wantsCopy(person)).toBe(true);
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
    .poll(() => savedObjects(product, person), { timeout: 20_000 })
    .toMatchObject([{ type: "Rect" }, { type: "Rect" }, { type: "IText", text: "two\nlines" }]);

  await choose(page, "Copy picture");
  await expect(person.toast("The picture is on the clipboard.")).toBeVisible();
  await page.keyboard.press("Control+v");
  await expect
    .poll(() => savedObjects(product, person), { timeout: 20_000 })
    .toMatchObject([{ type: "Rect" }, { type: "Rect" }, { type: "IText" }, { type: "Image" }]);
});

const dialog = (page: Page) => page.getByRole("dialog");

/** Opens a file by the menu. */
async function open(page: Page, name: string, content: string | Buffer): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    choose(page, "Open drawing..."),
  ]);
  await chooser.setFiles({ name, mimeType: "", buffer: Buffer.from(content) });
}

test("UI-53 a drawing that is opened is added in one step, and a dialog says what cannot be", async ({
  product,
  visit,
}) => {
  const person = await visit();
  const { page } = person;
  await person.stroke([120, 150], [230, 150]);
  const circle = { type: "circle", radius: 30, left: 5, top: 5, fill: "#ff0000" };
  const old = JSON.stringify({ version: "5.3.0", objects: [circle, { type: "image" }] });
  await open(page, "old.json", old);
  await expect(dialog(page)).toHaveAccessibleName("1 object added");
  await expect(dialog(page)).toContainText(
    "1 picture: pictures can be added as files of their own.",
  );
  await expect(dialog(page).getByRole("button", { name: "Close" })).toBeFocused();
  // Keys do not reach the board behind it.
  await page.keyboard.press("Delete");
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toHaveCount(0);
  await expect(button(page, "Menu")).toBeFocused();
  // It is in the middle of the view.
  await expect.poll(() => person.colorAt([640, 360])).toBe("#ff0000");
  await expect
    .poll(() => savedObjects(product, person), { timeout: 20_000 })
    .toMatchObject([{ type: "Path" }, { type: "Circle" }]);
  await person.page.keyboard.press("Control+z");
  await expect.poll(() => person.colorAt([640, 360])).toBe("#ffffff");

  // All of them are selected, however many they are.
  const dots = Array.from({ length: 250 }, (_, at) => ({ ...circle, left: at, radius: 5 }));
  await open(page, "many.json", JSON.stringify({ version: "5.3.0", objects: dots }));
  await expect(person.toast("250 objects added from many.json.")).toBeVisible();
  await expect.poll(() => person.colorAt([640, 360])).toBe("#ff0000");
  await page.keyboard.press("Delete");
  await expect.poll(() => person.colorAt([640, 360])).toBe("#ffffff");
  await expect.poll(() => person.colorAt([530, 360])).toBe("#ffffff");

  const refused: Readonly<Record<string, string | Buffer>> = {
    "it is empty": "",
    "it is no drawing": "no json",
    "it is cut off": '<svg><rect width="5"',
    "it is no text in UTF-8": Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff]),
    "there is nothing in it": '{"objects":[]}',
    "it is larger than 10 MB": Buffer.alloc(10 * 1024 * 1024 + 1, 32),
  };
  for (const [reason, content] of Object.entries(refused)) {
    await open(page, "bad.json", content);
    await expect(dialog(page)).toHaveAccessibleName("Nothing was added");
    await expect(dialog(page)).toContainText(`bad.json cannot be added: ${reason}.`);
    await page.keyboard.press("Enter");
    await expect(dialog(page)).toHaveCount(0);
  }
  expect(await person.colorAt([175, 150])).toBe("#000000");

  // A dropped file is opened as well; a file that is no picture is refused.
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
  const refusal = "cat.png cannot be added: it is no picture that can be read.";
  await expect(dialog(page)).toContainText(refusal);
  await expect.poll(() => person.colorAt([640, 360])).toBe("#ff0000");
});

test("UI-53 SVG and Excalidraw come in by file and by paste, and look as in the browser", async ({
  visit,
}) => {
  const person = await visit({ context: { permissions: ["clipboard-read", "clipboard-write"] } });
  const { page } = person;
  // It is 200 x 100, so that its corner is at (540, 310) when it is in the middle of the view.
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100" viewBox="0 0 400 200">
    <style>.sky { fill: #45b7d1 }</style><rect class="sky" width="400" height="200"/>
    <g transform="translate(100 100) rotate(45) scale(2 1)"><rect x="-25" y="-25" width="50" height="50" fill="#f00"/></g>
    <path d="M250 150q50-120 100 0z" fill="#2ecc71" stroke="#000" stroke-width="8"/>
    <circle cx="350" cy="50" r="30" fill="none" stroke="#ff69b4" stroke-width="12"/>
    <text x="200" y="60" text-anchor="middle" font-size="48" font-family="Arial">Hi</text>
    <image href="https://example.com/x.png" width="9" height="9"/><script>document.title = "run"</script></svg>`;
  await open(page, "drawing.svg", svg);
  await expect(dialog(page)).toContainText("1 script: nothing in a file is ever run.");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await expect.poll(() => person.colorAt([545, 315])).toBe("#45b7d1");
  const shown = await page.context().newPage();
  await shown.setViewportSize({ width: 200, height: 100 });
  await shown.setContent(`<body style="margin:0">${svg.replace(/<image.*<\/script>/, "")}</body>`);
  const expected = decodePng(await shown.screenshot());
  await shown.close();
  /** Returns how many pixels differ, from the beginning of the sky on, at most some pixels away from the middle. */
  const differing = async (): Promise<number> => {
    const picture = await person.drawing();
    const isSky = (x: number, y: number): boolean => colorAt(picture, x, y) === "#45b7d1";
    const steps = [...Array(20).keys()];
    const left = 530 + steps.findIndex((x) => isSky(530 + x, 320));
    const top = 300 + steps.findIndex((y) => isSky(550, 300 + y));
    return countDifferences(crop(picture, [left, top], [200, 100]), expected, 48);
  };
  // These are the smoothed edges and letters.
  await expect.poll(differing).toBeLessThan(200);
  await expect(page).toHaveTitle("Inkpool");

  await page.keyboard.press("Control+z");
  await expect.poll(() => person.colorAt([545, 315])).toBe("#ffffff");
  await page.evaluate(
    (text) => navigator.clipboard.writeText(text),
    svg.replace(/<image.*/, "</svg>"),
  );
  await page.mouse.move(640, 360 + LIMITS.headerHeight);
  await page.keyboard.press("Control+v");
  await expect.poll(() => person.colorAt([545, 315])).toBe("#45b7d1");
  await page.keyboard.press("Control+z");

  const shared = {
    strokeColor: "#1e1e1e",
    strokeWidth: 2,
    opacity: 100,
    angle: 0,
    isDeleted: false,
  };
  const box = { ...shared, x: 0, y: 0, width: 100, height: 60, backgroundColor: "#f7dc6f" };
  const elements = [
    { ...box, type: "rectangle" },
    { ...box, type: "image", fileId: "f" },
    { ...shared, type: "text", x: 10, y: 15, width: 60, height: 25, text: "Hi", fontSize: 20 },
  ];
  const sketch = JSON.stringify({ type: "excalidraw", version: 2, elements, files: {} });
  await open(page, "sketch.excalidraw", sketch);
  await expect(dialog(page)).toHaveAccessibleName("2 objects added");
  await page.keyboard.press("Escape");
  await expect.poll(() => person.colorAt([595, 340])).toBe("#f7dc6f");
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

/** Clicks Cancel when the page has painted three frames since the button appeared. */
async function cancelSoon(page: Page): Promise<void> {
  await page.evaluate(() => {
    const cancel = (): HTMLElement | null => document.querySelector(".work-button");
    const paint = (frames: number): void => {
      if (frames > 0) requestAnimationFrame(() => paint(frames - 1));
      else if (cancel()) cancel()?.click();
      else throw new Error("the file was read before it could be cancelled");
    };
    const observer = new MutationObserver(() => {
      if (!cancel()) return;
      observer.disconnect();
      paint(3);
    });
    observer.observe(document.body, { childList: true, subtree: true });
  });
}

test("UI-28 a file of any format that takes long leaves the page free, and Cancel ends its reading", async ({
  product,
  visit,
}) => {
  const numbers = (count: number) => Array.from({ length: count }, (_, at) => (at * 7919) % 1000);
  const points = numbers(49_999).map((x, y) => [x, y % 1000]);
  const uses = '<use href="#a"/>'.repeat(40);
  const line = { type: "line", x: 0, y: 0, roundness: { type: 2 }, points };
  const square = { type: "rect", width: 9, height: 9, fill: "#123456", stroke: "#654321" };
  const files = {
    "a.svg": `<svg><polyline id="a" points="${numbers(120_000).join(" ")}"/>${uses}</svg>`,
    "b.excalidraw": JSON.stringify({ type: "excalidraw", elements: Array(14).fill(line) }),
    "c.json": JSON.stringify({
      version: "5.3.0",
      objects: numbers(95_000).map((top, left) => ({ ...square, left, top })),
    }),
  };
  const person = await visit();
  const { page } = person;
  for (const [name, content] of Object.entries(files)) {
    await cancelSoon(page);
    const [worker] = await Promise.all([page.waitForEvent("worker"), open(page, name, content)]);
    // Its code and its memory go with it.
    await expect.poll(() => page.workers().includes(worker)).toBe(false);
    await expect(page.locator(".work")).toHaveCount(0);
    await expect(dialog(page)).toHaveCount(0);
  }
  await person.stroke([120, 150], [230, 150]);
  await expect
    .poll(() => savedObjects(product), { timeout: 20_000 })
    .toMatchObject([{ type: "Path" }]);
});

test("UI-28 an SVG that repeats millions of points is refused, and the page goes on", async ({
  visit,
}) => {
  const { page } = await visit();
  const uses = '<use href="#a"/>'.repeat(20_000);
  const svg = `<svg><polyline id="a" points="${"1,2 ".repeat(1_000_000)}"/>${uses}</svg>`;
  await open(page, "million.svg", svg);
  await expect(dialog(page)).toContainText("it is larger than 20 MB with what it repeats.");
});

for (const [format, file] of Object.entries(HOSTILE_FILES))
  test(`UI-28 a file of 1,000 hostile objects of ${format} is added as far as it can be read`, async ({
    product,
    visit,
  }) => {
    const person = await visit();
    const { page } = person;
    await open(page, `hostile.${format}`, file(1_000, createRandom(1)));
    await expect(dialog(page)).toHaveAccessibleName(/^[\d,]+ objects? added$/);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Delete");
    await person.tool("Draw");
    await person.stroke([120, 150], [230, 150]);
    await expect
      .poll(() => savedObjects(product), { timeout: 20_000 })
      .toMatchObject([{ type: "Path" }]);
  });
