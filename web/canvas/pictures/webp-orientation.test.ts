import { expect, test } from "vitest";
import { createRandom } from "../../../testing/random/random.ts";
import { takeOrientation } from "./webp-orientation.ts";

/** Returns a WebP file with an odd chunk of pixels, and EXIF (in hexadecimal) behind it. */
function webp(exif: string): Uint8Array {
  const content = Buffer.from(exif, "hex");
  const size = Buffer.alloc(4);
  size.writeUInt32LE(content.length);
  return Uint8Array.from(
    Buffer.concat([
      Buffer.from("RIFF....WEBP", "latin1"),
      Buffer.from("VP8 \x03\0\0\0abc\0EXIF", "latin1"),
      ...[size, content],
    ]),
  );
}

const BIG =
  "4d4d002a00000008" + "0002" + "010f000200000001" + "00000000" + "0112000300000001" + "00060000";
const LITTLE = "49492a0008000000" + "0100" + "1201030001000000" + "06000000";

test("IMG-9 the orientation of a WebP is read once, in both orders of bytes, and nothing else changes", () => {
  for (const exif of [BIG, LITTLE, `457869660000${LITTLE}`]) {
    const file = webp(exif);
    const before = [...file];
    expect(takeOrientation(file)).toBe(6);
    expect(takeOrientation(file)).toBe(1);
    expect([...file].filter((byte, at) => byte !== before[at])).toEqual([1]);
  }
});

test("IMG-9 a WebP without a valid orientation, cut off anywhere or of random bytes, is upright", () => {
  for (const orientation of ["00000000", "00090000", "06000000", "ffff0000", "01050000"])
    expect(takeOrientation(webp(BIG.replace(/00060000$/, orientation)))).toBe(1);
  const file = webp(BIG);
  for (let length = 0; length < file.length - 3; length++)
    expect(takeOrientation(file.slice(0, length))).toBe(1);
  const random = createRandom(1);
  for (let round = 0; round < 2_000; round++) {
    const bytes = file.slice();
    for (let at = 12; at < bytes.length; at++)
      if (random.boolean(0.1)) bytes[at] = random.integer(0, 255);
    const orientation = takeOrientation(bytes);
    expect(orientation).toBeGreaterThanOrEqual(1);
    expect(orientation).toBeLessThanOrEqual(8);
  }
});
