import { expect, test } from "../fixtures.ts";
import { Person } from "../person.ts";
import { holdRequests } from "../traffic.ts";
import { savedObjects, saveState, surface } from "./controls.ts";

test("LD-2 keys that come before the code of the keyboard draw when it is there", async ({
  page,
  product,
}) => {
  const release = await holdRequests(page, /\/assets\/interaction-/);
  const person = new Person(page.context(), page);
  await page.goto(product.url);
  await person.shown();
  await expect(saveState(page)).toHaveText("Saved");
  await surface(page).focus();
  for (const key of ["Enter", "ArrowRight", "ArrowRight", "Enter"]) await page.keyboard.press(key);
  release();
  await expect
    .poll(() => savedObjects(product), { timeout: 15_000 })
    .toMatchObject([{ type: "Path" }]);
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
    .poll(async () => (await savedObjects(product)).map(({ type }) => type), { timeout: 15_000 })
    .toEqual(["Path", "Path", "Path"]);
  const [dot, whole, continued] = await savedObjects(product);
  expect(dot).toMatchObject({ left: 698.5, top: 298.5 });
  expect(whole).toMatchObject({ left: 198.5, top: 198.5 });
  expect(continued).toMatchObject({ left: 198.5, top: -21.5 });
});
