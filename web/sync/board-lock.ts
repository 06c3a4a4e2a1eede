/** The lock that a host may put on the board, as this page knows it. */

import { EVENTS } from "../../board/messages.ts";
import type { Backend } from "./environment/backend.ts";
import type { Clock } from "./environment/environment.ts";
import { createSignal, type Signal } from "./environment/signal.ts";
import { createTimer } from "./environment/timing.ts";

export interface BoardLock {
  /** True when a host has locked the board. */
  readonly locked: Signal<boolean>;
  /** True when the board is locked and this page has no link that lets it draw. */
  readonly blocked: Signal<boolean>;
  /** Reads the setting again, because a peer says that it has changed: a hint, since the table alone is believed. */
  readonly check: () => void;
  /** Notes that the channel has joined: messages of the meantime were missed. */
  readonly joined: () => void;
  /**
   * Whether a broadcast of this event counts. A backend that cannot guard its channel passes drawings of a locked board
   * on: there the row alone counts, and no peer says what of it need not be read. Only a backend that guards its
   * channel lets nobody but hosts say that something was taken back.
   */
  readonly admits: (event: string) => boolean;
  readonly stop: () => void;
}

interface LockDependencies {
  readonly backend: Pick<Backend, "readLock" | "mayDraw">;
  readonly clock: Clock;
  /** The backend tells whoever joins a locked board, so that only a page that believes in a lock has to look. */
  readonly announces: boolean;
}

/** Milliseconds between two reads of the setting, and after one that failed. */
const SPACING = 500;
const RETRY = { first: 3_000, max: 60_000 };

export function createBoardLock({ backend, clock, announces }: LockDependencies): BoardLock {
  const locked = createSignal(false);
  const blocked = createSignal(false);
  const timer = createTimer(clock);
  let isReading = false;
  let isStale = false;
  let pause: number = RETRY.first;
  /** True when the backend has no such setting. */
  let isMissing = false;
  let isStopped = false;

  const update = (): void => blocked.set(locked.get() && !backend.mayDraw.get());
  const stopWatching = backend.mayDraw.subscribe(update);
  const read = async (): Promise<void> => {
    isReading = true;
    isStale = false;
    const result = await backend.readLock();
    if (isStopped) return;
    if (result.ok) {
      isMissing = result.value === null;
      locked.set(result.value === true);
      update();
    } else isStale = true;
    timer.set(result.ok ? SPACING : pause, () => {
      isReading = false;
      if (isStale) void read();
    });
    pause = result.ok ? RETRY.first : Math.min(2 * pause, RETRY.max);
  };
  const check = (): void => {
    isStale = true;
    if (!isReading && !isStopped) void read();
  };
  return {
    locked,
    blocked,
    check,
    joined: () => {
      if (locked.get() || (!announces && !isMissing)) check();
    },
    admits: (event) => announces || (event !== EVENTS.takenBack && !locked.get()),
    stop: () => {
      isStopped = true;
      stopWatching();
      timer.clear();
    },
  };
}
