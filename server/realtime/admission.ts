/** Who may open a connection: how many there are, in all and of one address, and how fast they come. */

import { HANDSHAKE_FAULTS } from "./faults.ts";
import { fullBucket, take } from "./limits.ts";
import type { Bucket, Limits, Rate } from "./limits.ts";

interface AddressRecord {
  open: number;
  readonly connects: Bucket;
}

type Refusal = (typeof HANDSHAKE_FAULTS)["connections" | "rate"];

export class Admission {
  readonly #limits: Limits;
  readonly #rate: Rate;
  readonly #addresses = new Map<string, AddressRecord>();
  #open = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
    this.#rate = { perSecond: limits.connectsPerSecond, burst: limits.connectsBurst };
  }

  get open(): number {
    return this.#open;
  }

  /** Counts one connection of `address`, or says why not. Whoever is admitted must be released. */
  admit(address: string, now: number): Refusal | null {
    let record = this.#addresses.get(address);
    if (record === undefined) {
      record = { open: 0, connects: fullBucket(this.#rate, now) };
      this.#addresses.set(address, record);
    }
    if (!take(record.connects, this.#rate, now)) return HANDSHAKE_FAULTS.rate;
    if (this.#open >= this.#limits.connections || record.open >= this.#limits.connectionsPerAddress)
      return HANDSHAKE_FAULTS.connections;
    record.open++;
    this.#open++;
    return null;
  }

  release(address: string): void {
    const record = this.#addresses.get(address);
    if (record === undefined || record.open === 0) return;
    record.open--;
    this.#open--;
  }

  /** Forgets addresses that have no connection and a full bucket. */
  sweep(now: number): void {
    for (const [address, { open, connects }] of this.#addresses) {
      if (open > 0) continue;
      take(connects, this.#rate, now, 0);
      if (connects.tokens >= this.#rate.burst) this.#addresses.delete(address);
    }
  }
}
