/** Limits how many of something, or how many bytes of it, may be open at the same time: in all and for each key. */

import { widerNetworks } from "./client-key.ts";

export interface ConcurrencyLimit {
  /** Counts `amount` (1 without it) for a key, or returns false and counts nothing. Everything counted must leave again. */
  enter(key: string, amount?: number): boolean;
  /** Removes an amount; a key that has nothing open is ignored. */
  leave(key: string, amount?: number): void;
}

/**
 * Makes a limit. A client key that is an IPv6 network of 64 bits counts for the networks around it as well, since
 * somebody who has one often has 256 or 65,536: those of 56 and 48 bits may have twice and four times as much.
 * @param limits `inAll` and `perKey` are the largest numbers that are admitted.
 */
export function createConcurrencyLimit(limits: {
  readonly inAll: number;
  readonly perKey: number;
}): ConcurrencyLimit {
  const byKey = new Map<string, number>();
  let all = 0;
  return {
    enter: (key, amount = 1) => {
      const keys = [key, ...widerNetworks(key)];
      if (all + amount > limits.inAll) return false;
      if (keys.some((one, wider) => (byKey.get(one) ?? 0) + amount > limits.perKey * 2 ** wider))
        return false;
      all += amount;
      for (const one of keys) byKey.set(one, (byKey.get(one) ?? 0) + amount);
      return true;
    },
    leave: (key, amount = 1) => {
      if (!byKey.has(key)) return;
      all -= amount;
      for (const one of [key, ...widerNetworks(key)]) {
        const left = (byKey.get(one) ?? 0) - amount;
        if (left <= 0) byKey.delete(one);
        else byKey.set(one, left);
      }
    },
  };
}
