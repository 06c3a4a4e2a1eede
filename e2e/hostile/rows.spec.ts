/**
 * Tests rows that somebody wrote past every page: whatever can be written can be read, and a row that cannot be read
 * is never overwritten.
 */

import { MAX_OBJECTS } from "../../board/limits.ts";
import { expect, test } from "../fixtures.ts";
import { switchTabs, type Person } from "../person.ts";
import { watchTraffic, writesOf, type Traffic } from "../traffic.ts";
import { button } from "../ui/controls.ts";
import { openAttacker } from "./attacker.ts";
import { drawLines, expectLines, expectReadable, objectsOf } from "./lines.ts";

const UNREADABLE = "The saved drawing cannot be read";
const COUNT = 20_001;

/**
 * Returns small squares, each at another position: the first one below the lines that visitors draw, the others
 * outside the window.
 */
function squares(count: number, more: (at: number) => object = () => ({})): object[] {
  return Array.from({ length: count }, (_, at) => ({
    ...{ type: "Rect", originX: "left", originY: "top", strokeWidth: 0, fill: "#0000ff" },
    ...{ left: at === 0 ? 0 : 5_000 + 6 * (at % 200), top: 450 + 4 * Math.floor(at / 200) },
    ...{ width: 5, height: 3 },
    ...more(at),
  }));
}

/** Waits until a visitor sees the first of the squares: for a long drawing on a busy machine that may take a while. */
const expectSquare = (person: Person): Promise<void> =>
  expect.poll(() => person.colorAt([2, 451]), { timeout: 90_000 }).toBe("#0000ff");

test("SYN-18 a row of 100,002 objects is never written over; a new stroke stays on the device and is saved when a row can be read", async ({
  product,
  visit,
}) => {
  await product.seed({ objects: Array.from({ length: MAX_OBJECTS + 2 }, () => ({})) });
  const traffics: Traffic[] = [];
  const ann = await visit({ prepare: (page) => void traffics.push(watchTraffic(page)) });
  ann.allow(/cannot be read/);
  const [traffic] = traffics as [Traffic];
  await drawLines(ann, [150]);
  await expect(ann.saving).toHaveText(UNREADABLE);
  // The page reads the row again and again, for longer than a save would wait.
  await expect.poll(() => traffic.table.length, { timeout: 40_000 }).toBeGreaterThanOrEqual(5);
  await ann.page.reload();
  await expectLines(ann, [150]);
  await expect(ann.saving).toHaveText(UNREADABLE);
  expect(writesOf(traffic)).toEqual([]);
  expect(await objectsOf(product)).toBe(MAX_OBJECTS + 2);
  const attacker = await openAttacker(product);
  expect(await attacker.write({ objects: squares(1) })).toBe(204);
  await switchTabs(ann);
  await expect(ann.saving).toHaveText("Saved", { timeout: 40_000 });
  expect(await objectsOf(product)).toBe(2);
  await attacker.leave();
});

for (const [what, drawing] of [
  ["plain drawing of 20,001 different objects", { objects: squares(COUNT) }],
  [
    "row of 20,001 authors",
    {
      objects: squares(COUNT, (at) => ({ id: `a${at}-0` })),
      inkpool: {
        format: 1,
        seen: Object.fromEntries(squares(COUNT).map((_, at) => [`a${at}`, 0])),
      },
    },
  ],
] as const)
  test(`SYN-18 a ${what} is read, and a stroke is saved beside it`, async ({ product, visit }) => {
    test.slow();
    await product.seed({ version: "7.4.0", background: "white", ...drawing });
    const ann = await visit({ unready: true });
    await expectSquare(ann);
    await ann.ready();
    await drawLines(ann, [150]);
    await switchTabs(ann);
    await expect(ann.saving).toHaveText("Saved", { timeout: 90_000 });
    expect(await objectsOf(product)).toBe(COUNT + 1);
    await expectReadable(product, [150]);
  });

