/**
 * What there is to do when somebody else is here. The code behind it is fetched when the first one
 * appears or is first heard: whoever draws alone needs none of it. What is said meanwhile is
 * taken in when it is there; live previews of that time are left out, for late ones are none.
 */

import { LIMITS } from "../../board/spec.ts";
import type { Dealings, DealingsParts } from "./dealings.ts";
import { createLate } from "./late.ts";
import { LIVE } from "./wire.ts";

/** More than these and the oldest go: the boards' digests will tell, and the row has them sooner or later. */
const MOST_WAITING = 1_000;

export function createOthers(parts: DealingsParts): Dealings {
  const { loadDealings, log } = parts.world;
  const waiting: (readonly [event: string, payload: unknown])[] = [];
  let dealings: Dealings | undefined;
  let stopped = false;

  // After a failure the next one who comes or says something has it tried again.
  const late = createLate(loadDealings, log, (code) => {
    dealings = code.createDealings(parts);
    for (const [event, payload] of waiting.splice(0)) dealings.broadcast(event, payload);
  });

  return {
    live: {
      pointer: (at) => dealings?.live.pointer(at),
      inkStart: (stroke, color, width) => dealings?.live.inkStart(stroke, color, width),
      inkPoints: (stroke, points) => dealings?.live.inkPoints(stroke, points),
      inkEnd: (stroke, id) => dealings?.live.inkEnd(stroke, id),
      drag: (places) => dealings?.live.drag(places),
    },
    broadcast(event, payload) {
      void late.fetch();
      if (dealings) return dealings.broadcast(event, payload);
      if (stopped || event === LIVE) return;
      waiting.push([event, payload]);
      if (waiting.length > MOST_WAITING) waiting.shift();
    },
    present(isHere, newcomers) {
      if (parts.company().others.size > 0) void late.fetch();
      dealings?.present(isHere, newcomers);
    },
    interval: () => dealings?.interval() ?? LIMITS.broadcastThrottle,
    drain: () => dealings?.drain(),
    changed: () => dealings?.changed(),
    stop() {
      stopped = true;
      late.stop();
      waiting.length = 0;
      dealings?.stop();
    },
  };
}
