/**
 * The causal context of a board: for each author, the sequence numbers that the board has observed, and the highest
 * observed incarnation of each. In memory an author has a flat list of runs `from, to, incarnation`, ascending and
 * without overlap; neighbours of equal incarnation are joined, so equal knowledge gives equal lists.
 */

import { MAX_COUNT } from "./limits.ts";
import { isWhole } from "./message-fields.ts";
import type { Author, ContextRuns } from "./drawing.ts";

export type CausalContext = Map<Author, number[]>;

/** The highest observed incarnation of an object; -1 when it was never observed. O(log runs). */
export function knownIncarnation(context: CausalContext, author: Author, seq: number): number {
  const runs = context.get(author);
  if (runs === undefined) return -1;
  const at = findRun(runs, seq);
  return at < runs.length && cell(runs, at) <= seq ? cell(runs, at + 2) : -1;
}

/** The greatest observed sequence number of an author; -1 for none. */
export function lastSequence(context: CausalContext, author: Author): number {
  const runs = context.get(author);
  return runs === undefined || runs.length === 0 ? -1 : cell(runs, runs.length - 2);
}

/** Adds one incarnation, which includes the lower ones. O(log runs), apart from moving the runs behind it. */
export function addToContext(
  context: CausalContext,
  author: Author,
  seq: number,
  incarnation: number,
): void {
  const runs = context.get(author);
  if (runs === undefined) {
    context.set(author, [seq, seq, incarnation]);
    return;
  }
  raise(runs, seq, seq, incarnation);
}

/** Adds many incarnations in any order. O(n log n). */
export function addAllToContext(
  context: CausalContext,
  incarnations: Iterable<readonly [author: Author, seq: number, incarnation: number]>,
): void {
  mergeContext(context, contextOf(incarnations));
}

/** Makes the context of exactly these incarnations, each of which includes the lower ones. O(n log n). */
export function contextOf(
  incarnations: Iterable<readonly [author: Author, seq: number, incarnation: number]>,
): CausalContext {
  const context: CausalContext = new Map();
  for (const [author, seq, incarnation] of incarnations) {
    const runs = context.get(author);
    if (runs === undefined) context.set(author, [seq, seq, incarnation]);
    else runs.push(seq, seq, incarnation);
  }
  for (const [author, runs] of context) context.set(author, normalize(runs));
  return context;
}

/** Removes the incarnations of `other` from `context`: what remains was never observed together with them. Linear in both. */
export function subtractContext(context: CausalContext, other: CausalContext): void {
  for (const [author, removed] of other) {
    const runs = context.get(author);
    if (runs === undefined) continue;
    const rest = subtractRuns(runs, removed);
    if (rest.length > 0) context.set(author, rest);
    else context.delete(author);
  }
}

/** The number of observed sequence numbers of one author. */
export function countSequencesOf(context: CausalContext, author: Author): number {
  let count = 0;
  const runs = context.get(author) ?? [];
  for (let index = 0; index < runs.length; index += 3) {
    count += cell(runs, index + 1) - cell(runs, index) + 1;
  }
  return count;
}

/**
 * Adds everything that `other` has observed. The cost follows the size of `other`, unless `context` has many runs of
 * one of its authors.
 */
export function mergeContext(context: CausalContext, other: CausalContext): void {
  for (const [author, runs] of other) {
    const mine = context.get(author);
    if (mine === undefined) context.set(author, runs.slice());
    else if (runs.length > 24) context.set(author, uniteRuns(mine, runs));
    else {
      for (let index = 0; index < runs.length; index += 3) {
        raise(mine, cell(runs, index), cell(runs, index + 1), cell(runs, index + 2));
      }
    }
  }
}

/** The number of runs of all authors. */
export function countRuns(context: CausalContext): number {
  let count = 0;
  for (const runs of context.values()) count += runs.length / 3;
  return count;
}

/** The number of observed sequence numbers of all authors. It may be huge, since one run may span 2^31. */
export function countSequences(context: CausalContext): number {
  let count = 0;
  for (const author of context.keys()) count += countSequencesOf(context, author);
  return count;
}

/** Returns the context as a drawing contains it, with the authors in order, so that equal knowledge gives equal text. */
export function encodeContext(context: CausalContext): Record<string, ContextRuns> {
  const written: Record<string, ContextRuns> = {};
  for (const author of [...context.keys()].sort()) {
    const runs = context.get(author);
    if (runs !== undefined && runs.length > 0) written[author] = writeRuns(runs);
  }
  return written;
}

/**
 * Reads what `encodeContext` wrote. Runs in any order and overlapping ones are normalised; values are not checked
 * (see `parseRuns`).
 */
export function decodeContext(written: Readonly<Record<string, ContextRuns>>): CausalContext {
  const context: CausalContext = new Map();
  for (const author of Object.keys(written)) {
    const runs = parseRuns(written[author]);
    if (runs !== null && runs.length > 0) context.set(author as Author, runs);
  }
  return context;
}

/** Reads one author's runs from unknown input; null when they are malformed or out of range. */
export function parseRuns(input: unknown): number[] | null {
  if (typeof input === "number") return isCount(input) ? [0, input, 0] : null;
  if (!Array.isArray(input)) return null;
  const runs: number[] = [];
  if (Array.isArray(input[0])) {
    for (const run of input as unknown[]) {
      if (!Array.isArray(run) || run.length < 2 || run.length > 3) return null;
      if (!pushRun(runs, run[0], run[1], run.length === 3 ? run[2] : 0)) return null;
    }
  } else {
    if (input.length % 2 !== 0) return null;
    for (let index = 0; index < input.length; index += 2) {
      if (!pushRun(runs, input[index], input[index + 1], 0)) return null;
    }
  }
  return normalize(runs);
}

