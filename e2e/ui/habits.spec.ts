import { clickOn } from "../click.ts";
import { expect, test } from "../fixtures.ts";
import { savedObjects, selectionBar } from "./controls.ts";

test("CAN-52 Shift draws a straight line, also within a stroke, and it is shown while it is drawn", async ({
  product,
  visit,
}) => {
  const person = await visit();
  const { page } = person;
  const paths = async () => (await savedObjects(product, person)).map(({ path }) => path);
  await page.keyboard.down("Shift");
  await person.press([100, 100]);
  await person.move([200, 300], 8);
  await person.move([500, 100], 8);
  await expect.poll(() => person.colorAt([300, 100])).toBe("#000000");
  await person.release();
  await page.keyboard.up("Shift");
  await expect.poll(() => person.colorAt([300, 100])).toBe("#000000");
  expect(await person.colorAt([200, 300])).toBe("#ffffff");
  await expect.poll(paths, { timeout: 20_000 }).toEqual([expect.stringMatching(/^M100 100[^C]*$/)]);

  // It is freehand, a line, and freehand again; it is repeated where the machine paused so long that the stroke
  // became a shape.
  await expect(async () => {
    await person.clear();
    await person.press([100, 400]);
    await person.move([100, 340], 6);
    await page.keyboard.down("Shift");
    await person.move([300, 480], 6);
    await person.move([400, 340], 6);
    await page.keyboard.up("Shift");
    await person.move([400, 440], 6);
    await person.release();
    for (const at of [
      [250, 340],
      [400, 420],
    ] as const)
      await expect.poll(() => person.colorAt(at), { timeout: 3_000 }).toBe("#000000");
  }).toPass();
  expect(await person.colorAt([300, 480])).toBe("#ffffff");
  await expect.poll(paths, { timeout: 20_000 }).toEqual([expect.stringMatching(/^M100 400/)]);
});

test("CAN-47 Shift keeps a move on its axis and a shape in its ratio; a corner is free without it, but a sticker and several objects keep theirs", async ({
  product,
  visit,
}) => {
  const person = await visit();
  const { page } = person;
  const saved = async () =>
    (await savedObjects(product, person)).map(({ left, top, scaleX = 1, scaleY = 1 }) => [
      ...[left, top, scaleX, scaleY],
    ]);
  await clickOn(page, "button", "Rectangle");
  await clickOn(page, "button", "Select");
  // The object is selected and pressed with Shift.
  await page.keyboard.down("Shift");
  await person.press([150, 150]);
  await person.move([250, 180], 5);
  await person.release();
  await page.keyboard.up("Shift");
  await expect.poll(saved, { timeout: 20_000 }).toEqual([[200, 100, 1, 1]]);
  await person.press([250, 150]);
  await person.move([230, 160], 2);
  await page.keyboard.down("Shift");
  await person.move([230, 250], 5);
  await person.release();
  await page.keyboard.up("Shift");
  await expect.poll(saved, { timeout: 20_000 }).toEqual([[200, 200, 1, 1]]);

  // This is the corner at (350, 300).
  await person.stroke([350, 300], [500, 300]);
  await expect.poll(saved, { timeout: 20_000 }).toEqual([[200, 200, 2, 1]]);
  await page.keyboard.down("Shift");
  await person.strokeWithKeys([500, 300], [650, 300]);
  await page.keyboard.up("Shift");
  await expect
    .poll(async () => {
      const [, , scaleX, scaleY] = (await saved())[0] ?? [];
      return Number(scaleX) > 2 && Math.abs(Number(scaleX) / Number(scaleY) - 2) < 0.01;
    })
    .toBe(true);

  // A press with Shift that does not drag deselects the object.
  await expect(selectionBar(page)).toBeVisible();
  await page.keyboard.down("Shift");
  await person.click([250, 250]);
  await page.keyboard.up("Shift");
  await expect(selectionBar(page)).toHaveCount(0);

  // A sticker and several objects keep their ratio without it.
  await person.clear();
  await person.sticker("rocket");
  const corner = async () => {
    const [sticker] = await savedObjects(product, person);
    return [Number(sticker?.["scaleX"] ?? 1), Number(sticker?.["scaleY"] ?? 1)] as const;
  };
  // The rocket's box ends near (185, 168), whatever the fonts are; the keys do not depend on that.
  await page.keyboard.press("Control+Shift+ArrowRight");
  await expect.poll(async () => (await corner())[0], { timeout: 20_000 }).toBeGreaterThan(1);
  const [x, y] = await corner();
  expect(y).toBeCloseTo(x, 3);
  await clickOn(page, "button", "Rectangle");
  await clickOn(page, "button", "Select");
  await person.canvas.focus();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Control+Shift+ArrowDown");
  await expect.poll(async () => (await corner())[0], { timeout: 20_000 }).toBeGreaterThan(x);
  const [wide, high] = await corner();
  expect(high).toBeCloseTo(wide, 3);
});

test("UI-67 brackets with Control bring an object past the next one, with Shift to the end", async ({
  visit,
}) => {
  const person = await visit();
  const { page } = person;
  const colors = ["Red", "Green", "Purple"] as const;
  for (const color of colors) {
    await person.color(color);
    await clickOn(page, "button", "Rectangle");
  }
  const [red, green, purple] = ["#ff0000", "#2ecc71", "#9b59b6"];
  await expect.poll(() => person.colorAt([150, 150])).toBe(purple);
  await page.keyboard.press("Control+[");
  await expect.poll(() => person.colorAt([150, 150])).toBe(green);
  await page.keyboard.press("Control+]");
  await expect.poll(() => person.colorAt([150, 150])).toBe(purple);
  await page.keyboard.press("Control+Shift+{");
  await expect.poll(() => person.colorAt([150, 150])).toBe(green);
  await page.keyboard.press("Control+]");
  await expect.poll(() => person.colorAt([150, 150])).toBe(green);
  await page.keyboard.press("Control+Shift+}");
  await expect.poll(() => person.colorAt([150, 150])).toBe(purple);
  for (let step = 0; step < 3; step++) await page.keyboard.press("Control+z");
  await expect.poll(() => person.colorAt([150, 150])).toBe(purple);
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+z");
  await expect.poll(() => person.colorAt([150, 150])).toBe(green);
  expect(red).not.toBe(green);
});
