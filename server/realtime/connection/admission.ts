/** Decides which clients may open a connection: by the number of open ones, of all clients and of each, and by their rate. */

import { createConcurrencyLimit, type ConcurrencyLimit } from "../../limits/concurrency.ts";
import { createKeyedBuckets, type KeyedBuckets } from "../../limits/token-bucket.ts";
import { HANDSHAKE_FAULTS } from "../payloads/faults.ts";
import type { Limits } from "../settings/limits.ts";

type Rejection = (typeof HANDSHAKE_FAULTS)["connections" | "rate"];

export class Admission {
  readonly #connects: KeyedBuckets;
  readonly #open: ConcurrencyLimit;

  /** @param clock The time in milliseconds. */
  constructor(limits: Limits, clock: () => number) {
    const rate = { perSecond: limits.connectsPerSecond, burst: limits.connectsBurst };
    this.#connects = createKeyedBuckets({ rate, clock });
    this.#open = createConcurrencyLimit({
      inAll: limits.connections,
      perKey: limits.connectionsPerAddress,
    });
  }

  /**
   * Counts one connection of a client and returns null, or returns the reason for a rejection. A client that was
   * admitted must be released.
   */
  admit(client: string): Rejection | null {
    if (this.#connects.take(client) > 0) return HANDSHAKE_FAULTS.rate;
    return this.#open.enter(client) ? null : HANDSHAKE_FAULTS.connections;
  }

  /** Notes that a connection which was admitted has closed. */
  release(client: string): void {
    this.#open.leave(client);
  }
}
