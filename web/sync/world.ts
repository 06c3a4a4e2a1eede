/** Everything that the room takes from outside, as arguments: so it runs in a browser, in Node, and on a hand-moved clock. */

import type { OpenBackend } from "./backend.ts";
import type { OpenJournal } from "./journal.ts";

/** What a timer was given as; opaque. */
export type TimerId = number | object;

/** Time. `now` is in milliseconds since 1970 and may jump; timers are in milliseconds. */
export interface Clock {
  now(): number;
  setTimer(run: () => void, delay: number): TimerId;
  clearTimer(timer: TimerId): void;
  /** Calls `run` before the next picture is painted; not at all while the page is hidden. */
  requestFrame(run: () => void): TimerId;
  cancelFrame(frame: TimerId): void;
}

/**
 * What the page tells the room. `leaving` may be the last thing that this page hears: whatever must
 * still go out has to be started before the listener returns.
 */
export type PageEvent = "online" | "offline" | "visible" | "hidden" | "leaving";

export interface PageEvents {
  /** False only where the browser is sure to have no network. */
  isOnline(): boolean;
  isVisible(): boolean;
  /** Answers the function that ends it. */
  listen(listener: (event: PageEvent) => void): () => void;
}

/** Where faults are told that nobody in the room needs to see. Never a drawing, never a token. */
export type Log = Pick<Console, "error" | "warn" | "info">;

/** Code that is fetched when it is needed, or is there already. */
export type Late<Code> = Code | Promise<Code>;

export interface World {
  readonly clock: Clock;
  /** A number in [0, 1). */
  readonly random: () => number;
  /** Unique in the world: a UUID. */
  readonly randomId: () => string;
  readonly page: PageEvents;
  readonly log: Log;
  /** Lets other work of this thread run before it resolves. */
  readonly pause: () => Promise<void>;
  readonly openBackend: OpenBackend;
  readonly openJournal: OpenJournal;
  /** Fetches the code of undo and redo (see `past.ts`); may reject. */
  readonly loadHistory: () => Late<typeof import("../../board/history.ts")>;
  /** Fetches the code that takes over drawings of other programs; may reject. */
  readonly loadAdoption: () => Late<typeof import("../../board/adopt.ts")>;
  /** Fetches the code for the company of others (see `others.ts`); may reject. */
  readonly loadDealings: () => Late<typeof import("./dealings.ts")>;
}

/** Where the room is. Comes from /config.json. */
export interface RoomConfig {
  readonly supabaseUrl: string;
  readonly supabaseAnonKey: string;
  /** Messages a second that the whole room may cost the backend; 100 where it is not given. */
  readonly liveBudget?: number;
}
