import fc from "fast-check";
import { expect, test } from "vitest";
import type { Box } from "../geometry/box.ts";
import { DirtyArea, TILE } from "./dirty.ts";

const BOUNDS: Box = { left: 0, top: 0, right: 900, bottom: 700 };

function takeAll(area: DirtyArea): Box[] {
  const boxes: Box[] = [];
  for (let box = area.take(); box; box = area.take()) boxes.push(box);
  return boxes;
}

function covers(boxes: readonly Box[], x: number, y: number): boolean {
  return boxes.some((box) => x >= box.left && x < box.right && y >= box.top && y < box.bottom);
}

const boxes = fc
  .tuple(
    fc.integer({ min: -100, max: 1000 }),
    fc.integer({ min: -100, max: 800 }),
    fc.integer({ min: 1, max: 400 }),
    fc.integer({ min: 1, max: 400 }),
  )
  .map(([left, top, width, height]) => ({ left, top, right: left + width, bottom: top + height }));

test("the rectangles to paint cover every marked pixel and nothing outside the picture", () => {
  fc.assert(
    fc.property(fc.array(boxes, { maxLength: 40 }), (marked) => {
      const area = new DirtyArea(BOUNDS);
      for (const box of marked) area.add(box);
      const all = takeAll(area);
      expect(area.empty).toBe(true);
      for (const box of marked)
        for (const [x, y] of [
          [box.left, box.top],
          [box.right - 1, box.bottom - 1],
          [Math.floor((box.left + box.right) / 2), Math.floor((box.top + box.bottom) / 2)],
        ] as const)
          if (x >= 0 && y >= 0 && x < BOUNDS.right && y < BOUNDS.bottom)
            expect(covers(all, x, y)).toBe(true);
      for (const box of all) {
        expect(box.left).toBeGreaterThanOrEqual(0);
        expect(box.top).toBeGreaterThanOrEqual(0);
        expect(box.right).toBeLessThanOrEqual(BOUNDS.right);
        expect(box.bottom).toBeLessThanOrEqual(BOUNDS.bottom);
      }
    }),
  );
});

test("a large area is painted as tiles, so that a frame can end in between", () => {
  const area = new DirtyArea(BOUNDS);
  area.addTiles(BOUNDS);
  expect(area.empty).toBe(false);
  const all = takeAll(area);
  expect(all).toHaveLength(Math.ceil(BOUNDS.right / TILE) * Math.ceil(BOUNDS.bottom / TILE));
  for (const box of all) {
    expect(box.right - box.left).toBeLessThanOrEqual(TILE);
    expect(box.bottom - box.top).toBeLessThanOrEqual(TILE);
  }
});

test("an area that grew large by many small changes is painted as tiles as well", () => {
  const area = new DirtyArea(BOUNDS);
  for (let x = 0; x < 800; x += 20)
    area.add({ left: x, top: x / 2, right: x + 60, bottom: x / 2 + 200 });
  const all = takeAll(area);
  expect(all.length).toBeGreaterThan(1);
  for (const box of all)
    expect((box.right - box.left) * (box.bottom - box.top)).toBeLessThanOrEqual(4 * TILE * TILE);
});

test("small rectangles far apart stay apart, those over each other become one", () => {
  const area = new DirtyArea(BOUNDS);
  area.add({ left: 10, top: 10, right: 30, bottom: 30 });
  expect(area.empty).toBe(false);
  area.add({ left: 800, top: 600, right: 820, bottom: 620 });
  area.add({ left: 15, top: 15, right: 35, bottom: 35 });
  expect(takeAll(area)).toEqual([
    { left: 10, top: 10, right: 35, bottom: 35 },
    { left: 800, top: 600, right: 820, bottom: 620 },
  ]);
});

