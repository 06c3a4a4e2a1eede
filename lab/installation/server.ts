/** A process of the product, and its output. */

import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { startFlags } from "../measuring/product.ts";
import { withoutSettings } from "../../scripts/environment.mjs";
import { ROOT } from "../../scripts/root.mjs";
import { INSPECTOR_LINE, collectedHeap } from "./inspector.ts";
import { endChild, hasEnded } from "./tools.ts";

const MAIN = join(ROOT, "dist/server/server/main.js");

/** A line of the log, or of the hints at the start. Anything else, such as a crash, has the level "none". */
export interface LogLine {
  level: string;
  /** The message with the fields that distinguish causes. */
  message: string;
  /** The time in milliseconds since 1970. */
  at: number;
  /** The name of the process. */
  process: string;
}

export interface Server {
  name: string;
  /** The process's own origin, which bypasses the balancer. */
  url: string;
  /** The start of the present or last process, in milliseconds since 1970. */
  startedAt: number;
  /** The number of processes that had this port before it. */
  generation: number;
  isUp: () => boolean;
  start: () => Promise<void>;
  /** Sends SIGTERM; returns the exit code. */
  stop: () => Promise<number | null>;
  kill: () => Promise<void>;
  /** Returns the bytes of its JavaScript heap after garbage was collected, for a process with an inspector. */
  heap: () => Promise<number>;
}

interface ServerOptions {
  name: string;
  port: number;
  env: Readonly<Record<string, string>>;
  log: (line: LogLine) => void;
  hasInspector?: boolean;
}

/** Makes a process that is not started yet; each `start` uses the same port and folder. */
export function createServerProcess({
  name,
  port,
  env,
  log,
  hasInspector = false,
}: ServerOptions): Server {
  let child: ChildProcess | null = null;
  let inspector = "";
  const flags = [...startFlags(), ...(hasInspector ? ["--inspect=127.0.0.1:0"] : [])];
  const onErrorLine = (line: string) => {
    if (!INSPECTOR_LINE.test(line)) log(read(line, name));
    else inspector = /ws:\S+/.exec(line)?.[0] ?? inspector;
  };
  const server: Server = {
    name,
    url: `http://127.0.0.1:${port}`,
    startedAt: 0,
    generation: -1,
    isUp: () => child !== null && !hasEnded(child),
    async start() {
      const started = spawn(process.execPath, [...flags, MAIN], {
        env: {
          ...withoutSettings(),
          LOG_LEVEL: "warn",
          ...env,
          LOG_FORMAT: "json",
          PORT: String(port),
        },
        stdio: ["ignore", "pipe", "pipe"],
        detached: true,
      });
      child = started;
      server.startedAt = Date.now();
      server.generation++;
      createInterface(started.stderr).on("line", onErrorLine);
      await new Promise((resolve, reject) => {
        createInterface(started.stdout).on("line", (line) => {
          if (line.startsWith("listening on ")) resolve(undefined);
          else log({ level: "info", message: line, at: Date.now(), process: name });
        });
        started.once("exit", (code) => reject(new Error(`${name} ended with ${code}`)));
      });
    },
    stop: async () => (child === null ? null : endChild(child, "SIGTERM")),
    kill: async () => void (child && (await endChild(child, "SIGKILL"))),
    heap: () => collectedHeap(inspector),
  };
  return server;
}

function read(text: string, name: string): LogLine {
  try {
    const { level, message, reason, error, code } = JSON.parse(text);
    const why = [reason, error, code].filter((one) => one !== undefined).join(", ");
    const full = why === "" ? message : `${message} (${why})`;
    return { level, message: full, at: Date.now(), process: name };
  } catch {
    return { level: "none", message: text, at: Date.now(), process: name };
  }
}
