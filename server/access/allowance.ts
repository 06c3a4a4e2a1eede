/** Limits how much each newcomer may add: an allowance for each client key, which refills within a minute. */

import { fullBucket, spend, type Bucket, type Rate } from "../limits/token-bucket.ts";
import type { Amount } from "./port.ts";

export const NOTHING: Amount = { objects: 0, bytes: 0 };

/** Greatest number of keys that are remembered; beyond that the one that was idle longest is forgotten. */
const MAX_CLIENTS = 10_000;

interface Client {
  readonly objects: Bucket;
  readonly bytes: Bucket;
  /** The amount saved up for something larger than a minute's allowance. */
  saved: Amount;
}

export interface Allowance {
  /**
   * Takes the cost, or refuses it and saves up what is there for the client's next try: something larger than a
   * minute's allowance passes after as many minutes as it needs.
   */
  take(client: string, cost: Amount): boolean;
  /** Returns the cost of something that did not happen. */
  giveBack(client: string, amount: Amount): void;
}

/**
 * Makes the allowances.
 * @param limits of one minute; 0 is no limit
 * @param clock in milliseconds
 */
export function createAllowance(limits: Amount, clock: () => number): Allowance {
  const rates = { objects: perMinute(limits.objects), bytes: perMinute(limits.bytes) };
  /** The clients in the order of their last use. */
  const clients = new Map<string, Client>();
  const clientOf = (key: string): Client => {
    const now = clock();
    const found = clients.get(key) ?? {
      objects: fullBucket(rates.objects, now),
      bytes: fullBucket(rates.bytes, now),
      saved: NOTHING,
    };
    clients.delete(key);
    clients.set(key, found);
    const [oldest] = clients.keys();
    if (clients.size > MAX_CLIENTS && oldest !== undefined) clients.delete(oldest);
    return found;
  };
  return {
    take(key, cost) {
      const client = clientOf(key);
      const needed = minus(cost, client.saved);
      const now = clock();
      const paid = { objects: 0, bytes: 0 };
      for (const kind of ["objects", "bytes"] as const) {
        spend(client[kind], rates[kind], now, 0);
        const there = limits[kind] === 0 ? needed[kind] : Math.max(0, client[kind].tokens);
        paid[kind] = Math.min(needed[kind], there);
        spend(client[kind], rates[kind], now, limits[kind] === 0 ? 0 : paid[kind]);
      }
      const isEnough = paid.objects >= needed.objects && paid.bytes >= needed.bytes;
      client.saved = isEnough ? minus(client.saved, cost) : plus(client.saved, paid);
      return isEnough;
    },
    giveBack(key, amount) {
      const client = clientOf(key);
      client.saved = plus(client.saved, amount);
    },
  };
}

function perMinute(limit: number): Rate {
  return { perSecond: limit / 60, burst: limit };
}

export function plus(a: Amount, b: Amount): Amount {
  return { objects: a.objects + b.objects, bytes: a.bytes + b.bytes };
}

/** Returns how much more `a` is than `b`; never below 0. */
export function minus(a: Amount, b: Amount): Amount {
  return { objects: Math.max(0, a.objects - b.objects), bytes: Math.max(0, a.bytes - b.bytes) };
}

export function lesser(a: Amount, b: Amount): Amount {
  return { objects: Math.min(a.objects, b.objects), bytes: Math.min(a.bytes, b.bytes) };
}

export function greater(a: Amount, b: Amount): Amount {
  return { objects: Math.max(a.objects, b.objects), bytes: Math.max(a.bytes, b.bytes) };
}
