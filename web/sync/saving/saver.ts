/** Runs the saves that `schedule.ts` decides on. */

import { TEXTS } from "../../../board/constants.ts";
import type { Environment } from "../environment/environment.ts";
import type { Fault } from "../environment/backend.ts";
import type { SaveRota } from "./rota.ts";
import type { SaveOutcome, SharedRow } from "./row.ts";
import {
  isNewError,
  nextSchedule,
  overdueAt,
  type SaveEvent,
  type SaveSchedule,
  type Wait,
} from "./schedule.ts";
import {
  createEmitter,
  createSignal,
  type Signal,
  type WritableSignal,
} from "../environment/signal.ts";
import { createTimer } from "../environment/timing.ts";

export interface Saver {
  /** Whether a save is under way. */
  readonly saving: Signal<boolean>;
  /** Whether a save failed and none has succeeded since, or a change waits for longer than a save may. */
  readonly overdue: Signal<boolean>;
  /** While it is true nothing is saved: the board is locked. */
  readonly held: Signal<boolean>;
  /** The board changed here. */
  readonly changed: () => void;
  readonly saveNow: () => void;
  /** Saves what a client that has left did not save: now, or, where pages save in rotation, with the next save. */
  readonly saveForPeers: () => void;
  /** The page unloads: starts a save that outlives it, unless the board is locked. */
  readonly saveOnUnload: () => void;
  readonly onFailed: (listener: (failure: SaveFailure) => void) => () => void;
  readonly stop: () => void;
}

/** The reason for a failed save, for the visitor; once for each streak of failures. */
export interface SaveFailure {
  readonly text: string;
  /** The drawing itself is refused. */
  readonly invalid: boolean;
}

export interface SaverDependencies {
  readonly row: SharedRow;
  readonly rota: SaveRota;
  readonly env: Environment;
  /** Whether the backend was reached when it was last called. While it was not, and the browser knows why, nothing is saved. */
  readonly reached: WritableSignal<boolean>;
  /** While it is true nothing is saved: the board is locked. */
  readonly held: Signal<boolean>;
  /** The backend refused a save since the board is locked. */
  readonly onLocked: () => void;
  /** Whether there is anything that the row may not contain. */
  readonly needsSave: () => boolean;
}

/** Milliseconds between two looks of a waiting page at the rota, which changes meanwhile. */
const ROTA_CHECK = 5_000;

/** Saves nothing before the first change. */
export function createSaver(dependencies: SaverDependencies): Saver {
  const { row, rota, env, reached, held, onLocked, needsSave } = dependencies;
  const { clock, log } = env;
  const timer = createTimer(clock);
  const saving = createSignal(false);
  const failed = createEmitter<SaveFailure>();
  let state: SaveSchedule = { at: "idle" };
  const overdue = createSignal(false);
  let stopped = false;

  const isGone = (): boolean => !reached.get() && env.page.isOffline();
  const wait = (): void => {
    timer.clear();
    if ((state.at !== "due" && state.at !== "failed") || isGone() || held.get()) return;
    const due = state.at === "due" ? rota.dueOf(state) : state.due;
    timer.set(Math.min(ROTA_CHECK, Math.max(0, due - clock.now())), () => {
      if (state.at === "due" && rota.dueOf(state) > clock.now()) wait();
      else advance({ type: "timer" });
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
    overdue.set(overdueAt(state) <= clock.now());
  };
  /** `waited`: what waited for its time in the rota; null for a save that waits for none. */
  const save = async (waited: Wait | null): Promise<void> => {
    if (!needsSave()) return advance({ type: "saved" });
    const mayWrite = (lost: boolean): boolean =>
      (waited === null || rota.mayWrite(waited, lost)) && needsSave();
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
      const isLeft = waited !== null && !outcome.written && needsSave();
      return advance({ type: "saved", since: isLeft ? rota.sinceOf(waited) : undefined });
    }
    const { error, invalid, isLocked } = describe(outcome);
    if (isLocked) onLocked();
    if (isGone() || isLocked) return advance({ type: "failed", error: "", invalid, random: 0 });
    if (isNewError(state, error)) failed.emit({ text: error, invalid });
    if ("fault" in outcome) log.error(`The canvas was not saved: ${outcome.fault.message}`);
    advance({ type: "failed", error, invalid, random: env.random() });
  };

  const changed = (): void => advance({ type: "changed" });
  const stops = [reached, held].map((signal) => signal.subscribe(wait));
  // A save that failed because the row could not be read need not wait any longer when it can.
  stops.push(row.unreadable.subscribe(changed), timer.clear);

  return {
    ...{ saving, overdue, held, changed },
    onFailed: failed.listen,
    saveNow: () => advance({ type: "saveNow" }),
    saveOnUnload() {
      if (!held.get()) row.saveOnUnload();
    },
    saveForPeers() {
      const now = clock.now();
      const isNext = rota.dueOf({ since: now, due: now }) <= now;
      advance({ type: isNext ? "saveNow" : "changed" });
    },
    stop() {
      stopped = true;
      for (const stop of stops) stop();
    },
  };
}

/** `error`: in the words of the specification. `invalid`: the drawing itself is refused, or any would be. */
function describe(outcome: Extract<SaveOutcome, { invalid: string } | { fault: Fault }>): {
  readonly error: string;
  readonly invalid: boolean;
  readonly isLocked: boolean;
} {
  const refused = (error: string, invalid: boolean) => ({ error, invalid, isLocked: false });
  if ("invalid" in outcome) return refused(TEXTS.cannotSave(outcome.invalid), true);
  if (outcome.fault.kind === "size") return refused(TEXTS.tooLargeToSave, true);
  if (outcome.fault.kind === "locked") return { error: "", invalid: true, isLocked: true };
  return refused(
    outcome.fault.kind === "limited" ? outcome.fault.message : TEXTS.saveFailed,
    false,
  );
}
