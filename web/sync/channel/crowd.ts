/** The clients online. In a crowd the server counts clients and lists the first ones, instead of sending everybody. */

import { parseSummary } from "../../../board/presence-summary.ts";
import type { Environment } from "../environment/environment.ts";
import { createEmitter, type Signal } from "../environment/signal.ts";
import { createTimer } from "../environment/timing.ts";
import { isComplete, type Presence } from "../presence/peers.ts";

export interface Crowd {
  /**
   * Whether a client is online: this one, a listed peer, or, in a crowd, a client whose changes have not been unsaved
   * for too long. Nobody says when a client leaves that is not listed, so its time runs from its first unsaved change.
   */
  readonly isOnline: (clientId: string) => boolean;
  /** Returns the presence that a summary states, or the presence known before when the summary cannot be read. */
  readonly read: (summary: unknown) => Presence;
  /** Notes that the row contains more: every client's time begins anew. */
  readonly saved: () => void;
  /** Called when the time of a client that is not listed may be over. */
  readonly onExpired: (listener: () => void) => () => void;
  readonly stop: () => void;
}

export interface CrowdDependencies {
  /** This client's id. */
  readonly clientId: string;
  readonly presence: Signal<Presence>;
  readonly env: Pick<Environment, "clock" | "random">;
}

/**
 * Milliseconds. A client that draws saves 60 s after its first change at the latest: one that is not listed, and whose
 * changes are not saved for longer, counts as offline.
 */
const EXPIRY = 70_000;
/** Milliseconds, times a random part of the number online: one client that saves for it is enough. */
const SPREAD = 2_000;

/** Nobody else is online yet. */
export function createCrowd({ clientId, presence, env }: CrowdDependencies): Crowd {
  const { clock, random } = env;
  const timer = createTimer(clock);
  const expired = createEmitter<void>();
  const unsavedSince = new Map<string, number>();

  const isWaitedFor = (id: string, now: Presence): boolean => {
    const since = unsavedSince.get(id) ?? clock.now();
    unsavedSince.set(id, since);
    if (!timer.isSet) timer.set(EXPIRY + SPREAD * now.online * random(), expired.emit);
    return clock.now() - since < EXPIRY;
  };
  return {
    isOnline(id) {
      const now = presence.get();
      return id === clientId || now.peers.has(id) || (!isComplete(now) && isWaitedFor(id, now));
    },
    read(summary) {
      const before = presence.get();
      const parsed = parseSummary(summary);
      if (!parsed.ok) return before;
      const { online, plain, people } = parsed.value;
      const peers = people
        ? new Map(people.flatMap(([id, name]) => (id === clientId ? [] : [[id, name]])))
        : before.peers;
      return { online: Math.max(1, online), peers, allPartial: plain === 0 };
    },
    saved: () => unsavedSince.clear(),
    onExpired: expired.listen,
    stop: timer.clear,
  };
}
