/** Starts the servers with which the fan-out is measured, each in a process of its own; the benches share them. */

import { fork, spawnSync } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { ROOT } from "../../scripts/root.mjs";
import { startFlags } from "../../lab/measuring/product.ts";

const BUILD = `${ROOT}dist/bench-fanout`;

/** Compiles the server, so that each bench measures the sources as they are. */
export function compile(): void {
  rmSync(BUILD, { recursive: true, force: true });
  const { status, stdout, error } = spawnSync(
    "npx",
    ["tsc", "-p", "server/tsconfig.build.json", "--outDir", BUILD, "--sourceMap", "false"],
    { cwd: ROOT, encoding: "utf8" },
  );
  if (status !== 0) throw error ?? new Error(`the server cannot be compiled:\n${stdout}`);
}

/** Returns mulberry32, so that each round has the same moments. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export const startRelay = (flags: readonly string[] = []) => start("relay.ts", [], flags);

/**
 * Starts a realtime server. `redis`: its address; without one the process is alone. `prefix`: the same for processes
 * that belong together.
 */
export const startRealtime = ({
  flags = [],
  redis = "",
  prefix = "bench:",
}: { flags?: readonly string[]; redis?: string; prefix?: string } = {}) =>
  start("product.ts", [BUILD, redis, prefix], [...startFlags(), ...flags]);

/** Starts the server with the least cost of broadcasts over several processes: process `number` of `count`. */
export const startFloor = ({ redis = "", prefix = "", number = 0, count = 1 } = {}) =>
  start("../cluster/floor.ts", [redis, prefix, String(number), String(count)], startFlags());

/** The report of a server process; see report.ts. */
export interface Usage {
  cpu: number;
  rss: number;
  writes: number;
}

export interface Server {
  port: number;
  ask: () => Promise<Usage>;
  stop: () => Promise<void>;
}

async function start(
  script: string,
  args: readonly string[],
  flags: readonly string[],
): Promise<Server> {
  const path = fileURLToPath(new URL(script, import.meta.url));
  // It has the options that let this process read TypeScript.
  const child = fork(path, args, { execArgv: [...process.execArgv, ...flags] });
  const [{ port }] = await once(child, "message");
  const ask = async (): Promise<Usage> => {
    child.send("usage");
    const [usage] = await once(child, "message");
    return usage;
  };
  const stop = async () => {
    const gone = once(child, "exit");
    child.disconnect();
    await gone;
  };
  return { port, ask, stop };
}
