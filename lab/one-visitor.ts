/**
 * Measures what one hostile visitor costs another one: each attack comes from one address, or from those it names, as
 * fast as the server takes it, and the other visitor loads, saves, reads the row's time, writes, signs in, broadcasts
 * and asks for /healthz meanwhile. Prints the slowest of these, alone and beside the attack, and the greatest sizes
 * of the embedded database's log and of the process's memory. Asserts that the other visitor is never refused, that
 * the log stays under 100 MB, and that the process lives and ends with 0.
 *
 *   npx tsx lab/one-visitor.ts [--postgres] [--only=TEXT,TEXT] [--seconds=N] [--minutes=N]
 *
 * --only: attacks whose names contain one of the texts. --seconds: for each kind of call, at most (10). With --minutes each attack goes on for so long. Needs a built product (npm run build), and with --postgres PostgreSQL's programs.
 */

import "../scripts/node-version.mjs";
import { fork } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { WebSocket } from "ws";
import { table } from "./measuring/figures.ts";
import { runOrderly, sleep, type Undo } from "./installation/tools.ts";
import { metric } from "./soak/samples.ts";
import { DRAWING_BYTES, attacksOn } from "./one-visitor/attacks.ts";
import { openAttacked } from "./one-visitor/open.ts";

const { values: options } = parseArgs({
  options: {
    postgres: { type: "boolean", default: false },
    only: { type: "string", default: "" },
    seconds: { type: "string", default: "10" },
    minutes: { type: "string", default: "0" },
  },
});
const CHILD = fileURLToPath(new URL("one-visitor/attacker.ts", import.meta.url));
/** The number of calls of each kind, one after the other, and milliseconds after which no further one begins. */
const CALLS = { count: 15, within: 1_000 * Number(options.seconds) };
/** Milliseconds of an attack before the other visitor arrives, and between two attacks. */
const BEFORE = 2_000;
const AFTER = 3_000;
const ACCOUNT = { email: "visitor@example.org", password: "another long password" };

/** The calls of the other visitor. */
type Calls = Readonly<Record<string, () => Promise<unknown>>>;

