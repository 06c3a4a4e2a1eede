/** A copy of the repository in which a source can be broken and its tests run. */

import { fork } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { repositoryFiles } from "../../scripts/check/files.mjs";
import { ROOT } from "../../scripts/root.mjs";

/** Seconds beyond the limit of a test, for a test file that a loop keeps from failing by itself. */
const GRACE = 10;

/**
 * What became of a run: the first test file that failed, if any, or the one that did not end in time.
 *
 * @typedef {{ kind: "passed" | "failed" | "timeout", file: string | null, seconds: number }} Outcome
 */

/**
 * A test file, and the seconds that one test of it may take.
 *
 * @typedef {{ file: string, limit: number }} TestFile
 */

/**
 * @typedef {object} Copy
 * @property {(path: string, source: string) => void} write Replaces a source; the next run sees it.
 * @property {(tests: readonly TestFile[]) => Promise<Outcome>} run Runs test files in their order until one fails.
 * @property {() => Promise<void>} remove
 */

/** @returns {Copy} */
export function makeCopy() {
  const folder = mkdtempSync(join(tmpdir(), "inkpool-mutate-"));
  // PostgreSQL runs as another user, and its files are in here too.
  chmodSync(folder, 0o755);
  for (const path of repositoryFiles()) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(ROOT, path), join(folder, path));
  }
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  mkdirSync(join(folder, "tmp"), { mode: 0o755 });

  let worker = startWorker(folder);
  /** Written since the last run. @type {Set<string>} */
  const changed = new Set();

  /** @returns {Promise<void>} */
  const stop = async () => {
    const { child, ended } = worker;
    if (child.exitCode !== null || child.signalCode !== null) return;
    killGroup(child.pid);
    await ended;
    stopDatabases(join(folder, "tmp"));
  };

  return {
    write(path, source) {
      writeFileSync(join(folder, path), source);
      changed.add(path);
    },
    async run(tests) {
      await worker.ready;
      const since = Date.now();
      const result = await ask(worker.child, { changed: [...changed], tests });
      changed.clear();
      if (result.kind === "timeout") {
        await stop();
        worker = startWorker(folder);
      }
      return { ...result, seconds: (Date.now() - since) / 1000 };
    },
    async remove() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** @param {string} folder */
function startWorker(folder) {
  const child = fork(join(folder, "lab/mutation/worker.mjs"), {
    cwd: folder,
    // A group of its own, so that whatever the tests started ends with it.
    detached: true,
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    env: { ...process.env, TMPDIR: join(folder, "tmp"), NODE_ENV: undefined },
  });
  const ready = new Promise((resolve) => child.once("message", resolve));
  const ended = new Promise((resolve) => child.once("exit", resolve));
  return { child, ready, ended };
}

/**
 * @param {import("node:child_process").ChildProcess} child
 * @param {{ changed: readonly string[], tests: readonly TestFile[] }} job
 * @returns {Promise<{ kind: Outcome["kind"], file: string | null }>}
 */
function ask(child, job) {
  return new Promise((resolve, reject) => {
    /** @type {NodeJS.Timeout | undefined} */
    let timer;
    /** @param {{ kind: Outcome["kind"], file: string | null } | Error} result */
    const finish = (result) => {
      clearTimeout(timer);
      child.off("message", onMessage).off("exit", onExit);
      if (result instanceof Error) reject(result);
      else resolve(result);
    };
    /** @param {any} message */
    const onMessage = (message) => {
      clearTimeout(timer);
      if ("failed" in message)
        finish({ kind: message.failed === null ? "passed" : "failed", file: message.failed });
      else
        timer = setTimeout(
          () => finish({ kind: "timeout", file: message.file }),
          (limitOf(job.tests, message.file) + GRACE) * 1000,
        );
    };
    const onExit = () => finish(new Error("the process that runs the tests ended"));
    child.on("message", onMessage).on("exit", onExit);
    child.send(job);
  });
}

/** @param {readonly TestFile[]} tests @param {string} file */
function limitOf(tests, file) {
  return tests.find((test) => test.file === file)?.limit ?? 0;
}

/** @param {number | undefined} pid */
function killGroup(pid) {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === "win32" ? pid : -pid, "SIGKILL");
  } catch {
    // It has just ended by itself.
  }
}

/** A temporary PostgreSQL is in a session of its own: it would outlive the tests that started it. @param {string} folder */
function stopDatabases(folder) {
  for (const name of readdirSync(folder)) {
    try {
      const file = readFileSync(join(folder, name, "data/postmaster.pid"), "utf8");
      process.kill(Number(file.split("\n")[0]), "SIGQUIT");
    } catch {
      // No database, or none that runs.
    }
  }
}
