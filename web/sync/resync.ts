/** Reads the row whenever something may have been missed, and tries again quietly until it was read. */

import type { Fault } from "./backend.ts";
import type { SharedRow } from "./row.ts";
import type { TimerId, World } from "./world.ts";

export interface Resync {
  /** Resolves after one attempt; a failed one is repeated later by itself. Several calls share an attempt. */
  run(): Promise<void>;
  stop(): void;
}

export interface ResyncParts {
  readonly row: SharedRow;
  readonly world: World;
  readonly onReach: (reached: boolean) => void;
}

const FIRST_RETRY = 1_000;
const LAST_RETRY = 30_000;

export function createResync({ row, world, onReach }: ResyncParts): Resync {
  const { clock } = world;
  let running: Promise<void> | null = null;
  let again = false;
  let failures = 0;
  let timer: TimerId | null = null;
  let stopped = false;

  const disarm = (): void => {
    if (timer !== null) clock.clearTimer(timer);
    timer = null;
  };
  const attempt = async (): Promise<void> => {
    disarm();
    const fault = await row
      .refresh()
      .catch((error: unknown): Fault => ({ kind: "refused", message: String(error) }));
    if (stopped) return;
    onReach(fault?.kind !== "network");
    if (!fault) {
      failures = 0;
      return;
    }
    if (failures === 0) world.log.error(`The canvas was not loaded: ${fault.message}`);
    const delay = Math.min(LAST_RETRY, FIRST_RETRY * 2 ** failures) * (0.75 + world.random() / 4);
    failures += 1;
    timer = clock.setTimer(() => void run(), delay);
  };
  const run = (): Promise<void> => {
    if (stopped) return Promise.resolve();
    if (running) {
      // What was missed since that attempt began is not in it.
      again = true;
      return running;
    }
    again = false;
    running = attempt().finally(() => {
      running = null;
      if (again) void run();
    });
    return running;
  };
  return {
    run,
    stop() {
      stopped = true;
      disarm();
    },
  };
}
