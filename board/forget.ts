/** Bounding what a board remembers of removals. */

import { ageKey, authorOf, seqOf } from "./author.ts";
import type { Board } from "./board.ts";
import type { Author } from "./drawing.ts";
import { lifeOf } from "./groups.ts";
import { countRuns, markSeen } from "./seen.ts";
import type { Seen } from "./seen.ts";

/** Authors remembered in a saved drawing, unless more than that have living objects. */
export const MOST_AUTHORS = 2_000;

/** Runs of sequence numbers taken from outside, and kept between two saves. */
export const MOST_RUNS = 100_000;

/** Runs in a saved drawing, unless the living objects alone need more: about 300 KB. */
export const MOST_SAVED_RUNS = 20_000;

/**
 * Forgets removals beyond the bounds; to be called before a save. First go the authors without living
 * objects, those of foreign objects and then the oldest days before the others; then the removals of the
 * authors with the most runs. What is forgotten may come back with a copy that is staler than that.
 */
export function compactSeen(board: Board): void {
  const { seen } = board;
  const runs = countRuns(seen);
  if (seen.size <= MOST_AUTHORS && runs <= MOST_SAVED_RUNS) return;
  const living = livingSeen(board);
  forgetAuthors(seen, living);
  forgetRuns(seen, living);
}

function livingSeen(board: Board): Seen {
  const living: Seen = new Map();
  for (const [id, object] of board.objects) {
    markSeen(living, authorOf(id), seqOf(id), lifeOf(object));
  }
  return living;
}

function forgetAuthors(seen: Seen, living: Seen): void {
  const surplus = seen.size - MOST_AUTHORS;
  if (surplus <= 0) return;
  const idle = [...seen.keys()].filter((author) => !living.has(author)).sort(compareAge);
  for (const author of idle.slice(0, surplus)) seen.delete(author);
}

function forgetRuns(seen: Seen, living: Seen): void {
  let runs = countRuns(seen);
  if (runs <= MOST_SAVED_RUNS) return;
  const longest = [...seen].sort((a, b) => b[1].length - a[1].length || compareAge(a[0], b[0]));
  for (const [author, list] of longest) {
    if (runs <= MOST_SAVED_RUNS) return;
    const rest = living.get(author);
    runs += ((rest?.length ?? 0) - list.length) / 3;
    if (rest === undefined) seen.delete(author);
    else seen.set(author, rest);
  }
}

function compareAge(a: Author, b: Author): number {
  return ageKey(a) - ageKey(b) || (a < b ? -1 : a > b ? 1 : 0);
}
