/**
 * The causal context of a board: for each author, which sequence numbers were ever seen, and up to which life.
 * In memory an author has a flat list of runs `from, to, life`, ascending, without overlap, neighbours of
 * equal life joined; so equal knowledge is an equal list.
 */

import { MAX_COUNT } from "./author.ts";
import type { Author, SeenRuns } from "./drawing.ts";

export type Seen = Map<Author, number[]>;

/** The highest life seen of an object; -1 when it was never seen. O(log runs). */
export function lifeSeen(seen: Seen, author: Author, seq: number): number {
  const runs = seen.get(author);
  if (runs === undefined) return -1;
  const at = findRun(runs, seq);
  return at < runs.length && cell(runs, at) <= seq ? cell(runs, at + 2) : -1;
}

/** The greatest sequence number seen of an author; -1 for none. */
export function lastSeen(seen: Seen, author: Author): number {
  const runs = seen.get(author);
  return runs === undefined || runs.length === 0 ? -1 : cell(runs, runs.length - 2);
}

/** Marks one incarnation, and with it its lower lives. O(log runs), save for moving the runs behind it. */
export function markSeen(seen: Seen, author: Author, seq: number, life: number): void {
  const runs = seen.get(author);
  if (runs === undefined) {
    seen.set(author, [seq, seq, life]);
    return;
  }
  raise(runs, seq, seq, life);
}

/** Adds everything that `other` has seen. Cost follows `other`, unless it has many runs of one author. */
export function uniteSeen(seen: Seen, other: Seen): void {
  for (const [author, runs] of other) {
    const mine = seen.get(author);
    if (mine === undefined) seen.set(author, runs.slice());
    else if (runs.length > 24) seen.set(author, uniteRuns(mine, runs));
    else {
      for (let index = 0; index < runs.length; index += 3) {
        raise(mine, cell(runs, index), cell(runs, index + 1), cell(runs, index + 2));
      }
    }
  }
}

/** How many runs in all. */
export function countRuns(seen: Seen): number {
  let count = 0;
  for (const runs of seen.values()) count += runs.length / 3;
  return count;
}

/** How many incarnation's ids in all; may be huge, for the runs may be long. */
export function countSeen(seen: Seen): number {
  let count = 0;
  for (const runs of seen.values()) {
    for (let index = 0; index < runs.length; index += 3) {
      count += cell(runs, index + 1) - cell(runs, index) + 1;
    }
  }
  return count;
}

/** As it is written in a drawing; authors in order, so that equal knowledge gives equal text. */
export function writeSeen(seen: Seen): Record<string, SeenRuns> {
  const written: Record<string, SeenRuns> = {};
  for (const author of [...seen.keys()].sort()) {
    const runs = seen.get(author);
    if (runs !== undefined && runs.length > 0) written[author] = writeRuns(runs);
  }
  return written;
}

/** What `writeSeen` wrote. Runs in any order and overlapping are put right; values are not checked (see `readRuns`). */
export function readSeen(written: Readonly<Record<string, SeenRuns>>): Seen {
  const seen: Seen = new Map();
  for (const author of Object.keys(written)) {
    const runs = readRuns(written[author]);
    if (runs !== null && runs.length > 0) seen.set(author as Author, runs);
  }
  return seen;
}

/** One author's runs from unknown input: null when they are malformed or out of range. */
export function readRuns(input: unknown): number[] | null {
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
  return inOrder(runs);
}

function pushRun(runs: number[], from: unknown, to: unknown, life: unknown): boolean {
  if (!isCount(from) || !isCount(to) || !isCount(life) || from > to) return false;
  runs.push(from, to, life);
  return true;
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_COUNT;
}

/** Sorted, joined, without overlap. What we write is so already; a hostile list may not be. */
function inOrder(runs: number[]): number[] {
  let ordered = true;
  for (let index = 3; index < runs.length && ordered; index += 3) {
    const gap = cell(runs, index) - cell(runs, index - 2);
    ordered = gap > 1 || (gap === 1 && cell(runs, index + 2) !== cell(runs, index - 1));
  }
  if (ordered) return runs;
  // Halving keeps it O(n log n): each union is linear.
  const middle = Math.floor(runs.length / 6) * 3;
  if (middle === 0) return runs;
  return uniteRuns(inOrder(runs.slice(0, middle)), inOrder(runs.slice(middle)));
}

function writeRuns(runs: readonly number[]): SeenRuns {
  if (runs.length === 3 && runs[0] === 0 && runs[2] === 0) return cell(runs, 1);
  const lives: number[][] = [];
  const pairs: number[] = [];
  let flat = true;
  for (let index = 0; index < runs.length; index += 3) {
    const from = cell(runs, index);
    const to = cell(runs, index + 1);
    const life = cell(runs, index + 2);
    if (life !== 0) flat = false;
    pairs.push(from, to);
    lives.push(life === 0 ? [from, to] : [from, to, life]);
  }
  return flat ? pairs : lives;
}

/** The index of the first run that ends at or behind `seq`; runs.length when there is none. */
function findRun(runs: readonly number[], seq: number): number {
  let low = 0;
  let high = runs.length / 3;
  // The newest objects are asked for most.
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

function raise(runs: number[], from: number, to: number, life: number): void {
  const last = runs.length - 3;
  if (last >= 0 && from === cell(runs, last + 1) + 1 && life === cell(runs, last + 2)) {
    runs[last + 1] = to;
    return;
  }
  // Neighbours take part, for they may join.
  const start = findRun(runs, Math.max(0, from - 1));
  let end = start;
  while (end < runs.length && cell(runs, end) <= to + 1) end += 3;
  const merged = uniteRuns(runs.slice(start, end), [from, to, life]);
  if (merged.length < 3000) {
    runs.splice(start, end - start, ...merged);
    return;
  }
  // A hostile list: too long to be spread into arguments.
  const tail = runs.slice(end);
  runs.length = start;
  for (const value of merged) runs.push(value);
  for (const value of tail) runs.push(value);
}

/** The higher life at each number. Linear in both. */
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
    const life = Math.max(inA ? cell(a, left + 2) : 0, inB ? cell(b, right + 2) : 0);
    const last = out.length - 3;
    if (last >= 0 && out[last + 1] === from - 1 && out[last + 2] === life) out[last + 1] = to;
    else out.push(from, to, life);
    at = to + 1;
    if (left < a.length && cell(a, left + 1) < at) left += 3;
    if (right < b.length && cell(b, right + 1) < at) right += 3;
  }
  return out;
}

/** The index is known to be inside. */
function cell(runs: readonly number[], index: number): number {
  return runs[index] as number;
}
