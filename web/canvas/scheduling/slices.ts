/** Work in slices: it pauses every few milliseconds, so that the page responds to input and paints meanwhile. */

import { pause } from "./frame.ts";

/** Milliseconds of one slice. */
const SLICE_TIME = 12;

/** Milliseconds after which waiting work asks again. */
const WAIT = 100;

/** The number of times that it asks before it takes one slice, so that it ends eventually. */
const TIMES = 10;

/** The slices of one piece of work. */
export interface Slices {
  /** Pauses when the slice is over. Returns, or resolves to, false when the work has to end. */
  next(): Promise<boolean> | boolean;
  /** Ends the slice and pauses. Resolves to false when the work has to end. */
  rest(): Promise<boolean>;
}

/** Begins the first slice. The work has to end when `signal` is aborted. While `waits` returns true, no further slice begins. */
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

/** Takes all steps of a generator, in slices. Resolves to its result, or to null when the work has to end. */
export async function runToEnd<T>(steps: Generator<void, T>, slices: Slices): Promise<T | null> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    const goesOn = slices.next();
    // A promise for each step would cost more than most steps.
    if (goesOn !== true && !(await goesOn)) return null;
  }
}
