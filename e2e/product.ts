/** The product as an operator runs it: the compiled server in a process of its own, on a folder of its own. */

import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import Driver from "libsql";
import { withoutSettings } from "../scripts/environment.mjs";
import { endWithProcess } from "../scripts/process.mjs";

const MAIN = fileURLToPath(new URL("../dist/server/server/main.js", import.meta.url));
/** The database's file in the folder, as DATABASE_FILE of server/storage/setup/open.ts. */
const DATABASE_FILE = "inkpool.db";
const READY_WITHIN = 30_000;
/** The number of checks in a row that must find an emptied table without a row, and the milliseconds between two of them. */
const QUIET_LOOKS = 4;
const LOOK_INTERVAL = 40;

/** The saved row, as the table API returns it. */
export interface SavedRow {
  readonly id: string;
  readonly canvas_json: SavedDrawing;
  readonly updated_at: string;
}

export interface SavedDrawing {
  readonly objects: readonly SavedObject[];
  readonly background?: string;
  readonly [field: string]: unknown;
}

export interface SavedObject {
  readonly id: string;
  readonly type: string;
  readonly [property: string]: unknown;
}

/** The additions to a request to the table API, beyond the key. */
export interface Sending {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Product {
  /** The origin, which stays the same over restarts. */
  readonly url: string;
  readonly dataDir: string;
  /** Returns the whole output of the process so far, over all its starts. */
  output(): string;
  /** Sends SIGTERM; returns the exit code. */
  stop(): Promise<number | null>;
  /** Sends SIGKILL, so that nothing can be finished. */
  kill(): Promise<void>;
  /** Starts it again on the same port and folder. */
  start(): Promise<void>;
  /** Returns the row; null while nothing was saved. */
  row(): Promise<SavedRow | null>;
  /** Inserts a first row, as a foreign client would. */
  seed(drawing: unknown): Promise<void>;
  /** Calls the table API with the public key. */
  rest(path: string, init?: Sending): Promise<Response>;
  /** Empties it for the next test: waits until everybody has left, and removes the drawing and its history. */
  empty(): Promise<void>;
  dispose(): Promise<void>;
}

/**
 * Starts a product.
 * @param env On top of a free port and a folder of its own. @param main The compiled server; the page is that of its folder.
 */
export async function startProduct(
  env: Readonly<Record<string, string>> = {},
  main = MAIN,
): Promise<Product> {
  const dataDir = mkdtempSync(join(tmpdir(), "inkpool-e2e-"));
  const written: string[] = [];
  let { child, url } = await launch(main, { PORT: "0", DATA_DIR: dataDir, ...env }, written);
  const origin = url;
  let anonKey: string | undefined;

  const rest = async (path: string, init: Sending = {}): Promise<Response> => {
    anonKey ??= await readAnonKey(origin);
    const headers = { apikey: anonKey, authorization: `Bearer ${anonKey}`, ...init.headers };
    return fetch(`${origin}/rest/v1/${path}`, { ...init, headers });
  };

  return {
    url: origin,
    dataDir,
    output: () => written.join(""),
    stop: () => end(child, "SIGTERM"),
    kill: async () => void (await end(child, "SIGKILL")),
    async start() {
      const again = { DATA_DIR: dataDir, ...env, PORT: new URL(origin).port };
      ({ child, url } = await launch(main, again, written));
    },
    rest,
    async seed(drawing) {
      const body = JSON.stringify({ canvas_json: drawing });
      const headers = { "content-type": "application/json" };
      const answer = await rest("canvas_state", { method: "POST", headers, body });
      if (!answer.ok) throw new Error(`the row cannot be written: ${await answer.text()}`);
    },
    async row() {
      const answer = await rest("canvas_state?select=*&limit=1");
      if (!answer.ok) throw new Error(`the row cannot be read: ${answer.status}`);
      const [row] = (await answer.json()) as SavedRow[];
      return row ?? null;
    },
    async empty() {
      await untilDeserted(origin);
      const database = new Driver(join(dataDir, DATABASE_FILE), { timeout: READY_WITHIN });
      // The last save of a page that was closed may arrive after its socket was closed.
      for (let looks = 0; looks < QUIET_LOOKS; looks += 1) {
        const row = database.prepare("select id from canvas_state").get();
        if (row !== undefined) looks = 0;
        // The copies that a trigger makes of the row are removed after it.
        database.exec("delete from canvas_state; delete from canvas_history");
        // Clock: nobody can know how late a closed page's save may arrive.
        await pause(LOOK_INTERVAL);
      }
      database.close();
      // The server notices another program's writes with its own next write: without one it would notify the next
      // visitor of a removal.
      const headers = { "content-type": "application/json" };
      const body = JSON.stringify({ canvas_json: { objects: [] } });
      const path = "canvas_state?id=eq.00000000-0000-0000-0000-000000000000";
      await (await rest(path, { method: "PATCH", headers, body })).arrayBuffer();
    },
    async dispose() {
      await end(child, "SIGKILL");
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Waits until no page is connected any more. */
async function untilDeserted(origin: string): Promise<void> {
  const deadline = Date.now() + READY_WITHIN;
  while (Date.now() < deadline) {
    const metrics = await (await fetch(`${origin}/metrics`)).text();
    if (/^inkpool_realtime_connections 0$/m.test(metrics)) return;
    await pause(LOOK_INTERVAL / 4);
  }
  throw new Error("somebody is still connected");
}

async function readAnonKey(origin: string): Promise<string> {
  const config = (await (await fetch(`${origin}/config.json`)).json()) as Record<string, string>;
  const key = config["supabaseAnonKey"];
  if (key === undefined) throw new Error("config.json names no key");
  return key;
}

function launch(
  main: string,
  env: Readonly<Record<string, string>>,
  written: string[],
): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [main], {
    env: { ...withoutSettings(), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  endWithProcess(child);
  const from = written.length;
  return new Promise((resolve, reject) => {
    const said = (): string => written.slice(from).join("");
    const timeout = setTimeout(() => {
      child.kill("SIGKILL");
      reject(new Error(`the server is not ready:\n${said()}`));
    }, READY_WITHIN);
    const onOutput = (chunk: Buffer): void => {
      written.push(chunk.toString("utf8"));
      const ready = /^listening on (http:\/\/\S+)$/m.exec(said());
      if (ready?.[1] === undefined) return;
      clearTimeout(timeout);
      resolve({ child, url: ready[1] });
    };
    child.stdout.on("data", onOutput);
    child.stderr.on("data", onOutput);
    child.once("exit", (code) => {
      clearTimeout(timeout);
      reject(new Error(`the server ended with ${code}:\n${said()}`));
    });
  });
}

function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve) => {
    child.once("exit", (code) => resolve(code));
    child.kill(signal);
  });
}
