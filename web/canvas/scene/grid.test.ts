import fc from "fast-check";
import { expect, test } from "vitest";
import { type Box, overlaps } from "../geometry/box.ts";
import { type Boxed, Grid } from "./grid.ts";

const coordinate = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: -500, max: 1500 }) },
  { weight: 1, arbitrary: fc.constantFrom(-1e9, 1e9, -1e7, 1e7, 0) },
);

const boxes: fc.Arbitrary<Box> = fc
  .tuple(coordinate, coordinate, coordinate, coordinate)
  .map(([a, b, c, d]) => ({
    left: Math.min(a, c),
    top: Math.min(b, d),
    right: Math.max(a, c),
    bottom: Math.max(b, d),
  }));

test("after additions and removals a search finds exactly the boxes that touch, each once", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(boxes, fc.boolean())), boxes, (list, asked) => {
      const grid = new Grid<Boxed>();
      const items = list.map(([box]) => ({ box, visited: 0 }));
      for (const item of items) grid.add(item);
      const remaining = items.filter((item, i) => {
        const stays = list[i]?.[1] === true;
        if (!stays) grid.remove(item);
        return stays;
      });
      const found: Boxed[] = [];
      grid.query(asked, (item) => {
        found.push(item);
      });
      const expected = remaining.filter((item) => overlaps(item.box, asked));
      expect(found).toHaveLength(expected.length);
      expect(new Set(found)).toEqual(new Set(expected));
    }),
  );
});

test("a search ends when the callback returns true", () => {
  const grid = new Grid<Boxed>();
  for (let i = 0; i < 50; i++)
    grid.add({ box: { left: i, top: 0, right: i + 1, bottom: 1 }, visited: 0 });
  let calls = 0;
  grid.query({ left: 0, top: 0, right: 100, bottom: 100 }, () => {
    calls++;
    return calls === 3;
  });
  expect(calls).toBe(3);
});

test("a search near one of many boxes looks at few of them", () => {
  const grid = new Grid<Boxed>();
  let looked = 0;
  for (let i = 0; i < 10_000; i++) {
    const [x, y] = [(i % 100) * 80, Math.floor(i / 100) * 80];
    const box = { left: x, top: y, right: x + 60, bottom: y + 60 };
    grid.add({
      get box() {
        looked++;
        return box;
      },
      visited: 0,
    });
  }
  looked = 0;
  grid.query({ left: 4000, top: 4000, right: 4010, bottom: 4010 }, () => undefined);
  expect(looked).toBeLessThan(20);
});
