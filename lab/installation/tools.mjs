/** What the scripts that run a whole installation share: pauses, free ports, seeded randomness, and an orderly end. */

import { once } from "node:events";
import { createServer } from "node:net";

/** @param {number} ms */
export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** A port of the loopback that nobody listens on. */
export async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  server.close();
  await once(server, "close");
  return port;
}

/**
 * Waits until the test is true.
 *
 * @param {() => boolean | Promise<boolean>} test @param {string} what Named by the error.
 * @param {number} limit Milliseconds.
 * @returns {Promise<number>} How many milliseconds that took.
 * @throws {Error} when it takes longer.
 */
export async function until(test, what, limit = 30_000) {
  const begin = Date.now();
  while (!(await test())) {
    if (Date.now() - begin > limit) throw new Error(`after ${limit / 1000} s: ${what}`);
    await sleep(50);
  }
  return Date.now() - begin;
}

/** @param {string} url @returns {Promise<boolean>} Whether it answers 200 within 2 s. */
export async function isOk(url) {
  return fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
    async (answer) => {
      await answer.arrayBuffer();
      return answer.ok;
    },
    () => false,
  );
}

/** Numbers from 0 to less than 1, the same for the same seed. @param {number} seed A whole number. */
export function createRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}

/** @param {() => number} random @param {number} min @param {number} max Both included. */
export function integer(random, min, max) {
  return min + Math.floor(random() * (max - min + 1));
}

/** @typedef {() => unknown} Undo Ends or removes one thing; may return a promise. */

/**
 * Runs a script's work and undoes afterwards, in reverse, all that it added to the list, also when the work throws or a
 * signal comes. Ends the process with the code that the work returned; 1 when it threw, 130 after a signal.
 *
 * @param {(undo: Undo[]) => Promise<number>} work
 */
export async function runOrderly(work) {
  /** @type {Undo[]} */
  const undo = [];
  let isEnding = false;
  /** @param {number} code */
  const end = async (code) => {
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
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]))
    process.on(signal, () => void end(130));
  try {
    await end(await work(undo));
  } catch (error) {
    if (!isEnding) console.error(error);
    await end(1);
  }
}

/** @param {import("node:child_process").ChildProcess} child */
export function hasEnded(child) {
  return child.exitCode !== null || child.signalCode !== null;
}

/**
 * Sends a signal and waits for the end.
 *
 * @param {import("node:child_process").ChildProcess} child @param {NodeJS.Signals} signal
 * @returns {Promise<number | null>} The exit code.
 */
export async function endChild(child, signal) {
  if (hasEnded(child)) return child.exitCode;
  const ended = once(child, "exit");
  // A process that is stopped would not notice anything but SIGKILL.
  child.kill("SIGCONT");
  child.kill(signal);
  await ended;
  return child.exitCode;
}
