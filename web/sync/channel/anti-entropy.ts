/**
 * Whether the boards are equal: updates carry the sender's digest; one that differs after a quiet time means that
 * something was missed. So that a lost last message is noticed too, each client also broadcasts its digest now and
 * then: the more rarely the longer nothing changes, and not at all in a round in which it received its own digest
 * from a peer (the idea of Trickle, RFC 6206).
 */

import type { Clock } from "../environment/environment.ts";
import { backoff, createTimer } from "../environment/timing.ts";

/** Milliseconds without a change before a difference counts: the more after each check that did not help. */
const QUIET = { first: 3_000, max: 60_000 };
/** Milliseconds of the first and of the longest round; a digest is broadcast at most once in a round. */
const FIRST_ROUND = 8_000;
const MAX_ROUND = 64_000;

export interface AntiEntropy {
  /** A peer's digest, after what it sent with it was merged. */
  peerDigest(digest: string): void;
  /** The board changed here, or the channel was joined. */
  changed(): void;
  stop(): void;
}

export interface AntiEntropyParts {
  readonly clock: Clock;
  readonly random: () => number;
  /** Of this board. */
  readonly digest: () => string;
  readonly hasPeers: () => boolean;
  /** Milliseconds between two updates of a client: what a peer has not sent yet is no difference. */
  readonly updateInterval: () => number;
  /** Reads what is missing here. */
  readonly resync: () => Promise<unknown>;
  /** Reading did not help, twice: what peers broadcast and have not saved is to be saved by this client. */
  readonly saveForPeers: () => void;
  /** Broadcasts this board's digest. */
  readonly sendDigest: () => void;
}

/** No round runs before the first change. */
export function createAntiEntropy(parts: AntiEntropyParts): AntiEntropy {
  const checkTimer = createTimer(parts.clock);
  const roundTimer = createTimer(parts.clock);
  let theirs: string | null = null;
  let attempts = 0;
  /** Since the last change, whatever other peers agree with this client. */
  let failures = 0;
  let confirmed = false;
  let stopped = false;

  const differs = (): boolean => theirs !== null && theirs !== parts.digest();
  const scheduleCheck = (): void => {
    checkTimer.clear();
    if (stopped || !differs()) return;
    const quiet = Math.max(backoff(attempts, 0, QUIET), 2 * parts.updateInterval());
    checkTimer.set(quiet, () => void check());
  };
  const check = async (): Promise<void> => {
    if (!differs()) return;
    attempts += 1;
    await parts.resync();
    if (stopped || !differs()) return;
    failures += 1;
    if (failures > 1) parts.saveForPeers();
    // This board has everything that the row contains, so the peer is the one that missed something.
    parts.sendDigest();
    if (!checkTimer.isSet) scheduleCheck();
  };
  const startRound = (length: number): void => {
    if (stopped) return;
    confirmed = false;
    // At a random time in the round's second half, so that one client sends its digest before the rest does.
    roundTimer.set(length * (0.5 + parts.random() / 2), () => {
      if (!confirmed && parts.hasPeers()) parts.sendDigest();
      startRound(Math.min(MAX_ROUND, length * 2));
    });
  };

  return {
    peerDigest(digest) {
      theirs = digest;
      if (!differs()) {
        attempts = 0;
        confirmed = true;
      }
      scheduleCheck();
    },
    changed() {
      theirs = null;
      attempts = 0;
      failures = 0;
      checkTimer.clear();
      startRound(FIRST_ROUND);
    },
    stop() {
      stopped = true;
      checkTimer.clear();
      roundTimer.clear();
    },
  };
}
