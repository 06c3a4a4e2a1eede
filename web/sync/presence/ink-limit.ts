/** The limit of the ink that is shown of peers and has not become objects: hostile or broken peers must not fill the memory. */

interface Author {
  readonly strokes: ReadonlyMap<
    string,
    { readonly points: readonly number[]; readonly buffer: readonly number[] }
  >;
}

/** The greatest count of numbers in all strokes of all peers: two for each point. */
const MAX_NUMBERS = 40_000;
/** The count that each peer may have, whatever the rest have. */
const ALWAYS = 800;

function countNumbers(peers: Iterable<Author>): number {
  let count = 0;
  for (const { strokes } of peers)
    for (const { points, buffer } of strokes.values()) count += points.length + buffer.length;
  return count;
}

/** Returns how many numbers more one of the peers may have. */
export function inkLeft(peers: Iterable<Author>, peer: Author): number {
  return Math.max(0, MAX_NUMBERS - countNumbers(peers), ALWAYS - countNumbers([peer]));
}
