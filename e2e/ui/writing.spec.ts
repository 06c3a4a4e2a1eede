import type { Page } from "@playwright/test";
import { LIMITS } from "../../board/constants.ts";
import { expect, test } from "../fixtures.ts";
import { inSteps } from "../in-steps.ts";
import type { Person } from "../person.ts";
import type { Product } from "../product.ts";
import { pasteWords } from "./file-steps.ts";
import { button, savedObjects, selectionBar } from "./controls.ts";

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;
const SENTENCE = "The quick brown fox jumps over the lazy dog and runs away";

/** Begins a text by its key at a point of the window. */
async function beginText(page: Page, x: number, y: number): Promise<void> {
  await page.mouse.move(x, y);
  await page.keyboard.press("t");
  await expect(page.locator("textarea")).toBeFocused();
}

test("UI-63 T begins a text that takes the characters typed next, and a word without T chooses no tool; Alt+T leaves the focus in it while a notice is shown", async ({
  product,
  visit,
}) => {
  const person = await visit();
  const { page } = person;
  await person.stroke([300, 300], [400, 340]);
  await person.clear();
  await expect(person.toast("Canvas cleared!")).toBeVisible();
  await beginText(page, 300, 400);
  await page.keyboard.type("be");
  await page.keyboard.press("Alt+KeyT");
  await expect(page.locator("textarea")).toBeFocused();
  await page.keyboard.type("fore");
  await page.keyboard.press("Escape");

  await page.mouse.move(300, 300);
  await page.keyboard.press("t");
  await page.keyboard.type("hello");
  await page.keyboard.press("Enter");
  await page.keyboard.type("world");
  await page.keyboard.press("Escape");
  await expect(page.locator("textarea")).toHaveCount(0);
  await expect(person.canvas).toBeFocused();
  await page.mouse.click(700, 500);
  await button(page, "Draw").click();
  // Letters are a word as long as they follow each other fast: a busy machine must not make them slow.
  await page.clock.install();
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);
  await page.keyboard.type("hello");
  await page.clock.runFor(1000);
  await page.clock.resume();
  await expect(button(page, "Draw")).toHaveAttribute("aria-pressed", "true");
  await expect
    .poll(() => savedObjects(product, person), { timeout: 20_000 })
    .toMatchObject([{ text: "before" }, { type: "IText", text: "hello\nworld" }]);
});

test("UI-63 a press on a button that keeps the focus ends a text, with the words typed, also when keys follow it immediately; without selected characters Ctrl+C and Ctrl+X do nothing; pasted paragraphs are one text", async ({
  product,
  visit,
}) => {
  const person = await visit({ context: { permissions: ["clipboard-read", "clipboard-write"] } });
  const { page } = person;
  const { keyboard } = page;
  for (const [at, name] of ["Zoom in", "Zoom out", "1 user online", "Teal"].entries()) {
    await page.mouse.move(300, 200 + 80 * at);
    await person.canvas.focus();
    await keyboard.press("t");
    await expect(page.locator("textarea")).toBeFocused();
    await keyboard.type(name);
    await button(page, name).click();
    if (name === "Teal") await keyboard.type("you");
    await expect(page.locator("textarea")).toHaveCount(0);
    await keyboard.press("Escape");
  }
  await beginText(page, 600, 300);
  await keyboard.type("one two");
  await keyboard.press("Control+c");
  await keyboard.press("Control+x");
  for (let count = 0; count < 4; count++) await keyboard.press("Shift+ArrowLeft");
  await keyboard.press("Control+x");
  await keyboard.press("Home");
  await keyboard.press("Control+v");
  await keyboard.press("Escape");
  await pasteWords(person, "One.\n\nTwo.\nThree.", [800, 300]);
  await expect
    .poll(async () => (await savedObjects(product, person)).map(({ text }) => text), {
      timeout: 20_000,
    })
    .toEqual(["Zoom in", "Zoom out", "1 user online", "Teal", " twoone", "One.\n\nTwo.\nThree."]);
});

/** Writes a text on an empty board of a phone, all of it at once, in place of the first one. */
async function expectWrapped(
  product: Product,
  person: Person,
  [first, then]: readonly [string, string],
): Promise<void> {
  const { page } = person;
  await person.clear();
  // The view has followed the caret of the text before.
  await page.keyboard.press("Shift+Digit0");
  await beginText(page, 120, 300);
  await page.keyboard.insertText(first);
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(then);
  await page.keyboard.press("Escape");
  await expect
    .poll(() => savedObjects(product, person))
    .toMatchObject([{ type: "Textbox", text: then, width: 254 }]);
}

