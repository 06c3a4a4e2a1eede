import { LIMITS } from "../../board/constants.ts";
import { expect, test } from "../fixtures.ts";
import { savedObjects } from "./controls.ts";
import { pasteWords } from "./file-steps.ts";

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;

test("UI-55 a text that is dropped is a text where it was dropped, or in the field to which it is dragged, and one is pasted where the browser names no type for it", async ({
  product,
  visit,
}) => {
  const person = await visit();
  await person.canvas.evaluate((surface) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.setData("text/plain", "https://example.com/picture.png");
    const { left, top } = surface.getBoundingClientRect();
    const at = { clientX: left + 400, clientY: top + 300 };
    for (const type of ["dragover", "drop"])
      surface.dispatchEvent(
        new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true, ...at }),
      );
  });
  const objects = () => savedObjects(product, person);
  await expect
    .poll(objects, { timeout: 20_000 })
    .toMatchObject([{ type: "IText", text: "https://example.com/picture.png" }]);
  const [text] = await objects();
  expect(Math.abs(Number(text?.["top"]) - 300)).toBeLessThan(30);
  expect(Number(text?.["left"])).toBeLessThan(400);

  await person.canvas.evaluate((surface) => {
    const event = new ClipboardEvent("paste", { bubbles: true, cancelable: true });
    // WebKitGTK gives the words that xclip copied in this way.
    const words = {
      types: [],
      files: [],
      getData: (of: string) => (of === "text/plain" ? "ls" : ""),
    };
    Object.defineProperty(event, "clipboardData", { value: words });
    surface.dispatchEvent(event);
  });
  await expect
    .poll(() => savedObjects(product, person), { timeout: 20_000 })
    .toMatchObject([{ text: "https://example.com/picture.png" }, { type: "IText", text: "ls" }]);

  const { page } = person;
  await page.getByRole("button", { name: "1 user online" }).click();
  const field = page.getByLabel("Your name");
  await field.fill("Smith Ms ");
  const { x, y, width, height } = (await field.boundingBox())!;
  await page.mouse.dblclick(x + 20, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width - 10, y + height / 2, { steps: 5 });
  await page.mouse.up();
  await expect(field).toHaveValue(/^ *Ms Smith *$/);
});

test("UI-54 a paste of something that the board cannot show says so, by key and by menu; one of nothing does nothing", async ({
  product,
  visit,
}) => {
  const person = await visit({ context: { permissions: ["clipboard-read", "clipboard-write"] } });
  const { page } = person;
  await page.evaluate(() => {
    const type = "text/html";
    const item = new ClipboardItem({ [type]: new Blob(["<table></table>"], { type }) });
    return navigator.clipboard.write([item]);
  });
  const dialog = page.getByRole("dialog");
  await person.canvas.focus();
  await page.keyboard.press("Control+v");
  await expect(dialog).toContainText("What was pasted cannot be added: it is no drawing.");
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  const pasteByMenu = async (): Promise<void> => {
    await page.mouse.click(400, 400, { button: "right" });
    await page.getByRole("menuitem", { name: "Paste" }).click();
    await expect(page.getByRole("menu")).toHaveCount(0);
  };
  await pasteByMenu();
  await expect(dialog).toContainText("What was pasted cannot be added: it is no drawing.");
  await page.keyboard.press("Escape");

  await page.evaluate(async () => {
    const read = navigator.clipboard.read.bind(navigator.clipboard);
    navigator.clipboard.read = async () => {
      const items = await read();
      document.documentElement.dataset["read"] = "";
      return items;
    };
    await navigator.clipboard.writeText("");
  });
  await person.canvas.focus();
  await page.keyboard.press("Control+v");
  await pasteByMenu();
  await expect(page.locator("html")).toHaveAttribute("data-read");
  // A text that is pasted later is there without a dialog.
  await page.evaluate(() => navigator.clipboard.writeText("later"));
  await pasteByMenu();
  await expect.poll(() => savedObjects(product, person)).toHaveLength(1);
  await expect(dialog).toHaveCount(0);
});

test("CAN-56 a text that is pasted near a corner wraps at the width of the view, and all of it is in view, or its beginning where it is higher", async ({
  product,
  visit,
}) => {
  const person = await visit({ context: PHONE });
  const objects = () => savedObjects(product, person);
  for (const [words, text] of [
    ["The quick brown fox jumps over the lazy dog. ".repeat(12).trim(), {}],
    ["これは長い日本語の文章です。".repeat(20), { splitByGrapheme: true }],
  ] as const) {
    await pasteWords(person, words, [380, 120]);
    await expect
      .poll(objects, { timeout: 20_000 })
      .toMatchObject([{ type: "Textbox", text: words, ...text }]);
    const [object] = await objects();
    const left = Number(object?.["left"]);
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(50);
    expect(left + Number(object?.["width"])).toBeLessThanOrEqual(390);
    expect(Number(object?.["width"])).toBeGreaterThan(300);
    expect(Number(object?.["top"])).toBeGreaterThan(0);
    await person.page.keyboard.press("Delete");
  }
  const lines = "line\n".repeat(200).trim();
  await pasteWords(person, lines, [100, 300]);
  await expect.poll(objects, { timeout: 20_000 }).toMatchObject([{ type: "IText", text: lines }]);
  const [object] = await objects();
  expect(Number(object?.["top"])).toBeGreaterThanOrEqual(0);
  expect(Number(object?.["top"])).toBeLessThan(LIMITS.headerHeight);
});
