import { crc32, deflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { colorAt, countDifferences, crop, decodePng } from "./png.ts";

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const frame = Buffer.alloc(8 + body.length);
  frame.writeUInt32BE(data.length, 0);
  body.copy(frame, 4);
  frame.writeUInt32BE(crc32(body), 4 + body.length);
  return frame;
}

/** A picture of 3 x 5 pixels whose rows use different filters; every byte of it is `row * 30 + x * 7`. */
function filteredPng(kind: 2 | 6): Buffer {
  const step = kind === 2 ? 3 : 4;
  const stride = 3 * step;
  const header = Buffer.from([0, 0, 0, 3, 0, 0, 0, 5, 8, kind, 0, 0, 0]);
  const value = (row: number, x: number): number => (row < 0 || x < 0 ? 0 : row * 30 + x * 7);
  const raw = [0, 1, 2, 3, 4].flatMap((filter) => [
    filter,
    ...Array.from({ length: stride }, (_, x) => {
      const left = x < step ? 0 : value(filter, x - step);
      const up = value(filter - 1, x);
      const corner = x < step ? 0 : value(filter - 1, x - step);
      const nearest = [left, up, corner].toSorted(
        (a, b) => Math.abs(left + up - corner - a) - Math.abs(left + up - corner - b),
      )[0];
      const guess = [0, left, up, (left + up) >> 1, nearest ?? 0][filter] ?? 0;
      return (value(filter, x) - guess) & 255;
    }),
  ]);
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.from(raw))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

test.each([2, 6] as const)("every filter of colour type %i is undone", (kind) => {
  const step = kind === 2 ? 3 : 4;
  const { width, height, rgba } = decodePng(filteredPng(kind));
  expect([width, height, rgba.length]).toEqual([3, 5, 60]);
  for (let row = 0; row < 5; row++)
    for (let x = 0; x < 3; x++)
      for (let channel = 0; channel < step; channel++)
        expect(rgba[(row * 3 + x) * 4 + channel]).toBe(row * 30 + (x * step + channel) * 7);
});

test("colours and differences", () => {
  const a = { width: 2, height: 1, rgba: Uint8Array.of(255, 0, 16, 255, 1, 2, 3, 255) };
  const b = { width: 2, height: 1, rgba: Uint8Array.of(250, 0, 16, 255, 1, 2, 3, 255) };
  expect(colorAt(a, 0, 0)).toBe("#ff0010");
  expect(countDifferences(a, b)).toBe(1);
  expect(countDifferences(a, b, 5)).toBe(0);
  expect(countDifferences(a, { ...b, width: 1 })).toBe(2);
  expect(crop(a, [1, 0], [1, 1])).toEqual({
    width: 1,
    height: 1,
    rgba: Uint8Array.of(1, 2, 3, 255),
  });
});