test("SYN-18 a row {} without updated_at takes nothing from open pages, and a visitor brings back the drawing it replaced; Clear replaces a row that cannot be read", async ({
  product,
  visit,
}) => {
  const [ann, ben] = [await visit(), await visit()];
  for (const person of [ann, ben]) person.allow(/cannot be read/);
  await drawLines(ann, [150, 200]);
  await switchTabs(ann);
  await expect(ann.saving).toHaveText("Saved");
  const before = await product.row();
  const attacker = await openAttacker(product);
  expect(await attacker.write({})).toBe(204);
  expect((await product.row())?.updated_at).not.toBe(before?.updated_at);
  for (const person of [ann, ben]) {
    await switchTabs(person);
    await expect(person.saving).toHaveText(UNREADABLE);
  }
  await drawLines(ben, [250]);
  await switchTabs(ben);
  for (const person of [ann, ben]) await expectLines(person, [150, 200, 250]);
  expect(await attacker.read()).toEqual({});
  await button(ann.page, "History").click();
  const panel = ann.page.getByRole("dialog", { name: "History" });
  await panel
    .getByRole("button", { name: /2 objects/ })
    .first()
    .click();
  await panel.getByRole("button", { name: "Bring back what is missing" }).click();
  await expect(ann.saving).toHaveText("Saved", { timeout: 40_000 });
  await expect.poll(() => objectsOf(product), { timeout: 40_000 }).toBe(3);
  await expect(ben.saving).toHaveText("Saved", { timeout: 40_000 });
  await ann.page.keyboard.press("Escape");
  await expect(panel).toBeHidden();

  expect(await attacker.write({ objects: "all yours" })).toBe(204);
  await drawLines(ann, [300]);
  await expect(ann.saving).toHaveText(UNREADABLE, { timeout: 30_000 });
  expect(await attacker.read()).toEqual({ objects: "all yours" });
  await expectLines(ann, [150, 200, 250, 300]);
  await ann.clear();
  await drawLines(ann, [250]);
  await switchTabs(ann);
  await expect(ann.saving).toHaveText("Saved", { timeout: 30_000 });
  expect((await attacker.read()).objects).toHaveLength(1);
  await attacker.leave();
});

test("DAT-27 an object that somebody wrote into the row and a page cannot read stays in it when that page saves", async ({
  product,
  visit,
}) => {
  const ann = await visit();
  ann.allow(/left out/);
  await drawLines(ann, [150]);
  await switchTabs(ann);
  await expect(ann.saving).toHaveText("Saved");
  const attacker = await openAttacker(product);
  const drawing = await attacker.read();
  const unknown = { type: "Hologram", id: "future-7", z: 9, depth: [1, 2, 3], life: 1 };
  const objects = [...drawing.objects, unknown];
  expect(await attacker.write({ ...drawing, objects })).toBe(204);
  await switchTabs(ann);
  await drawLines(ann, [200]);
  await switchTabs(ann);
  await expect.poll(() => objectsOf(product)).toBe(3);
  expect((await attacker.read()).objects).toContainEqual(unknown);
  const ben = await visit();
  ben.allow(/left out/);
  await drawLines(ben, [250]);
  await switchTabs(ben);
  await expect.poll(() => objectsOf(product)).toBe(4);
  expect((await attacker.read()).objects).toContainEqual(unknown);
  await attacker.leave();
});

test("SYN-19 after a failed load the header says neither that it loads nor that all is saved, until a load succeeds", async ({
  product,
  visit,
}) => {
  await product.seed({ objects: squares(1) });
  const ann = await visit({
    unready: true,
    prepare: async (page) =>
      void (await page.route("**/rest/v1/canvas_state*", (route) =>
        route.request().method() === "GET"
          ? route.fulfill({ status: 500, json: { code: "XX000", message: "broken" } })
          : route.fallback(),
      )),
  });
  ann.allow(/status of 500/, /not loaded/);
  await expect(ann.saving).toHaveText("Not loaded yet: trying again");
  await ann.page.unroute("**/rest/v1/canvas_state*");
  await expect(ann.saving).toHaveText("Saved");
  await expectSquare(ann);
});
