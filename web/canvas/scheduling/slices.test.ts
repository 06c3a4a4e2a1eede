import { expect, test, vi } from "vitest";
import { pause } from "./frame.ts";
import { createSlices, runToEnd } from "./slices.ts";

function* count(to: number, reached: number[]): Generator<void, string> {
  for (let at = 1; at <= to; at++) {
    reached.push(at);
    yield;
  }
  return "done";
}

test("a generator is finished, with pauses in which other work runs", async () => {
  const reached: number[] = [];
  let pauses = 0;
  const slices = createSlices();
  const work = runToEnd(count(3, reached), {
    ...slices,
    next: async () => {
      expect(await slices.rest()).toBe(true);
      return ++pauses > 0;
    },
  });
  expect(reached).toEqual([1]);
  expect(await work).toBe("done");
  expect([reached, pauses]).toEqual([[1, 2, 3], 3]);
});

test("work whose signal is aborted takes no further step", async () => {
  const reached: number[] = [];
  const stop = new AbortController();
  const slices = createSlices(stop.signal);
  const steps = count(10, reached);
  expect(slices.next()).toBe(true);
  stop.abort();
  expect(slices.next()).toBe(false);
  expect(await slices.rest()).toBe(false);
  expect(await runToEnd(steps, slices)).toBeNull();
  expect(reached).toEqual([1]);
});

test("PNT-80 work that waits takes no step while a pointer is down, but one slice in a second", async () => {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
  try {
    let isPressed = true;
    const slices = createSlices(undefined, () => isPressed);
    let begun = 0;
    const rest = async (): Promise<void> => {
      await slices.rest();
      begun++;
    };
    const first = rest();
    await pause();
    await vi.advanceTimersByTimeAsync(900);
    expect(begun).toBe(0);
    await vi.advanceTimersByTimeAsync(100);
    await first;
    expect(begun).toBe(1);
    const second = rest();
    await pause();
    await vi.advanceTimersByTimeAsync(250);
    isPressed = false;
    expect(begun).toBe(1);
    await vi.advanceTimersByTimeAsync(50);
    await second;
    expect(begun).toBe(2);
  } finally {
    vi.useRealTimers();
  }
});
