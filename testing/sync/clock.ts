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
  /** The timers, and those that were cleared since, as a binary heap: the earliest one is the first. */
  const heap: Timer[] = [];

  const set = (run: () => void, at: number): TimerId => {
    const timer = { at, order: order++, run };
    timers.add(timer);
    siftUp(heap, timer);
    return timer;
  };
  const clear = (timer: TimerId): void => void timers.delete(timer as Timer);
  const first = (): Timer | undefined => {
    for (let timer = heap[0]; timer; timer = heap[0]) {
      if (timers.has(timer)) return timer;
      siftDown(heap);
    }
    return undefined;
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

const isBefore = (a: Timer, b: Timer): boolean =>
  a.at < b.at || (a.at === b.at && a.order < b.order);

/** Adds a timer to a heap. */
function siftUp(heap: Timer[], timer: Timer): void {
  let at = heap.length;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    const above = heap[parent] as Timer;
    if (isBefore(above, timer)) break;
    heap[at] = above;
    at = parent;
  }
  heap[at] = timer;
}

/** Removes the first timer of a heap. */
function siftDown(heap: Timer[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  let at = 0;
  for (let child = 1; child < heap.length; child = 2 * at + 1) {
    const right = heap[child + 1];
    if (right && isBefore(right, heap[child] as Timer)) child++;
    const below = heap[child] as Timer;
    if (isBefore(last, below)) break;
    heap[at] = below;
    at = child;
  }
  heap[at] = last;
}

/** Resolves after one pass of the event loop, when every promise that can settle has settled. */
export function settlePromises(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
