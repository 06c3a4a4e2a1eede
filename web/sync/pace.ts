/** How often this page may send an update, so that a crowd that draws does not cost more than the room may. */

import { LIMITS } from "../../board/spec.ts";
import type { Clock } from "./world.ts";

/** The part of the room's budget that updates may take; live messages have the rest. */
const SHARE = 0.4;
/** Somebody who sent an update within this time is drawing. */
const DRAWING = 10_000;
const MOST_SENDERS = 1_000;

export interface Pace {
  /** Somebody else sent an update. */
  heard(from: string): void;
  /** Milliseconds between two updates: 1 s, and more while many draw in a large room. */
  interval(): number;
}

/** `budget`: messages a second that the room may cost, each copy counted. `people`: how many are here. */
export function createPace(clock: Clock, budget: number, people: () => number): Pace {
  const senders = new Map<string, number>();
  return {
    heard(from) {
      if (senders.size < MOST_SENDERS || senders.has(from)) senders.set(from, clock.now());
    },
    interval() {
      const since = clock.now() - DRAWING;
      for (const [from, at] of senders) if (at < since) senders.delete(from);
      // This page is about to be one of them, and each update costs one message for each person.
      const drawing = Math.min(people(), senders.size + 1);
      return Math.max(LIMITS.broadcastThrottle, (1000 * drawing * people()) / (SHARE * budget));
    },
  };
}
