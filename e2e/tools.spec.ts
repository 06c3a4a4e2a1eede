import { LIMITS } from "../board/constants.ts";
import { expect, test } from "./fixtures.ts";
import { switchTabs, type Person } from "./person.ts";
import type { Product, SavedObject } from "./product.ts";

/** Returns the objects in the row once everything is saved. */
async function saved(product: Product, person: Person): Promise<readonly SavedObject[]> {
  await switchTabs(person);
  await expect(person.saving).toHaveText("Saved");
  return (await product.row())?.canvas_json.objects ?? [];
}

test("CAN-4 Rectangle (150 x 100), Circle (radius 75) and a sticker (60 px, Arial) are added at (100, 100), shapes in the current colour, without stroke, active", async ({
  product,
  visit,
}) => {
  const person = await visit();
  await person.color("Red");
  await person.tool("Rectangle");
  const [rectangle] = await saved(product, person);
  expect(rectangle).toMatchObject({
    type: "Rect",
    left: 100,
    top: 100,
    width: 150,
    height: 100,
    fill: "#ff0000",
  });
  expect(rectangle?.["stroke"] ?? null).toBeNull();
  await person.tool("Select");
  await person.leaveCanvas();
  for (const inside of [
    [103, 103],
    [246, 103],
    [103, 196],
    [246, 196],
  ] as const)
    expect(await person.colorAt(inside)).toBe("#ff0000");
  for (const outside of [
    [97, 150],
    [253, 150],
    [150, 97],
    [150, 203],
  ] as const)
    expect(await person.colorAt(outside)).toBe("#ffffff");

  await person.page.keyboard.press("Control+z");
  await expect.poll(() => person.colorAt([103, 103])).toBe("#ffffff");
  await person.color("Green");
  await person.tool("Circle");
  await person.canvas.press("Delete");
  await expect.poll(() => person.colorAt([175, 175])).toBe("#ffffff");
  await person.tool("Circle");
  const [circle, ...rest] = await saved(product, person);
  expect(rest).toEqual([]);
  expect(circle).toMatchObject({
    type: "Circle",
    left: 100,
    top: 100,
    radius: 75,
    fill: "#2ecc71",
  });
  expect(circle?.["stroke"] ?? null).toBeNull();
  expect(await person.colorAt([175, 175])).toBe("#2ecc71");
  expect(await person.colorAt([105, 105])).toBe("#ffffff");

  await person.page.keyboard.press("Control+z");
  await person.sticker("party popper");
  const [sticker] = await saved(product, person);
  expect(sticker).toMatchObject({
    left: 100,
    top: 100,
    text: "🎉",
    fontSize: 60,
    fontFamily: "Arial",
  });
});

test("CAN-9 Draw and Eraser paint 3 px and 20 px over objects; Select and Stickers select and drag them", async ({
  product,
  visit,
}) => {
  const person = await visit();
  await person.color("Red");
  await person.tool("Rectangle");
  await person.tool("Draw");
  await person.color("Teal");
  await person.stroke([120, 150], [240, 150]);
  expect(await person.colorAt([120, 120])).toBe("#ff0000");
  expect(await person.colorAt([140, 150])).toBe("#4ecdc4");
  await person.tool("Eraser");
  await person.stroke([180, 110], [180, 190]);
  expect(await person.colorAt([180, 150])).toBe("#ffffff");
  expect(await person.colorAt([185, 150])).toBe("#ffffff");
  expect(await person.colorAt([200, 150])).toBe("#4ecdc4");
  const [, ink, white] = await saved(product, person);
  expect(ink).toMatchObject({ type: "Path", stroke: "#4ecdc4", strokeWidth: LIMITS.brushWidth });
  expect(white).toMatchObject({ type: "Path", stroke: "white", strokeWidth: LIMITS.eraserWidth });

  await person.tool("Select");
  await person.stroke([120, 120], [420, 320]);
  await expect.poll(() => person.colorAt([420, 320])).toBe("#ff0000");
  expect(await person.colorAt([120, 120])).toBe("#ffffff");

  await person.tool("Stickers");
  await person.page.keyboard.press("Escape");
  await person.stroke([420, 320], [120, 120]);
  await expect.poll(() => person.colorAt([120, 120])).toBe("#ff0000");
});
