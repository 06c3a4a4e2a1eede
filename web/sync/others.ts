/**
 * What there is to do when somebody else is here. The code behind it is fetched when the first one
 * appears or is first heard: whoever draws alone needs none of it. What is said meanwhile is
 * taken in when it is there; live previews of that time are left out, for late ones are none.
 */

import type { Dealings, DealingsParts } from "./dealings.ts";
import { LIVE } from "./wire.ts";

/** More than these and the oldest go: the boards' digests will tell, and the row has them sooner or later. */
const MOST_WAITING = 1_000;

export function createOthers(parts: DealingsParts): Dealings {
  const { loadDealings, log } = parts.world;
  const waiting: (readonly [event: string, payload: unknown])[] = [];
  let dealings: Dealings | undefined;
  let fetching = false;
  let stopped = false;

  const take = (code: typeof import("./dealings.ts")): void => {
    if (stopped) return;
    dealings = code.createDealings(parts);
    for (const [event, payload] of waiting.splice(0)) dealings.broadcast(event, payload);
  };
  /** After a failure the next one who comes or says something has it tried again. */
  const fetchCode = async (): Promise<void> => {
    if (fetching || dealings || stopped) return;
    fetching = true;
    try {
      const code = loadDealings();
      // Where the code is there already nobody waits, not even for a microtask.
      take(code instanceof Promise ? await code : code);
    } catch (fault) {
      log.error(fault);
    } finally {
      fetching = false;
    }
  };

  return {
    live: {
      pointer: (at) => dealings?.live.pointer(at),
      inkStart: (stroke, color, width) => dealings?.live.inkStart(stroke, color, width),
      inkPoints: (stroke, points) => dealings?.live.inkPoints(stroke, points),
      inkEnd: (stroke, id) => dealings?.live.inkEnd(stroke, id),
      drag: (places) => dealings?.live.drag(places),
    },
    broadcast(event, payload) {
      void fetchCode();
      if (dealings) return dealings.broadcast(event, payload);
      if (stopped || event === LIVE) return;
      waiting.push([event, payload]);
      if (waiting.length > MOST_WAITING) waiting.shift();
    },
    present(isHere, newcomers) {
      if (parts.company().others.size > 0) void fetchCode();
      dealings?.present(isHere, newcomers);
    },
    drain: () => dealings?.drain(),
    changed: () => dealings?.changed(),
    stop() {
      stopped = true;
      waiting.length = 0;
      dealings?.stop();
    },
  };
}
