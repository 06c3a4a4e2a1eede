/** Tests the caret of a text: keys, pointers, and the gestures of an on-screen keyboard. */

import { expect, test } from "../fixtures.ts";
import { inSteps } from "../in-steps.ts";
import type { Person } from "../person.ts";
import type { Product } from "../product.ts";
import { savedObjects, surface } from "./controls.ts";

/** The start and the end of the selection of the text being written, in UTF-16 units. */
type Range = readonly [start: number, end: number];

function selection({ page }: Person): Promise<Range> {
  return page
    .locator("textarea")
    .evaluate((field: HTMLTextAreaElement) => [field.selectionStart, field.selectionEnd] as const);
}

/** Begins a text with the tool Select and types its words. */
async function write(person: Person, words: string): Promise<void> {
  await person.tool("Select");
  await person.page.mouse.dblclick(300, 300);
  await person.page.keyboard.type(words);
}

/** Returns the position of the painted caret, in pixels of the window: the field moves with it. */
function caretX({ page }: Person): Promise<number> {
  return page
    .locator("textarea")
    .evaluate((element) => Number.parseFloat((element as HTMLElement).style.left));
}

/** Writes "one two three", drags from one position in it over others, and returns what is selected then. */
async function writeAndDrag(
  person: Person,
  from: number,
  ...over: readonly number[]
): Promise<Range> {
  const { mouse } = person.page;
  await write(person, "one two three");
  await expect.poll(() => selection(person)).toEqual([13, 13]);
  await mouse.move(from, 302);
  await mouse.down();
  for (const x of over) await mouse.move(x, 302, { steps: 4 });
  await mouse.up();
  return selection(person);
}

/** Moves the caret of a text by keys, and of another one in a narrow window. */
async function moveByKeys(product: Product, anna: Person): Promise<void> {
  const { keyboard } = anna.page;
  await write(anna, "one two three\nfour five");
  const steps: readonly (readonly [key: string, start: number, end: number])[] = [
    ["Shift+Control+ArrowLeft", 19, 23],
    ["Shift+ArrowRight", 20, 23],
    ["End", 23, 23],
    ["Shift+Home", 14, 23],
    // Fabric moves it between lines; the browser goes on from there, at the same end.
    ["Shift+ArrowUp", 0, 23],
    ["Shift+ArrowRight", 1, 23],
    ["Control+a", 0, 23],
    ["End", 23, 23],
    ["Control+Home", 0, 0],
    ["Control+End", 23, 23],
    ["Home", 14, 14],
    ["ArrowLeft", 13, 13],
    ["Control+ArrowLeft", 8, 8],
  ];
  for (const [key, ...range] of steps) {
    await keyboard.press(key);
    await expect.poll(() => selection(anna), key).toEqual(range);
  }
  const left = await anna.page.evaluateHandle(() => {
    const keys: string[] = [];
    addEventListener("keydown", (event) => void (event.defaultPrevented || keys.push(event.key)));
    return keys;
  });
  // The browser would go back to the page before.
  await keyboard.press("Alt+ArrowLeft");
  await keyboard.press("Control+Backspace");
  expect(await left.jsonValue()).toEqual(["Alt", "Control", "Backspace"]);
  await keyboard.press("Escape");
  await expect
    .poll(() => savedObjects(product, anna))
    .toMatchObject([{ text: "one three\nfour five" }]);

  // In a narrow window a text wraps, and Home and End go to the ends of the painted line.
  await anna.page.setViewportSize({ width: 390, height: 844 });
  await expect(surface(anna.page)).toHaveCSS("width", "390px");
  await anna.page.mouse.move(120, 500);
  await keyboard.press("t");
  await keyboard.type("The quick brown fox jumps over the lazy dog");
  await keyboard.press("Home");
  await expect.poll(async () => (await selection(anna))[0]).toBeGreaterThan(0);
  const [start] = await selection(anna);
  await keyboard.press("ArrowUp");
  await keyboard.press("End");
  // The line before ends in front of the space at which the text wraps.
  await expect.poll(() => selection(anna)).toEqual([start - 1, start - 1]);
  await keyboard.press("Control+Home");
  await expect.poll(() => selection(anna)).toEqual([0, 0]);
}