async function openVisitor(url: string, key: string, undo: Undo[]): Promise<Calls> {
  const headers = {
    apikey: key,
    "content-type": "application/json",
    "x-forwarded-for": "192.0.2.2",
  };
  const call = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(url + path, { headers, ...init });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text.slice(0, 200)}`);
    return text;
  };
  const body = JSON.stringify(ACCOUNT);
  await call("/auth/v1/signup", { method: "POST", body });
  const drawing = { objects: ["x".repeat(DRAWING_BYTES)] };
  await call("/rest/v1/canvas_state", {
    method: "POST",
    body: JSON.stringify({ canvas_json: drawing }),
  });
  const socket = new WebSocket(
    `${url.replace("http", "ws")}/realtime/v1/websocket?apikey=${key}&vsn=2.0.0`,
    { headers: { "x-forwarded-for": "192.0.2.2" } },
  );
  undo.push(() => socket.terminate());
  await once(socket, "open");
  // Its own messages are sent back to it.
  const config = { broadcast: { self: true } };
  socket.send(JSON.stringify(["1", "1", "realtime:own", "phx_join", { config }]));
  await once(socket, "message");
  const note = { type: "broadcast", event: "note", payload: { text: "a pointer" } };
  const frame = JSON.stringify(["1", "2", "realtime:own", "broadcast", note]);
  const row = "/rest/v1/canvas_state?limit=1&select=";
  return {
    loads: () => call(`${row}*&order=updated_at.desc`),
    /** Saves with the guard, as the page does: a lost race takes as long as a save. */
    saves: async () => {
      const [{ id, version }] = JSON.parse(await call(`${row}id,version`)) as [
        { id: string; version: number },
      ];
      drawing.objects[0] = String(version).padEnd(DRAWING_BYTES, "x");
      await call(`/rest/v1/canvas_state?id=eq.${id}&version=eq.${version}`, {
        method: "PATCH",
        body: JSON.stringify({ canvas_json: drawing }),
      });
    },
    "/healthz": () => call("/healthz"),
    "reads the row's time": () => call("/rest/v1/canvas_state?select=id,updated_at&limit=1"),
    writes: () =>
      call("/rest/v1/canvas_state?version=lt.0", { method: "PATCH", body: '{"canvas_json":{}}' }),
    "signs in": () => call("/auth/v1/token?grant_type=password", { method: "POST", body }),
    broadcasts: async () => {
      const received = new Promise((resolve) => {
        const look = (data: Buffer) => {
          if (!data.includes('"a pointer"')) return;
          socket.off("message", look);
          resolve(undefined);
        };
        socket.on("message", look);
      });
      socket.send(frame);
      await received;
    },
  };
}

/** Greatest size of the embedded database's log, in MB. */
const MAX_LOG = 100;

/**
 * Watches the log and the memory of the server.
 *
 * @param dataDir Folder of the embedded database.
 * @returns A function that ends this and returns the peaks of the log and of the resident memory, in MB.
 */
function watchSizes(dataDir: string, url: string) {
  const peaks = { log: 0, memory: 0 };
  const lookAtLog = () => {
    const { size } = statSync(join(dataDir, "inkpool.db-wal"), { throwIfNoEntry: false }) ?? {};
    peaks.log = Math.max(peaks.log, size ?? 0);
  };
  const lookAtMemory = async () => {
    const answer = await fetch(`${url}/metrics`).catch(() => null);
    const bytes = metric((await answer?.text()) ?? "", "process_resident_memory_bytes");
    peaks.memory = Math.max(peaks.memory, bytes);
  };
  const timers = [setInterval(lookAtLog, 50), setInterval(lookAtMemory, 1_000)];
  return () => {
    for (const timer of timers) clearInterval(timer);
    return [peaks.log, peaks.memory].map((bytes) => (bytes / 1024 / 1024).toFixed(0));
  };
}

/**
 * Makes the calls of each kind one after the other.
 *
 * @param until Milliseconds of `performance.now()` before which the calls are repeated.
 * @returns The slowest of each kind, in milliseconds.
 */
async function slowest(calls: Calls, until = 0): Promise<string[]> {
  const times: string[] = [];
  for (const call of Object.values(calls)) {
    let worst = 0;
    const first = performance.now();
    for (let n = 0; n < CALLS.count && performance.now() - first < CALLS.within; n++) {
      const begin = performance.now();
      await call();
      worst = Math.max(worst, performance.now() - begin);
      await sleep(50);
    }
    times.push(worst.toFixed(0));
  }
  if (performance.now() > until) return times;
  const more = await slowest(calls, until);
  return times.map((time, at) => String(Math.max(Number(time), Number(more[at]))));
}

const texts = options.only.split(",");
const kinds = Object.keys(attacksOn("", "")).filter((name) =>
  texts.some((text) => name.includes(text)),
);
if (kinds.length === 0) throw new Error(`no attack has a name with ${options.only}`);

await runOrderly(async (undo) => {
  const { server, key, dataDir, failed } = await openAttacked(undo, options.postgres);
  const visitor = await openVisitor(server.url, key, undo);
  await slowest(visitor);
  const sizes = () => watchSizes(dataDir, server.url);
  const alone = sizes();
  const rows = [["none", ...(await slowest(visitor)), ...alone()]];
  for (const kind of kinds) {
    const attacker = fork(CHILD, [kind, server.url, key]);
    undo.push(() => attacker.kill());
    await once(attacker, "message");
    const peaks = sizes();
    await sleep(BEFORE);
    const until = performance.now() + Number(options.minutes) * 60_000;
    const times = await slowest(visitor, until).catch((error: unknown) => [String(error)]);
    const [log = "", memory = ""] = peaks();
    rows.push([kind, ...times, log, memory]);
    if (Number(log) > MAX_LOG) failed.push(`${kind}: the log had ${log} MB`);
    console.log(rows.at(-1)?.join(" | "));
    const gone = once(attacker, "exit");
    attacker.disconnect();
    await gone;
    await sleep(AFTER);
  }
  for (const [kind, first = ""] of rows)
    if (Number.isNaN(Number(first))) failed.push(`${kind}: ${first}`);
  const code = await server.stop();
  if (code !== 0) failed.push(`the server ended with ${code}`);
  console.log(table(["attack", ...Object.keys(visitor), "log, MB", "memory, MB"], rows));
  for (const one of failed) console.error(`failed: ${one}`);
  console.log(failed.length === 0 ? "ok" : "failed");
  return failed.length === 0 ? 0 : 1;
});
