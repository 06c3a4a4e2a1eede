/**
 * The environment of the sync client. All of it is an argument, so that the client runs in a
 * browser, in Node.js and, with a fake clock, in a simulation.
 */

import type { OpenBackend } from "./backend.ts";
import type { DeviceCopyStore, JournalStore } from "./device-stores.ts";

/** The name of a timer; opaque. */
export type TimerId = number | object;

/** Time. `now` is in milliseconds since 1970; it may jump forward and never goes back. Delays are in milliseconds. */
export interface Clock {
  readonly now: () => number;
  readonly setTimer: (run: () => void, delay: number) => TimerId;
  readonly clearTimer: (timer: TimerId) => void;
  /** Calls `run` before the next frame is painted; not at all while the page is hidden. */
  readonly requestFrame: (run: () => void) => TimerId;
  readonly cancelFrame: (frame: TimerId) => void;
}

/**
 * An event of the page. `leaving` may be the last event of this page: a request that must still
 * go out has to be started before the listener returns.
 */
export type PageEvent = "online" | "offline" | "visible" | "hidden" | "leaving";

export interface PageEvents {
  /** Returns the function that ends it. */
  readonly listen: (listener: (event: PageEvent) => void) => () => void;
  /** Whether the browser knows that there is no network. */
  readonly isOffline: () => boolean;
}

/** For faults that no visitor needs to see. Never a drawing, never a token. */
export type Log = Pick<Console, "error" | "warn" | "info">;

export interface Environment {
  readonly clock: Clock;
  /** A number in [0, 1). */
  readonly random: () => number;
  /** A new id: 12 characters of [0-9a-z]. */
  readonly randomId: () => string;
  readonly page: PageEvents;
  readonly log: Log;
  /** Lets other work of this thread run before it resolves. */
  readonly pause: () => Promise<void>;
  /** Milliseconds from an edit to its broadcast: the page paints the edit before. 0 where nothing is painted. */
  readonly sendDelay: number;
  readonly openBackend: OpenBackend;
  readonly openJournalStore: (log: Log) => JournalStore;
  /** `board`: the address of the backend, whose drawing it is. */
  readonly openDeviceCopyStore: (board: string) => DeviceCopyStore;
}
