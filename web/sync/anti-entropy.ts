/**
 * How a client gets what it missed. Resync reads the row, after a failure again with backoff. Anti-entropy finds out
 * whether the boards are equal: updates carry the sender's digest; one that differs after a quiet time means that
 * something was missed. So that a lost last message is noticed too, each client also broadcasts its digest now and
 * then: the more rarely the longer nothing changes, and not at all in a round in which it received its own digest
 * from a peer (the idea of Trickle, RFC 6206).
 */

import type { Fault } from "./backend.ts";
import type { Clock, Environment } from "./environment.ts";
import type { Store } from "./port.ts";
import type { SharedRow } from "./row.ts";
import { createStore } from "./store.ts";
import { backoff, createTimer } from "./timing.ts";

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
    checkTimer.set(backoff(attempts, 0, QUIET), () => void check());
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

export interface Resync {
  /** Resolves after one attempt; a failed one is repeated by itself. Several calls share an attempt. */
  run(): Promise<void>;
  /**
   * This page saved. A writer that guards nothing may put an older drawing in the place of what was saved, so the row
   * is looked at a few times more.
   */
  watch(): void;
  /** Whether the last attempt failed. */
  readonly failed: Store<boolean>;
  stop(): void;
}

export interface ResyncParts {
  readonly row: SharedRow;
  readonly env: Environment;
  /** Whether there is reason to look at the row: none while a save is due, which does so itself, or the network is gone. */
  readonly mayLook: () => boolean;
  /** Whether the backend was reached. */
  readonly onReach: (reached: boolean) => void;
}

const RETRY = { first: 1_000, max: 30_000 };
/** When the row is looked at after a save: each time twice as long after the last. */
const WATCH = { first: 8_000, max: 64_000 };

/** Reads nothing before the first `run`. */
export function createResync({ row, env, mayLook, onReach }: ResyncParts): Resync {
  const retry = createTimer(env.clock);
  const look = createTimer(env.clock);
  let running: Promise<void> | null = null;
  let isRequested = false;
  const failed = createStore(false);
  let failures = 0;
  let stopped = false;

  const attempt = async (): Promise<void> => {
    retry.clear();
    const fault = await row
      .refresh()
      .catch((error: unknown): Fault => ({ kind: "refused", message: String(error) }));
    if (stopped) return;
    onReach(fault?.kind !== "network");
    failed.set(fault !== null);
    if (!fault && !row.unreadable.get()) {
      failures = 0;
      return;
    }
    if (fault && failures === 0) env.log.error(`The canvas was not loaded: ${fault.message}`);
    retry.set(backoff(failures, env.random(), RETRY), () => void run());
    failures += 1;
  };
  const run = (): Promise<void> => {
    if (stopped) return Promise.resolve();
    if (running) {
      // The attempt under way may not contain what was missed since it began.
      isRequested = true;
      return running;
    }
    isRequested = false;
    running = attempt().finally(() => {
      running = null;
      if (isRequested) void run();
    });
    return running;
  };
  const watch = (looks: number): void => {
    const delay = WATCH.first * 2 ** looks;
    if (stopped || delay > WATCH.max) return;
    look.set(delay, () => {
      if (mayLook()) void run();
      watch(looks + 1);
    });
  };
  return {
    run,
    watch: () => watch(0),
    failed,
    stop() {
      stopped = true;
      retry.clear();
      look.clear();
    },
  };
}
