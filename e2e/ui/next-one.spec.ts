import { LIMITS } from "../../board/constants.ts";
import { expect, test } from "../fixtures.ts";
import type { Person } from "../person.ts";
import type { Product } from "../product.ts";
import { button, savedObjects, selectionBar } from "./controls.ts";

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;

const positions = async (product: Product, person: Person) =>
  (await savedObjects(product, person)).map(({ type, left, top }) => [type, left, top]);

async function middleOf(person: Person, name: string): Promise<readonly [number, number]> {
  const { x, y, width, height } = (await button(person.page, name).boundingBox())!;
  return [x + width / 2, y + height / 2];
}

test("CAN-53 a second rectangle stays at its place, is announced and raised, and is one drag away from the first", async ({
  product,
  visit,
}) => {
  const person = await visit();
  const { page } = person;
  const said = page.locator("[data-own-actions]");
  await button(page, "Rectangle").click();
  await expect(said).toContainText(
    "Black rectangle, 150 by 100, added at 100, 100, selected. 1 of 1.",
  );
  await person.leaveCanvas();
  // Returns the lightness just below the lower edge.
  const under = async (): Promise<number> => {
    const [red = 0] = await person.pixel([130, 207]);
    return red;
  };
  // The toolbar has a shadow too.
  await expect.poll(under).toBeGreaterThan(245);
  await button(page, "Rectangle").click();
  await expect(said).toContainText(
    "Black rectangle, 150 by 100, added at 100, 100, on top of another like it, selected. 2 of 2.",
  );
  await person.leaveCanvas();
  await expect.poll(under).toBeLessThan(240);
  await person.stroke([150, 150], [450, 150]);
  await person.leaveCanvas();
  await expect.poll(under).toBe(255);
  await expect
    .poll(() => positions(product, person), { timeout: 20_000 })
    .toEqual([
      ["Rect", 100, 100],
      ["Rect", 400, 100],
    ]);
});

test("UI-68 a drag from the dock or the stickers adds exactly one, where it is dropped", async ({
  product,
  visit,
}) => {
  const person = await visit();
  const { page } = person;
  const drag = async (name: string, [x, y]: readonly [number, number]): Promise<void> => {
    await page.mouse.move(...(await middleOf(person, name)));
    await page.mouse.down();
    await page.mouse.move(x, y + LIMITS.headerHeight, { steps: 6 });
    await expect(page.locator(".drag-image")).toBeAttached();
    await page.mouse.up();
    await expect(page.locator(".drag-image")).toHaveCount(0);
  };
  await drag("Rectangle", [500, 300]);
  await expect(button(page, "Select")).toHaveAttribute("aria-pressed", "true");
  await expect(person.canvas).toBeFocused();
  await drag("Circle", [700, 300]);
  await button(page, "Stickers").click();
  await drag("rocket", [300, 400]);
  await expect(button(page, "rocket")).toHaveCount(0);
  // It is not on the canvas, so none is added.
  await drag("Circle", [700, -40]);
  await page.mouse.move(...(await middleOf(person, "Circle")));
  await page.mouse.down();
  await page.mouse.move(300, 300, { steps: 3 });
  await page.keyboard.press("Escape");
  await expect(page.locator(".drag-image")).toHaveCount(0);
  await page.mouse.up();
  await expect
    .poll(() => positions(product, person), { timeout: 20_000 })
    .toEqual([
      ["Rect", 425, 250],
      ["Circle", 625, 225],
      ["IText", 263, 366],
    ]);
});

test("UI-69 on a phone the hint says to drag it away, and stands above the stickers; a finger drags a shape and a sticker onto the board", async ({
  product,
  visit,
}) => {
  const person = await visit({
    context: PHONE,
    prepare: (opened) => opened.addInitScript(() => localStorage.removeItem("inkpool:hints")),
  });
  const { page } = person;
  const client = await person.context.newCDPSession(page);
  const drag = async (name: string, [toX, toY]: readonly [number, number]): Promise<void> => {
    const [x, y] = await middleOf(person, name);
    const touch = (type: "touchStart" | "touchMove" | "touchEnd", at?: readonly [number, number]) =>
      client.send("Input.dispatchTouchEvent", {
        type,
        touchPoints: at ? [{ x: at[0], y: at[1] }] : [],
      });
    await touch("touchStart", [x, y]);
    for (let step = 1; step <= 5; step++)
      await touch("touchMove", [x + ((toX - x) * step) / 5, y + ((toY - y) * step) / 5]);
    await touch("touchEnd");
  };
  const hint = page.getByRole("note");
  await expect(hint).toHaveText("Press and move to draw");
  await button(page, "Rectangle").tap();
  await expect(hint).toHaveText(/^Drag it away/);
  await button(page, "Stickers").tap();
  await expect(hint).toHaveText(/^Drag it away.* double tap/);
  const panel = page.getByRole("dialog", { name: "Sticker panel" });
  await expect(panel).toBeVisible();
  const box = (await hint.boundingBox())!;
  await expect
    .poll(async () => ((await panel.boundingBox())?.y ?? 0) - (box.y + box.height))
    .toBeGreaterThanOrEqual(0);
  expect(box.x).toBeGreaterThanOrEqual(0);
  expect(box.x + box.width).toBeLessThanOrEqual(390);
  await expect(button(page, "rocket")).toBeVisible();
  await drag("rocket", [100, 150]);
  await expect(panel).toHaveCount(0);
  await drag("Circle", [200, 400]);
  await expect(selectionBar(page)).toBeVisible();
  await expect
    .poll(() => positions(product, person), { timeout: 20_000 })
    .toEqual([
      ["Rect", 100, 100],
      ["IText", 63, 36],
      ["Circle", 125, 245],
    ]);
});
