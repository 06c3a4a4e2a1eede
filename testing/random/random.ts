/** Seeded randomness for tests: the same seed gives the same numbers on every machine. */

export interface Random {
  /** Returns a number from 0 to less than 1. */
  readonly next: () => number;
  /** Returns a whole number from `min` to `max`, both included. */
  readonly integer: (min: number, max: number) => number;
  /** Returns true with the given probability, from 0 to 1. */
  readonly boolean: (probability: number) => boolean;
  /**
   * Returns an item of a list.
   * @throws RangeError for an empty list
   */
  readonly pick: <T>(items: readonly T[]) => T;
}

/** Makes a generator of 32-bit state (a Weyl sequence, mixed), which is good for tests, but not for secrets. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    integer: (min, max) => min + Math.floor(next() * (max - min + 1)),
    boolean: (probability) => next() < probability,
    pick: (items) => {
      if (items.length === 0) throw new RangeError("nothing to pick from");
      return items[Math.floor(next() * items.length)] as (typeof items)[number];
    },
  };
}