test("CAN-50 on a phone a text wraps at the edge of the view, whatever was typed before and however, also after it was stored while its page was hidden", async ({
  product,
  visit,
}) => {
  const person = await visit({ context: PHONE });
  const { page } = person;
  await button(page, "Select").tap();
  await expect(async () => {
    await page.touchscreen.tap(120, 300);
    await page.touchscreen.tap(120, 300);
    await expect(page.locator("textarea")).toBeFocused({ timeout: 2_000 });
  }).toPass();
  await page.keyboard.type(SENTENCE);
  await page.keyboard.press("Escape");
  await expect(selectionBar(page)).toBeVisible();
  await expect
    .poll(() => savedObjects(product, person), { timeout: 20_000 })
    .toMatchObject([{ type: "Textbox", text: SENTENCE, left: 120, width: 254 }]);
  // Neither the caret nor the text was out of view.
  await expect(page.getByRole("button", { name: /^Show all/ })).toBeHidden();
  // There are rows of ink under the first line, and none to the right of the edge.
  const { width, rgba } = await person.drawing();
  const scale = width / (await person.canvas.boundingBox())!.width;
  const dark = (fromX: number, toX: number, line: number): boolean => {
    for (let y = 208 + 27 * line; y < 208 + 27 * (line + 1); y++)
      for (let x = fromX; x < toX; x++)
        if ((rgba[4 * (Math.round(y * scale) * width + Math.round(x * scale))] ?? 255) < 128)
          return true;
    return false;
  };
  const rows = [dark(120, 374, 0), dark(120, 374, 1), dark(120, 374, 2), dark(376, 388, 0)];
  expect(rows).toEqual([true, true, true, false]);

  // A short text keeps no width, and grows when it is edited.
  await page.keyboard.press("Escape");
  await page.mouse.move(120, 180);
  await page.keyboard.press("t");
  await page.keyboard.type("Hi");
  await page.touchscreen.tap(300, 600);
  await expect(person.canvas).toBeFocused();
  await expect
    .poll(() => savedObjects(product, person), { timeout: 20_000 })
    .toMatchObject([{ type: "Textbox" }, { type: "IText", text: "Hi" }]);

  await person.clear();
  await beginText(page, 120, 300);
  await page.keyboard.type("The");
  await expect
    .poll(() => savedObjects(product, person))
    .toMatchObject([{ type: "Textbox", text: "The", width: 254 }]);
  await page.keyboard.type(SENTENCE.slice(3));
  await page.keyboard.press("Escape");
  await expect
    .poll(() => savedObjects(product, person))
    .toMatchObject([{ type: "Textbox", text: SENTENCE, left: 120, width: 254 }]);
  const address = "https://example.com/averylongaddressthatdoesnotfit/";
  const japanese = "これは長い日本語の文章です。電話では画面の端で折り返されるはずです。";
  await inSteps({
    "a sentence after a long address that was erased": () =>
      expectWrapped(product, person, [address, SENTENCE]),
    "an address that is wider": () => expectWrapped(product, person, ["", `See ${address} now`]),
    "a sentence without spaces that is inserted at once": () =>
      expectWrapped(product, person, ["", japanese]),
  });
});

test("CAN-51 the view follows the caret, above a keyboard on the screen too, and the box of the text is seen", async ({
  product,
  visit,
}) => {
  const person = await visit({ context: PHONE });
  const { page } = person;
  await beginText(page, 60, 620);
  await page.keyboard.type("Above the keyboard");
  // The browser reports it when a keyboard covers the lower half of the window.
  await page.evaluate(() => {
    const viewport = window.visualViewport!;
    Object.defineProperty(viewport, "height", { value: 420, configurable: true });
    viewport.dispatchEvent(new Event("resize"));
  });
  const bottom = () => page.locator("textarea").evaluate((one) => Number.parseFloat(one.style.top));
  await page.keyboard.type("!");
  await expect.poll(bottom).toBeLessThan(421);
  for (let line = 0; line < 6; line++) {
    await page.keyboard.press("Enter");
    await page.keyboard.type(`line ${line}`);
    await expect.poll(bottom).toBeLessThan(421);
  }
  const { width, rgba } = await person.shot();
  let blue = 0;
  for (let at = 0; at < 4 * width * (420 - LIMITS.headerHeight); at += 4)
    if (rgba[at] === 0x25 && rgba[at + 1] === 0x63 && rgba[at + 2] === 0xeb) blue++;
  expect(blue).toBeGreaterThan(200);
  await page.keyboard.press("Escape");
  await expect(person.canvas).toBeFocused();
  await expect
    .poll(() => savedObjects(product, person), { timeout: 20_000 })
    .toMatchObject([{ top: 620 - LIMITS.headerHeight - LIMITS.textSize / 2, left: 60 }]);
});

test("CAN-54 while an input method composes letters the caret stands behind them, and the field at their beginning, also after emoji", async ({
  visit,
}) => {
  const { page } = await visit();
  const field = () =>
    page
      .locator("textarea")
      .evaluate(({ style: { left, top } }) => [parseFloat(left), parseFloat(top)]);
  /** Finds the painted caret, in pixels of the window, also one that blinks. */
  const caret = () =>
    page.evaluate(() => {
      const canvas = document.querySelector<HTMLCanvasElement>("canvas.upper-canvas")!;
      const { width, height } = canvas;
      const copy = new OffscreenCanvas(width, height).getContext("2d")!;
      copy.drawImage(canvas, 0, 0);
      const pixels = copy.getImageData(0, 0, width, height).data;
      const columns = new Map<number, number>();
      for (let at = 0; at < width * height; at++)
        if (pixels[4 * at + 3]! > 0) columns.set(at % width, (columns.get(at % width) ?? 0) + 1);
      const [x] = [...columns].find(([, painted]) => painted > 15) ?? [];
      return x === undefined ? null : canvas.getBoundingClientRect().left + x;
    });
  await beginText(page, 300, 300);
  await page.keyboard.insertText("🎉🎉🎉🎉 ok\nthe second line");
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("End");
  const [left = 0, top] = await field();
  const session = await page.context().newCDPSession(page);
  // These are letters that every machine has a font for, as they are typed for Chinese.
  const letters = { text: "nihao", selectionStart: 5, selectionEnd: 5 };
  await session.send("Input.imeSetComposition", letters);
  await expect(page.locator("textarea")).toHaveValue(/ oknihao/);
  expect(await field()).toEqual([left, top]);
  await expect.poll(caret).toBeGreaterThan(left + 10);
});
