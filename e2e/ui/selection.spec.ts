import { LIMITS } from "../../board/constants.ts";
import { expect, test } from "../fixtures.ts";
import { inSteps } from "../in-steps.ts";
import { button, savedObjects, selectionBar, selectionButton } from "./controls.ts";
import { findControls } from "./press.ts";

test("UI-45 the toolbar Selection colours, duplicates, restacks and deletes, each as one undo step", async ({
  product,
  visit,
}) => {
  const person = await visit();
  const { page } = person;
  await person.stroke([120, 150], [200, 150]);
  await expect(selectionBar(page)).toHaveCount(0);
  await person.color("Green");
  await button(page, "Rectangle").click();
  await expect(selectionBar(page).getByRole("button")).toHaveCount(6);
  await expect.poll(() => person.colorAt([150, 150])).toBe("#2ecc71");

  // The palette alone changes only the next stroke.
  await person.color("Red");
  expect(await person.colorAt([150, 150])).toBe("#2ecc71");
  await selectionButton(page, "Colour").click();
  const colours = page.getByRole("dialog", { name: "Selection colour" });
  await colours.getByRole("button", { name: "Red", exact: true }).click();
  await expect.poll(() => person.colorAt([150, 140])).not.toBe("#2ecc71");
  const red = await person.colorAt([150, 140]);

  await selectionButton(page, "To back").click();
  await expect.poll(() => person.colorAt([150, 150])).toBe("#000000");
  await selectionButton(page, "To front").click();
  await expect.poll(() => person.colorAt([150, 150])).toBe(red);

  await selectionButton(page, "Duplicate").click();
  const corner = [
    LIMITS.insertLeft + LIMITS.rectangleWidth + 15,
    LIMITS.insertTop + LIMITS.rectangleHeight + 15,
  ] as const;
  await expect.poll(() => person.colorAt(corner)).toBe(red);
  await page.keyboard.press("Control+d");
  await expect
    .poll(async () => (await savedObjects(product, person)).length, { timeout: 20_000 })
    .toBe(4);
  const [left, top] = [LIMITS.insertLeft, LIMITS.insertTop];
  expect(await savedObjects(product, person)).toMatchObject([
    { type: "Path" },
    { type: "Rect", left, top, fill: red },
    { type: "Rect", left: left + 20, top: top + 20, fill: red },
    { type: "Rect", left: left + 40, top: top + 40, fill: red },
  ]);

  await selectionButton(page, "Delete").click();
  await expect(selectionBar(page)).toHaveCount(0);
  for (let step = 0; step < 3; step++) await page.keyboard.press("Control+z");
  await expect.poll(() => person.colorAt(corner)).toBe("#ffffff");
  await page.keyboard.press("Control+z");
  await expect.poll(() => person.colorAt([150, 150])).toBe("#000000");
  await page.keyboard.press("Control+z");
  await expect.poll(() => person.colorAt([150, 150])).toBe(red);
  await page.keyboard.press("Control+z");
  await expect.poll(() => person.colorAt([150, 150])).toBe("#2ecc71");
});

