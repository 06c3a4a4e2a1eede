/** When to save: a decision, without a clock or a backend. Times in milliseconds. */

import { LIMITS } from "../../board/spec.ts";

/** Somebody who draws without a pause is saved this often all the same. */
export const SAVE_CEILING = 60_000;
const FIRST_RETRY = 2_000;
const LAST_RETRY = 60_000;

/** `told` is what the person was told of a streak of failures, so that it is not repeated. */
export type Saving =
  | { readonly at: "rest" }
  | { readonly at: "due"; readonly since: number; readonly due: number }
  | {
      readonly at: "busy";
      readonly failures: number;
      readonly told: string | null;
      readonly next: Wait | null;
    }
  | {
      readonly at: "failed";
      readonly failures: number;
      readonly told: string;
      readonly since: number;
      readonly due: number;
    };

interface Wait {
  readonly since: number;
  readonly due: number;
}

export type SavingEvent =
  | { readonly type: "changed" }
  /** Save at once: after Clear, when the network is back, when the page is hidden. */
  | { readonly type: "hurry" }
  | { readonly type: "timer" }
  | { readonly type: "saved" }
  /** `patient`: another try is of no use before the drawing changes. */
  | {
      readonly type: "failed";
      readonly text: string;
      readonly patient: boolean;
      readonly dice: number;
    };

/** The next state. Entering "busy" means: start a save now. "due" and "failed" carry the time of their timer. */
export function nextSaving(state: Saving, event: SavingEvent, now: number): Saving {
  switch (event.type) {
    case "changed":
      return onChanged(state, now);
    case "hurry":
      if (state.at === "busy")
        return { ...state, next: { since: state.next?.since ?? now, due: now } };
      return state.at === "failed" ? { ...state, due: now } : { at: "due", since: now, due: now };
    case "timer":
      if (state.at === "due" && state.due <= now)
        return { at: "busy", failures: 0, told: null, next: null };
      if (state.at === "failed" && state.due <= now) {
        return { at: "busy", failures: state.failures, told: state.told, next: null };
      }
      return state;
    case "saved":
      if (state.at !== "busy") return state;
      return state.next ? { at: "due", ...state.next } : { at: "rest" };
    case "failed": {
      if (state.at !== "busy") return state;
      const failures = state.failures + 1;
      const retry = now + (event.patient ? LAST_RETRY : retryDelay(failures, event.dice));
      const since = state.next?.since ?? now;
      return {
        at: "failed",
        failures,
        told: event.text,
        since,
        due: Math.min(retry, state.next?.due ?? retry),
      };
    }
  }
}

/** Whether a failure's text is new to the person. */
export function isNews(state: Saving, text: string): boolean {
  return state.at !== "busy" || state.told !== text;
}

function onChanged(state: Saving, now: number): Saving {
  switch (state.at) {
    case "rest":
      return { at: "due", ...wait(now, now) };
    case "due":
      return state.due <= now ? state : { at: "due", ...wait(state.since, now) };
    case "busy":
      return { ...state, next: wait(state.next?.since ?? now, now) };
    case "failed":
      return { ...state, due: Math.min(state.due, now + LIMITS.saveDebounce) };
  }
}

function wait(since: number, now: number): Wait {
  return { since, due: Math.min(now + LIMITS.saveDebounce, since + SAVE_CEILING) };
}

/** 2, 4, 8 ... 60 s, of which up to a quarter is chance, so that a room does not come back in step. */
function retryDelay(failures: number, dice: number): number {
  const delay = Math.min(LAST_RETRY, FIRST_RETRY * 2 ** (failures - 1));
  return delay * (1 - dice / 4);
}
