/** Times of answers that tell nothing: what a route did for an account or for none differs by less than the step. */

const STEP_MS = 100;

/** Milliseconds from now until an answer may leave: a whole number of steps after its request came. */
export function untilEven(elapsedMs: number): number {
  return (Math.floor(elapsedMs / STEP_MS) + 1) * STEP_MS - elapsedMs;
}
