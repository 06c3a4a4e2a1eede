import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Hold } from "./hold.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("CAN-85 a pointer rests after 0.5 s within 4 px, once until it moves farther", () => {
  let count = 0;
  const hold = new Hold(() => count++);
  hold.moved({ x: 0, y: 0 });
  vi.advanceTimersByTime(499);
  hold.moved({ x: 3, y: 2 });
  expect(count).toBe(0);
  vi.advanceTimersByTime(1);
  expect(count).toBe(1);
  hold.moved({ x: 4, y: 0 });
  vi.advanceTimersByTime(5000);
  expect(count).toBe(1);
  hold.moved({ x: 9, y: 0 });
  vi.advanceTimersByTime(500);
  expect(count).toBe(2);
});

test("CAN-85 a pointer that is released, or moves all the time, never rests", () => {
  let count = 0;
  const hold = new Hold(() => count++);
  for (let x = 0; x < 100; x += 5) {
    hold.moved({ x, y: 0 });
    vi.advanceTimersByTime(400);
  }
  hold.stop();
  vi.advanceTimersByTime(5000);
  expect(count).toBe(0);
});

test("CAN-85 a pointer whose moves wait for a long task of the page does not rest", () => {
  let count = 0;
  const hold = new Hold(() => count++);
  hold.moved({ x: 0, y: 0 });
  // The task ends: a due timer runs before the moves.
  vi.advanceTimersToNextTimer();
  hold.moved({ x: 9, y: 0 });
  vi.advanceTimersByTime(499);
  expect(count).toBe(0);
});
