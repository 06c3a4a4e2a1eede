import { describe, expect, test } from "vitest";
import type { Box } from "../geometry/box.ts";
import { mainGroup, NearestOutside, nearestOutside } from "./outlying.ts";

const at = (left: number, top: number, size = 100): Box => ({
  ...{ left, top },
  right: left + size,
  bottom: top + size,
});
const WINDOW: Box = { left: 0, top: 0, right: 1000, bottom: 500 };

describe("CAN-60 the nearest object outside of the view", () => {
  test("is none while the view shows a part of each object", () => {
    expect(nearestOutside([], WINDOW)).toBeNull();
    expect(nearestOutside([at(10, 10), at(-99, 0), at(1000, 500)], WINDOW)).toBeNull();
  });

  test("has its distance from the edge of the view, and the side", () => {
    const of = (box: Box) => nearestOutside([box, at(0, 0)], WINDOW);
    expect(of(at(-1300, 50))).toMatchObject({ side: "left", distance: 1200 });
    expect(of(at(1250, 50))).toMatchObject({ side: "right", distance: 250 });
    expect(of(at(50, -400))).toMatchObject({ side: "above", distance: 300 });
    expect(of(at(50, 900))).toMatchObject({ side: "below", distance: 400 });
    expect(of(at(1200, 900))).toMatchObject({ side: "below", distance: 400 });
  });

  test("is nearer than all others, in any order", () => {
    const boxes = [at(3000, 0), at(-400, -400), at(0, 700), at(9000, 9000)];
    const nearest = { box: boxes[2], side: "below", distance: 200 };
    expect(nearestOutside(boxes, WINDOW)).toEqual(nearest);
    expect(nearestOutside(boxes.toReversed(), WINDOW)).toEqual(nearest);
  });
});

describe("CAN-61 the group far from everything else", () => {
  const gap = { x: 10_000, y: 5_000 };

  test("is nothing where no gap is wide enough", () => {
    const boxes = [at(0, 0), at(10_100, 0), at(0, 5_100), at(10_100, 5_100)];
    expect(mainGroup(boxes, gap)).toHaveLength(4);
  });

  test("is every object beyond the gap, on each side", () => {
    const main = [at(0, 0), at(500, 200), at(900, 900)];
    for (const far of [at(11_001, 0), at(-10_101, 0), at(0, 6_001), at(0, -5_101)])
      expect(mainGroup([far, ...main], gap).toSorted((a, b) => a.left - b.left)).toEqual(main);
  });

  test("is the smaller of two groups, and of two single objects the one farther from the origin", () => {
    const there = [at(50_000, 0), at(50_200, 0), at(50_400, 0)];
    expect(mainGroup([at(0, 0), ...there], gap)).toEqual(there);
    expect(mainGroup([at(-60_000, 0), at(40_000, 0)], gap)).toEqual([at(40_000, 0)]);
  });

  test("is found where a cut in one direction opens one in the other", () => {
    const bridge = { left: 0, top: 20_000, right: 40_000, bottom: 20_100 };
    expect(mainGroup([at(0, 0), at(200, 0), at(30_000, 0), bridge], gap)).toHaveLength(2);
  });
});

test("CAN-70 an added object is compared with the nearest one outside; all are looked at when the view or another one changes", () => {
  const boxes = [at(3000, 0), at(-400, -400)];
  const nearest = new NearestOutside();
  let searches = 0;
  const find = (frame: Box) =>
    nearest.find(frame, () => {
      searches++;
      return boxes;
    });
  for (const added of [at(0, 700), at(9000, 0), at(10, 10), at(0, 600), at(0, 650)]) {
    expect(find(WINDOW)).toEqual(nearestOutside(boxes, WINDOW));
    boxes.push(added);
    nearest.add([added]);
  }
  expect(find(WINDOW)).toMatchObject({ distance: 100 });
  expect(searches).toBe(1);
  const moved = { ...WINDOW, left: 500, right: 1500 };
  expect(find(moved)).toEqual(nearestOutside(boxes, moved));
  boxes.pop();
  nearest.forget();
  expect(find(moved)).toEqual(nearestOutside(boxes, moved));
  expect(searches).toBe(3);
});

test("CAN-70 where nothing lies outside, an added object can be the nearest", () => {
  const nearest = new NearestOutside();
  nearest.add([at(0, 900)]);
  expect(nearest.find(WINDOW, () => [at(0, 0)])).toBeNull();
  nearest.add([at(0, 700)]);
  expect(nearest.find(WINDOW, () => [])).toMatchObject({ side: "below", distance: 200 });
});
