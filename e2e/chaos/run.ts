/** A chaos run: three visitors draw at random over a bad network, which then recovers. */

import { setTimeout as pause } from "node:timers/promises";
import { type Browser, expect } from "@playwright/test";
import { LIMITS } from "../../board/constants.ts";
import { countDifferences } from "../../testing/pictures/png.ts";
import { NO_FAULTS, startProxy, type Faults, type Proxy } from "../../testing/network/proxy.ts";
import { createRandom, type Random } from "../../testing/random/random.ts";
import { addPicture, twoColors } from "../canvas/picture-steps.ts";
import { forget, type Devices } from "../devices.ts";
import { Person, type Point } from "../person.ts";
import type { Product } from "../product.ts";

const PEOPLE = 3;
const STEPS = 36;
const SETTLED_WITHIN = 90_000;

const FAULTS: Faults = {
  drop: 0.25,
  double: 0.2,
  delay: 1500,
  cutSocket: 0.01,
  requestDelay: 600,
  loseRequest: 0.1,
  loseResponse: 0.15,
};

/**
 * The origins of this worker's former run. The next one has the same, since a browser that has the page's code of an
 * origin takes half a second of work less to open it.
 */
const origins: string[] = [];

/** The objects of one board, in an order that does not depend on the page. */
type BoardData = readonly unknown[];

/**
 * Plays one history from one seed, against a product of its own.
 *
 * @throws when the three boards and the saved row are not the same in the end.
 */
export async function runChaos(
  seed: number,
  product: Product,
  browser: Browser,
  devices: Devices,
): Promise<void> {
  const random = createRandom(seed);
  const proxies: Proxy[] = [];
  const people: Person[] = [];
  try {
    for (let at = 0; at < PEOPLE; at++) {
      const luck = createRandom(random.integer(0, 2 ** 31));
      const port = Number(new URL(origins[at] ?? "http://127.0.0.1:0").port);
      const proxy = await startProxy(product.url, luck, port);
      origins[at] = proxy.url;
      proxies.push(proxy);
      people.push(await enter(browser, devices, proxy));
    }
    for (const proxy of proxies) proxy.setFaults(FAULTS);
    await draw(people, proxies, random);
    for (const proxy of proxies) {
      proxy.restore();
      proxy.setFaults(NO_FAULTS);
    }
    await settle(people, product);
    for (const { problems } of people)
      expect(problems.filter((text) => text.startsWith("uncaught"))).toEqual([]);
    const met = proxies.reduce(
      (sum, { counts }) => sum + counts.dropped + counts.cut + counts.lost,
      0,
    );
    expect(met, "how much the networks lost").toBeGreaterThan(5);
  } finally {
    await Promise.all(people.map(({ context }) => devices.putBack(context)));
    await Promise.all(proxies.map((proxy) => proxy.close()));
  }
}

async function enter(browser: Browser, devices: Devices, proxy: Proxy): Promise<Person> {
  const options = { viewport: { width: 1000, height: 700 } };
  const device = await devices.take(browser, options, proxy.url);
  const person = new Person(device, await device.newPage());
  await forget(person.page, proxy.url);
  await person.page.addInitScript(() => localStorage.setItem("inkpool:debug", "1"));
  await person.open(proxy.url);
  return person;
}

/** The keys that change what is selected. */
const CHANGES = [
  "ArrowLeft",
  "Shift+ArrowDown",
  "Alt+ArrowRight",
  "Control+Shift+ArrowRight",
  "Control+Shift+ArrowUp",
  "Control+]",
  "Control+Shift+[",
  "Control+d",
] as const;

/** Keys that a text which is being written takes. */
const TEXT_KEYS = ["Control+a", "Control+x", "Control+c", "Control+v", "Home", "Enter"] as const;

type Step = (person: Person, random: Random) => Promise<void>;

