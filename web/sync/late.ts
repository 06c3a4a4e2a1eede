/** Code that is not fetched before it is needed. */

import type { Late, Log } from "./world.ts";

export interface LateCode {
  /** Fetches the code unless it is there or on its way. Never rejects: after a failure the next call tries again. */
  fetch(): Promise<void>;
  /** What is still on its way is not taken any more. */
  stop(): void;
}

/** `take` gets the code, once. */
export function createLate<Code>(
  load: () => Late<Code>,
  log: Log,
  take: (code: Code) => void,
): LateCode {
  let over = false;
  let fetching = false;
  return {
    async fetch() {
      if (fetching || over) return;
      fetching = true;
      try {
        const loaded = load();
        // Where the code is there already nobody waits, not even for a microtask.
        const code = loaded instanceof Promise ? await loaded : loaded;
        if (over) return;
        over = true;
        take(code);
      } catch (fault) {
        log.error(fault);
      } finally {
        fetching = false;
      }
    },
    stop() {
      over = true;
    },
  };
}
