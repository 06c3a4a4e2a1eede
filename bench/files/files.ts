/** Files that take long to read, in each format that the page opens. */

import { HOSTILE_FILES } from "../../testing/hostile/files.ts";
import { createRandom } from "../../testing/random/random.ts";

/** The number of objects in a generated hostile file. */
const OBJECTS = 1_000;

const svg = (inner: string) => `<svg xmlns="http://www.w3.org/2000/svg">${inner}</svg>`;
const uses = (count: number) => '<use href="#a"/>'.repeat(count);
const numbers = (count: number) => Array.from({ length: count }, (_, at) => (at * 7919) % 1000);
const million = `<polyline id="a" points="${"1,2 ".repeat(1_000_000)}"/>`;
const square = { type: "rect", width: 9, height: 9, fill: "#123456", stroke: "#654321" };

const line = () => ({
  ...{ type: "line", x: 0, y: 0, roundness: { type: 2 } },
  points: numbers(49_999).map((x, y) => [x, y % 1000]),
});

const excalidraw = (elements: readonly unknown[]) =>
  JSON.stringify({ type: "excalidraw", version: 2, elements });

const fabric = (objects: readonly unknown[]) => JSON.stringify({ version: "5.3.0", objects });

/** The contents, by a name that ends like the file's. */
export const FILES: Readonly<Record<string, () => string>> = {
  "a million points, repeated 20,000 times.svg": () => svg(million + uses(20_000)),
  "a line of 60,000 points, repeated 40 times.svg": () =>
    svg(`<polyline id="a" points="${numbers(120_000).join(" ")}"/>${uses(40)}`),
  "99,000 rectangles.svg": () => svg('<rect width="9" height="9"/>'.repeat(99_000)),
  "2.6 million elements.svg": () => svg("<a/>".repeat(2_600_000)),
  "14 lines of 49,999 points.excalidraw": () =>
    excalidraw(Array.from({ length: 14 }, () => line())),
  "95,000 rectangles.excalidraw": () =>
    excalidraw(numbers(95_000).map((y, x) => ({ type: "rectangle", x, y, width: 9, height: 9 }))),
  "95,000 squares.json": () =>
    fabric(numbers(95_000).map((top, left) => ({ ...square, left, top }))),
  "3.4 million empty objects.json": () =>
    fabric([]).replace("[]", `[${"{},".repeat(3_400_000)}{}]`),
  "one path of 9 MB.json": () =>
    fabric([{ type: "path", path: `M0 0${"l1 1 ".repeat(1_800_000)}`, stroke: "red" }]),
  ...Object.fromEntries(
    Object.entries(HOSTILE_FILES).map(([format, file]) => [
      `${OBJECTS.toLocaleString("en")} hostile objects of ${format}`,
      () => file(OBJECTS, createRandom(1)),
    ]),
  ),
};