test("CAN-54 keys move the caret by words, by lines and through the text, as in any field, and the painted caret is where the field or the pointer has it", async ({
  product,
  visit,
}) => {
  const other = { type: "IText", text: "one\r\ntwo", left: 300, top: 200, fontSize: 40 };
  const placed = { ...other, originX: "left", originY: "top" };
  await product.seed({ version: "7.4.0", objects: [placed], background: "white" });
  const anna = await visit();
  const fresh = async (): Promise<void> => {
    await anna.page.keyboard.press("Escape");
    await anna.clear();
  };
  await inSteps({
    "in a text of another program with other ends of lines": async () => {
      const { keyboard, mouse } = anna.page;
      await anna.tool("Select");
      await mouse.dblclick(320, 285);
      await keyboard.press("Control+End");
      await expect.poll(() => selection(anna)).toEqual([7, 7]);
      const end = await caretX(anna);
      await keyboard.press("ArrowLeft");
      await expect.poll(() => caretX(anna)).toBeLessThan(end);
      await keyboard.press("Escape");
      expect(await savedObjects(product, anna)).toMatchObject([{ text: other.text }]);
    },
    "it follows the field wherever the browser moves its own": async () => {
      await fresh();
      const { keyboard } = anna.page;
      await write(anna, "");
      const start = await caretX(anna);
      await keyboard.type("a\u{1F469}\u200D\u{1F467}b");
      const end = await caretX(anna);
      expect(end).toBeGreaterThan(start + 20);
      // The gesture of an on-screen keyboard.
      await anna.page
        .locator("textarea")
        .evaluate((element) => (element as HTMLTextAreaElement).setSelectionRange(0, 0));
      await expect.poll(() => caretX(anna)).toBe(start);
      await keyboard.press("ArrowRight");
      await keyboard.press("ArrowRight");
      // The family is one character.
      await expect.poll(() => selection(anna)).toEqual([6, 6]);
      const behind = await caretX(anna);
      expect(behind).toBeGreaterThan(start);
      expect(behind).toBeLessThan(end);
      await keyboard.type("!");
      await keyboard.press("Escape");
      await expect
        .poll(() => savedObjects(product, anna))
        .toMatchObject([{ text: "a\u{1F469}\u200D\u{1F467}!b" }]);
    },
    "keys go on from the end at which the pointer released a selection": async () => {
      await fresh();
      const [start, end] = await writeAndDrag(anna, 440, 345);
      expect(end - start).toBeGreaterThan(3);
      await anna.page.keyboard.press("Shift+ArrowLeft");
      await expect.poll(() => selection(anna)).toEqual([start - 1, end]);
    },
    "words that a drag past the end of the text selects stay selected when the pointer moves on":
      async () => {
        await fresh();
        const { keyboard, mouse } = anna.page;
        const [start, end] = await writeAndDrag(anna, 390, 420, 640);
        expect(start).toBeGreaterThan(3);
        expect(end).toBe(13);
        await mouse.move(320, 340, { steps: 6 });
        await keyboard.type("X");
        await keyboard.press("Escape");
        const text = `${"one two three".slice(0, start)}X`;
        await expect.poll(() => savedObjects(product, anna)).toMatchObject([{ text }]);
      },
    "keys move it by words, by lines, through the text, and to the ends of a painted line":
      async () => {
        await fresh();
        await moveByKeys(product, anna);
      },
  });
});

test("CAN-12 in a new text three presses select a line, and two a word, which stays in the text when it is dragged out", async ({
  product,
  visit,
}) => {
  const anna = await visit();
  const { keyboard, mouse } = anna.page;
  await write(anna, "one two three");
  // A hand presses for this long (ms), and as long again passes before its next press.
  await mouse.click(360, 302, { clickCount: 3, delay: 70 });
  await expect.poll(() => selection(anna)).toEqual([0, "one two three".length]);
  await expect(anna.page.locator("textarea")).toBeFocused();
  await keyboard.press("End");
  const ends = await anna.page.evaluateHandle(() => {
    const events: string[] = [];
    addEventListener("dragend", ({ type }) => void events.push(type));
    return events;
  });
  // On a busy machine the browser may take the press for no drag.
  await expect(async () => {
    await mouse.dblclick(360, 302);
    await expect.poll(() => selection(anna), { timeout: 2_000 }).toEqual([4, 7]);
    await mouse.down();
    await mouse.move(370, 306);
    await mouse.move(700, 450, { steps: 4 });
    await mouse.up();
    expect(await ends.jsonValue()).toEqual(["dragend"]);
  }).toPass();
  await keyboard.press("Escape");
  await expect.poll(() => savedObjects(product, anna)).toMatchObject([{ text: "one two three" }]);
});

