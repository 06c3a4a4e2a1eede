import { expect, test, vi } from "vitest";
import { createPngWriter } from "../export/png.ts";
import { makePicture, type PictureResult } from "./make-picture.ts";

/** Has canvases of 2 x 2 pixels contain what is painted on them, as `read` then shows it to the page. */
function stubCanvas(read: (channel: number) => number): void {
  const data = new Uint8ClampedArray(16);
  const context = {
    fillStyle: "",
    fillRect(x: number, y: number) {
      const at = [1, 3, 5].map((digit) =>
        Number.parseInt(this.fillStyle.slice(digit, digit + 2), 16),
      );
      data.set([...at, 255], 4 * (2 * y + x));
    },
    getImageData: () => ({ data: data.map(read) }),
  };
  vi.stubGlobal("document", { createElement: () => ({ getContext: () => context }) });
}

/** Adds a GIF of one pixel, which a browser that can read it does not decode here. */
function make(): Promise<PictureResult> {
  const file = new Blob([
    Buffer.from("R0lGODdhAQABAIAAAAAAAP///ywAAAAAAQABAAACAkQBADs=", "base64"),
  ]);
  return makePicture(file, { onSize: () => undefined, refuseSvg: async () => null });
}

test("IMG-10 where the browser falsifies what a page reads of a canvas, no picture is added and no PNG is written", async () => {
  for (const falsify of [() => 255, (channel: number) => channel ^ 0x40]) {
    stubCanvas(falsify);
    expect(await make()).toEqual({
      ok: false,
      reason: "the browser's protection against tracking would damage it",
    });
    expect(() => createPngWriter(1, 1)).toThrow("no PNG");
  }
});

test("IMG-10 a browser that changes only the last bits of pixels is trusted", async () => {
  stubCanvas((channel) => channel ^ 1);
  vi.stubGlobal("createImageBitmap", () => Promise.reject(new Error("not here")));
  expect(await make()).toEqual({ ok: false, reason: "it is no picture that can be read" });
});
