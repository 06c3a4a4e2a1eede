/** The common tools of the scripts that run a whole installation: pauses, seeded randomness, and an orderly end. */

import { once } from "node:events";
import type { ChildProcess } from "node:child_process";

export const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Waits until the test is true.
 *
 * @param what Named by the error.
 * @param limit Milliseconds.
 * @returns How many milliseconds that took.
 * @throws {Error} when it takes longer.
 */
export async function until(
  test: () => boolean | Promise<boolean>,
  what: string,
  limit = 30_000,
): Promise<number> {
  const begin = Date.now();
  while (!(await test())) {
    if (Date.now() - begin > limit) throw new Error(`after ${limit / 1000} s: ${what}`);
    await sleep(50);
  }
  return Date.now() - begin;
}

/**
 * Asks an address.
 * @returns Whether it answers 200 within 2 s.
 */
export async function isOk(url: string): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
    async (answer) => {
      await answer.arrayBuffer();
      return answer.ok;
    },
    () => false,
  );
}

/**
 * Returns numbers from 0 to less than 1, the same for the same seed.
 *
 * @param seed A whole number.
 */
export function createRandom(seed: number) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}

/**
 * Returns a whole number within a range.
 * @param max Both included.
 */
export function integer(random: () => number, min: number, max: number) {
  return min + Math.floor(random() * (max - min + 1));
}

/** Ends or removes one thing; may return a promise. */
export type Undo = () => unknown;

/**
 * Runs a script's work and undoes afterwards, in reverse, all that it added to the list, also when the work throws or a
 * signal comes. Ends the process with the code that the work returned; 1 when it threw, 130 after a signal.
 */
export async function runOrderly(work: (undo: Undo[]) => Promise<number>) {
  const undo: Undo[] = [];
  let isEnding = false;
  const end = async (code: number) => {
    if (isEnding) return;
    isEnding = true;
    for (const one of undo.toReversed())
      try {
        await one();
      } catch (error) {
        console.error(error);
      }
    process.exit(code);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => void end(130));
  try {
    await end(await work(undo));
  } catch (error) {
    if (!isEnding) console.error(error);
    await end(1);
  }
}

export function hasEnded(child: ChildProcess) {
  return child.exitCode !== null || child.signalCode !== null;
}

/**
 * Sends a signal and waits for the end.
 *
 * @returns The exit code.
 */
export async function endChild(
  child: ChildProcess,
  signal: NodeJS.Signals,
): Promise<number | null> {
  if (hasEnded(child)) return child.exitCode;
  const ended = once(child, "exit");
  // A stopped process would notice nothing but SIGKILL.
  child.kill("SIGCONT");
  child.kill(signal);
  await ended;
  return child.exitCode;
}
