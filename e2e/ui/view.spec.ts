/** Tests the view: controls, keys, and two visitors who look at different parts of the board. */

import { expect, test } from "../fixtures.ts";
import { inSteps } from "../in-steps.ts";
import { knowEachOther, type Person } from "../person.ts";
import { button, savedObjects, surface } from "./controls.ts";
import { enterAsPeer } from "./socket-peer.ts";

const zoom = (person: Person, percent: number) => button(person.page, `Zoom: ${percent} %`);

test("UI-27 the group View zooms, returns to the start and shows all", async ({
  visit,
  product,
}) => {
  const visitor = await visit();
  const { page } = visitor;
  const group = page.getByRole("group", { name: "View" });
  await expect(group.getByRole("button")).toHaveCount(4);
  await expect(zoom(visitor, 100)).toBeVisible();
  await visitor.stroke([1000, 300], [1260, 360]);
  await button(page, "Zoom in").click();
  await expect(zoom(visitor, 125)).toBeVisible();
  await button(page, "Zoom out").click();
  await button(page, "Zoom out").click();
  await expect(zoom(visitor, 80)).toBeVisible();
  await zoom(visitor, 80).click();
  await expect(zoom(visitor, 100)).toBeVisible();
  expect(await visitor.colorAt([1000, 300])).toBe("#000000");
  // Show all on a board that fits does not enlarge it.
  await page.mouse.move(600, 400);
  await page.mouse.wheel(5000, 0);
  // The chip shows the direction.
  await expect(page.getByRole("button", { name: /^Drawing: / })).toBeVisible();
  await button(page, "Show all").click();
  await expect(button(page, "Show all")).toBeVisible();
  await expect(zoom(visitor, 100)).toBeVisible();
  // Nothing of all this is saved.
  await expect.poll(async () => (await savedObjects(product, visitor)).length).toBe(1);
  const row = await product.row();
  expect(Object.keys(row!.canvas_json).toSorted()).toEqual([
    "background",
    "inkpool",
    "objects",
    "version",
  ]);
  expect(JSON.stringify(row)).not.toContain("zoom");
  await page.reload();
  await visitor.ready();
  await expect(zoom(visitor, 100)).toBeVisible();
  expect(await visitor.colorAt([1000, 300])).toBe("#000000");
});

test("CAN-42 keys pan and zoom, Ctrl leaves them to the browser, and the middle button pastes nothing, on the canvas and beside it", async ({
  visit,
}) => {
  const visitor = await visit();
  const { page } = visitor;
  await expect(zoom(visitor, 100)).toBeVisible();
  await visitor.tool("Rectangle");
  await surface(page).focus();
  await expect.poll(() => visitor.colorAt([110, 110])).toBe("#000000");
  await page.keyboard.press("PageUp");
  await expect.poll(() => visitor.colorAt([110, 110 + 360])).toBe("#000000");
  await page.keyboard.press("PageDown");
  await page.keyboard.press("Shift+PageUp");
  await expect.poll(() => visitor.colorAt([110 + 640, 110])).toBe("#000000");
  await page.keyboard.press("+");
  await expect(zoom(visitor, 125)).toBeVisible();
  await page.keyboard.press("-");
  await expect(zoom(visitor, 100)).toBeVisible();
  await page.keyboard.press("Shift+Digit2");
  // This shows 150 x 100 in the area above the dock, with 40 px around: many times its size.
  await expect(page.getByRole("button", { name: /^Zoom: [45]\d\d %$/ })).toBeVisible();
  await page.keyboard.press("Shift+Digit1");
  await expect(zoom(visitor, 100)).toBeVisible();
  await page.keyboard.press("Shift+Digit0");
  await expect.poll(() => visitor.colorAt([110, 110])).toBe("#000000");
  await page.keyboard.press("Control+-");
  await expect(zoom(visitor, 100)).toBeVisible();

  await page.mouse.dblclick(300, 500);
  await page.keyboard.type("selected");
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Escape");
  const events = await page.evaluateHandle(() => {
    const types: string[] = [];
    for (const name of ["auxclick", "paste"])
      addEventListener(name, ({ type }) => void types.push(type), { capture: true });
    return types;
  });
  for (const y of [200, 40]) {
    await page.mouse.move(500, y);
    await page.mouse.down({ button: "middle" });
    await page.mouse.move(520, y + 10);
    await page.mouse.up({ button: "middle" });
  }
  await expect.poll(() => events.jsonValue()).toEqual(["auxclick", "auxclick"]);
});

