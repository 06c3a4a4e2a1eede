import { expect, test } from "vitest";
import { createAllowance } from "./allowance.ts";

const objects = (count: number, bytes = 0) => ({ objects: count, bytes });

test("HOST-51 an allowance is full again after a minute, for each client key alone", () => {
  let now = 0;
  const allowance = createAllowance({ objects: 60, bytes: 0 }, () => now);
  expect(allowance.take("a", objects(60, 1e9))).toBe(true);
  expect(allowance.take("a", objects(1))).toBe(false);
  expect(allowance.take("b", objects(60))).toBe(true);
  now = 60_000;
  expect(allowance.take("a", objects(60))).toBe(true);
});

test("HOST-51 a write larger than a minute's allowance passes after as many minutes, and not before", () => {
  let now = 0;
  const allowance = createAllowance({ objects: 10, bytes: 1000 }, () => now);
  const minutes = [0, 1, 2, 3, 4].map((minute) => {
    now = minute * 60_000;
    return allowance.take("a", objects(45, 100));
  });
  expect(minutes).toEqual([false, false, false, false, true]);
  expect(allowance.take("a", objects(10))).toBe(false);
});

test("HOST-51 tries cost nothing, and an undone write is refunded", () => {
  let now = 0;
  const allowance = createAllowance({ objects: 10, bytes: 0 }, () => now);
  for (let tries = 0; tries < 100; tries++) expect(allowance.take("a", objects(11))).toBe(false);
  now = 6_000;
  expect(allowance.take("a", objects(11))).toBe(true);
  allowance.giveBack("a", objects(11));
  expect(allowance.take("a", objects(11))).toBe(true);
  expect(allowance.take("a", objects(1))).toBe(false);
});

test("HOST-51 of more than 10,000 client keys the one that was idle longest is forgotten", () => {
  const allowance = createAllowance({ objects: 10, bytes: 0 }, () => 0);
  const takeAsNewcomers = (count: number): void => {
    for (let n = 0; n < count; n++) allowance.take(`newcomer${n}`, objects(1));
  };
  allowance.take("a", objects(10));
  takeAsNewcomers(9_999);
  expect(allowance.take("a", objects(1))).toBe(false);
  takeAsNewcomers(10_000);
  expect(allowance.take("a", objects(10))).toBe(true);
});

test("HOST-51 each of both limits holds alone", () => {
  const allowance = createAllowance({ objects: 0, bytes: 1000 }, () => 0);
  expect(allowance.take("a", objects(1e6, 1000))).toBe(true);
  expect(allowance.take("a", objects(0, 1))).toBe(false);
});
