import { DEFAULT_COLOR, LIMITS, TEXT_FONT } from "../../board/constants.ts";
import { expect, test } from "../fixtures.ts";
import { type Person, switchTabs } from "../person.ts";
import type { Product, SavedObject } from "../product.ts";
import { button, savedObjects, selectionBar } from "./controls.ts";

const texts = async (product: Product, ...people: Person[]): Promise<readonly SavedObject[]> =>
  (await savedObjects(product, ...people)).filter(({ type }) => type === "IText");

test("CAN-40 T, a double press on empty board and the menu begin a text; one without words disappears", async ({
  product,
  visit,
}) => {
  const person = await visit();
  const peer = await visit();
  const { page } = person;
  await person.color("Red");
  await page.mouse.move(300, 280);
  await page.keyboard.press("t");
  await expect(page.locator("textarea")).toBeFocused();
  await expect(button(page, "Select")).toHaveAttribute("aria-pressed", "true");
  await page.keyboard.type("Hallo שלום 🚀");
  await page.keyboard.press("Escape");
  await expect(selectionBar(page)).toBeVisible();
  await expect.poll(() => texts(product, person, peer), { timeout: 20_000 }).toHaveLength(1);
  expect(await texts(product, person, peer)).toMatchObject([
    {
      text: "Hallo שלום 🚀",
      left: 300,
      top: 280 - LIMITS.headerHeight - LIMITS.textSize / 2,
      fontSize: LIMITS.textSize,
      fontFamily: TEXT_FONT,
      fill: "#ff0000",
    },
  ]);

  // Two visitors write at the same time, each a text of their own.
  await peer.tool("Select");
  await peer.page.mouse.dblclick(300, 500);
  await expect(peer.page.locator("textarea")).toBeFocused();
  await peer.page.keyboard.type("left ");
  await person.page.mouse.dblclick(700, 500);
  await page.keyboard.type("right ");
  await peer.page.keyboard.type("hand");
  await peer.page.mouse.click(900, 300);
  await page.keyboard.type("hand");
  await page.mouse.click(900, 300);
  await expect
    .poll(
      // Their order in the stack depends on what each had received.
      async () =>
        (await texts(product, person, peer))
          .map(({ text, fill }) => [text, fill].join(", "))
          .toSorted(),
      { timeout: 20_000 },
    )
    .toEqual(["Hallo שלום 🚀, #ff0000", `left hand, ${DEFAULT_COLOR}`, "right hand, #ff0000"]);

  await button(page, "2 users online").click();
  const panel = page.getByRole("dialog", { name: "People" });
  await expect(panel).toBeFocused();
  await button(page, "Menu").click();
  await page.getByRole("menuitem", { name: "Add text" }).click();
  await expect(page.locator("textarea")).toBeFocused();
  await page.keyboard.type("  ");
  await page.keyboard.press("Escape");
  await expect(page.locator("textarea")).toHaveCount(0);
  // The next Escape is the panel's.
  await expect(panel).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(panel).toHaveCount(0);
  await page.mouse.dblclick(900, 300);
  await expect(page.locator("textarea")).toBeFocused();
  await page.mouse.click(1000, 300);
  await expect(page.locator("textarea")).toHaveCount(0);
  await page.keyboard.press("Control+z");
  await expect
    .poll(async () => (await texts(product, person, peer)).length, { timeout: 20_000 })
    .toBe(2);
});

test("CAN-40 letters over a sticker get the chosen colour; with that of the board they stay black", async ({
  product,
  visit,
}) => {
  const person = await visit();
  const { page } = person;
  for (const [color, word] of [
    ["Red", "Up"],
    ["White", "Down"],
  ] as const) {
    await person.color(color);
    await person.sticker("rocket");
    await page.mouse.dblclick(130, 130 + LIMITS.headerHeight);
    await expect(page.locator("textarea")).toBeFocused();
    await page.keyboard.press("End");
    await page.keyboard.type(word);
    await page.keyboard.press("Escape");
    await expect(page.locator("textarea")).toHaveCount(0);
  }
  const stickers = async () =>
    (await texts(product, person))
      .filter(({ text }) => String(text).startsWith("🚀"))
      .map(({ text, fill }) => [text, fill ?? "none"]);
  await expect.poll(stickers, { timeout: 20_000 }).toEqual([
    ["🚀Up", "#ff0000"],
    ["🚀Down", "none"],
  ]);
});

test("CAN-12 the words so far of a text are stored when its page is hidden, reloaded or closed, and the writing goes on", async ({
  product,
  visit,
}) => {
  const person = await visit();
  const { keyboard, mouse } = person.page;
  const stored = async (): Promise<readonly unknown[]> =>
    (await savedObjects(product, person)).map(({ text }) => text);
  await person.tool("Select");
  await mouse.dblclick(300, 300);
  await keyboard.type("one");
  await expect.poll(stored).toEqual(["one"]);
  await keyboard.type(" two");
  await expect.poll(stored).toEqual(["one two"]);
  await expect(person.page.locator("textarea")).toBeFocused();
  await keyboard.press("Escape");
  await expect(selectionBar(person.page)).toBeVisible();
  await expect.poll(stored).toEqual(["one two"]);
  // The end of the writing was no further change.
  for (const texts of [["one"], []]) {
    await keyboard.press("Control+z");
    await expect.poll(stored).toEqual(texts);
  }
  // A text whose words are erased afterwards, or become spaces, is removed.
  for (const [at, erase] of [
    [450, () => keyboard.press("Delete")],
    [550, () => keyboard.type("  ")],
  ] as const) {
    await mouse.dblclick(300, at);
    await keyboard.type("word");
    await expect.poll(stored).toEqual(["word"]);
    await keyboard.press("Control+a");
    await erase();
    await keyboard.press("Escape");
    await expect.poll(stored).toEqual([]);
  }

  // Nor does a reload or the end of the page take them away.
  await mouse.dblclick(300, 300);
  await keyboard.type("half an hour of words");
  await person.page.reload();
  await person.ready();
  await expect.poll(stored).toEqual(["half an hour of words"]);
  await person.tool("Select");
  await mouse.dblclick(300, 450);
  await keyboard.type("and more");
  await person.page.close({ runBeforeUnload: true });
  await expect
    .poll(() => texts(product))
    .toMatchObject([{ text: "half an hour of words" }, { text: "and more" }]);
});

