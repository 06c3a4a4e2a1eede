/**
 * Gives memory back in idle minutes. Buffers that a slow or hostile receiver left unread are garbage once it is gone, and
 * without other work nothing would collect them: V8 collects when something new is allocated.
 */

import { performance } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Milliseconds between two looks. */
const LOOK_MS = 60_000;
/** Part of the time since the last look in which an idle process has had something to do, at most. */
const IDLE = 0.1;
/** Bytes of buffers above those that were in use after the last collection, from which on one is worth its pause. */
const WORTH = 64 * 1024 * 1024;

export interface IdleMemoryDependencies {
  /** Bytes of all buffers, those of garbage included. */
  readonly buffers: () => number;
  /** Part of the time since the last call in which the process had something to do, 0 to 1. */
  readonly busy: () => number;
  /** Collects all garbage at once. */
  readonly collect: () => void;
}

/** Returns a function that looks once, and collects when the process is idle and it is worth it. */
export function createIdleMemory({ buffers, busy, collect }: IdleMemoryDependencies): () => void {
  let inUse = 0;
  return () => {
    inUse = Math.min(inUse, buffers());
    if (busy() > IDLE || buffers() - inUse < WORTH) return;
    collect();
    inUse = buffers();
  };
}

/** Collects all garbage of this thread. Node.js offers that behind a flag alone, which may be set at any time. */
export function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
}

/** Looks once a minute from now on. Keeps no process alive. */
export function giveIdleMemoryBack(): void {
  let last = performance.eventLoopUtilization();
  const look = createIdleMemory({
    buffers: () => process.memoryUsage().arrayBuffers,
    busy: () => {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, last);
      last = now;
      return utilization;
    },
    collect: collectGarbage,
  });
  setInterval(look, LOOK_MS).unref();
}
