import { expect, test } from "vitest";
import { readPictureHeader } from "../../../board/picture-header.ts";
import { encodeGif } from "../../../testing/pictures/gif.ts";
import { isComplete } from "./complete.ts";

/** Returns the bytes that are given in hexadecimal, with spaces between their parts. */
function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(Buffer.from(hex.replaceAll(" ", ""), "hex"));
}

/** A chunk of 13 bytes, one of 2, and the last one. */
const PNG = bytesOf(
  `89504e470d0a1a0a 0000000d49484452 0000000200000002 0802000000 00000000
   0000000249444154 0102 00000000 0000000049454e44 ae426082`.replaceAll("\n", ""),
);
/** Has a preview with an end of its own, the size 1 x 1, and pixels with a zero behind FF. */
const JPEG = bytesOf(
  "ffd8 ffe1000affd8ffda0000ffd9 ffffc0000b0801000100010100 ffda000400ff00 ffd9",
);
/** Has 9 bytes of pixels, and one of padding. */
const WEBP = bytesOf("52494646 16000000 57454250 5650384c 09000000 2f0000000001020304 00");

/** Returns the lengths to which a file can be cut, its header included, and still is complete. */
function completeLengths(file: Uint8Array): readonly number[] {
  const type = readPictureHeader(file)?.type;
  if (!type) throw new Error("it has no header");
  const lengths = Array.from({ length: file.length + 1 }, (_, length) => length);
  return lengths.filter(
    (length) =>
      readPictureHeader(file.slice(0, length)) !== null && isComplete(file.slice(0, length), type),
  );
}

test("IMG-10 a PNG or JPEG that is cut off anywhere is not complete, whatever follows its end", () => {
  for (const file of [PNG, JPEG]) {
    expect(completeLengths(file)).toEqual([file.length]);
    expect(completeLengths(Uint8Array.from([...file, 0xff, 0xda]))).toHaveLength(3);
  }
});

test("IMG-10 a WebP is complete with its padding or without it", () => {
  expect(completeLengths(WEBP)).toEqual([WEBP.length - 1, WEBP.length]);
});

test("IMG-10 a GIF is complete as soon as its first frame is", () => {
  const [one, two] = [1, 2].map((frames) =>
    encodeGif(
      { width: 20, height: 10 },
      [0xff0000, 0x0000ff],
      Array(frames).fill((x: number) => x & 1),
    ),
  );
  if (!one || !two) throw new Error("there is no GIF");
  // Its end is one byte.
  expect(completeLengths(one)).toEqual([one.length - 1, one.length]);
  const [first] = completeLengths(two);
  expect(first).toBeLessThan(two.length / 2 + 40);
  expect(completeLengths(two)).toHaveLength(two.length - (first ?? 0) + 1);
});
