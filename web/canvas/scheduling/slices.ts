/** Work in slices: it pauses every few milliseconds, so that the page takes input and paints meanwhile. */

import { pause } from "./frame.ts";

/** Milliseconds of one slice. */
const SLICE_TIME = 6;

/** Milliseconds after which work that waits asks again. */
const WAIT = 100;

/** Times that it asks before it takes one slice, so that it ends some day. */
const TIMES = 10;

/** The slices of one piece of work. */
export interface Slices {
  /** Pauses when the slice is over. Returns, or resolves to, false when the work is to end. */
  next(): Promise<boolean> | boolean;
  /** Ends the slice and pauses. Resolves to false when the work is to end. */
  rest(): Promise<boolean>;
}

/** Begins the first slice. The work is to end when `signal` is aborted. While `waits` says so, no other slice begins. */
export function createSlices(signal?: AbortSignal, waits?: () => boolean): Slices {
  let deadline = performance.now() + SLICE_TIME;
  const rest = async (): Promise<boolean> => {
    await pause();
    for (let left = TIMES; waits?.() && left > 0; left--)
      await new Promise((resolve) => setTimeout(resolve, WAIT));
    deadline = performance.now() + SLICE_TIME;
    return signal?.aborted !== true;
  };
  return {
    rest,
    next: () => signal?.aborted !== true && (performance.now() <= deadline || rest()),
  };
}

/** Takes all steps of a generator, in slices. Resolves to what it returns, or to null when the work is to end. */
export async function runToEnd<T>(steps: Generator<void, T>, slices: Slices): Promise<T | null> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    const goesOn = slices.next();
    // A promise for each step would cost more than most steps.
    if (goesOn !== true && !(await goesOn)) return null;
  }
}
