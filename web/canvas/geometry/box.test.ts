import fc from "fast-check";
import { expect, test } from "vitest";
import {
  alignBox,
  alignToSteps,
  areaOf,
  type Box,
  clipBox,
  containsBox,
  subtractBox,
} from "./box.ts";

const FRAME: Box = { left: 0, top: 0, right: 900, bottom: 700 };

const boxes = fc
  .tuple(
    fc.integer({ min: -100, max: 1000 }),
    fc.integer({ min: -100, max: 800 }),
    fc.integer({ min: 1, max: 400 }),
    fc.integer({ min: 1, max: 400 }),
  )
  .map(([left, top, width, height]) => ({ left, top, right: left + width, bottom: top + height }));

test("a box is aligned to whole pixels with a margin", () => {
  expect(alignBox({ left: 1.2, top: -0.5, right: 3, bottom: 4.01 }, 2)).toEqual({
    left: -1,
    top: -3,
    right: 5,
    bottom: 7,
  });
});

test("a box that is aligned to steps contains its part of the frame and stays within the frame", () => {
  fc.assert(
    fc.property(boxes, (box) => {
      const part = clipBox(box, FRAME);
      const grown = alignToSteps(box, FRAME);
      if (part) expect(containsBox(grown, part)).toBe(true);
      if (part) expect(containsBox(FRAME, grown)).toBe(true);
    }),
  );
  expect(alignToSteps({ left: 300, top: 10, right: 301, bottom: 600 }, FRAME)).toEqual({
    left: 256,
    top: 0,
    right: 512,
    bottom: 700,
  });
});

test("a box contains another one if and only if clipping leaves all of it", () => {
  fc.assert(
    fc.property(boxes, boxes, (box, part) => {
      const inside = clipBox(part, box);
      expect(containsBox(box, part)).toBe(inside !== null && areaOf(inside) === areaOf(part));
    }),
  );
});

test("subtracting a part from a box leaves disjoint boxes that cover the rest", () => {
  fc.assert(
    fc.property(boxes, boxes, (box, other) => {
      const part = clipBox(other, box);
      if (!part) return;
      const rest = subtractBox(box, part);
      const area = rest.reduce((sum, one) => sum + areaOf(one), areaOf(part));
      expect(area).toBe(areaOf(box));
      for (const one of rest) {
        expect(containsBox(box, one)).toBe(true);
        expect(clipBox(one, part)).toBeNull();
        for (const two of rest) if (two !== one) expect(clipBox(one, two)).toBeNull();
      }
    }),
  );
});
