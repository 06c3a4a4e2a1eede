/** The servers that the fan-out is measured with, each a process of its own, and what their benches share. */

import { fork, spawnSync } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { ROOT } from "../../scripts/root.mjs";
import { startFlags } from "../../lab/measuring/product.ts";

const BUILD = `${ROOT}dist/bench-fanout`;

/** Compiles the server, so that each bench measures the sources as they are. */
export function compile(): void {
  const { error } = spawnSync(
    "npx",
    ["tsc", "-p", "server/tsconfig.build.json", "--outDir", BUILD, "--sourceMap", "false"],
    { cwd: ROOT, encoding: "utf8" },
  );
  if (error) throw error;
}

/** mulberry32, so that each round sees the same moments. */
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

/** `redis`: its address; without one the process is alone. `prefix`: alike for the processes that belong together. */
export const startRealtime = ({
  flags = [],
  redis = "",
  prefix = "bench:",
}: { flags?: readonly string[]; redis?: string; prefix?: string } = {}) =>
  start("product.ts", [BUILD, redis, prefix], [...startFlags(), ...flags]);

/** The least that broadcasts over several processes cost: process `number` of `count`. */
export const startFloor = ({ redis = "", prefix = "", number = 0, count = 1 } = {}) =>
  start("../cluster/floor.ts", [redis, prefix, String(number), String(count)], startFlags());

/** What a server process says of itself; see report.ts. */
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
  // With what lets this process read TypeScript.
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
