/** A Redis of the script's own that can be frozen, killed and restarted, without a disk. */

import { spawn } from "node:child_process";
import { connect } from "node:net";
import { endChild, freePort, until } from "./tools.mjs";

/** @returns {Promise<import("./postgres.mjs").Backend>} */
export async function openRedis() {
  const port = await freePort();
  /** @type {import("node:child_process").ChildProcess | null} */
  let child = null;
  const start = async () => {
    const args = [
      "--port",
      String(port),
      "--bind",
      "127.0.0.1",
      "--save",
      "",
      "--appendonly",
      "no",
    ];
    child = spawn("redis-server", args, { stdio: "ignore", detached: true });
    await until(() => accepts(port), "Redis listens");
  };
  await start();
  return {
    port,
    start,
    stop: async () => void (child && (await endChild(child, "SIGTERM"))),
    kill: async () => void (child && (await endChild(child, "SIGKILL"))),
    freeze: () => void child?.kill("SIGSTOP"),
    thaw: () => void child?.kill("SIGCONT"),
  };
}

/** @param {number} port @returns {Promise<boolean>} */
function accepts(port) {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
