/**
 * Delivers mails and text messages. A delivery starts after the response to its request was handed to the socket: the
 * response takes equally long whether a message follows or not, and a slow mail server delays no response.
 */

import { setImmediate } from "node:timers/promises";
import type { Logger } from "../../process/log.ts";

export interface Deliveries {
  /** Starts a delivery soon. A fault that `work` does not handle is logged. */
  start(work: () => Promise<void>): void;
  /** Resolves when no delivery is under way, or after `waitMs` milliseconds. */
  settle(waitMs: number): Promise<void>;
}

/** Makes the deliveries. `pause` resolves after so many milliseconds. */
export function createDeliveries(log: Logger, pause: (ms: number) => Promise<void>): Deliveries {
  const open = new Set<Promise<void>>();
  return {
    start(work) {
      const delivery = setImmediate()
        .then(work)
        .catch((error: unknown) => {
          log.error("a delivery failed", {
            reason: error instanceof Error ? error.name : "unknown",
          });
        })
        .finally(() => open.delete(delivery));
      open.add(delivery);
    },
    async settle(waitMs) {
      await Promise.race([Promise.all(open), pause(waitMs)]);
    },
  };
}
