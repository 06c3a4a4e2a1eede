/** Runs child processes of the scripts: quiet unless they fail, and ended with the script. */

import { spawn } from "node:child_process";
import { ROOT } from "./root.mjs";

/** @type {Set<import("node:child_process").ChildProcess>} */
const running = new Set();

/**
 * @typedef {object} RunResult
 * @property {number} code The exit code; 124 after the time limit, 1 when a signal ended it or it could not start.
 * @property {string} output What it wrote to stdout and stderr, in order; empty when `show` was set.
 */

/**
 * @typedef {object} RunOptions
 * @property {Record<string, string | undefined>} [env] On top of this process's environment; undefined removes.
 * @property {string} [cwd] The folder to run in; the root without it.
 * @property {boolean} [show] Passes its output on instead of keeping it.
 * @property {number} [limit] Milliseconds; then the whole process group is killed. 10 minutes by default.
 */

/**
 * Runs a program in the root folder without a shell and without input. Never rejects.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<RunResult>}
 */
export function run(command, args, { cwd = ROOT, env = {}, show = false, limit = 600_000 } = {}) {
  return new Promise((resolve) => {
    /** @type {Buffer[]} */
    const chunks = [];
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ["ignore", show ? "inherit" : "pipe", show ? "inherit" : "pipe"],
      // It is a group of its own, so that the time limit also ends the programs that it started.
      detached: process.platform !== "win32",
    });
    running.add(child);
    let isOver = false;
    const timer = setTimeout(() => {
      isOver = true;
      end(child, "SIGKILL");
    }, limit);
    child.stdout?.on("data", (chunk) => chunks.push(chunk));
    child.stderr?.on("data", (chunk) => chunks.push(chunk));
    /** @param {number} code @param {string} [more] */
    const finish = (code, more = "") => {
      clearTimeout(timer);
      running.delete(child);
      resolve({ code, output: Buffer.concat(chunks).toString("utf8") + more });
    };
    child.on("error", (error) => finish(1, error.message));
    child.on("close", (code) =>
      finish(isOver ? 124 : (code ?? 1), isOver ? `\nStopped after ${limit / 1000} s.` : ""),
    );
  });
}

/** Runs a script of this package's dependencies with this Node.js. @param {string} script @param {readonly string[]} args @param {RunOptions} [options] */
export function runNode(script, args, options) {
  return run(process.execPath, [script, ...args], options);
}

/** @param {import("node:child_process").ChildProcess} child @param {NodeJS.Signals} signal */
function end(child, signal) {
  try {
    if (child.pid !== undefined && process.platform !== "win32") process.kill(-child.pid, signal);
    else child.kill(signal);
  } catch {
    // It has just ended by itself.
  }
}

/**
 * The children to kill when this process ends.
 *
 * @type {Map<import("node:child_process").ChildProcess, () => void>}
 */
const bound = new Map();
process.once("exit", () => {
  for (const kill of bound.values()) kill();
});

/**
 * Kills a child when this process ends before it, as with an error that nobody handles.
 *
 * @param {import("node:child_process").ChildProcess} child
 * @param {boolean} [isGroup] Whether it was started as a group of its own, which is killed whole.
 */
export function endWithProcess(child, isGroup = false) {
  bound.set(child, () => (isGroup ? end(child, "SIGKILL") : void child.kill("SIGKILL")));
  child.once("exit", () => bound.delete(child));
}

/** Ends every child that still runs, for a script that a signal stops. */
export function stopChildren() {
  for (const child of running) end(child, "SIGTERM");
}

/** The signals that end a script, and its exit codes. */
const SIGNALS = /** @type {const} */ ({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 });

/**
 * Ends every child, and then this process, when a signal arrives: children are in groups of their own, which a key in
 * the terminal does not reach. Returns a function that leaves the signals to others.
 */
export function stopOnSignals() {
  const stops = Object.entries(SIGNALS).map(([signal, code]) => {
    const stop = () => {
      stopChildren();
      process.exit(code);
    };
    process.on(signal, stop);
    return () => process.off(signal, stop);
  });
  return () => stops.forEach((off) => off());
}
