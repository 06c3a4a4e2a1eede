import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Rest } from "./rest.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a rest ends once, its time after the last call; calls meanwhile set no timer", () => {
  let count = 0;
  const rest = new Rest(() => count++);
  for (let i = 0; i < 50; i++) {
    rest.begin(100);
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(16);
  }
  vi.advanceTimersByTime(83);
  expect(count).toBe(0);
  vi.advanceTimersByTime(1);
  expect(count).toBe(1);
  vi.advanceTimersByTime(5000);
  expect(count).toBe(1);
  expect(vi.getTimerCount()).toBe(0);
  rest.begin(100);
  vi.advanceTimersByTime(100);
  expect(count).toBe(2);
});
