/** Bounds how many removals a board remembers. */

import { ageKey, authorOf, sequenceOf } from "./author.ts";
import type { Board } from "./board.ts";
import { contextOf, countSequencesOf, type CausalContext } from "./causal-context.ts";
import type { Author, ObjectId } from "./drawing.ts";
import { incarnationOf } from "./groups.ts";
import { MAX_IDLE_AUTHORS, MAX_SAVED_RUNS } from "./limits.ts";

/**
 * Forgets removals beyond the bounds; call it before a save. Authors without living objects are forgotten first:
 * those of foreign objects, then those of the oldest days. The removals of the authors with the most runs follow. An
 * object whose removal is forgotten may return with a copy that is older than the removal. So the removals of
 * `pending`, the objects of this page's own edits that are not saved yet, are remembered with everything else of their
 * authors; those of peers are not: with them, somebody hostile could make the drawing too large to be saved.
 */
export function compactContext(board: Board, pending: Iterable<ObjectId> = []): void {
  const { context, living } = board;
  const spared = new Set(Array.from(pending, authorOf));
  const authors = [...context.keys()]
    .filter((author) => !spared.has(author) && !isAllAlive(board, author))
    .sort(compareAge);
  const idle = authors.filter((author) => !living.has(author));
  for (const author of idle.slice(0, Math.max(0, idle.length - MAX_IDLE_AUTHORS)))
    context.delete(author);
  forgetRuns(board, authors);
}

/** True when every observed object of the author is alive, so that the objects alone express the context, at no cost. */
export function isAllAlive(board: Board, author: Author): boolean {
  return board.living.get(author) === countSequencesOf(board.context, author);
}

/** `authors`: those whose removals may be forgotten, the oldest first. */
function forgetRuns(board: Board, authors: readonly Author[]): void {
  const { context } = board;
  const removals = authors.flatMap((author) => {
    const list = context.get(author);
    return list ? [[author, list] as const] : [];
  });
  let runs = removals.reduce((sum, [, list]) => sum + list.length / 3, 0);
  if (runs <= MAX_SAVED_RUNS) return;
  const living = livingContext(board);
  removals.sort((a, b) => b[1].length - a[1].length);
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
