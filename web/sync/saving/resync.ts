/** The repair of updates that a client missed: it reads the row, and after a failure again with backoff. */

import type { Fault } from "../environment/backend.ts";
import type { Environment } from "../environment/environment.ts";
import type { SharedRow } from "./row.ts";
import { createSignal, type Signal, type WritableSignal } from "../environment/signal.ts";
import { backoff, createTimer } from "../environment/timing.ts";

export interface Resync {
  /** Resolves after one attempt; a failed one is repeated by itself. Several calls share an attempt. */
  readonly run: () => Promise<void>;
  /**
   * Reads the row a few more times after a save of this page: a writer that guards nothing may replace the saved drawing
   * by an older one.
   */
  readonly watch: () => void;
  /** Whether the last attempt failed. */
  readonly failed: Signal<boolean>;
  readonly stop: () => void;
}

export interface ResyncDependencies {
  readonly row: SharedRow;
  readonly env: Environment;
  /** Whether the backend was reached when it was last called. */
  readonly reached: WritableSignal<boolean>;
  /** Whether there is anything that the row may not contain: its save will look at the row. */
  readonly needsSave: () => boolean;
}

const RETRY = { first: 1_000, max: 30_000 };
/** Milliseconds before the reads after a save: each delay is twice the one before. */
const WATCH = { first: 8_000, max: 64_000 };

/** Reads nothing before the first `run`. */
export function createResync(dependencies: ResyncDependencies): Resync {
  const { row, env, reached, needsSave } = dependencies;
  const retry = createTimer(env.clock);
  const look = createTimer(env.clock);
  let running: Promise<void> | null = null;
  let isRequested = false;
  const failed = createSignal(false);
  let failures = 0;
  let isLogged = false;
  let stopped = false;

  /** A first load's failure is logged at once; that of a later read once a retry fails too, and not while the browser knows why. */
  const logFailure = (fault: Fault): void => {
    const isLost = fault.kind === "network" && row.known.get();
    if (isLogged || (isLost && (failures === 0 || env.page.isOffline()))) return;
    isLogged = true;
    env.log.error(`The canvas was not loaded: ${fault.message}`);
  };
  const attempt = async (): Promise<void> => {
    retry.clear();
    const fault = await row
      .refresh()
      .catch((error: unknown): Fault => ({ kind: "refused", message: String(error) }));
    if (stopped) return;
    reached.set(fault?.kind !== "network");
    failed.set(fault !== null);
    if (!fault && !row.unreadable.get()) {
      failures = 0;
      isLogged = false;
      return;
    }
    if (fault) logFailure(fault);
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
      if (reached.get() && !needsSave()) void run();
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
