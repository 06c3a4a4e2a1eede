/** Makes a copy of the repository in which a source can be broken and its tests run. */

import { fork, type ChildProcess } from "node:child_process";
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
import { repositoryFiles } from "../../scripts/check/files.ts";
import { ROOT } from "../../scripts/root.mjs";

/** Seconds beyond the limit of a test, for a test file that a loop keeps from failing by itself. */
const GRACE = 10;

/** The outcome of a run: the first test file that failed, if any, or the one that did not end in time. */
interface Outcome {
  kind: "passed" | "failed" | "timeout";
  file: string | null;
  seconds: number;
}

/** A test file, and the seconds that one test of it may take. */
interface TestFile {
  file: string;
  limit: number;
}

interface Copy {
  /** Replaces a source; the next run sees it. */
  write: (path: string, source: string) => void;
  /** Runs test files in their order until one fails. */
  run: (tests: readonly TestFile[]) => Promise<Outcome>;
  remove: () => Promise<void>;
}

export function makeCopy(): Copy {
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
  /** The sources that were written since the last run. */
  const changed = new Set<string>();

  const stop = async (): Promise<void> => {
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

function startWorker(folder: string) {
  const child = fork(join(folder, "lab/mutation/worker.ts"), {
    cwd: folder,
    // It is a group of its own, so that everything that the tests started ends with it.
    detached: true,
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    env: { ...process.env, TMPDIR: join(folder, "tmp"), NODE_ENV: undefined },
  });
  const ready = new Promise((resolve) => child.once("message", resolve));
  const ended = new Promise((resolve) => child.once("exit", resolve));
  return { child, ready, ended };
}

/** A message that a test file begins, or about the one that failed. */
type Answer = { file: string } | { failed: string | null };

function ask(
  child: ChildProcess,
  job: { changed: readonly string[]; tests: readonly TestFile[] },
): Promise<{ kind: Outcome["kind"]; file: string | null }> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const finish = (result: { kind: Outcome["kind"]; file: string | null } | Error) => {
      clearTimeout(timer);
      child.off("message", onMessage).off("exit", onExit);
      if (result instanceof Error) reject(result);
      else resolve(result);
    };
    const onMessage = (message: Answer) => {
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

function limitOf(tests: readonly TestFile[], file: string) {
  return tests.find((test) => test.file === file)?.limit ?? 0;
}

function killGroup(pid: number | undefined) {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === "win32" ? pid : -pid, "SIGKILL");
  } catch {
    // It has just ended by itself.
  }
}

/** Ends temporary PostgreSQL servers, which are in a session of their own and would outlive the tests that started them. */
function stopDatabases(folder: string) {
  for (const name of readdirSync(folder)) {
    try {
      const file = readFileSync(join(folder, name, "data/postmaster.pid"), "utf8");
      process.kill(Number(file.split("\n")[0]), "SIGQUIT");
    } catch {
      // There is no database, or none that runs.
    }
  }
}
