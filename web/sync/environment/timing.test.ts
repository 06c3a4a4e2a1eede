import { expect, test } from "vitest";
import { backoff } from "./timing.ts";

const LIMITS = { first: 1_000, max: 8_000 };

test("a delay doubles with each failure, up to its maximum", () => {
  const delays = [0, 1, 2, 3, 4, 100].map((failures) => backoff(failures, 0, LIMITS));
  expect(delays).toEqual([1_000, 2_000, 4_000, 8_000, 8_000, 8_000]);
});

test("up to a quarter of a delay is random, and never more than the delay", () => {
  for (const random of [0, 0.25, 0.5, 0.999]) {
    const delay = backoff(2, random, LIMITS);
    expect(delay).toBe(4_000 * (1 - random / 4));
    expect(delay).toBeGreaterThan(3_000);
  }
});