/** The possible steps of a visitor, with their weights. */
const STEPS_BY_WEIGHT: readonly (readonly [weight: number, step: Step])[] = [
  [6, drawStroke],
  [3, drawByKey],
  [3, addShape],
  [3, writeText],
  [4, dragSomething],
  [4, changeByKeys],
  [2, changeByToolbar],
  [2, copySomething],
  [2, pasteSomething],
  [2, moveView],
  [1, async ({ page }) => addPicture(page, "picture.png", await twoColors(page))],
  [2, erase],
  [2, removeSomething],
  [3, (person) => person.page.keyboard.press("Control+z")],
  [1, (person) => person.page.keyboard.press("Control+y")],
  [1, (person) => person.clear()],
];

async function draw(
  people: readonly Person[],
  proxies: readonly Proxy[],
  random: Random,
): Promise<void> {
  const steps = STEPS_BY_WEIGHT.flatMap(([weight, step]) => Array<Step>(weight).fill(step));
  for (let count = 0; count < STEPS; count++) {
    const at = random.integer(0, people.length - 1);
    const [person, proxy] = [people[at], proxies[at]];
    if (person === undefined || proxy === undefined) continue;
    if (random.boolean(0.08)) proxy.sever();
    else if (random.boolean(0.3)) proxy.restore();
    await random.pick(steps)(person, random);
    // Clock: this is how fast people draw, so that saves and losses fall between their steps.
    await pause(random.integer(0, 500));
  }
}

function somewhere(random: Random): Point {
  return [random.integer(60, 900), random.integer(20, 500)];
}

async function drawStroke(person: Person, random: Random): Promise<void> {
  await person.tool("Draw");
  await person.color(random.pick(["Black", "Red", "Teal", "Green", "Purple"]));
  await person.stroke(somewhere(random), somewhere(random), somewhere(random));
}

/** Draws with one of the tools of `More tools`, which is closed. */
async function drawByKey(person: Person, random: Random): Promise<void> {
  await person.canvas.focus();
  await person.page.keyboard.press(random.pick(["l", "a", "h", "f"]));
  await person.stroke(somewhere(random), somewhere(random));
}

async function writeText(person: Person, random: Random): Promise<void> {
  const { keyboard, mouse } = person.page;
  await person.tool("Select");
  const [x, y] = random.boolean(0.5) ? [150, 150] : somewhere(random);
  await mouse.dblclick(x, y + LIMITS.headerHeight);
  await keyboard.type(
    random.pick(["yes", "two words", "e\u0301", "\u0645\u0631\u062d\u0628\u0627"]),
  );
  for (let count = random.integer(0, 4); count > 0; count--)
    await keyboard.press(random.pick(TEXT_KEYS));
  await keyboard.press("Escape");
}

/** Changes everything, or one object, by keys: position, size, angle, order, copies. */
async function changeByKeys(person: Person, random: Random): Promise<void> {
  const { keyboard } = person.page;
  await person.tool("Select");
  if (random.boolean(0.3)) await keyboard.press("Control+a");
  else await person.click(random.boolean(0.5) ? [150, 150] : somewhere(random));
  for (let count = 0; count < 3; count++) await keyboard.press(random.pick(CHANGES));
}

/** Presses a button of the toolbar at the selection, and sometimes a colour that it offers. */
async function changeByToolbar(person: Person, random: Random): Promise<void> {
  const { page } = person;
  await person.tool("Select");
  await page.keyboard.press("Control+a");
  const buttons = page.getByRole("toolbar", { name: "Selection" }).getByRole("button");
  const count = await buttons.count();
  if (count > 0) await buttons.nth(random.integer(0, count - 1)).press("Enter");
  const panel = page.getByRole("dialog", { name: "Selection colour" });
  if (await panel.isVisible()) await panel.getByRole("button", { name: "Purple" }).press("Enter");
  await page.keyboard.press("Escape");
}

