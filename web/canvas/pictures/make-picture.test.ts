import { expect, test, vi } from "vitest";
import { createPngWriter } from "../export/png.ts";
import { makePicture, type PictureResult } from "./make-picture.ts";

const MAX_FILE = 50 * 1024 * 1024;

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
    expect(() => createPngWriter(1, 1)).toThrow("protection against tracking");
  }
});

test("IMG-10 a browser that changes only the last bits of pixels is trusted", async () => {
  stubCanvas((channel) => channel ^ 1);
  vi.stubGlobal("createImageBitmap", () => Promise.reject(new Error("not here")));
  expect(await make()).toEqual({ ok: false, reason: "it is no picture that can be read" });
});

/** Returns a PNG file without pixels. */
function header(width: number, height: number): Uint8Array<ArrayBuffer> {
  const bytes = new DataView(new ArrayBuffer(45));
  bytes.setBigUint64(0, 0x89504e470d0a1a0an);
  bytes.setBigUint64(8, 0x0000000d49484452n);
  bytes.setUint32(16, width);
  bytes.setUint32(20, height);
  bytes.setUint32(37, 0x49454e44);
  return new Uint8Array(bytes.buffer);
}

/** Returns the reason for which a file becomes no picture. Here one that could be read is not decoded. */
async function reasonOf(content: Uint8Array<ArrayBuffer>, size = content.length): Promise<string> {
  const file = Object.defineProperty(new Blob([content]), "size", { value: size });
  const steps = { refuseSvg: async () => null, onSize: () => undefined };
  const result = await makePicture(file, steps);
  return result.ok ? "" : result.reason;
}

test("IMG-10 a file of more than 50 MB or 100 million pixels, or that is cut off, is not decoded", async () => {
  stubCanvas((channel) => channel);
  vi.stubGlobal("createImageBitmap", () => Promise.reject(new Error("not here")));
  const unreadable = "it is no picture that can be read";
  expect(await reasonOf(header(1, 1), MAX_FILE)).toBe(unreadable);
  expect(await reasonOf(header(1, 1), MAX_FILE + 1)).toBe("it is larger than 50 MB");
  expect(await reasonOf(header(10_000, 10_000))).toBe(unreadable);
  expect(await reasonOf(header(10_000, 10_001))).toBe("it has more than 100 million pixels");
  expect(await reasonOf(header(1, 1).slice(0, 33))).toBe("it is cut off");
});

test("IMG-15 a file of another type, such as HEIC, is refused with the types that can be added", async () => {
  const heic = new TextEncoder().encode("\0\0\0\u0018ftypheic\0\0\0\0mif1heic");
  expect(await reasonOf(heic)).toBe("it is none of PNG, JPEG, WebP, GIF and SVG");
});

test("IMG-8 an SVG in UTF-16 is one, and goes through its check", async () => {
  stubCanvas((channel) => channel);
  const text = '<?xml version="1.0" encoding="UTF-16"?><svg xmlns="http://www.w3.org/2000/svg"/>';
  for (const isBig of [false, true]) {
    const bytes = Buffer.from(`\ufeff${text}`, "utf16le");
    const svg = new Blob([Uint8Array.from(isBig ? bytes.swap16() : bytes)]);
    const steps = { refuseSvg: async () => "it was checked", onSize: () => undefined };
    expect(await makePicture(svg, steps)).toEqual({ ok: false, reason: "it was checked" });
  }
});

test("IMG-10 a file that disappeared or is empty says so, instead of being no picture", async () => {
  const gone = new Blob([header(1, 1)]);
  gone.arrayBuffer = () => Promise.reject(new DOMException("gone", "NotFoundError"));
  const steps = { refuseSvg: async () => null, onSize: () => undefined };
  expect(await makePicture(gone, steps)).toMatchObject({ reason: "it could not be read" });
  expect(await makePicture(new Blob([]), steps)).toMatchObject({ reason: "it is empty" });
});

/** Has a browser that writes no WebP decode a picture with transparent parts, of which a pixel takes 2 bytes as PNG. */
function stubSafari(width: number, height: number): void {
  const painted = new Uint8ClampedArray(16);
  const makeCanvas = () => {
    let isWhite = false;
    const canvas = {
      ...{ width: 0, height: 0 },
      getContext: () => ({
        ...{ canvas, fillStyle: "" },
        fillRect(x: number, y: number) {
          isWhite = this.fillStyle === "#fff";
          const digits = [1, 3, 5].map((at) =>
            Number.parseInt(this.fillStyle.slice(at, at + 2), 16),
          );
          if (this.fillStyle.length === 7) painted.set([...digits, 255], 4 * (2 * y + x));
        },
        drawImage: () => undefined,
        setTransform: () => undefined,
        getImageData: () => ({ data: canvas.width === 2 ? painted : [0, 0, 0, isWhite ? 255 : 0] }),
      }),
      toBlob(done: (blob: object) => void, type: string) {
        const bytes = canvas.width * canvas.height;
        done(
          type === "image/jpeg"
            ? { type, size: bytes / 10 }
            : { type: "image/png", size: bytes * 2 },
        );
      },
    };
    return canvas;
  };
  class Reader {
    result = "";
    onload = (): void => undefined;
    readAsDataURL({ type, size }: Blob): void {
      this.result = `data:${type};base64,${"A".repeat((size * 4) / 3)}`;
      this.onload();
    }
  }
  vi.stubGlobal("document", { createElement: makeCanvas });
  vi.stubGlobal("FileReader", Reader);
  vi.stubGlobal("createImageBitmap", async () => ({ width, height, close: () => undefined }));
}

test("IMG-9 where the browser writes no WebP, a PNG that would be blurred is a JPEG on white", async () => {
  const kindOf = async (width: number, height: number): Promise<unknown> => {
    stubSafari(width, height);
    const made = await make();
    return made.ok ? [made.source.slice(5, 15), made.width, made.height] : made;
  };
  expect(await kindOf(1600, 1000)).toEqual(["image/jpeg", 1600, 1000]);
  expect(await kindOf(1600, 100)).toEqual(["image/png;", 1200, 75]);
  expect(await kindOf(300, 300)).toEqual(["image/png;", 300, 300]);
  expect(await kindOf(800, 300)).toEqual(["image/jpeg", 800, 300]);
});
