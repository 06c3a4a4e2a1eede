/** Starts a Redis for the test alone, on a free port of the loopback, without a disk. */

import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../scripts/free-port.ts";
import { endWithProcess } from "../../scripts/process.mjs";

const COMMANDS = ["redis-server", "valkey-server"];

/** Returns the command on this machine, or undefined. */
export function findRedis(): string | undefined {
  return COMMANDS.find((command) => spawnSync(command, ["--version"]).status === 0);
}

export interface TestRedis {
  readonly url: string;
  readonly port: number;
  start(): Promise<void>;
  /** Kills it immediately. */
  stop(): Promise<void>;
}

/**
 * Starts a Redis.
 * @param further Options after those for the port, the loopback and no disk, which they may override
 */
export async function createTestRedis(
  command: string,
  further: (port: number) => readonly string[] = () => [],
): Promise<TestRedis> {
  const port = await freePort();
  let child: ChildProcess | null = null;
  // A replica writes the data that it receives into its folder.
  let folder = "";
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    start: async () => {
      const options = ["--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
      folder = mkdtempSync(join(tmpdir(), "inkpool-redis-"));
      child = spawn(command, ["--port", String(port), ...options, ...further(port)], {
        stdio: "ignore",
        cwd: folder,
      });
      endWithProcess(child);
      await responding(port);
    },
    stop: async () => {
      const running = child;
      child = null;
      if (running !== null && running.exitCode === null) {
        running.kill("SIGKILL");
        await once(running, "exit");
      }
      if (folder !== "") rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Starts a Sentinel that watches the Redis of a port under the name `board`; its settings file, which it writes
 * itself, is in `folder`.
 */
export async function startSentinel(
  command: string,
  { folder, primary, password }: { folder: string; primary: number; password: string },
): Promise<TestRedis> {
  const port = await freePort();
  const file = join(folder, "sentinel.conf");
  const lines = [
    `port ${port}`,
    "bind 127.0.0.1",
    `requirepass ${password}`,
    `sentinel monitor board 127.0.0.1 ${primary} 1`,
    "sentinel down-after-milliseconds board 500",
    "sentinel failover-timeout board 2000",
  ];
  writeFileSync(file, `${lines.join("\n")}\n`);
  const child = spawn(command, [file, "--sentinel"], { stdio: "ignore", cwd: folder });
  endWithProcess(child);
  await responding(port);
  return {
    port,
    url: `redis+sentinel://127.0.0.1:${port}/board`,
    start: async () => {},
    stop: async () => {
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

/** Whether the program was built with TLS. */
export function knowsTls(command: string): boolean {
  const { stdout } = spawnSync(command, ["--port", "0", "--tls-port", "1", "--save", ""], {
    encoding: "utf8",
    timeout: 5_000,
    cwd: tmpdir(),
  });
  return !stdout.includes("Bad directive");
}

/** Waits for an answer or, where TLS is spoken, for the end: a port is open before the unix socket of the same Redis. */
async function responding(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const socket = connect(port, "127.0.0.1");
    socket.write("PING\r\n");
    const up = await new Promise<boolean>((resolve) => {
      socket.once("error", ({ code }: NodeJS.ErrnoException) => resolve(code !== "ECONNREFUSED"));
      socket.once("data", () => resolve(true));
      socket.once("close", () => resolve(true));
    });
    socket.destroy();
    if (up) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error("Redis did not start");
}