async function copySomething(person: Person, random: Random): Promise<void> {
  const { keyboard } = person.page;
  await person.tool("Select");
  await person.click([150, 150]);
  await keyboard.press(random.pick(["Control+c", "Control+x"]));
  await keyboard.press("Control+v");
}

const PASTED = [
  "pasted words\nin two lines",
  `<svg xmlns="http://www.w3.org/2000/svg"><circle r="40" fill="none" stroke="blue"/></svg>`,
  JSON.stringify({ objects: [{ type: "rect", width: 30, height: 20, angle: 30, fill: "teal" }] }),
];

async function pasteSomething(person: Person, random: Random): Promise<void> {
  await person.canvas.focus();
  await person.page.evaluate((text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    const init = { clipboardData, bubbles: true, cancelable: true };
    document.activeElement?.dispatchEvent(new ClipboardEvent("paste", init));
  }, random.pick(PASTED));
}

async function moveView(person: Person, random: Random): Promise<void> {
  await person.canvas.focus();
  for (let count = 0; count < 2; count++)
    await person.page.keyboard.press(
      random.pick(["+", "-", "PageDown", "Shift+PageUp", "Shift+Digit0", "Shift+Digit1"]),
    );
}

async function addShape(person: Person, random: Random): Promise<void> {
  await person.color(random.pick(["Blue", "Salmon", "Mint", "Yellow"]));
  await person.tool(random.pick(["Rectangle", "Circle"]));
}

async function dragSomething(person: Person, random: Random): Promise<void> {
  await person.tool("Select");
  await person.stroke([150, 150], somewhere(random));
}

async function erase(person: Person, random: Random): Promise<void> {
  await person.tool("Eraser");
  await person.stroke(somewhere(random), somewhere(random));
}

async function removeSomething(person: Person, random: Random): Promise<void> {
  await person.tool("Select");
  await person.click(random.boolean(0.5) ? [150, 150] : somewhere(random));
  await person.page.keyboard.press("Delete");
}

/** Waits until every edit is saved and on every board, then compares the data, the row and the pixels. */
async function settle(people: readonly Person[], product: Product): Promise<void> {
  for (const person of people) {
    await person.tool("Select");
    await person.page.keyboard.press("Escape");
    // A text near the edge has moved the view.
    await person.page.keyboard.press("Shift+Digit0");
    await person.leaveCanvas();
  }
  await expect(async () => {
    for (const person of people) expect(await person.saving.textContent()).toBe("Saved");
    const [first, ...rest] = await Promise.all(people.map(boardOf));
    const row = await product.row();
    expect(rowOf(row?.canvas_json.objects ?? [])).toEqual(first);
    for (const other of rest) expect(other).toEqual(first);
  }, "the boards and the row are equal").toPass({ timeout: SETTLED_WITHIN, intervals: [500] });
  await expect(async () => {
    const [first, ...rest] = await Promise.all(people.map((person) => person.drawing()));
    if (first === undefined) throw new Error("there are no visitors");
    // Where edges overlap, the order of painting may change a channel slightly, and the browser smooths the edges of
    // a nearly horizontal stroke in either of two ways. A word has more pixels.
    for (const other of rest) expect(countDifferences(first, other, 48)).toBeLessThan(100);
  }, "the pictures are equal").toPass({ timeout: 20_000 });
}

/** Returns the objects with all properties, from the bottom to the top of the stack. */
async function boardOf(person: Person): Promise<BoardData> {
  const text = await person.page.evaluate(() => {
    const { inkpool } = window as unknown as { inkpool: { objects(): unknown } };
    return JSON.stringify(inkpool.objects());
  });
  return rowOf(JSON.parse(text) as readonly object[]);
}

/** Returns the row's data, in which the order of an object's properties does not matter. */
function rowOf(objects: readonly object[]): BoardData {
  return objects.map((object) =>
    Object.fromEntries(Object.entries(object).toSorted(([a], [b]) => (a < b ? -1 : 1))),
  );
}
