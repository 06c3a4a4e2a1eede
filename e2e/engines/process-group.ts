/** Runs the programs of the suite, each with everything that it starts. */

import { spawn, type ChildProcess, type StdioOptions } from "node:child_process";

export interface Group {
  readonly child: ChildProcess;
  /** Returns its output so far. */
  output(): string;
  /** Sends SIGKILL to the program and everything that it started; resolves when all have ended. */
  readonly kill: () => Promise<void>;
}

const running = new Set<ChildProcess>();
process.on("exit", () => running.forEach(killGroup));

/** Starts a program in a process group of its own. Its output is stored. */
export function startGroup(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Group {
  const stdio: StdioOptions = ["ignore", "pipe", "pipe", "pipe"];
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio, detached: true });
  running.add(child);
  const written: string[] = [];
  for (const stream of [child.stdout, child.stderr, child.stdio[3] as NodeJS.ReadableStream]) {
    stream?.setEncoding("utf8").on("data", (text: string) => written.push(text));
  }
  const gone = new Promise<void>((resolve) => {
    const end = (): void => {
      running.delete(child);
      resolve();
    };
    child.once("exit", end);
    child.once("error", end);
  });
  return {
    child,
    output: () => written.join(""),
    async kill() {
      killGroup(child);
      await gone;
    },
  };
}

function killGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  } catch {
    // It has just ended by itself.
  }
}

/** Repeats a question until there is an answer, for 30 s. @throws Error with the program's output */
export async function untilThere<T>(
  group: Group,
  look: () => Promise<T | null> | T | null,
): Promise<T> {
  const deadline = Date.now() + 30_000;
  while (Date.now() < deadline && group.child.exitCode === null) {
    const found = await look();
    if (found !== null) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`${group.child.spawnfile} is not ready:\n${group.output()}`);
}
