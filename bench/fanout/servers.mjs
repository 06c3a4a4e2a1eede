/** The servers that the fan-out is measured with, each a process of its own, and what their benches share. */

import { fork, spawnSync } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { ROOT } from "../../scripts/root.mjs";
import { startFlags } from "../../lab/server.ts";

const BUILD = `${ROOT}dist/bench-fanout`;

/** Compiles the server, so that each bench measures the sources as they are. */
export function compile() {
  const { error } = spawnSync(
    "npx",
    ["tsc", "-p", "server/tsconfig.build.json", "--outDir", BUILD, "--sourceMap", "false"],
    { cwd: ROOT, encoding: "utf8" },
  );
  if (error) throw error;
}

/** mulberry32, so that each round sees the same moments. */
export function seeded(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export const startRelay = (flags = []) => start("relay.mjs", [], flags);

/** `redis`: its address; without one the process is alone. `prefix`: alike for the processes that belong together. */
export const startRealtime = ({ flags = [], redis = "", prefix = "bench:" } = {}) =>
  start("product.mjs", [BUILD, redis, prefix], [...startFlags(), ...flags]);

/** The least that broadcasts over several processes cost: process `number` of `count`. */
export const startFloor = ({ redis = "", prefix = "", number = 0, count = 1 } = {}) =>
  start("../cluster/floor.mjs", [redis, prefix, String(number), String(count)], startFlags());

async function start(script, args, flags) {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = fork(path, args, { execArgv: flags });
  const [{ port }] = await once(child, "message");
  const ask = async () => {
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
