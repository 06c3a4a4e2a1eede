import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isWithinLimits, readPictureHeader } from "./picture-header.ts";

const text = (letters: string): number[] => Array.from(letters, (one) => one.charCodeAt(0));
const big = (value: number, length: number): number[] =>
  Array.from({ length }, (_, at) => Math.floor(value / 256 ** (length - 1 - at)) % 256);
const little = (value: number, length: number): number[] => big(value, length).reverse();

const png = (width: number, height: number): number[] => [
  ...[0x89, ...text("PNG\r\n"), 0x1a, 0x0a, ...big(13, 4), ...text("IHDR")],
  ...[...big(width, 4), ...big(height, 4), 8, 6, 0, 0, 0],
];
const jpeg = (width: number, height: number): number[] => [
  ...[0xff, 0xd8, 0xff, 0xe1, ...big(6, 2), 1, 2, 3, 4, 0xff, 0xff, 0xdb, ...big(4, 2), 0, 0],
  ...[0xff, 0xc2, ...big(11, 2), 8, ...big(height, 2), ...big(width, 2), 1, 1, 0x11, 0],
];
const gif = (width: number, height: number, frame = { width, height }): number[] => [
  ...[...text("GIF89a"), ...little(width, 2), ...little(height, 2), 0x80, 0, 0, 1, 2, 3, 4, 5, 6],
  ...[0x21, 0xf9, 4, 0, 0, 0, 0, 0, 0x2c, 0, 0, 0, 0],
  ...[...little(frame.width, 2), ...little(frame.height, 2), 0],
];
const riff = (chunk: string, data: number[]): number[] => [
  ...[...text("RIFF"), ...little(data.length + 12, 4), ...text(`WEBP${chunk}`)],
  ...[...little(data.length, 4), ...data],
];
const lossy = (width: number, height: number): number[] =>
  riff("VP8 ", [0, 0, 0, 0x9d, 0x01, 0x2a, ...little(width, 2), ...little(height, 2)]);
const lossless = (width: number, height: number): number[] =>
  riff("VP8L", [0x2f, ...little(width - 1 + (height - 1) * 2 ** 14, 4)]);
const extended = (width: number, height: number): number[] =>
  riff("VP8X", [0, 0, 0, 0, ...little(width - 1, 3), ...little(height - 1, 3)]);

const KINDS = {
  png: { type: "image/png", make: png },
  jpeg: { type: "image/jpeg", make: jpeg },
  gif: { type: "image/gif", make: gif },
  lossy: { type: "image/webp", make: lossy },
  lossless: { type: "image/webp", make: lossless },
  extended: { type: "image/webp", make: extended },
} as const;

describe.each(Object.entries(KINDS))("%s", (_name, { type, make }) => {
  test("IMG-2 the header tells type and size", () => {
    const read = readPictureHeader(Uint8Array.from(make(1600, 1200)));
    expect(read).toEqual({ type, width: 1600, height: 1200 });
  });

  test("IMG-2 cut off anywhere, it is no picture or the same one", () => {
    const whole = make(300, 200);
    for (let length = 0; length < whole.length; length++) {
      const read = readPictureHeader(Uint8Array.from(whole.slice(0, length)));
      if (read !== null) expect(read).toEqual({ type, width: 300, height: 200 });
    }
    expect(readPictureHeader(Uint8Array.from(whole.slice(0, 9)))).toBeNull();
  });

  test("IMG-2 with other bytes in it, its size is a number or it is no picture", () => {
    const changes = fc.array(fc.tuple(fc.nat(60), fc.nat(255)), { maxLength: 8 });
    fc.assert(
      fc.property(changes, (bytes) => {
        const file = Uint8Array.from(make(300, 200));
        for (const [at, value] of bytes) if (at < file.length) file[at] = value;
        const read = readPictureHeader(file);
        if (read === null) return true;
        return read.width > 0 && read.height > 0 && Number.isInteger(read.width * read.height);
      }),
    );
  });
});

test("IMG-2 any bytes are read without an error", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      const read = readPictureHeader(bytes);
      return read === null || read.width > 0;
    }),
  );
  const svg = readPictureHeader(Uint8Array.from(text("<svg xmlns='x'><script/></svg>")));
  expect(svg).toBeNull();
});

test("IMG-2 bombs are larger than a board shows", () => {
  const bombs = [png(65_535, 65_535), png(4096, 4096), jpeg(4097, 1), lossless(16_384, 16_384)];
  for (const bytes of bombs) {
    const read = readPictureHeader(Uint8Array.from(bytes));
    expect(read && isWithinLimits(read)).toBe(false);
  }
  expect(isWithinLimits({ width: 4096, height: 1953 })).toBe(true);
  // A frame that is larger than the screen of its file enlarges it.
  const frame = readPictureHeader(Uint8Array.from(gif(1, 1, { width: 60_000, height: 60_000 })));
  expect(frame).toMatchObject({ width: 60_000, height: 60_000 });
});

test("IMG-2 long rows of blocks end", () => {
  const padding = Uint8Array.from([0xff, 0xd8, ...Array<number>(300_000).fill(0xff)]);
  expect(readPictureHeader(padding)).toBeNull();
  const empty = Array.from({ length: 70_000 }, () => [0xff, 0xe0, 0, 2]).flat();
  expect(readPictureHeader(Uint8Array.from([0xff, 0xd8, ...empty]))).toBeNull();
});