const MINUTES = {
  ...{ type: "IText", text: "Minutes", left: 300, top: 200, originX: "left", originY: "top" },
  ...{ fontSize: 24, fontFamily: "Arial" },
} as const;

test("CAN-12 a text that a peer removes and restores, alone and with 100 others, while it is being written is one text", async ({
  product,
  visit,
}) => {
  const squares = Array.from({ length: 100 }, (_, at) => ({
    ...{ type: "Rect", left: 300 + 4 * at, top: 300, originX: "left", originY: "top" },
    ...{ width: 3, height: 3 },
  }));
  await product.seed({ version: "7.4.0", objects: [MINUTES, ...squares], background: "white" });
  const [anna, ben] = [await visit(), await visit()];
  await anna.tool("Select");
  await anna.page.mouse.dblclick(330, 212 + LIMITS.headerHeight);
  await expect(anna.page.locator("textarea")).toBeFocused();
  await anna.page.keyboard.press("End");
  await anna.page.keyboard.type(" of today");
  await ben.tool("Select");
  await ben.click([330, 212]);
  // An empty board that gets more than a hundred objects at once is loaded anew.
  for (const [keys, shape, at] of [
    [[], "Rectangle", [150, 150]],
    [["Control+a"], "Circle", [175, 230]],
  ] as const) {
    for (const key of keys) await ben.page.keyboard.press(key);
    await expect(selectionBar(ben.page)).toBeVisible();
    await ben.page.keyboard.press("Delete");
    await switchTabs(ben);
    await ben.page.keyboard.press("Control+z");
    await switchTabs(ben);
    // What arrives after both shows that they have arrived.
    await button(ben.page, shape).click();
    await switchTabs(ben);
    await expect.poll(() => anna.colorAt(at)).toBe(DEFAULT_COLOR);
    await anna.page.keyboard.type(", more");
  }
  await anna.page.keyboard.press("Escape");
  await expect
    .poll(() => texts(product, anna))
    .toMatchObject([{ text: "Minutes of today, more, more" }]);
  expect(await texts(product, anna, ben)).toHaveLength(1);
});

test("CAN-50 an existing text that wraps keeps its width for words without spaces", async ({
  product,
  visit,
}) => {
  const text = {
    ...{ type: "Textbox", text: "The quick brown fox jumps over", left: 300, top: 200 },
    ...{ originX: "left", originY: "top", fontSize: 24, fontFamily: "Arial", width: 200 },
  };
  await product.seed({ version: "7.4.0", objects: [text], background: "white" });
  const person = await visit();
  await person.tool("Select");
  await person.page.mouse.dblclick(320, 295);
  await person.page.keyboard.press("Control+a");
  await person.page.keyboard.insertText(
    "これは長い日本語の文章です。画面の端で折り返されるはずです。",
  );
  await person.page.keyboard.press("Escape");
  const wrapped = { type: "Textbox", left: 300, width: 200, splitByGrapheme: true };
  await expect.poll(() => savedObjects(product, person)).toMatchObject([wrapped]);
});

test("DAT-6 words over the limit of a text are left out, and a notice says so", async ({
  product,
  visit,
}) => {
  const person = await visit({ context: { permissions: ["clipboard-read", "clipboard-write"] } });
  const { page } = person;
  const notice = person.toast("A text has at most 10,000 characters; the rest was left out.");
  await person.tool("Select");
  await page.mouse.dblclick(300, 300);
  await page.evaluate(() => navigator.clipboard.writeText("x".repeat(9_998)));
  await page.keyboard.press("Control+v");
  await page.keyboard.type("ab");
  await expect(page.locator("textarea")).toHaveValue(/^x{9998}ab$/);
  await expect(notice).toBeHidden();
  await page.keyboard.press("Enter");
  await expect(notice).toBeVisible();
  await page.keyboard.press("Escape");
  await expect
    .poll(() => savedObjects(product, person))
    .toMatchObject([{ text: `${"x".repeat(9_998)}ab` }]);
});

test("UI-63 where the code of texts does not arrive, T takes no letters of later keys", async ({
  visit,
}) => {
  let fail = (): void => undefined;
  const failing = new Promise<void>((resolve) => (fail = resolve));
  const person = await visit({
    unready: true,
    prepare: (page) =>
      page.route(/interaction-.*\.js$/, async (route) => {
        await failing;
        await route.abort();
      }),
  });
  const { page } = person;
  person.allow(/ERR_FAILED|dynamically imported module/);
  await person.shown();
  await page.keyboard.press("t");
  fail();
  await expect(async () => {
    await page.keyboard.press("d");
    // Letters that follow each other fast are a word.
    await expect(button(page, "Draw")).toHaveAttribute("aria-pressed", "true", {
      timeout: 600,
    });
  }).toPass({ timeout: 10_000 });
});
