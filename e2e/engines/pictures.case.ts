/** Pictures of every format, in every engine: seen alike by a partner in Chromium, and a file that is no picture. */

import { expect } from "@playwright/test";
import { encodeGif } from "../../testing/pictures/gif.ts";
import { inSteps } from "../in-steps.ts";
import { expectSame } from "./same-picture.ts";
import { objectsOf, type Test } from "./steps.ts";
import type { Engine, Point } from "./tab.ts";
import type { Visitor } from "./visitor.ts";

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

/** Returns the name of a colour, which is a little off where a picture is compressed. */
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

/** Defines the steps for an engine. */
export function pictureSteps(engine: Engine, test: Test): void {
  test(`${engine.name}: pictures of every format are pictures for both`, async ({
    visitor,
    partner,
    product,
  }) => {
    const check = async ({ type, by, isTurned = false, bytes }: Given): Promise<void> => {
      await visitor.clear(partner);
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
        {
          type: "Image",
          width,
          height,
          src: expect.stringMatching(/^data:image\/(?:webp|jpeg);base64,/),
        },
      ]);
      await expectSame(visitor, partner, 12_000);
    };
    await inSteps({
      ...Object.fromEntries(GIVEN.map((given) => [given.what, () => check(given)])),
      "a picture of each format that is cut off is none": async () => {
        await visitor.clear(partner);
        for (const type of ["image/png", "image/jpeg", "image/webp"]) {
          const whole = await written(partner, type);
          const cut = whole.subarray(0, whole.length - 20).toString("base64");
          await visitor.tab.evaluate(give, "drop", type, cut, [640, 360] as const);
          await visitor.sees("Close");
          expect(await visitor.text("dialog")).toContain("it is cut off");
          await visitor.press("Close");
        }
      },
      "the dialog about a picture that cannot be read is as high as its words": async () => {
        const text = btoa("no picture");
        await visitor.tab.evaluate(give, "drop", "image/png", text, [640, 360] as const);
        await visitor.sees("Close");
        const height = await visitor.tab.evaluate(
          () => document.querySelector("dialog")?.offsetHeight,
        );
        expect(height).toBeLessThan(300);
        await visitor.press("Close");
      },
    });
  });
}
