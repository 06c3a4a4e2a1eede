/** Tests pictures that somebody wrote into the row past every page: bombs, and files of another type than they claim. */

import { expect, test } from "../fixtures.ts";
import { switchTabs } from "../person.ts";
import { drawLines, expectLines } from "./lines.ts";

const COUNT = 8_000;

type Bytes = readonly number[];

const big = (value: number, length: number): Bytes =>
  Array.from({ length }, (_, at) => Math.floor(value / 256 ** (length - 1 - at)) % 256);
const little = (value: number): Bytes => [value % 256, Math.floor(value / 256)];

/** Returns the beginning of a PNG of a size; `at` follows, so that each file differs. */
const png = (width: number, height: number, at: number): Bytes => [
  ...[0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52],
  ...[...big(width, 4), ...big(height, 4), 8, 6, 0, 0, 0, ...big(at, 4)],
];

/** Returns a GIF of a size whose only frame is as large, and which ends after its first code. */
const gif = (width: number, height: number, at: number): Bytes => [
  ...[0x47, 0x49, 0x46, 0x38, 0x39, 0x61, ...little(width), ...little(height), 0x80, 0, 0],
  ...[0, 0, 0, 255, 255, 255, 0x2c, 0, 0, 0, 0, ...little(width), ...little(height), 0],
  ...[2, 2, 0x4c, 1, 0, 0x3b, ...big(at, 4)],
];

/** Returns the beginning of a JPEG of 100 x 100. */
const jpeg = (at: number): Bytes => [
  ...[0xff, 0xd8, 0xff, 0xc0, 0, 17, 8, ...big(100, 2), ...big(100, 2), 3],
  ...[1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0, ...big(at, 4)],
];

/** The pictures, each by the type that its source names and its bytes. */
const HOSTILE: readonly ((at: number) => readonly [type: string, bytes: Bytes])[] = [
  (at) => ["png", png(65_535, 65_535, at)],
  (at) => ["png", png(100, 100, at)],
  (at) => ["png", jpeg(at)],
  (at) => ["jpeg", jpeg(at)],
  (at) => ["gif", gif(65_535, 65_535, at)],
  (at) => ["gif", gif(2_800, 2_800, at)],
  (at) => ["webp", big(at, 4)],
];

function pictures(): object[] {
  return Array.from({ length: COUNT }, (_, at) => {
    const [type, bytes] = HOSTILE[at % HOSTILE.length]!(at);
    return {
      ...{ type: "Image", originX: "left", originY: "top", width: 100, height: 100 },
      ...{ left: 12 * (at % 100), top: 300 + 4 * Math.floor(at / 100), scaleX: 0.1, scaleY: 0.03 },
      src: `data:image/${type};base64,${Buffer.from(bytes).toString("base64")}`,
    };
  });
}

/** A stroke that an earlier visitor drew, as `drawLines` does. */
const EARLIER = {
  ...{ type: "Path", originX: "left", originY: "top", left: 198.5, top: 198.5, fill: null },
  ...{ stroke: "#000000", strokeWidth: 3, path: "M200 200L420 200" },
};

test("IMG-2 a row of 8,000 hostile pictures: the page is ready, shows a stroke beside them, and a stroke is drawn and saved", async ({
  product,
  visit,
}) => {
  test.slow();
  const objects = [...pictures(), EARLIER];
  await product.seed({ version: "7.4.0", objects, background: "white" });
  const ann = await visit();
  await expectLines(ann, [200]);
  await drawLines(ann, [150]);
  await switchTabs(ann);
  await expect(ann.saving).toHaveText("Saved", { timeout: 60_000 });
  // A picture that cannot be decoded is a frame with a cross: something is visible in any case.
  await expect.poll(() => ann.colorAt([0, 300])).not.toBe("#ffffff");
  await expectLines(ann, [150]);
  const saved = (await product.row())?.canvas_json.objects.map(({ type }) => type) ?? [];
  expect(saved).toHaveLength(COUNT + 2);
  expect(saved.filter((type) => type === "Path")).toHaveLength(2);
  expect(ann.problems).toEqual([]);
});