test("UI-45 the toolbar Selection follows the view, hides during a drag, and goes by keys; in a small window every button is in the window, and can be pressed", async ({
  visit,
}) => {
  const person = await visit({ context: { hasTouch: true } });
  const { page } = person;
  await button(page, "Rectangle").click();
  const before = (await selectionBar(page).boundingBox())!;
  expect(before.y).toBeGreaterThan(LIMITS.headerHeight + LIMITS.insertTop + LIMITS.rectangleHeight);
  await page.mouse.move(700, 500);
  await page.mouse.wheel(-60, -40);
  await expect
    .poll(() => selectionBar(page).boundingBox())
    .toMatchObject({ x: before.x + 60, y: before.y + 40 });
  await page.mouse.move(210, 250);
  await page.mouse.down();
  await page.mouse.move(260, 280, { steps: 3 });
  await expect(selectionBar(page)).toHaveCount(0);
  await page.mouse.up();
  await expect
    .poll(() => selectionBar(page).boundingBox())
    .toMatchObject({ x: before.x + 110, y: before.y + 70 });

  await person.canvas.focus();
  for (let tries = 0; tries < 5; tries++) {
    if (await selectionButton(page, "Colour").evaluate((one) => one === document.activeElement))
      break;
    await page.keyboard.press("Tab");
  }
  await expect(selectionButton(page, "Colour")).toBeFocused();
  await page.keyboard.press("End");
  await expect(selectionButton(page, "Delete")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(selectionBar(page)).toHaveCount(0);
  await expect.poll(() => person.colorAt([260, 240])).toBe("#ffffff");

  await page.keyboard.press("Shift+Digit0");
  const folded = button(page, "Tools");
  const check = async (width: number, height: number): Promise<void> => {
    await page.setViewportSize({ width, height });
    await expect(folded).toBeVisible({ visible: height < 394 });
    if (height < 394) await folded.click();
    await button(page, "Rectangle").click();
    await expect(selectionBar(page).getByRole("button")).toHaveCount(6);
    for (const { name, box, isHit } of await findControls(page, ".selection-bar")) {
      const edges = [box.x, box.y, width - box.x - box.width, height - box.y - box.height];
      expect(Math.min(...edges), name).toBeGreaterThanOrEqual(0);
      expect(isHit, name).toBe(true);
    }
    expect(await selectionBar(page).evaluate(({ scrollLeft }) => scrollLeft)).toBe(0);
    await page.keyboard.press("Delete");
    await expect(selectionBar(page)).toHaveCount(0);
  };
  await inSteps({
    "320x256": () => check(320, 256),
    "390x844": () => check(390, 844),
    "740x360": () => check(740, 360),
  });
});

test("UI-46 Alt and a drag moves a copy; Escape and a second finger put it back", async ({
  product,
  visit,
}) => {
  const person = await visit({ context: { hasTouch: true } });
  const { page } = person;
  await person.color("Green");
  await button(page, "Rectangle").click();
  await expect.poll(() => person.colorAt([150, 150])).toBe("#2ecc71");

  const altDrag = async (): Promise<void> => {
    await page.keyboard.down("Alt");
    await person.press([150, 150]);
    await person.move([550, 450], 5);
  };
  await altDrag();
  // The original stays, also while the copy moves.
  expect(await person.colorAt([150, 150])).toBe("#2ecc71");
  await page.keyboard.press("Escape");
  await person.release();
  await page.keyboard.up("Alt");
  const client = await person.context.newCDPSession(page);
  const touch = (type: string, ...fingers: readonly (readonly [number, number])[]) =>
    client.send("Input.dispatchTouchEvent", {
      type: type as "touchStart",
      modifiers: 1,
      touchPoints: fingers.map(([x, y], id) => ({ x, y: y + LIMITS.headerHeight, id })),
    });
  await touch("touchStart", [150, 150]);
  await touch("touchMove", [158, 150]);
  await touch("touchStart", [158, 150], [300, 300]);
  await touch("touchEnd");
  expect(await person.colorAt([550, 450])).toBe("#ffffff");

  await altDrag();
  await person.release();
  await page.keyboard.up("Alt");
  await expect.poll(() => person.colorAt([550, 450])).toBe("#2ecc71");
  expect(await person.colorAt([150, 150])).toBe("#2ecc71");
  // The copy is selected.
  await page.keyboard.press("ArrowRight");
  await expect
    .poll(() => savedObjects(product, person), { timeout: 20_000 })
    .toMatchObject([
      { left: 100, top: 100 },
      { left: 501, top: 400 },
    ]);
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+z");
  await expect.poll(() => person.colorAt([550, 450])).toBe("#ffffff");
  expect(await person.colorAt([150, 150])).toBe("#2ecc71");

  // Alt and an arrow still rotate.
  await person.click([150, 150]);
  await page.keyboard.press("Alt+ArrowRight");
  await expect.poll(() => person.colorAt([105, 105])).toBe("#ffffff");
});
