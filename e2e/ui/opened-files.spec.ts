/** Files that are opened: what comes in, what cannot, and what would take too long. */

import type { Page } from "@playwright/test";
import { LIMITS } from "../../board/constants.ts";
import { HOSTILE_FILES } from "../../testing/hostile/files.ts";
import { colorAt, countDifferences, crop, decodePng } from "../../testing/pictures/png.ts";
import { createRandom } from "../../testing/random/random.ts";
import { expect, test } from "../fixtures.ts";
import { inSteps } from "../in-steps.ts";
import { button, savedObjects } from "./controls.ts";
import { choose, give } from "./file-steps.ts";

const dialog = (page: Page) => page.getByRole("dialog");

/** Opens a file by the menu. */
async function open(page: Page, name: string, content: string | Buffer): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    choose(page, "Open drawing..."),
  ]);
  await give(chooser, name, content);
}

/** Files that cannot be added, by the reason that the page gives. */
const REFUSED: Readonly<Record<string, string | Buffer>> = {
  "it is no text in UTF-8": Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff]),
  "there is nothing in it": '{"objects":[]}',
  "it is larger than 10 MB": Buffer.alloc(10 * 1024 * 1024 + 1, 32),
};

test("UI-53 a drawing that is opened is added in one step, and a dialog lists the objects left out", async ({
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
  // Keys are not for the board behind it.
  await page.keyboard.press("Delete");
  await page.keyboard.press("Control+x");
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toHaveCount(0);
  await expect(button(page, "Menu")).toBeFocused();
  // In the middle of the view.
  await expect.poll(() => person.colorAt([640, 360])).toBe("#ff0000");
  await expect
    .poll(() => savedObjects(product, person), { timeout: 20_000 })
    .toMatchObject([{ type: "Path" }, { type: "Circle" }]);
  await person.page.keyboard.press("Control+z");
  await expect.poll(() => person.colorAt([640, 360])).toBe("#ffffff");

  // However many they are: all of them are selected.
  const dots = Array.from({ length: 250 }, (_, at) => ({ ...circle, left: at, radius: 5 }));
  await open(page, "many.json", JSON.stringify({ version: "5.3.0", objects: dots }));
  await expect(person.toast("250 objects added from many.json.")).toBeVisible();
  await expect.poll(() => person.colorAt([640, 360])).toBe("#ff0000");
  await page.keyboard.press("Delete");
  await expect.poll(() => person.colorAt([640, 360])).toBe("#ffffff");
  await expect.poll(() => person.colorAt([530, 360])).toBe("#ffffff");

  // A clip path that is positioned on the board moves along.
  const far = { left: 3_000, top: 2_000, originX: "center", originY: "center" };
  const clipPath = { ...circle, ...far, absolutePositioned: true };
  const clipped = { ...circle, ...far, radius: 50, clipPath };
  await open(page, "clipped.json", JSON.stringify({ version: "5.3.0", objects: [clipped] }));
  await expect.poll(() => person.colorAt([640, 360])).toBe("#ff0000");
  await page.keyboard.press("Delete");
  await expect.poll(() => person.colorAt([640, 360])).toBe("#ffffff");

  for (const [reason, content] of Object.entries(REFUSED)) {
    await open(page, "bad.json", content);
    await expect(dialog(page)).toHaveAccessibleName("Nothing was added");
    await expect(dialog(page)).toContainText(`bad.json cannot be added: ${reason}.`);
    await page.keyboard.press("Enter");
    await expect(dialog(page)).toHaveCount(0);
  }
  expect(await person.colorAt([175, 150])).toBe("#000000");

  // A file that is dropped is opened as well; what is no picture is refused.
  await page.evaluate(
    (text) => {
      const drop = (name: string, type: string): void => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([text], name, { type }));
        const init = { dataTransfer, bubbles: true, cancelable: true, clientX: 300, clientY: 500 };
        document.querySelector(".canvas")?.dispatchEvent(new DragEvent("drop", init));
      };
      drop("dropped.json", "");
      drop("cat.png", "image/png");
    },
    JSON.stringify({ version: "5.3.0", objects: [circle] }),
  );
  await expect(person.toast("1 object added from dropped.json.")).toBeVisible();
  const refusal = "cat.png cannot be added: it is none of PNG, JPEG, WebP, GIF and SVG.";
  await expect(dialog(page)).toContainText(refusal);
  const { x, y } = (await person.canvas.boundingBox()) ?? { x: 0, y: 0 };
  await expect.poll(() => person.colorAt([300 - x, 500 - y])).toBe("#ff0000");
});

