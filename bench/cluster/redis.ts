/** Starts a Redis for the bench, and measures its CPU time. */

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { freePort } from "../../scripts/free-port.ts";
import { endWithProcess } from "../../scripts/process.mjs";

/** Microseconds of one tick of /proc/<pid>/stat. */
const TICK_US = 10_000;

export type Redis = Awaited<ReturnType<typeof startRedis>>;

export async function startRedis() {
  const command = ["redis-server", "valkey-server"].find(
    (name) => spawnSync(name, ["--version"]).status === 0,
  );
  if (command === undefined) throw new Error("neither redis-server nor valkey-server is installed");
  const port = await freePort();
  const args = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
  const child = spawn(command, args, { stdio: "ignore" });
  endWithProcess(child);
  for (let up = false; !up; await new Promise((resolve) => setTimeout(resolve, 50))) {
    const socket = connect(port, "127.0.0.1");
    up = await Promise.race([
      once(socket, "connect").then(() => true),
      once(socket, "error").then(() => false),
    ]).catch(() => false);
    socket.destroy();
  }
  const cpu = () => {
    const fields = readFileSync(`/proc/${child.pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    return (Number(fields[11]) + Number(fields[12])) * TICK_US;
  };
  const stop = async () => {
    child.kill();
    await once(child, "exit");
  };
  return { url: `redis://127.0.0.1:${port}`, cpu, stop };
}
