/**
 * Frees memory in idle minutes. Buffers that a slow or hostile receiver left unread are garbage once it has left, and
 * without other work nothing would collect them: V8 collects when something new is allocated.
 */

import { performance } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Milliseconds between two checks. */
const LOOK_MS = 60_000;
/** Greatest part of the time since the last check in which an idle process has been busy. */
const IDLE = 0.1;
/** Bytes of buffers, above those in use after the last collection, from which another one is worth its pause. */
const WORTH = 64 * 1024 * 1024;

export interface IdleMemoryDependencies {
  /** Returns the bytes of all buffers, including garbage. */
  readonly buffers: () => number;
  /** Returns the part of the time since the last call in which the process was busy, 0 to 1. */
  readonly busy: () => number;
  /** Collects all garbage immediately. */
  readonly collect: () => void;
}

/** Returns a function that checks once, and collects when the process is idle and it is worth it. */
export function createIdleMemory({ buffers, busy, collect }: IdleMemoryDependencies): () => void {
  let inUse = 0;
  return () => {
    inUse = Math.min(inUse, buffers());
    if (busy() > IDLE || buffers() - inUse < WORTH) return;
    collect();
    inUse = buffers();
  };
}

/** Collects all garbage of this thread. Node.js offers this only behind a flag, which may be set at any time. */
export function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
}

/** Checks once a minute from now on. It keeps no process alive. */
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
