/** One-shot timers that end together. */

import type { Clock, TimerId } from "./world.ts";

export interface Timers {
  later(delay: number, run: () => void): TimerId;
  cancel(timer: TimerId): void;
  stop(): void;
}

export function createTimers(clock: Clock): Timers {
  const pending = new Set<TimerId>();
  return {
    later(delay, run) {
      const timer = clock.setTimer(() => {
        pending.delete(timer);
        run();
      }, delay);
      pending.add(timer);
      return timer;
    },
    cancel(timer) {
      clock.clearTimer(timer);
      pending.delete(timer);
    },
    stop() {
      for (const timer of pending) clock.clearTimer(timer);
      pending.clear();
    },
  };
}