/** Makes an Excalidraw file: a box, a picture, which is left out, and a text. */
function makeSketch(): string {
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
  return JSON.stringify({ type: "excalidraw", version: 2, elements, files: {} });
}

/** A drawing of 200 x 100, so that its corner is at (540, 310) when it is in the middle of the view. */
const DRAWING = `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100" viewBox="0 0 400 200">
  <style>.sky { fill: #45b7d1 }</style><rect class="sky" width="400" height="200"/>
  <linearGradient id="fade"><stop stop-color="white" stop-opacity="0.5"/><stop offset="1" stop-color="red" stop-opacity="0.3"/></linearGradient>
  <rect x="10" y="155" width="180" height="40" fill="url(#fade)"/>
  <g transform="translate(100 100) rotate(45) scale(2 1)"><rect x="-25" y="-25" width="50" height="50" fill="#f00"/></g>
  <path d="M250 150q50-120 100 0z" fill="#2ecc71" stroke="#000" stroke-width="8"/>
  <circle cx="350" cy="50" r="30" fill="none" stroke="#ff69b4" stroke-width="12"/>
  <text x="200" y="60" text-anchor="middle" font-size="48" font-family="Arial" textLength="300">Hi all</text>
  <image href="https://example.com/x.png" width="9" height="9"/><script>document.title = "run"</script></svg>`;

/** Drops files, by their names, on the canvas together. */
function drop(page: Page, files: Readonly<Record<string, string>>): Promise<void> {
  return page.evaluate((texts) => {
    const dataTransfer = new DataTransfer();
    for (const [name, text] of Object.entries(texts))
      dataTransfer.items.add(new File([text], name));
    const init = { dataTransfer, bubbles: true, cancelable: true };
    document.querySelector(".canvas")?.dispatchEvent(new DragEvent("drop", init));
  }, files);
}

test("UI-53 SVG and Excalidraw come in by file and by paste, and look as in the browser; where the code that reads them does not arrive nothing is added, not even as words, and the page says so", async ({
  product,
  visit,
}) => {
  let down = true;
  let refused = 0;
  const person = await visit({
    context: { permissions: ["clipboard-read", "clipboard-write"] },
    prepare: (page) =>
      page.route(/read-worker/, (route) => {
        if (down) refused++;
        return down ? route.abort() : route.continue();
      }),
  });
  person.allow(/ERR_FAILED/);
  const { page } = person;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg"><rect width="9" height="9"/></svg>`;
  await open(page, "a.svg", svg);
  await expect(person.toast("This part of the page could not be loaded.")).toBeVisible();
  await page.evaluate((text) => navigator.clipboard.writeText(text), svg);
  await person.canvas.focus();
  await page.keyboard.press("Control+v");
  await expect.poll(() => refused).toBe(2);
  // A file that was refused before is reported all the same.
  await drop(page, { "empty.png": "", "b.svg": svg });
  await expect(dialog(page)).toContainText("empty.png cannot be added: it is empty.");
  expect(refused).toBe(3);
  await page.keyboard.press("Escape");
  down = false;
  await page.keyboard.press("Control+v");
  await expect.poll(() => savedObjects(product, person)).toMatchObject([{ type: "Rect" }]);
  await page.keyboard.press("Control+z");
  await expect.poll(() => savedObjects(product, person)).toEqual([]);

  await open(page, "drawing.svg", DRAWING);
  await expect(dialog(page)).toContainText("1 script: nothing in a file is ever run.");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await expect.poll(() => person.colorAt([545, 315])).toBe("#45b7d1");
  const shown = await page.context().newPage();
  await shown.setViewportSize({ width: 200, height: 100 });
  await shown.setContent(
    `<body style="margin:0">${DRAWING.replace(/<image.*<\/script>/, "")}</body>`,
  );
  const expected = decodePng(await shown.screenshot());
  await shown.close();
  /** From where the sky begins, at most some pixels away from the middle. */
  const differing = async (): Promise<number> => {
    const picture = await person.drawing();
    const isSky = (x: number, y: number): boolean => colorAt(picture, x, y) === "#45b7d1";
    const steps = [...Array(20).keys()];
    const left = 530 + steps.findIndex((x) => isSky(530 + x, 320));
    const top = 300 + steps.findIndex((y) => isSky(550, 300 + y));
    return countDifferences(crop(picture, [left, top], [200, 100]), expected, 48);
  };
  // The smoothing of edges and letters.
  await expect.poll(differing).toBeLessThan(200);
  await expect(page).toHaveTitle("Inkpool");

  await page.keyboard.press("Control+z");
  await expect.poll(() => person.colorAt([545, 315])).toBe("#ffffff");
  await page.evaluate(
    (text) => navigator.clipboard.writeText(text),
    DRAWING.replace(/<image.*/, "</svg>"),
  );
  await page.mouse.move(640, 360 + LIMITS.headerHeight);
  await page.keyboard.press("Control+v");
  await expect.poll(() => person.colorAt([545, 315])).toBe("#45b7d1");
  await page.keyboard.press("Control+z");

  await open(page, "sketch.excalidraw", makeSketch());
  await expect(dialog(page)).toHaveAccessibleName("2 objects added");
  await page.keyboard.press("Escape");
  await expect.poll(() => person.colorAt([595, 340])).toBe("#f7dc6f");
});

