/** Tests strokes that a resting pointer makes shapes of. */

import { expect, test } from "../fixtures.ts";
import { savedObjects } from "./controls.ts";

test("CAN-86 undo of a held shape brings back the ink that was drawn, without the way on which the shape followed the pointer", async ({
  product,
  visit,
}) => {
  const ann = await visit();
  // The row has what peers get: ink is curved, a shape is not.
  const paths = async () => (await savedObjects(product, ann)).map(({ path }) => path);
  await ann.press([300, 200]);
  // This is a rectangle whose upper side sags.
  for (const at of [
    [500, 209],
    [700, 200],
    [702, 300],
    [700, 400],
    [500, 398],
    [300, 400],
    [302, 300],
    [300, 204],
  ] as const)
    await ann.move(at, 4);
  // These are the upper side as it was drawn, and the shape's.
  await expect.poll(() => ann.colorAt([500, 208])).toBe("#ffffff");
  await ann.move([330, 240], 4);
  await ann.release();
  await expect.poll(paths).toEqual([expect.stringMatching(/^M[^qt]+$/)]);
  expect(await ann.colorAt([700, 350])).toBe("#000000");
  await ann.page.keyboard.press("Control+z");
  await expect.poll(() => ann.colorAt([500, 208])).toBe("#000000");
  await expect.poll(paths).toEqual([expect.stringMatching(/q/)]);
  for (const at of [
    [310, 216],
    [315, 222],
    [324, 233],
    [330, 240],
  ] as const)
    expect(await ann.colorAt(at)).toBe("#ffffff");
  await ann.page.keyboard.press("Control+z");
  await expect.poll(paths).toEqual([]);
  expect(await ann.colorAt([500, 208])).toBe("#ffffff");
});
