/**
 * Finds out whether the boards are equal. Updates carry the sender's digest; one that differs after a quiet time means
 * that something was missed. So that a lost last message is noticed too, each client also broadcasts its digest now and
 * then: the more rarely the longer nothing changes, and not at all in a round in which it received its own digest
 * from a peer (the idea of Trickle, RFC 6206).
 */

import type { Environment } from "../environment/environment.ts";
import { createEmitter, type Signal } from "../environment/signal.ts";
import { backoff, createTimer } from "../environment/timing.ts";
import type { Presence } from "../presence/peers.ts";
import type { UpdateRate } from "../presence/update-rate.ts";
import type { Resync } from "../saving/resync.ts";

/** Milliseconds without a change before a difference counts: the more after each check that did not help. */
const QUIET = { first: 3_000, max: 60_000 };
/** Milliseconds of the first and of the longest round; a digest is broadcast at most once in a round. */
const FIRST_ROUND = 8_000;
const MAX_ROUND = 64_000;

export interface AntiEntropy {
  /** Takes a peer's digest, once the update that brought it is merged. */
  readonly peerDigest: (digest: string) => void;
  /** Notes that the board changed here, or that the channel was joined. */
  readonly changed: () => void;
  /** Called when peers are to get this board's digest. */
  readonly onDue: (listener: () => void) => () => void;
  /** Called when reading did not help, twice: this client is to save what peers broadcast and have not saved. */
  readonly onLasting: (listener: () => void) => () => void;
  readonly stop: () => void;
}

export interface AntiEntropyDependencies {
  readonly env: Pick<Environment, "clock" | "random">;
  /** Returns the digest of this board. */
  readonly digest: () => string;
  readonly presence: Pick<Signal<Presence>, "get">;
  /** The rate of updates: a change that a peer has not sent yet is no difference. */
  readonly rate: Pick<UpdateRate, "interval">;
  /** Reads what is missing here. */
  readonly resync: Pick<Resync, "run">;
}

/** No round runs before the first change. */
export function createAntiEntropy(dependencies: AntiEntropyDependencies): AntiEntropy {
  const { env, digest, presence, rate, resync } = dependencies;
  const checkTimer = createTimer(env.clock);
  const roundTimer = createTimer(env.clock);
  const due = createEmitter<void>();
  const lasting = createEmitter<void>();
  let theirs: string | null = null;
  /** Checks that did not help since the last change, whatever other peers agree with this client. */
  let failures = 0;
  let confirmed = false;
  let stopped = false;

  const differs = (): boolean => theirs !== null && theirs !== digest();
  const scheduleCheck = (): void => {
    // A digest is no change: peers that keep sending theirs do not put off the check.
    if (stopped || checkTimer.isSet || !differs()) return;
    const quiet = Math.max(backoff(failures, 0, QUIET), 2 * rate.interval());
    checkTimer.set(quiet, () => void check());
  };
  const check = async (): Promise<void> => {
    if (!differs()) return;
    await resync.run();
    if (stopped || !differs()) return;
    failures += 1;
    if (failures > 1) lasting.emit();
    // This board has everything that the row contains, so the peer is the one that missed something.
    due.emit();
    if (!checkTimer.isSet) scheduleCheck();
  };
  const startRound = (length: number): void => {
    if (stopped) return;
    confirmed = false;
    // At a random time in the round's second half, so that one client sends its digest before the rest does.
    roundTimer.set(length * (0.5 + env.random() / 2), () => {
      if (!confirmed && presence.get().peers.size > 0) due.emit();
      startRound(Math.min(MAX_ROUND, length * 2));
    });
  };

  return {
    peerDigest(received) {
      theirs = received;
      if (!differs()) confirmed = true;
      scheduleCheck();
    },
    changed() {
      theirs = null;
      failures = 0;
      checkTimer.clear();
      startRound(FIRST_ROUND);
    },
    onDue: due.listen,
    onLasting: lasting.listen,
    stop() {
      stopped = true;
      checkTimer.clear();
      roundTimer.clear();
    },
  };
}