function pushRun(runs: number[], from: unknown, to: unknown, incarnation: unknown): boolean {
  if (!isCount(from) || !isCount(to) || !isCount(incarnation) || from > to) return false;
  runs.push(from, to, incarnation);
  return true;
}

function isCount(value: unknown): value is number {
  return isWhole(value, MAX_COUNT);
}

/** Sorts runs, joins neighbours and removes overlaps. Runs that we write need none of it; a hostile list may. */
function normalize(runs: number[]): number[] {
  let ordered = true;
  for (let index = 3; index < runs.length && ordered; index += 3) {
    const gap = cell(runs, index) - cell(runs, index - 2);
    ordered = gap > 1 || (gap === 1 && cell(runs, index + 2) !== cell(runs, index - 1));
  }
  if (ordered) return runs;
  return isAscending(runs) ? uniteRuns(runs, []) : uniteHalves(runs);
}

function writeRuns(runs: readonly number[]): ContextRuns {
  if (runs.length === 3 && runs[0] === 0 && runs[2] === 0) return cell(runs, 1);
  const incarnations: number[][] = [];
  const pairs: number[] = [];
  let flat = true;
  for (let index = 0; index < runs.length; index += 3) {
    const from = cell(runs, index);
    const to = cell(runs, index + 1);
    const incarnation = cell(runs, index + 2);
    if (incarnation !== 0) flat = false;
    pairs.push(from, to);
    incarnations.push(incarnation === 0 ? [from, to] : [from, to, incarnation]);
  }
  return flat ? pairs : incarnations;
}

/** The index of the first run that ends at or behind `seq`; `runs.length` when no run does. */
function findRun(runs: readonly number[], seq: number): number {
  let low = 0;
  let high = runs.length / 3;
  // The newest objects are looked up most often.
  if (high > 0 && seq >= cell(runs, runs.length - 3)) {
    return seq <= cell(runs, runs.length - 2) ? runs.length - 3 : runs.length;
  }
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (cell(runs, middle * 3 + 1) < seq) low = middle + 1;
    else high = middle;
  }
  return low * 3;
}

function raise(runs: number[], from: number, to: number, incarnation: number): void {
  const last = runs.length - 3;
  if (last >= 0 && from === cell(runs, last + 1) + 1 && incarnation === cell(runs, last + 2)) {
    runs[last + 1] = to;
    return;
  }
  // Neighbouring runs take part, since they may join.
  const start = findRun(runs, Math.max(0, from - 1));
  let end = start;
  while (end < runs.length && cell(runs, end) <= to + 1) end += 3;
  const merged = uniteRuns(runs.slice(start, end), [from, to, incarnation]);
  if (merged.length < 3000) {
    runs.splice(start, end - start, ...merged);
    return;
  }
  // A hostile list may be too long to be spread into arguments.
  const tail = runs.slice(end);
  runs.length = start;
  for (const value of merged) runs.push(value);
  for (const value of tail) runs.push(value);
}

/** Whether each run begins behind the one before it, so that only joining neighbours remains to be done. */
function isAscending(runs: readonly number[]): boolean {
  for (let index = 3; index < runs.length; index += 3) {
    if (cell(runs, index) <= cell(runs, index - 2)) return false;
  }
  return true;
}

/** Merges the runs pairwise by halves, which keeps it O(n log n): each union is linear. */
function uniteHalves(runs: number[]): number[] {
  const middle = Math.floor(runs.length / 6) * 3;
  if (middle === 0) return runs;
  return uniteRuns(normalize(runs.slice(0, middle)), normalize(runs.slice(middle)));
}

/** The part of `runs` whose sequence numbers are not in `removed`. Linear in both. */
function subtractRuns(runs: readonly number[], removed: readonly number[]): number[] {
  const out: number[] = [];
  let other = 0;
  for (let index = 0; index < runs.length; index += 3) {
    let from = cell(runs, index);
    const to = cell(runs, index + 1);
    while (other < removed.length && cell(removed, other + 1) < from) other += 3;
    for (let at = other; at < removed.length && cell(removed, at) <= to && from <= to; at += 3) {
      if (cell(removed, at) > from) out.push(from, cell(removed, at) - 1, cell(runs, index + 2));
      from = cell(removed, at + 1) + 1;
    }
    if (from <= to) out.push(from, to, cell(runs, index + 2));
  }
  return out;
}

/** The union of two lists of runs, with the higher incarnation for each number. Linear in both. */
function uniteRuns(a: readonly number[], b: readonly number[]): number[] {
  const out: number[] = [];
  let left = 0;
  let right = 0;
  let at = 0;
  while (left < a.length || right < b.length) {
    const fromA = left < a.length ? Math.max(at, cell(a, left)) : Infinity;
    const fromB = right < b.length ? Math.max(at, cell(b, right)) : Infinity;
    const from = Math.min(fromA, fromB);
    const inA = fromA === from;
    const inB = fromB === from;
    const toA = inA ? cell(a, left + 1) : fromA - 1;
    const toB = inB ? cell(b, right + 1) : fromB - 1;
    const to = Math.min(toA, toB);
    const incarnation = Math.max(inA ? cell(a, left + 2) : 0, inB ? cell(b, right + 2) : 0);
    const last = out.length - 3;
    if (last >= 0 && out[last + 1] === from - 1 && out[last + 2] === incarnation)
      out[last + 1] = to;
    else out.push(from, to, incarnation);
    at = to + 1;
    if (left < a.length && cell(a, left + 1) < at) left += 3;
    if (right < b.length && cell(b, right + 1) < at) right += 3;
  }
  return out;
}

/** Reads an entry whose index is known to be in range. */
function cell(runs: readonly number[], index: number): number {
  return runs[index] as number;
}
