/** The rate at which a client may send updates: the more clients draw at once, the lower it is. */

import { LIMITS } from "../../../board/constants.ts";
import type { Clock } from "../environment/environment.ts";

/** The part of the budget that updates may take; live messages have the rest. */
const UPDATE_SHARE = 0.4;
/** A client that sent an update within this time, in milliseconds, is drawing. */
const DRAWING = 10_000;
const MAX_SENDERS = 1_000;

export interface UpdateRate {
  /** Notes that a peer sent an update. */
  readonly peerSent: (clientId: string) => void;
  /** When each peer sent its last update, by clientId; of more than 1,000 the first ones. */
  readonly senders: ReadonlyMap<string, number>;
  /** Milliseconds between two updates: 1 s, and more while many clients draw at once. */
  readonly interval: () => number;
}

/**
 * Limits how often this client sends an update, so that many who draw do not cost more than the backend grants.
 * `budget`: messages per second, each copy counted. `online`: the number of clients online.
 */
export function createUpdateRate(clock: Clock, budget: number, online: () => number): UpdateRate {
  const senders = new Map<string, number>();
  return {
    senders,
    peerSent(clientId) {
      if (senders.size < MAX_SENDERS || senders.has(clientId)) senders.set(clientId, clock.now());
    },
    interval() {
      const since = clock.now() - DRAWING;
      for (const [clientId, at] of senders) if (at < since) senders.delete(clientId);
      // This client is about to be one of them, and each update costs one message for each client.
      const drawing = Math.min(online(), senders.size + 1);
      return Math.max(
        LIMITS.broadcastThrottle,
        (1000 * drawing * online()) / (UPDATE_SHARE * budget),
      );
    },
  };
}
