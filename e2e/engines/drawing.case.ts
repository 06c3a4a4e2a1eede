/** What the tools draw, in every engine: by mouse, keys and pen, shown alike by a partner in Chromium. */

import { expect } from "@playwright/test";
import { encodeGif } from "../../testing/pictures/gif.ts";
import { expectSame } from "./same-picture.ts";
import { objectsOf, type Test } from "./steps.ts";
import type { Engine, PenPoint, Point } from "./tab.ts";
import type { Visitor } from "./visitor.ts";

const RED = "#ff0000";
const WHITE = "#ffffff";

/** A rectangle whose upper side sags, from its upper left corner. */
const SAGGING: readonly Point[] = [
  [300, 200],
  [500, 220],
  [700, 200],
  [703, 300],
  [700, 400],
  [500, 398],
  [300, 400],
  [303, 300],
  [300, 204],
];

/** Numbers of a path of two points: where it begins and where it ends. */
async function endsOf(path: unknown): Promise<number[]> {
  const [x = 0, y = 0, dx = 0, dy = 0] = (String(path).match(/-?[\d.]+/g) ?? []).map(Number);
  return [x, y, x + dx, y + dy];
}

export function drawingSuite(engine: Engine, test: Test): void {
  test(`${engine.name}: ink, lines, a highlighter, the eraser, shapes and ink of a pen's pressure look alike on both sides`, async ({
    visitor,
    partner,
    product,
  }) => {
    for (const person of [visitor, partner]) await person.sees("2 users online");
    await visitor.chooseFromMenu("Pressure");
    await visitor.tab.press("Escape");
    await visitor.press("Red");
    await visitor.rest([200, 100]);
    await visitor.tab.press("3");
    await visitor.penStroke(
      Array.from({ length: 41 }, (_, i): PenPoint => [
        200 + 10 * i,
        250 + 40 * Math.sin(i / 5),
        (i + 1) / 41,
      ]),
    );
    await visitor.stroke([200, 350], [300, 450], [400, 350], [500, 450], [600, 350]);
    for (const [at, key] of ["l", "a", "h"].entries()) {
      await visitor.rest([700, 200]);
      await visitor.tab.press(key);
      await visitor.stroke([700, 200 + at * 60], [1000, 230 + at * 60]);
    }
    await visitor.stroke([700, 260], [1000, 260]);
    await visitor.press("Eraser");
    await visitor.stroke([250, 300], [550, 480]);
    await visitor.press("Teal");
    await visitor.press("Circle");
    await visitor.tab.press("Escape");
    await visitor.saved();
    expect(await objectsOf(product)).toMatchObject([
      { type: "Path", fill: RED, strokeWidth: 0 },
      { type: "Path", fill: null, strokeWidth: 12 },
      { type: "Path", strokeWidth: 12 },
      { type: "Path", strokeWidth: 12 },
      { type: "Path", strokeWidth: 20, opacity: 0.4 },
      { type: "Path", strokeWidth: 20, opacity: 0.4 },
      { type: "Path", eraser: true },
      { type: "Circle" },
    ]);
    // Thin where the pen was light, wide where it was not.
    await visitor.shows([210, 264], WHITE);
    await visitor.shows([590, 283], RED);
    await expectSame(visitor, partner, 20_000);
  });

  test(`${engine.name}: an end of a line is dragged, in steps of 15 degrees with Shift, and moved by keys`, async ({
    visitor,
    partner,
    product,
  }) => {
    for (const person of [visitor, partner]) await person.sees("2 users online");
    await visitor.press("Red");
    await visitor.rest([200, 200]);
    await visitor.tab.press("l");
    await visitor.stroke([200, 200], [400, 200]);
    await visitor.press("Select");
    await visitor.click([300, 200]);
    await visitor.sees("Duplicate");
    await visitor.stroke([400, 200], [600, 400]);
    for (const person of [visitor, partner]) await person.shows([400, 300], RED);
    for (const person of [visitor, partner]) await person.shows([350, 200], WHITE);
    await visitor.tab.hold("Shift");
    await visitor.stroke([600, 400], [604, 206]);
    await visitor.tab.letGo("Shift");
    for (const person of [visitor, partner]) await person.shows([590, 200], RED);
    await visitor.saved();
    expect(await endsOf((await objectsOf(product))[0]?.["path"])).toEqual([200, 200, 604, 200]);
    // By keys: first the end where the line leads, then the other one.
    await visitor.focusCanvas();
    await visitor.tab.press("Enter");
    for (let i = 0; i < 3; i++) await visitor.tab.press("Shift+ArrowDown");
    await visitor.tab.press("ArrowLeft");
    await visitor.tab.press("Enter");
    await visitor.tab.press("Shift+ArrowUp");
    await visitor.tab.press("Escape");
    // The line itself is still selected.
    await visitor.sees("Duplicate");
    await expect
      .poll(async () => {
        await visitor.saveNow();
        return endsOf((await objectsOf(product))[0]?.["path"]);
      })
      .toEqual([200, 190, 603, 230]);
    await visitor.tab.press("Escape");
    await expectSame(visitor, partner, 300);
  });

  test(`${engine.name}: a line that is drawn with Shift has a direction of 15 degrees`, async ({
    visitor,
    product,
  }) => {
    await visitor.rest([200, 200]);
    await visitor.tab.press("a");
    await visitor.tab.hold("Shift");
    await visitor.stroke([200, 200], [500, 212]);
    await visitor.stroke([200, 300], [400, 480]);
    await visitor.tab.letGo("Shift");
    await visitor.saved();
    const saved = await objectsOf(product);
    expect(await endsOf(saved[0]?.["path"])).toEqual([200, 200, 500, 200]);
    expect(await endsOf(saved[1]?.["path"])).toEqual([200, 300, 390, 490]);
  });

  test(`${engine.name}: a stroke that is held becomes its shape, undo brings back its ink and then removes it`, async ({
    visitor,
    partner,
    product,
  }) => {
    for (const person of [visitor, partner]) await person.sees("2 users online");
    await visitor.press("Red");
    await visitor.rest([300, 200]);
    await visitor.tab.press("3");
    await visitor.beginStroke(...SAGGING);
    // The upper side as it was drawn; the shape's is straight.
    await visitor.shows([500, 222], WHITE, "all");
    await visitor.release();
    for (const person of [visitor, partner]) {
      await person.shows([702, 300], RED);
      await person.shows([500, 222], WHITE);
    }
    await expectSame(visitor, partner, 10_000);
    await visitor.saved();
    expect(await objectsOf(product)).toMatchObject([
      { type: "Path", path: expect.stringMatching(/z$/), strokeWidth: 12 },
    ]);
    await visitor.tab.press("Control+z");
    for (const person of [visitor, partner]) await person.shows([500, 220], RED);
    await expectSame(visitor, partner, 10_000);
    await visitor.tab.press("Control+z");
    for (const person of [visitor, partner]) await person.shows([500, 220], WHITE);
    await visitor.saved();
    expect(await objectsOf(product)).toEqual([]);
  });

  picturesOf(engine, test);
}