test("CAN-55 the edge at which the lines of a text begin stays where it is: Hebrew begins where it was pressed and grows to the left, also where the direction changes", async ({
  product,
  visit,
}) => {
  const text = { type: "IText", text: "👍", top: 500, fontSize: 40 };
  const placed = { ...text, originX: "left", originY: "top" };
  await product.seed({
    version: "7.4.0",
    objects: [
      { ...placed, left: 300 },
      { ...placed, left: 600, text: "abc", textAlign: "right" },
    ],
    background: "white",
  });
  const anna = await visit();
  const { keyboard, mouse } = anna.page;
  await write(anna, "12 ");
  const before = await caretX(anna);
  await keyboard.type("שלום");
  await expect.poll(() => caretX(anna)).toBeLessThan(300);
  expect(before).toBeGreaterThan(300);
  // The end of a line is at its left, for keys and for the pointer.
  const end = await caretX(anna);
  await keyboard.press("Home");
  await expect.poll(() => caretX(anna)).toBeGreaterThan(end + 40);
  await keyboard.press("ArrowLeft");
  await expect.poll(() => selection(anna)).toEqual([1, 1]);
  await mouse.click(298, 300);
  await expect.poll(() => selection(anna)).toEqual([0, 0]);
  await mouse.click(end + 3, 300);
  await expect.poll(() => selection(anna)).toEqual([7, 7]);
  await keyboard.press("Escape");
  const written = { text: "12 שלום", left: 300, originX: "right", direction: "rtl" };
  await expect.poll(() => savedObjects(product, anna)).toMatchObject([{}, {}, written]);
  await mouse.dblclick(280, 300);
  await keyboard.press("End");
  await keyboard.type(" עולם");
  await keyboard.press("Escape");
  const longer = { ...written, text: "12 שלום עולם" };
  await expect.poll(() => savedObjects(product, anna)).toMatchObject([{}, {}, longer]);

  for (const [x, words] of [
    [320, "שלום"],
    [620, "defg"],
  ] as const) {
    await mouse.dblclick(x, 600);
    await keyboard.press("End");
    await keyboard.type(words);
    await keyboard.press("Escape");
  }
  await expect(async () => {
    const [sticker, word] = await savedObjects(product, anna);
    expect(sticker).toMatchObject({ text: "👍שלום", direction: "rtl", textAlign: "right" });
    expect(sticker?.["left"]).toBeLessThan(260);
    expect(word).toMatchObject({ text: "abcdefg", textAlign: "right" });
    expect(word?.["left"]).toBeLessThan(560);
  }).toPass();
});

test("CAN-51 the view follows the end of a selection that keys extend, and stays when everything is selected", async ({
  product,
  visit,
}) => {
  const mark = { type: "Rect", left: 900, top: 100, width: 100, height: 200, fill: "#ff0000" };
  const objects = [{ ...mark, originX: "left", originY: "top" }];
  await product.seed({ version: "7.4.0", objects, background: "white" });
  const anna = await visit();
  const { keyboard, mouse } = anna.page;
  const color = () => anna.colorAt([950, 130]);
  await anna.tool("Select");
  await mouse.dblclick(300, 150);
  await keyboard.insertText("line\n".repeat(40));
  await expect.poll(color).toBe("#ffffff");
  await keyboard.press("Control+a");
  await expect.poll(() => selection(anna)).toEqual([0, 200]);
  expect(await color()).toBe("#ffffff");
  await keyboard.press("Control+Home");
  await expect.poll(color).toBe("#ff0000");
  for (let line = 0; line < 32; line++) await keyboard.press("Shift+ArrowDown");
  await expect.poll(() => selection(anna)).toEqual([0, 160]);
  await expect.poll(color).toBe("#ffffff");
});
