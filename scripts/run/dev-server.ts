/** Runs the compiled server as a child process that is replaced when its sources have changed. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { endWithProcess } from "../process.mjs";
import { ROOT } from "../root.mjs";
import { setUp, SetupFailure } from "../build/setup.mjs";

const MAIN = join(ROOT, "dist/server/server/main.js");
const READY = /^listening on http:\/\/\S+:(\d+)$/m;

export interface WatchedServer {
  /** The URL, which is the same after every restart. */
  readonly url: string;
  /** Builds whatever is stale and starts the server again if anything was. */
  readonly refresh: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/**
 * Builds the server and starts it on a free port.
 * @throws {SetupFailure} when it cannot be built, an Error when it does not start
 */
export async function openWatchedServer(dataDir: string): Promise<WatchedServer> {
  await setUp(say, ["server"]);
  let running = launch(dataDir, 0);
  const port = await running.ready;
  if (port === null) throw new Error("the server did not start");

  const restart = async () => {
    let built;
    try {
      built = await setUp(say, ["server"]);
    } catch (error) {
      // The running server continues until the sources can be built again.
      say(error instanceof SetupFailure ? error.message : String(error));
      return;
    }
    if (built.length === 0) return;
    await running.stop();
    running = launch(dataDir, port);
    if ((await running.ready) === null)
      say("the server ended; it starts again after the next change");
    else say("the server was started again");
  };

  let queue = Promise.resolve();
  return {
    url: `http://127.0.0.1:${port}`,
    refresh: () => (queue = queue.then(restart)),
    stop: () => queue.then(() => running.stop()),
  };
}

/**
 * Starts the server.
 * @param port 0 picks a free one.
 */
function launch(dataDir: string, port: number) {
  const child = spawn(process.execPath, ["--enable-source-maps", MAIN], {
    env: { ...process.env, PORT: String(port), HOST: "127.0.0.1", DATA_DIR: dataDir },
    stdio: ["ignore", "pipe", "inherit"],
  });
  endWithProcess(child);
  const ended = once(child, "exit");
  /** Resolves to the port once the server listens, or to null when it ends before. */
  const ready: Promise<number | null> = new Promise((resolve) => {
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += String(chunk);
      const match = READY.exec(output);
      if (match !== null) resolve(Number(match[1]));
    });
    void ended.then(() => resolve(null));
  });
  return {
    ready,
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

function say(line: string) {
  console.log(`-- ${line}`);
}
