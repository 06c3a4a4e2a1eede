/** Bounds how many removals a board remembers. */

import { ageKey, authorOf, sequenceOf } from "./author.ts";
import type { Board } from "./board.ts";
import { contextOf, countSequencesOf, type CausalContext } from "./causal-context.ts";
import type { Author } from "./drawing.ts";
import { incarnationOf } from "./groups.ts";
import { MAX_IDLE_AUTHORS, MAX_SAVED_RUNS } from "./limits.ts";

/**
 * Forgets removals beyond the bounds; call it before a save. Authors without living objects are forgotten first:
 * those of foreign objects, then those of the oldest days. The removals of the authors with the most runs follow. An
 * object whose removal is forgotten may return with a copy that is older than the removal.
 */
export function compactContext(board: Board): void {
  forgetAuthors(board);
  forgetRuns(board);
}

/** True when every observed object of the author is alive, so that the objects alone express the context, at no cost. */
export function isAllAlive(board: Board, author: Author): boolean {
  return board.living.get(author) === countSequencesOf(board.context, author);
}

function forgetAuthors({ context, living }: Board): void {
  if (context.size - living.size <= MAX_IDLE_AUTHORS) return;
  const idle = [...context.keys()].filter((author) => !living.has(author)).sort(compareAge);
  for (const author of idle.slice(0, Math.max(0, idle.length - MAX_IDLE_AUTHORS))) {
    context.delete(author);
  }
}

function forgetRuns(board: Board): void {
  const { context } = board;
  const removals = [...context].filter(([author]) => !isAllAlive(board, author));
  let runs = removals.reduce((sum, [, list]) => sum + list.length / 3, 0);
  if (runs <= MAX_SAVED_RUNS) return;
  const living = livingContext(board);
  removals.sort((a, b) => b[1].length - a[1].length || compareAge(a[0], b[0]));
  for (const [author, list] of removals) {
    if (runs <= MAX_SAVED_RUNS) return;
    const rest = living.get(author);
    runs -= list.length / 3;
    if (rest === undefined) context.delete(author);
    else context.set(author, rest);
  }
}

function livingContext(board: Board): CausalContext {
  return contextOf(
    [...board.objects].map(
      ([id, object]) => [authorOf(id), sequenceOf(id), incarnationOf(object)] as const,
    ),
  );
}

function compareAge(a: Author, b: Author): number {
  return ageKey(a) - ageKey(b) || (a < b ? -1 : a > b ? 1 : 0);
}
