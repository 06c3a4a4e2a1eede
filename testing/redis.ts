/** A Redis of the test's own, on a free port of the loopback, without a disk. */

import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { connect, createServer, type AddressInfo } from "node:net";

const COMMANDS = ["redis-server", "valkey-server"];

/** The command on this machine, or undefined. */
export function findRedis(): string | undefined {
  return COMMANDS.find((command) => spawnSync(command, ["--version"]).status === 0);
}

export interface TestRedis {
  readonly url: string;
  readonly port: number;
  start(): Promise<void>;
  /** Kills it at once. */
  stop(): Promise<void>;
}

export async function createTestRedis(command: string): Promise<TestRedis> {
  const port = await freePort();
  let child: ChildProcess | null = null;
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    start: async () => {
      const options = [
        "--port",
        String(port),
        "--bind",
        "127.0.0.1",
        "--save",
        "",
        "--appendonly",
        "no",
      ];
      child = spawn(command, options, { stdio: "ignore" });
      await responding(port);
    },
    stop: async () => {
      const running = child;
      child = null;
      if (running === null || running.exitCode !== null) return;
      running.kill("SIGKILL");
      await once(running, "exit");
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

async function responding(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const socket = connect(port, "127.0.0.1");
    const up = await new Promise<boolean>((resolve) => {
      socket.once("connect", () => resolve(true));
      socket.once("error", () => resolve(false));
    });
    socket.destroy();
    if (up) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error("Redis did not start");
}
