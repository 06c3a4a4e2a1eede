/** Timing: a timer, a limit, a throttle, and the delay before the next attempt. */

import type { Clock, TimerId } from "./environment.ts";

export interface Timer {
  readonly isSet: boolean;
  /** Calls `run` once, `delay` milliseconds from now, in place of what the timer was set for before. */
  readonly set: (delay: number, run: () => void) => void;
  readonly clear: () => void;
}

/** A timer that is not set. */
export function createTimer(clock: Clock): Timer {
  let id: TimerId | null = null;
  const clear = (): void => {
    if (id !== null) clock.clearTimer(id);
    id = null;
  };
  return {
    get isSet() {
      return id !== null;
    },
    set(delay, run) {
      clear();
      id = clock.setTimer(() => {
        id = null;
        run();
      }, delay);
    },
    clear,
  };
}

/** Returns a function that returns true at most once in `interval` milliseconds. */
export function createLimit(clock: Clock, interval: number): () => boolean {
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    const now = clock.now();
    if (now - last < interval) return false;
    last = now;
    return true;
  };
}

export interface Throttle {
  /** Schedules a call as soon as the interval and the lead have passed. Returns whether it now waits for the lead alone. */
  readonly schedule: () => boolean;
  /** Runs now, whatever the interval. */
  readonly flush: () => void;
  readonly stop: () => void;
}

/** The effect of one call: nothing (the channel is not joined), all that waited, or a part of it. */
export type Sent = "nothing" | "all" | "part";

/** `interval` in milliseconds is asked for before each wait. `lead`: milliseconds from a call to its effect at least; with 0 it has it at once. */
export function createThrottle(
  clock: Clock,
  interval: () => number,
  run: () => Sent,
  lead = 0,
): Throttle {
  const timer = createTimer(clock);
  let last = Number.NEGATIVE_INFINITY;

  const flush = (): void => {
    timer.clear();
    const sent = run();
    if (sent !== "nothing") last = clock.now();
    if (sent === "part") schedule();
  };
  const schedule = (): boolean => {
    if (timer.isSet) return false;
    const wait = last + interval() - clock.now();
    if (wait > 0 || lead > 0) timer.set(Math.max(wait, lead), flush);
    else flush();
    return lead > 0 && wait <= lead;
  };
  return { schedule, flush, stop: timer.clear };
}

/** The first and the longest delay, in milliseconds. */
export interface BackoffLimits {
  readonly first: number;
  readonly max: number;
}

/** The part of a delay that is random, so that many clients do not come back in the same moment. */
const JITTER = 0.25;

/**
 * The delay in milliseconds after `failures` earlier failures (0, 1, 2 ...): `first`, doubled with
 * each failure, at most `max`, less up to a quarter of it. `random` is a number in [0, 1).
 */
export function backoff(failures: number, random: number, { first, max }: BackoffLimits): number {
  return Math.min(max, first * 2 ** failures) * (1 - JITTER * random);
}
