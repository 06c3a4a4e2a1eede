/** Runs the saves that `save-schedule.ts` decides on, and says how far saving has come. */

import { TEXTS } from "../../../board/constants.ts";
import type { Environment } from "../environment/environment.ts";
import type { Fault } from "../environment/backend.ts";
import type { SavedState, SaveOutcome, SharedRow } from "./row.ts";
import {
  isNewError,
  nextSchedule,
  type SaveEvent,
  type SaveSchedule,
  type Wait,
} from "./schedule.ts";
import { createSignal, type Signal, type WritableSignal } from "../environment/signal.ts";
import { createTimer } from "../environment/timing.ts";

export interface Saver {
  /** Whether a save is under way. */
  readonly saving: Signal<boolean>;
  /** The board changed here. */
  changed(): void;
  saveNow(): void;
  /** The board contains what a client that is gone did not save: now, or, where pages take turns, with the next save. */
  saveForPeers(): void;
  stop(): void;
}

/** Who of many that draw on a large board saves for all, and when (`save-turns.ts`). Until its code is there, each saves for itself. */
export interface SaveTurns {
  /** When a save that is due may begin. */
  dueOf(wait: Wait): number;
  /** After a read, which showed that something still waits for a save: whether it is this page's turn. `lost`: another client saved just now. */
  mayWrite(wait: Wait, lost: boolean): boolean;
  /** Since when the oldest of what is not saved waits. */
  sinceOf(wait: Wait): number;
  /** A client saved: this one, or a peer, as it says. */
  saved(clientId: string): void;
}

/** Each saves for itself. */
export function createNoTurns(): SaveTurns {
  return {
    dueOf: ({ due }) => due,
    mayWrite: () => true,
    sinceOf: ({ since }) => since,
    saved: () => undefined,
  };
}

export interface SaverParts {
  readonly row: SharedRow;
  readonly turns: SaveTurns;
  readonly env: Environment;
  /** Whether there is anything that the row may not contain. */
  readonly needsSave: () => boolean;
  /** A message for the visitor; once for each streak of failures. */
  readonly onError: (text: string, tooLarge: boolean) => void;
  readonly onSaved: (state: SavedState) => void;
  /** Whether the backend was reached when it was last called. While it was not, and the browser knows why, nothing is saved. */
  readonly reached: WritableSignal<boolean>;
}

/** How often a page that waits for its turn looks again whether it has come: milliseconds. */
const TURN_CHECK = 5_000;

/** Saves nothing before the first change. */
export function createSaver(parts: SaverParts): Saver {
  const { row, turns, env, reached } = parts;
  const { clock, log } = env;
  const timer = createTimer(clock);
  const saving = createSignal(false);
  let state: SaveSchedule = { at: "idle" };
  let stopped = false;

  const isGone = (): boolean => env.page.isOffline() && !reached.get();
  const wait = (): void => {
    timer.clear();
    if ((state.at !== "due" && state.at !== "failed") || isGone()) return;
    const due = state.at === "due" ? turns.dueOf(state) : state.due;
    // What the turn depends on changes meanwhile.
    timer.set(Math.min(TURN_CHECK, Math.max(0, due - clock.now())), () => {
      if (state.at === "due" && turns.dueOf(state) > clock.now()) wait();
      else advance({ type: "timer", turn: true });
    });
  };
  const advance = (event: SaveEvent): void => {
    if (stopped) return;
    const before = state;
    state = nextSchedule(state, event, clock.now());
    wait();
    if (state.at === "saving" && before.at !== "saving")
      void save("due" in before && !before.atOnce ? before : null);
    saving.set(state.at === "saving");
  };
  /** `turn`: what waited for this page's turn; null for a save that waits for none. */
  const save = async (turn: Wait | null): Promise<void> => {
    if (!parts.needsSave()) return advance({ type: "saved" });
    const mayWrite = (lost: boolean): boolean =>
      (turn === null || turns.mayWrite(turn, lost)) && parts.needsSave();
    const outcome = await row.save(mayWrite).catch((fault: unknown): SaveOutcome => ({
      ok: false,
      fault: { kind: "refused", message: String(fault) },
    }));
    if (stopped) return;
    reached.set(outcome.ok || !("fault" in outcome) || outcome.fault.kind !== "network");
    if ("unreadable" in outcome) {
      // The header says so; it is looked at again later.
      return advance({ type: "failed", error: "", invalid: true, random: env.random() });
    }
    if (outcome.ok) {
      if (outcome.state) parts.onSaved(outcome.state);
      const waits = turn !== null && outcome.state === null && parts.needsSave();
      return advance({ type: "saved", since: waits ? turns.sinceOf(turn) : undefined });
    }
    const { error, invalid } = describe(outcome);
    if (isGone()) return advance({ type: "failed", error: "", invalid, random: 0 });
    if (isNewError(state, error)) parts.onError(error, invalid);
    if ("fault" in outcome) log.error(`The canvas was not saved: ${outcome.fault.message}`);
    advance({ type: "failed", error, invalid, random: env.random() });
  };

  const stopWatching = reached.subscribe(wait);

  return {
    saving,
    changed: () => advance({ type: "changed" }),
    saveNow: () => advance({ type: "saveNow" }),
    saveForPeers() {
      const now = clock.now();
      const isTurn = turns.dueOf({ since: now, due: now }) <= now;
      advance({ type: isTurn ? "saveNow" : "changed" });
    },
    stop() {
      stopped = true;
      stopWatching();
      timer.clear();
    },
  };
}

/** `error`: in the words of the specification. `invalid`: the drawing itself is refused. */
function describe(outcome: Extract<SaveOutcome, { invalid: string } | { fault: Fault }>): {
  readonly error: string;
  readonly invalid: boolean;
} {
  if ("invalid" in outcome) return { error: TEXTS.cannotSave(outcome.invalid), invalid: true };
  if (outcome.fault.kind === "size") return { error: TEXTS.tooLargeToSave, invalid: true };
  return { error: TEXTS.saveFailed, invalid: false };
}
