/** The whole compiled server as a process of its own, as a person would start it. */

import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { withoutSettings } from "../../scripts/environment.mjs";
import { endWithProcess } from "../../scripts/process.mjs";
import { ensureBuilt } from "./build-server.ts";

const MAIN = fileURLToPath(new URL("../../dist/server/server/main.js", import.meta.url));

export interface ServerOptions {
  /** The settings beside PORT, HOST and DATA_DIR; undefined removes one. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** A folder of an earlier start; without it a new one, which `stop` removes. */
  readonly dataDir?: string;
  /** The port; 0, the default, picks a free one. */
  readonly port?: number;
}

/** The end of a process, and its output. */
export interface ServerEnd {
  /** The exit code; null when a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface TestServer {
  /** The origin, such as `http://127.0.0.1:40123`. */
  readonly url: string;
  readonly port: number;
  readonly anonKey: string;
  readonly serviceKey: string;
  readonly dataDir: string;
  readonly pid: number;
  /** Returns the output on stderr so far. */
  log(): string;
  /** Ends the reading of its output, as a program that collects logs does when it ends. */
  stopReading(): void;
  /** Sends SIGTERM, and removes the folder unless it was given. */
  stop(): Promise<ServerEnd>;
  /** Sends SIGKILL; the folder stays for the next start, unless `remove` is true. */
  kill(remove?: boolean): Promise<ServerEnd>;
}

/**
 * Starts a server.
 * @throws Error with its output, when it ends before it is ready
 */
export async function startServer(options: ServerOptions = {}): Promise<TestServer> {
  await ensureBuilt();
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), "inkpool-"));
  const process = launch(dataDir, options);
  const port = await process.ready;
  const keys = options.env?.["SUPABASE_URL"] === undefined ? readKeys(dataDir) : NO_KEYS;
  const end = async (signal: NodeJS.Signals, remove: boolean): Promise<ServerEnd> => {
    process.child.kill(signal);
    const ended = await process.ended;
    if (remove) rmSync(dataDir, { recursive: true, force: true });
    return ended;
  };
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    ...keys,
    dataDir,
    pid: process.child.pid ?? 0,
    log: () => process.output.stderr,
    stopReading() {
      process.child.stdout?.destroy();
      process.child.stderr?.destroy();
    },
    stop: () => end("SIGTERM", options.dataDir === undefined),
    kill: (remove = false) => end("SIGKILL", remove),
  };
}

/**
 * Starts a server that is expected to end before it is ready, and waits for its end.
 * @param stopWhen resolves when the server gets SIGTERM; it is called with a function that returns the log so far
 */
export async function runServer(
  options: ServerOptions & { dataDir: string },
  stopWhen?: (log: () => string) => Promise<unknown>,
): Promise<ServerEnd> {
  await ensureBuilt();
  const process = launch(options.dataDir, options);
  await stopWhen?.(() => process.output.stderr);
  if (stopWhen !== undefined) process.child.kill("SIGTERM");
  process.ready.then(
    () => process.child.kill("SIGKILL"),
    () => {},
  );
  return process.ended;
}

const NO_KEYS = { anonKey: "", serviceKey: "" };

function readKeys(dataDir: string): { anonKey: string; serviceKey: string } {
  const { anonKey, serviceKey } = JSON.parse(readFileSync(join(dataDir, "keys.json"), "utf8")) as {
    anonKey: string;
    serviceKey: string;
  };
  return { anonKey, serviceKey };
}

interface Launched {
  readonly child: ChildProcess;
  readonly output: { stdout: string; stderr: string };
  /** Resolves to the port when the ready line is printed. */
  readonly ready: Promise<number>;
  readonly ended: Promise<ServerEnd>;
}

function launch(dataDir: string, options: ServerOptions): Launched {
  const child = spawn(process.execPath, [MAIN], {
    env: {
      ...withoutSettings(),
      PORT: String(options.port ?? 0),
      HOST: "127.0.0.1",
      DATA_DIR: dataDir,
      ...options.env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  endWithProcess(child);
  const output = { stdout: "", stderr: "" };
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output.stderr += text));
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output.stdout += text));
  const ended = new Promise<ServerEnd>((resolve) => {
    child.once("close", (code, signal) => resolve({ code, signal, ...output }));
  });
  const ready = new Promise<number>((resolve, reject) => {
    child.stdout.on("data", () => {
      const match = /^listening on http:\/\/\S+:(\d+)$/m.exec(output.stdout);
      if (match !== null) resolve(Number(match[1]));
    });
    void ended.then(({ code }) =>
      reject(
        new Error(`The server ended with ${String(code)} before it was ready:\n${output.stderr}`),
      ),
    );
  });
  ready.catch(() => {});
  return { child, output, ready, ended };
}