/** Clicks Cancel when the page has painted three frames since it appeared. */
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

test("UI-28 a file that takes long leaves the page free, and Cancel ends its reading; of several files each that is partly added has its own report, and those that are refused share the last", async ({
  product,
  visit,
}) => {
  const numbers = (count: number) => Array.from({ length: count }, (_, at) => (at * 7919) % 1000);
  const uses = '<use href="#a"/>'.repeat(40);
  const square = { type: "rect", width: 9, height: 9, fill: "#123456", stroke: "#654321" };
  const files = {
    "a.svg": `<svg><polyline id="a" points="${numbers(120_000).join(" ")}"/>${uses}</svg>`,
    "b.json": JSON.stringify({
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

  const withSquare = (inner: string) => `<svg><rect width="9" height="9"/>${inner}</svg>`;
  await drop(page, {
    "a.svg": withSquare("<script/>"),
    "b.svg": withSquare("<path"),
    "c.svg": withSquare("<foreignObject><img/></foreignObject>"),
    "d.png": "",
  });
  for (const text of ["1 script", "1 embedded page"]) {
    await expect(dialog(page)).toContainText(text);
    await page.keyboard.press("Escape");
  }
  await expect(dialog(page)).toHaveAccessibleName("Not everything was added");
  await expect(dialog(page)).toHaveAccessibleDescription(
    /^b\.svg cannot be .*d\.png cannot be added: it is empty\.$/,
  );
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toHaveCount(0);
});

test("UI-28 files of 1,000 hostile objects of each format are added as far as they can be read", async ({
  product,
  visit,
}) => {
  const person = await visit();
  const { page } = person;
  const steps = Object.entries(HOSTILE_FILES).map(([format, file], at) => {
    const step = async (): Promise<void> => {
      await open(page, `hostile.${format}`, file(1_000, createRandom(1)));
      await expect(dialog(page)).toHaveAccessibleName(/^[\d,]+ objects? added$/);
      await page.keyboard.press("Escape");
      await page.keyboard.press("Delete");
      await person.tool("Draw");
      await person.stroke([120, 150 + 50 * at], [230, 150 + 50 * at]);
      await expect
        .poll(() => savedObjects(product, person), { timeout: 20_000 })
        .toMatchObject(Array(at + 1).fill({ type: "Path" }));
    };
    return [format, step] as const;
  });
  await inSteps(Object.fromEntries(steps));
});
