/** Tests broadcasts of several MB by a plain client, on the real server and the real page. */

import { EVENTS } from "../../board/messages.ts";
import { expect, test } from "../fixtures.ts";
import { switchTabs } from "../person.ts";
import { openAttacker } from "./attacker.ts";
import { drawLines, EMPTY, expectLines, objectsOf } from "./lines.ts";

/** Returns a drawing of small rectangles in a band at the top, of which the last covers a square. */
function drawing(count: number, fill: string): object {
  const box = { type: "Rect", originX: "left", originY: "top", strokeWidth: 0, version: "7.4.0" };
  const objects = Array.from({ length: count }, (_, at) => ({
    ...box,
    ...{ left: at % 1_000, top: (at % 53) + at / 1e6, width: 2, height: 2, fill: "#cccccc" },
    ...{ opacity: 1, visible: true, backgroundColor: "", fillRule: "nonzero", paintFirst: "fill" },
    ...{ globalCompositeOperation: "source-over", skewX: 0, skewY: 0, scaleX: 1, scaleY: 1 },
  }));
  return {
    ...EMPTY,
    objects: [...objects, { ...box, left: 600, top: 600, width: 10, height: 10, fill }],
  };
}

test("SAV-50 a page draws while it reads a plain client's drawing of 3 MB, piece by piece, and keeps both", async ({
  product,
  visit,
}) => {
  const ann = await visit({
    prepare: async (page) => {
      await page.addInitScript(() => {
        const { parse } = JSON;
        const lengths = { longest: 0, sum: 0 };
        JSON.parse = (text: string, ...rest: []) => {
          lengths.longest = Math.max(lengths.longest, text.length);
          lengths.sum += text.length;
          return parse(text, ...rest) as unknown;
        };
        Object.assign(window, { lengths });
      });
    },
  });
  const plain = await openAttacker(product);
  const json = drawing(11_000, "#00ff00");
  expect(JSON.stringify(json).length).toBeGreaterThan(3_000_000);
  await drawLines(ann, [150]);
  await plain.send(EVENTS.update, { json, clientId: "plainclient0" });
  await drawLines(ann, [200, 250, 300]);
  await expect.poll(() => ann.colorAt([605, 605]), { timeout: 60_000 }).toBe("#00ff00");
  await expectLines(ann, [200, 250, 300]);
  const lengths = await ann.page.evaluate(
    () => (window as unknown as { lengths: { longest: number; sum: number } }).lengths,
  );
  expect(lengths.sum).toBeGreaterThan(3_000_000);
  expect(lengths.longest).toBeLessThan(64 * 1024 + 1);
  await switchTabs(ann);
  // The save state speaks of the page's own changes alone, which an earlier save may contain.
  await expect(ann.saving).toHaveText("Saved", { timeout: 60_000 });
  await expect.poll(() => objectsOf(product), { timeout: 60_000 }).toBeGreaterThanOrEqual(11_004);
  await plain.leave();
});
