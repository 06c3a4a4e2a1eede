/** One process of the product, and what it writes. */

import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { startFlags } from "../server.mjs";
import { ROOT } from "../../scripts/root.mjs";
import { INSPECTOR_LINE, collectedHeap } from "./inspector.mjs";
import { endChild, hasEnded } from "./tools.mjs";

const MAIN = join(ROOT, "dist/server/server/main.js");

/**
 * A line of the log. What is no line of our log, such as a crash, has the level "none".
 *
 * @typedef {object} LogLine
 * @property {string} level
 * @property {string} message With the fields that tell causes apart.
 * @property {number} at Milliseconds since 1970.
 * @property {string} process Its name.
 */

/**
 * @typedef {object} Server
 * @property {string} name
 * @property {string} url Its own origin, past the balancer.
 * @property {number} startedAt Of the process that runs now, or ran last; milliseconds since 1970.
 * @property {number} generation How many processes had this port before it.
 * @property {() => boolean} isUp
 * @property {() => Promise<void>} start
 * @property {() => Promise<number | null>} stop SIGTERM; the exit code.
 * @property {() => Promise<void>} kill
 * @property {() => Promise<number>} heap Bytes of its JavaScript heap without garbage, which is collected; of one with an
 *   inspector.
 */

/**
 * @typedef {object} ServerOptions
 * @property {string} name
 * @property {number} port
 * @property {Readonly<Record<string, string>>} env
 * @property {(line: LogLine) => void} log
 * @property {boolean} [hasInspector]
 */

/**
 * A process that is not started yet; each `start` is on the same port and folder.
 *
 * @param {ServerOptions} options @returns {Server}
 */
export function createServerProcess({ name, port, env, log, hasInspector = false }) {
  /** @type {import("node:child_process").ChildProcess | null} */
  let child = null;
  let inspector = "";
  const flags = [...startFlags(), ...(hasInspector ? ["--inspect=127.0.0.1:0"] : [])];
  /** @param {string} line */
  const onErrorLine = (line) => {
    if (!INSPECTOR_LINE.test(line)) log(read(line, name));
    else inspector = /ws:\S+/.exec(line)?.[0] ?? inspector;
  };
  /** @type {Server} */
  const server = {
    name,
    url: `http://127.0.0.1:${port}`,
    startedAt: 0,
    generation: -1,
    isUp: () => child !== null && !hasEnded(child),
    async start() {
      const started = spawn(process.execPath, [...flags, MAIN], {
        env: { ...process.env, LOG_LEVEL: "warn", ...env, LOG_FORMAT: "json", PORT: String(port) },
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
          else log({ level: "none", message: line, at: Date.now(), process: name });
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

/** @param {string} text @param {string} name @returns {LogLine} */
function read(text, name) {
  try {
    const { level, message, reason, error, code } = JSON.parse(text);
    const why = [reason, error, code].filter((one) => one !== undefined).join(", ");
    const full = why === "" ? message : `${message} (${why})`;
    return { level, message: full, at: Date.now(), process: name };
  } catch {
    return { level: "none", message: text, at: Date.now(), process: name };
  }
}