/** Red on the left, blue on the right. */
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="160" height="80">
  <path fill="#f00" d="M0 0h80v80H0z"/><path fill="#00f" d="M80 0h80v80H80z"/></svg>`;

/** A JPEG with the orientation 6: it is shown turned by a quarter to the right. */
function turned(jpeg: Buffer): Buffer {
  const tiff = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0];
  const exif = [...Buffer.from("Exif\0\0"), ...tiff, 0, 0, 0, 0];
  const segment = Buffer.from([0xff, 0xe1, 0, exif.length + 2, ...exif]);
  return Buffer.concat([jpeg.subarray(0, 2), segment, jpeg.subarray(2)]);
}

/** The picture in a format that the partner's browser writes. */
async function written(partner: Visitor, type: string): Promise<Buffer> {
  const url = await partner.tab.evaluate((as) => {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [160, 80];
    const context = canvas.getContext("2d")!;
    for (const [color, left] of [
      ["#ff0000", 0],
      ["#0000ff", 80],
    ] as const) {
      context.fillStyle = color;
      context.fillRect(left, 0, 80, 80);
    }
    return canvas.toDataURL(as, 0.95);
  }, type);
  expect(url.startsWith(`data:${type};`)).toBe(true);
  return Buffer.from(url.slice(url.indexOf(",") + 1), "base64");
}

/**
 * Gives the page a file by a drop or a paste, or as the one that the visitor chooses next: by events of a script, since
 * no driver drops or pastes a file, and WebKit's and Firefox's cannot answer a dialog for files that is not in the page.
 * Runs in the page.
 */
function give(by: "drop" | "paste" | "choose", type: string, base64: string, at: Point): void {
  const bytes = Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
  const data = new DataTransfer();
  data.items.add(new File([bytes], `picture.${type.slice(6, 9)}`, { type }));
  const surface = document.querySelector("[role=application]")!;
  const how = { bubbles: true, cancelable: true };
  if (by === "drop") {
    const { left, top } = surface.getBoundingClientRect();
    const where = { clientX: left + at[0], clientY: top + at[1] };
    surface.dispatchEvent(new DragEvent("drop", { dataTransfer: data, ...where, ...how }));
  } else if (by === "paste") {
    const event = new ClipboardEvent("paste", how);
    // Firefox does not take over the data that a script gives.
    Object.defineProperty(event, "clipboardData", { value: data });
    document.body.dispatchEvent(event);
  } else {
    // An element's own `click` lies above this one, and is there again without it.
    HTMLInputElement.prototype.click = function choose() {
      Reflect.deleteProperty(HTMLInputElement.prototype, "click");
      this.files = data.files;
      this.dispatchEvent(new Event("change"));
    };
  }
}

type Colour = "red" | "blue" | "white" | "other";

/** What is compressed is a little off. */
function nameOf(hex: string): Colour {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  if (r > 225 && g > 225 && b > 225) return "white";
  if (g < 60 && r > 195 && b < 60) return "red";
  return g < 60 && r < 60 && b > 195 ? "blue" : "other";
}

interface Given {
  readonly what: string;
  readonly type: string;
  readonly by: "drop" | "paste" | "choose";
  readonly isTurned?: boolean;
  readonly bytes: (partner: Visitor) => Promise<Buffer> | Buffer;
}

const GIVEN: readonly Given[] = [
  {
    what: "a JPEG of a camera that was held upright",
    type: "image/jpeg",
    by: "drop",
    isTurned: true,
    bytes: async (partner) => turned(await written(partner, "image/jpeg")),
  },
  {
    what: "a GIF of two frames",
    type: "image/gif",
    by: "drop",
    bytes: () =>
      encodeGif(
        { width: 160, height: 80 },
        [0xff0000, 0x0000ff, 0x00ff00],
        [(x) => (x < 80 ? 0 : 1), () => 2],
      ),
  },
  {
    what: "a WebP",
    type: "image/webp",
    by: "drop",
    bytes: (partner) => written(partner, "image/webp"),
  },
  {
    what: "a PNG that is pasted",
    type: "image/png",
    by: "paste",
    bytes: (partner) => written(partner, "image/png"),
  },
  {
    what: "an SVG by Add picture",
    type: "image/svg+xml",
    by: "choose",
    bytes: () => Buffer.from(SVG),
  },
];

function picturesOf(engine: Engine, test: Test): void {
  for (const { what, type, by, isTurned = false, bytes } of GIVEN)
    test(`${engine.name}: ${what} is a picture for both`, async ({ visitor, partner, product }) => {
      for (const person of [visitor, partner]) await person.sees("2 users online");
      const middle: Point = [640, 360];
      await visitor.rest(middle);
      const base64 = (await bytes(partner)).toString("base64");
      await visitor.tab.evaluate(give, by, type, base64, middle);
      if (by === "choose") await visitor.chooseFromMenu("Add picture");
      const [x, y] = middle;
      const expected: readonly (readonly [at: Point, colour: Colour])[] = isTurned
        ? [
            [[x, y - 60], "red"],
            [[x, y + 60], "blue"],
            [[x - 60, y], "white"],
          ]
        : [
            [[x - 60, y], "red"],
            [[x + 60, y], "blue"],
            [[x, y + 60], "white"],
          ];
      for (const person of [visitor, partner])
        for (const [at, colour] of expected)
          await expect
            .poll(async () => nameOf(await person.colourAt(at)), { message: at.join() })
            .toBe(colour);
      await visitor.saved();
      const [width, height] = isTurned ? [80, 160] : [160, 80];
      expect(await objectsOf(product)).toMatchObject([
        { type: "Image", width, height, src: expect.stringMatching(/^data:image\/[a-z]+;base64,/) },
      ]);
      await expectSame(visitor, partner, 12_000);
    });
}
