/** A fake clock, which moves only by `advance`. Timers fire in the order of their times, equal ones in the order in which they were set. */

import type { Clock, TimerId } from "../../web/sync/environment/environment.ts";

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
}

export interface FakeClock extends Clock {
  /** The number of timers and frames that are set. */
  readonly pending: number;
  /** Returns the time of the next timer or frame, or undefined when there is none. */
  readonly next: () => number | undefined;
  /** Advances by `ms`, fires everything due on the way, and lets promises settle after each timer. */
  readonly advance: (ms: number) => Promise<void>;
}

const FRAME_MS = 16;

/** Makes a clock. `start` is in milliseconds since 1970. `settle` lets promises run; by default one pass of the event loop. */
export function createFakeClock(start = Date.UTC(2026, 0, 5), settle = settlePromises): FakeClock {
  let now = start;
  let order = 0;
  const timers = new Set<Timer>();

  const set = (run: () => void, at: number): TimerId => {
    const timer = { at, order: order++, run };
    timers.add(timer);
    return timer;
  };
  const clear = (timer: TimerId): void => void timers.delete(timer as Timer);
  const first = (): Timer | undefined => {
    let found: Timer | undefined;
    for (const timer of timers) {
      if (!found || timer.at < found.at || (timer.at === found.at && timer.order < found.order))
        found = timer;
    }
    return found;
  };

  return {
    now: () => now,
    setTimer: (run, delay) => set(run, now + Math.max(0, delay)),
    clearTimer: clear,
    requestFrame: (run) => set(run, now + FRAME_MS),
    cancelFrame: clear,
    get pending() {
      return timers.size;
    },
    next: () => first()?.at,
    async advance(ms) {
      const end = now + ms;
      await settle();
      for (let timer = first(); timer && timer.at <= end; timer = first()) {
        now = Math.max(now, timer.at);
        timers.delete(timer);
        timer.run();
        await settle();
      }
      now = end;
    },
  };
}

/** Resolves after one pass of the event loop, when every promise that can settle has settled. */
export function settlePromises(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
