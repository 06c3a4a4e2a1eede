/** How many of something, or how many bytes of it, may be open at once, in all and for each key. */

export interface ConcurrencyLimit {
  /** Counts `amount` (1 without it) of a key, or returns false and counts nothing. What was counted must leave. */
  enter(key: string, amount?: number): boolean;
  /** A key that has nothing open is passed over. */
  leave(key: string, amount?: number): void;
}

/** @param limits `inAll` and `perKey` are the largest numbers that are let in */
export function createConcurrencyLimit(limits: {
  readonly inAll: number;
  readonly perKey: number;
}): ConcurrencyLimit {
  const byKey = new Map<string, number>();
  let all = 0;
  return {
    enter: (key, amount = 1) => {
      const open = byKey.get(key) ?? 0;
      if (all + amount > limits.inAll || open + amount > limits.perKey) return false;
      all += amount;
      byKey.set(key, open + amount);
      return true;
    },
    leave: (key, amount = 1) => {
      const open = byKey.get(key);
      if (open === undefined) return;
      all -= amount;
      if (open <= amount) byKey.delete(key);
      else byKey.set(key, open - amount);
    },
  };
}
