/** Makes response times reveal nothing: the work of a route with an account and without one differs by less than the step. */

const STEP_MS = 100;

/** Returns the milliseconds until a response may be sent: a whole number of steps after its request arrived. */
export function untilEven(elapsedMs: number): number {
  return (Math.floor(elapsedMs / STEP_MS) + 1) * STEP_MS - elapsedMs;
}
