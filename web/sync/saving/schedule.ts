/** When to save: a decision, without a clock and without a backend. Times in milliseconds. */

import { LIMITS } from "../../../board/constants.ts";
import { backoff } from "../environment/timing.ts";

/** A visitor who draws without a pause is saved this often all the same. */
export const SAVE_CEILING = 60_000;
const RETRY = { first: 2_000, max: 60_000 };

/** `shownError`: what the visitor was shown in this streak of failures, so that it is not repeated. */
export type SaveSchedule =
  | { readonly at: "idle" }
  /** Changed at `since` and not saved; the save is due. */
  | ({ readonly at: "due" } & Wait)
  /** A save is under way; `next`: the board changed since it began. */
  | {
      readonly at: "saving";
      readonly failures: number;
      readonly shownError: string | null;
      readonly next: Wait | null;
    }
  | ({ readonly at: "failed"; readonly failures: number; readonly shownError: string } & Wait);

export interface Wait {
  readonly since: number;
  readonly due: number;
  /** The save waits for no rota (`rota.ts`). */
  readonly atOnce?: true;
}

export type SaveEvent =
  /** The board changed here. */
  | { readonly type: "changed" }
  /** Save at once: after Clear, when the network is back, when the page is hidden. */
  | { readonly type: "saveNow" }
  /** The time of the state's timer is over, or this page is the next one that saves for all. */
  | { readonly type: "timer" }
  /** `since`: nothing was written, and what waits since then is left to others for now. */
  | { readonly type: "saved"; readonly since?: number | undefined }
  /** `invalid`: the drawing itself is refused, so another attempt is of no use before it changes. */
  | {
      readonly type: "failed";
      readonly error: string;
      readonly invalid: boolean;
      /** A number in [0, 1). */
      readonly random: number;
    };

/** The next state. Entering "saving" means: start a save. "due" and "failed" carry the time of their timer. */
export function nextSchedule(state: SaveSchedule, event: SaveEvent, now: number): SaveSchedule {
  switch (event.type) {
    case "changed":
      return afterChange(state, now);
    case "saveNow":
      if (state.at === "saving")
        return { ...state, next: { since: state.next?.since ?? now, due: now, atOnce: true } };
      return state.at === "failed"
        ? { ...state, due: now, atOnce: true }
        : { at: "due", since: now, due: now, atOnce: true };
    case "timer":
      if (state.at === "due") return { at: "saving", failures: 0, shownError: null, next: null };
      if (state.at === "failed" && state.due <= now) {
        const { failures, shownError } = state;
        return { at: "saving", failures, shownError, next: null };
      }
      return state;
    case "saved":
      if (state.at !== "saving") return state;
      if (event.since !== undefined && state.next?.atOnce !== true)
        return { at: "due", ...debounce(event.since, now) };
      return state.next ? { at: "due", ...state.next } : { at: "idle" };
    case "failed": {
      if (state.at !== "saving") return state;
      const delay = event.invalid ? RETRY.max : backoff(state.failures, event.random, RETRY);
      return {
        at: "failed",
        failures: state.failures + 1,
        shownError: event.error,
        since: state.next?.since ?? now,
        due: Math.min(now + delay, state.next?.due ?? Number.POSITIVE_INFINITY),
      };
    }
  }
}

/** The time from which on a change has waited for too long, or a save has failed: until then a save only waits for its time. */
export function overdueAt(state: SaveSchedule): number {
  switch (state.at) {
    case "idle":
      return Number.POSITIVE_INFINITY;
    case "due":
      return state.since + SAVE_CEILING;
    case "saving":
      return state.failures > 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
    case "failed":
      return Number.NEGATIVE_INFINITY;
  }
}

/** Whether the visitor has not been shown this error in this streak of failures. */
export function isNewError(state: SaveSchedule, error: string): boolean {
  return state.at !== "saving" || state.shownError !== error;
}

function afterChange(state: SaveSchedule, now: number): SaveSchedule {
  switch (state.at) {
    case "idle":
      return { at: "due", ...debounce(now, now) };
    case "due":
      return state.due <= now ? state : { at: "due", ...debounce(state.since, now) };
    case "saving":
      if (state.next?.atOnce === true) return state;
      return { ...state, next: debounce(state.next?.since ?? now, now) };
    case "failed":
      return { ...state, due: Math.min(state.due, now + LIMITS.saveDebounce) };
  }
}

function debounce(since: number, now: number): Wait {
  return { since, due: Math.min(now + LIMITS.saveDebounce, since + SAVE_CEILING) };
}