/** Returns a digest of the drawing's pixels and its size. */
const digest = ({ canvas }: Person): Promise<string> =>
  canvas
    .locator("canvas")
    .first()
    .evaluate(async (element) => {
      const { width, height } = element as HTMLCanvasElement;
      const copy = new OffscreenCanvas(width, height).getContext("2d")!;
      copy.drawImage(element as HTMLCanvasElement, 0, 0);
      const { data } = copy.getImageData(0, 0, width, height);
      const hash = new Uint32Array(await crypto.subtle.digest("SHA-256", data));
      return `${width}x${height} ${hash.join(" ")}`;
    });

test("CAN-28 two visitors with different views draw on each other's ground, and see the same", async ({
  visit,
  product,
}) => {
  const [one, two] = [await visit(), await visit()];
  await knowEachOther(one, two);
  // The second one looks at ground that the first one does not see, at 50 %.
  await two.page.mouse.move(640, 400);
  await two.page.mouse.wheel(2000, 1200);
  for (let i = 0; i < 3; i++) await button(two.page, "Zoom out").click();
  await expect(zoom(two, 51)).toBeVisible();
  await two.color("Red");
  await two.stroke([300, 200], [500, 300], [700, 200]);
  await one.stroke([200, 200], [400, 300]);
  await expect.poll(async () => (await savedObjects(product, one, two)).length).toBe(2);
  // Both go home, then both show all: the same pixels exactly.
  for (const key of ["Shift+Digit0", "Shift+Digit1"]) {
    for (const person of [one, two]) await person.page.keyboard.press(key);
    await expect
      .poll(async () => {
        const [a, b] = [await digest(one), await digest(two)];
        return a === b;
      })
      .toBe(true);
  }
});

test("UI-57 a peer outside of the view is a button at the edge: it goes there, then follows", async ({
  visit,
  product,
}) => {
  const one = await visit();
  const peer = await enterAsPeer(product);
  await expect(one.page.getByText("2 users online")).toBeVisible();
  peer.point(3_650, 300);
  const chip = one.page.getByRole("button", { name: /^Go to / });
  await expect(chip).toBeVisible();
  const box = (await chip.boundingBox())!;
  expect(box.x).toBeGreaterThan(1000);
  // One that rests is no longer shown some time later.
  peer.point(3_660, 300);
  await chip.click();
  const follow = one.page.getByRole("button", { name: /^Follow / });
  await expect(follow).toHaveAttribute("aria-pressed", "false");
  await expect(one.canvas.locator("[data-peer]")).toBeInViewport();
  await follow.click();
  await expect(follow).toHaveAttribute("aria-pressed", "true");
  // The peer continues to the right, and the view moves with it.
  peer.point(6_640, 300);
  await expect(follow).toHaveAttribute("aria-pressed", "true");
  await expect(one.canvas.locator("[data-peer]")).toBeInViewport();
  // This lasts until this visitor moves the view.
  await one.page.mouse.move(300, 400);
  await one.page.mouse.wheel(0, 100);
  await expect(follow).toHaveCount(0);
  peer.leave();
});

test("UI-27 in a small window the view is one button, when it is needed", async ({ visit }) => {
  const visitor = await visit({ context: { viewport: { width: 320, height: 568 } } });
  const { page } = visitor;
  const all = page.getByRole("button", { name: /^Show all/ });
  await expect(page.getByRole("group", { name: "View" })).toBeAttached();
  const check = async (width: number, height: number): Promise<void> => {
    await visitor.clear();
    await page.setViewportSize({ width, height });
    await page.keyboard.press("Shift+Digit0");
    await expect(all).toBeHidden();
    await page.mouse.move(200, 100);
    await page.mouse.wheel(30, 0);
    await expect(all).toHaveText("Show all");
    await page.mouse.wheel(-30, 0);
    await expect(all).toBeHidden();
    // The part at the right would need a wider window.
    await page.mouse.wheel(800, 0);
    await visitor.stroke([20, 70], [60, 90]);
    await page.mouse.wheel(-800, 0);
    await expect(page.getByRole("button", { name: /^Drawing: / })).toBeVisible();
    await expect(all).toHaveText("Show all");
    // A part of the stroke is in view, so there is no chip for it.
    await page.mouse.wheel(840 - width, 0);
    await expect(all).toHaveText("More to the right");
    const box = (await all.boundingBox())!;
    expect(box.height).toBeGreaterThanOrEqual(44);
    expect([box.x >= 0, box.x + box.width <= width, box.y + box.height <= height]).toEqual([
      true,
      true,
      true,
    ]);
    // It is not where shapes and stickers are added.
    expect(box.x >= 250 || box.y + box.height <= 180).toBe(true);
    await all.click();
    await expect(all).toHaveText("Show all");
    await expect(zoom(visitor, 100)).toBeHidden();
  };
  await inSteps({
    "320 x 568": () => check(320, 568),
    "640 x 400": () => check(640, 400),
    "740 x 360": () => check(740, 360),
  });
});