test("PNT-8 dirty boxes move with the picture, and the parts that stay within it are painted", () => {
  const moves = fc.tuple(fc.integer({ min: -300, max: 300 }), fc.integer({ min: -300, max: 300 }));
  fc.assert(
    fc.property(fc.array(boxes, { maxLength: 20 }), moves, (marked, [x, y]) => {
      const area = new DirtyArea(BOUNDS);
      for (const box of marked) area.add(box);
      area.move(x, y);
      const all = takeAll(area);
      expect(area.empty).toBe(true);
      for (const box of marked)
        for (const [atX, atY] of [
          [box.left, box.top],
          [box.right - 1, box.bottom - 1],
        ] as const) {
          const was = atX >= 0 && atY >= 0 && atX < BOUNDS.right && atY < BOUNDS.bottom;
          const [nowX, nowY] = [atX + x, atY + y];
          const stays = nowX >= 0 && nowY >= 0 && nowX < BOUNDS.right && nowY < BOUNDS.bottom;
          if (was && stays) expect(covers(all, nowX, nowY)).toBe(true);
        }
      for (const { left, top, right, bottom } of all)
        expect([left >= 0, top >= 0, right <= BOUNDS.right, bottom <= BOUNDS.bottom]).toEqual([
          true,
          true,
          true,
          true,
        ]);
    }),
  );
});

test("PNT-8 a box marked after the picture moved is painted as those tiles of the moved raster that it touches", () => {
  const area = new DirtyArea(BOUNDS);
  area.move(-70, 50);
  const { left, top, right, bottom } = { left: 300, top: 300, right: 698, bottom: 562 };
  area.add({ left, top, right, bottom });
  const all = takeAll(area);
  for (const x of [300, 400, 500, 600, 697])
    for (const y of [300, 400, 500, 561]) expect(covers(all, x, y), `${x},${y}`).toBe(true);
  const edges = [
    Math.min(...all.map((box) => box.left)),
    Math.min(...all.map((box) => box.top)),
    Math.max(...all.map((box) => box.right)),
    Math.max(...all.map((box) => box.bottom)),
  ];
  expect(edges).toEqual([2 * TILE - 70, TILE + 50, right, bottom]);
});

test("PNT-8 what is dirty stays so when the picture gets another size, as far as it lies within it", () => {
  const area = new DirtyArea(BOUNDS);
  const [small, large] = [
    { left: 860, top: 10, right: 890, bottom: 30 },
    { left: 100, top: 200, right: 500, bottom: 500 },
  ];
  for (const box of [small, large]) area.add(box);
  area.setBounds({ ...BOUNDS, right: 870, bottom: 400 });
  const all = takeAll(area);
  for (const [x, y] of [
    [860, 10],
    [869, 29],
    [100, 200],
    [499, 399],
  ] as const)
    expect(covers(all, x, y), `${x},${y}`).toBe(true);
  expect(Math.max(...all.map(({ right }) => right))).toBe(870);
  expect(Math.max(...all.map(({ bottom }) => bottom))).toBe(400);
  // The new size has its own edges, and nothing is dirty twice.
  area.setBounds({ ...BOUNDS, right: 1000 });
  const beyond = { left: 960, top: 10, right: 990, bottom: 30 };
  area.add(beyond);
  area.setBounds({ ...BOUNDS, right: 970 });
  expect(takeAll(area)).toEqual([{ ...beyond, right: 970 }]);
});

test("PNT-100 the whole picture is one rectangle, which contains boxes marked afterwards", () => {
  const area = new DirtyArea(BOUNDS);
  area.add({ left: 10, top: 10, right: 20, bottom: 20 });
  area.addTiles(BOUNDS);
  area.addAll();
  area.add({ left: 30, top: 30, right: 400, bottom: 400 });
  expect(takeAll(area)).toEqual([BOUNDS]);
  const whole = { left: 100, top: 100, right: 800, bottom: 600 };
  area.add(whole, true);
  area.move(-50, 0);
  expect(takeAll(area)).toEqual([{ ...whole, left: 50, right: 750 }]);
});
