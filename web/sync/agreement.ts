/**
 * Whether the boards agree. Updates carry the sender's digest; one that differs when it has been
 * quiet for a while means that something was missed. So that a lost last message is noticed too,
 * digests are also told now and then, the more rarely the longer nothing happens, and not at all
 * by those who just heard their own from somebody else (the idea of Trickle, RFC 6206).
 */

import type { Clock, TimerId } from "./world.ts";

/** Nothing may have come or gone for this long before a difference counts. */
export const QUIET = 3_000;
const LONGEST_QUIET = 60_000;
/** The first and the last interval in which a digest is told. */
export const FIRST_ROUND = 8_000;
export const LAST_ROUND = 64_000;

export interface Agreement {
  /** Somebody's digest, after what they sent was taken in. */
  heard(digest: string): void;
  /** The board changed here. */
  changed(): void;
  stop(): void;
}

export interface AgreementParts {
  readonly clock: Clock;
  readonly random: () => number;
  readonly digest: () => string;
  /** Whether there is somebody to agree with. */
  readonly inCompany: () => boolean;
  /** Looks for what is missing here. */
  readonly catchUp: () => Promise<unknown>;
  /** Tells the others this page's digest. */
  readonly tell: () => void;
}

export function createAgreement(parts: AgreementParts): Agreement {
  const { clock } = parts;
  let other: string | null = null;
  let tries = 0;
  let check: TimerId | null = null;
  let round: TimerId | null = null;
  let length = FIRST_ROUND;
  let confirmed = false;
  let stopped = false;

  const disarm = (timer: TimerId | null): null => {
    if (timer !== null) clock.clearTimer(timer);
    return null;
  };
  const differs = (): boolean => other !== null && other !== parts.digest();
  const armCheck = (): void => {
    check = disarm(check);
    if (stopped || !differs()) return;
    check = clock.setTimer(() => void runCheck(), Math.min(LONGEST_QUIET, QUIET * 2 ** tries));
  };
  const runCheck = async (): Promise<void> => {
    check = null;
    if (!differs()) return;
    tries += 1;
    await parts.catchUp();
    if (stopped || !differs()) return;
    // Then it is the other one who has missed something.
    parts.tell();
    if (check === null) armCheck();
  };
  const startRound = (next: number): void => {
    round = disarm(round);
    if (stopped) return;
    length = Math.min(LAST_ROUND, next);
    confirmed = false;
    round = clock.setTimer(
      () => {
        if (!confirmed && parts.inCompany()) parts.tell();
        startRound(length * 2);
      },
      length * (0.5 + parts.random() / 2),
    );
  };

  return {
    heard(digest) {
      other = digest;
      if (!differs()) {
        tries = 0;
        confirmed = true;
      }
      armCheck();
    },
    changed() {
      other = null;
      tries = 0;
      check = disarm(check);
      startRound(FIRST_ROUND);
    },
    stop() {
      stopped = true;
      check = disarm(check);
      round = disarm(round);
    },
  };
}
