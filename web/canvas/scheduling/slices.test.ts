import { expect, test } from "vitest";
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
