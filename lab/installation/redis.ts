/** Starts a Redis for a script alone that can be frozen, killed and restarted, without a disk. */

import { spawn, type ChildProcess } from "node:child_process";
import { connect } from "node:net";
import { freePort } from "../../scripts/free-port.ts";
import { endChild, until } from "./tools.ts";
import type { Backend } from "./postgres.ts";

export async function openRedis(): Promise<Backend> {
  const port = await freePort();
  let child: ChildProcess | null = null;
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

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
