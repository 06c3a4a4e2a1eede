import { expect, test } from "../fixtures.ts";
import { holdRequests } from "../traffic.ts";
import { button, savedObjects, saveState, surface } from "./controls.ts";

test("LD-2 keys that come before the code of the canvas and of the keyboard draw when it is there", async ({
  product,
  visit,
}) => {
  let releaseCanvas = (): void => undefined;
  let releaseKeyboard = (): void => undefined;
  const person = await visit({
    unready: true,
    prepare: async (page) => {
      releaseCanvas = await holdRequests(page, /\/assets\/board-code-/);
      releaseKeyboard = await holdRequests(page, /\/assets\/interaction-/);
    },
  });
  const { page } = person;
  await surface(page).focus();
  for (const key of ["Enter", "ArrowRight"]) await page.keyboard.press(key);
  releaseCanvas();
  await person.shown();
  await expect(saveState(page)).toHaveText("Saved");
  for (const key of ["ArrowRight", "Enter"]) await page.keyboard.press(key);
  releaseKeyboard();
  await expect
    .poll(() => savedObjects(product, person), { timeout: 15_000 })
    .toMatchObject([{ path: "M640 360q0 0 5 0t10 0l5 0" }]);
});

test("LD-3 what is drawn before the code of the canvas has arrived is there when it has", async ({
  product,
  visit,
}) => {
  let release = (): void => undefined;
  const ann = await visit({
    unready: true,
    prepare: async (page) => {
      release = await holdRequests(page, /\/assets\/board-code-/);
    },
  });
  const { page } = ann;
  const box = (await surface(page).boundingBox())!;
  const at = (x: number, y: number): [number, number] => [box.x + x, box.y + y];
  const touch = await page.context().newCDPSession(page);
  const [x, y] = at(700, 300);
  await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x, y }] });
  await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await page.mouse.move(...at(200, 200));
  await page.mouse.down();
  await page.mouse.move(...at(300, 200), { steps: 3 });
  await page.mouse.up();
  await page.mouse.move(...at(200, 400));
  await page.mouse.down();
  await page.mouse.move(...at(300, 400), { steps: 3 });
  release();
  await ann.shown();
  // The second stroke ends beside the canvas, which a pressed pointer does not leave.
  await page.mouse.move(...at(400, -20), { steps: 3 });
  await page.mouse.up();
  await expect
    .poll(async () => (await savedObjects(product, ann)).map(({ type }) => type), {
      timeout: 15_000,
    })
    .toEqual(["Path", "Path", "Path"]);
  const [dot, whole, continued] = await savedObjects(product);
  expect(dot).toMatchObject({ left: 698.5, top: 298.5 });
  expect(whole).toMatchObject({ left: 198.5, top: 198.5 });
  expect(continued).toMatchObject({ left: 198.5, top: -21.5 });
});

test("UI-63 characters typed after T before the code of canvas and texts has arrived are in the text", async ({
  product,
  visit,
}) => {
  let releaseCanvas = (): void => undefined;
  let releaseTexts = (): void => undefined;
  const person = await visit({
    unready: true,
    prepare: async (page) => {
      releaseCanvas = await holdRequests(page, /\/assets\/board-code-/);
      releaseTexts = await holdRequests(page, /\/assets\/interaction-/);
    },
  });
  const { page } = person;
  await expect(button(page, "Draw")).toBeVisible();
  await page.mouse.move(300, 300);
  await page.keyboard.press("t");
  await page.keyboard.type("ve");
  releaseCanvas();
  await person.shown();
  await page.keyboard.type("rrx");
  await page.keyboard.press("Backspace");
  await page.keyboard.type("y ");
  await expect(page.locator("textarea")).toHaveCount(0);
  releaseTexts();
  await expect(page.locator("textarea")).toBeFocused();
  await page.keyboard.type("early");
  // A press beside the canvas ends it too.
  await page.getByRole("banner").click({ position: { x: 600, y: 10 } });
  await expect(page.locator("textarea")).toHaveCount(0);
  await expect(person.canvas).toBeFocused();
  await expect
    .poll(() => savedObjects(product, person), { timeout: 20_000 })
    .toMatchObject([{ type: "IText", text: "verry early" }]);
});
