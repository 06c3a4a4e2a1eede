/** At most one call in an interval: the first at once, the last one always, and nothing while it is shut. */

import type { Clock, TimerId } from "./world.ts";

export interface Throttle {
  /** Something is there to be sent: now, or as soon as the interval is over. */
  poke(): void;
  /** Sends now what waits, whatever the interval. */
  flush(): void;
  stop(): void;
}

/** What one call did: nothing (the way out is shut), all that waited, or a part of it. */
export type Sent = "nothing" | "all" | "part";

/** `interval` in milliseconds is asked for anew each time. */
export function createThrottle(clock: Clock, interval: () => number, run: () => Sent): Throttle {
  let last = Number.NEGATIVE_INFINITY;
  let timer: TimerId | null = null;

  const disarm = (): void => {
    if (timer !== null) clock.clearTimer(timer);
    timer = null;
  };
  const send = (): void => {
    disarm();
    const sent = run();
    if (sent !== "nothing") last = clock.now();
    if (sent === "part") poke();
  };
  const poke = (): void => {
    if (timer !== null) return;
    const now = clock.now();
    // A clock that was set back must not silence this page.
    const wait = last > now ? 0 : last + interval() - now;
    if (wait <= 0) send();
    else timer = clock.setTimer(send, wait);
  };
  return {
    poke,
    flush: send,
    stop: disarm,
  };
}
