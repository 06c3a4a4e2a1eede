/** Starts a PostgreSQL for a script alone that can be frozen, killed and restarted. It needs PostgreSQL's programs. */

import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../../scripts/free-port.ts";
import { run } from "../../scripts/process.mjs";
import { until } from "./tools.ts";

const PROGRAMS = "/usr/lib/postgresql";
const isRoot = process.getuid?.() === 0;

/** The interface to PostgreSQL or Redis. */
export interface Backend {
  port: number;
  start: () => Promise<void>;
  /** Stops it in order, as an administrator does. */
  stop: () => Promise<void>;
  /** Sends SIGKILL to it and all its processes. */
  kill: () => Promise<void>;
  /** Stops its processes; its connections stay open. */
  freeze: () => void;
  thaw: () => void;
}

/** Runs a program as another user, since PostgreSQL's programs refuse to run as root. */
async function asOwner(program: string, args: string[]) {
  const { code, output } = isRoot
    ? await run("runuser", ["-u", "postgres", "--", program, ...args], { cwd: "/" })
    : await run(program, args, { cwd: "/" });
  if (code !== 0) throw new Error(`${program}: ${output}`);
}

/**
 * Starts a PostgreSQL, with its files in a folder that `postgres` may enter.
 *
 * @param folder Exists; the data is made in it.
 */
export async function openPostgres(folder: string): Promise<Backend> {
  const [version = ""] = readdirSync(PROGRAMS).toSorted((a, b) => Number(b) - Number(a));
  const bin = join(PROGRAMS, version, "bin");
  const port = await freePort();
  const home = join(folder, "postgres");
  const data = join(home, "data");
  mkdirSync(home);
  chmodSync(folder, 0o755);
  if (isRoot) await run("chown", ["postgres", home]);
  const made = ["-D", data, "-A", "trust", "-U", "postgres", "-E", "UTF8", "--no-sync"];
  await asOwner(join(bin, "initdb"), made);
  const options = `-p ${port} -k ${home} -c listen_addresses=127.0.0.1 -c fsync=off`;
  const control = (...args: string[]) =>
    asOwner(join(bin, "pg_ctl"), ["-D", data, "-w", "-t", "60", ...args]);
  const start = () => control("-l", join(home, "log"), "-o", options, "start");
  const mainProcess = () => {
    const path = join(data, "postmaster.pid");
    return existsSync(path) ? Number(readFileSync(path, "utf8").split("\n")[0]) : null;
  };
  const signalAll = (signal: NodeJS.Signals) => {
    const main = mainProcess();
    if (main === null) return [];
    // The first process is stopped first: it then starts no other.
    send(main, signal === "SIGKILL" ? "SIGSTOP" : signal);
    const all = [...childrenOf(main), main];
    for (const one of all) send(one, signal);
    return all;
  };
  await start();
  return {
    port,
    start,
    stop: () => control("-m", "fast", "stop"),
    freeze: () => void signalAll("SIGSTOP"),
    thaw: () => void signalAll("SIGCONT"),
    kill: async () => {
      const all = signalAll("SIGKILL");
      await until(() => all.every((one) => !existsSync(`/proc/${one}`)), "PostgreSQL was killed");
    },
  };
}

function send(pid: number, signal: NodeJS.Signals) {
  try {
    process.kill(pid, signal);
  } catch {
    // It has just ended by itself.
  }
}

function childrenOf(parent: number) {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
        // "pid (name) state parent ...": the name may contain anything.
        return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]) === parent;
      } catch {
        return false;
      }
    });
}
