/**
 * Measures how long the table API and the sockets take while the other is busy: alone, while a second server of the
 * same kind bears the load (which takes the same cores), and while this one does; in turns. Wall times over loopback;
 * the load is in a process of its own.
 *
 *   npx tsx bench/busy/run.ts [--rounds=3]
 *
 * Needs a built product (npm run build).
 */

import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { gather, makeMessage, makePayload } from "../fanout/people.ts";
import { startProduct, type Product } from "../../lab/measuring/product.ts";

const { values: options } = parseArgs({ options: { rounds: { type: "string", default: "3" } } });
const LOAD = fileURLToPath(new URL("load.ts", import.meta.url));
const CALLS = 60;
const MESSAGES = 200;
const MESSAGE_BYTES = 2_000;
/** Milliseconds between two messages: the rate at which ten people who draw send. */
const MESSAGE_GAP = 10;
const SMALL_DRAWING = `{"canvas_json":${makePayload(20_000)}}`;

/** The environment, without limits: the load is what is measured. */
const ENV = {
  TABLE_RATE_LIMIT: "0",
  REALTIME_CONNECTIONS_PER_ADDRESS: "10000",
  REALTIME_CONNECTS_BURST: "10000",
  REALTIME_MESSAGES_PER_SECOND: "100000",
  REALTIME_MESSAGES_BURST: "100000",
};

interface Subject extends Product {
  key: string;
  /** The id of the drawing. */
  id: string;
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** @returns Milliseconds of each of CALLS calls. */
async function time(call: () => Promise<void>): Promise<number[]> {
  const times = [];
  for (let n = 0; n < CALLS; n++) {
    const start = performance.now();
    await call();
    times.push(performance.now() - start);
    await wait(10);
  }
  return times;
}

function tableOf({ url, key, id }: Subject) {
  const headers = { apikey: key, "content-type": "application/json" };
  const call = async (query: string, init: RequestInit = {}) => {
    const response = await fetch(`${url}/rest/v1/canvas_state?${query}`, { headers, ...init });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`the table API answered ${response.status}`);
  };
  return {
    "asking for the row's time": () => time(() => call("select=id,updated_at&limit=1")),
    "saving a drawing of 20 KB": () =>
      time(() => call(`id=eq.${id}`, { method: "PATCH", body: SMALL_DRAWING })),
  };
}

/** Measures the time from one person's write to another's read. */
async function broadcasts({ port, key }: Subject) {
  const people = await gather(port, 10, 2, true, key);
  const [sender, watcher] = people;
  if (sender === undefined || watcher === undefined) throw new Error("nobody came");
  const frame = makeMessage(2, makePayload(MESSAGE_BYTES));
  const times: number[] = [];
  for (let n = 0; n < MESSAGES; n++) {
    const before = watcher.received;
    const start = performance.now();
    const arrived = new Promise<number>((resolve) => {
      const look = () => {
        if (watcher.received - before < MESSAGE_BYTES) return;
        watcher.socket.off("data", look);
        resolve(performance.now());
      };
      watcher.socket.on("data", look);
    });
    sender.socket.write(frame);
    times.push((await arrived) - start);
    await wait(MESSAGE_GAP);
  }
  for (const person of people) person.socket.destroy();
  return times;
}

const at = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? Number.NaN;

/** Returns the times of `measure` alone, while `elsewhere` is under the load, and while `here` is. */
async function compare(measure: () => Promise<number[]>, load: "sockets" | "saves") {
  await measure();
  const times = [null, elsewhere, here].map((server) => ({ server, all: [] as number[] }));
  for (let round = 0; round < Number(options.rounds); round++)
    for (const { server, all } of times)
      all.push(...(server === null ? await measure() : await beside(server, load, measure)));
  return times.map(({ all }) => all);
}

async function beside(
  { url, key, id }: Subject,
  load: "sockets" | "saves",
  measure: () => Promise<number[]>,
) {
  const child = fork(LOAD, [load, url, key, id]);
  await once(child, "message");
  await wait(1000);
  const times = await measure();
  const gone = once(child, "exit");
  child.disconnect();
  await gone;
  await wait(500);
  return times;
}

function print(what: string, load: string, results: readonly (readonly number[])[]) {
  const cells = [0.5, 0.95].flatMap((share) => {
    const times = [0, 1, 2].map((n) => at(results[n] ?? [], share));
    const [, other = Number.NaN, same = Number.NaN] = times;
    return [...times.map((time) => time.toFixed(1)), (same / other).toFixed(1)];
  });
  console.log(`| ${what} | ${load} | ${cells.join(" | ")} |`);
}

/** Starts a server with one drawing. */
async function start(folder: string): Promise<Subject> {
  const product = await startProduct(folder, ENV);
  const { supabaseAnonKey: key } = await (await fetch(`${product.url}/config.json`)).json();
  const made = await fetch(`${product.url}/rest/v1/canvas_state?select=id`, {
    method: "POST",
    headers: {
      apikey: key,
      "content-type": "application/json",
      prefer: "return=representation",
    },
    body: SMALL_DRAWING,
  });
  const [{ id }] = await made.json();
  return { ...product, key, id };
}

const folder = mkdtempSync(join(tmpdir(), "inkpool-busy-"));
const here = await start(join(folder, "here"));
const elsewhere = await start(join(folder, "elsewhere"));
try {
  const columns = ["alone", "load elsewhere", "load here", "here / elsewhere"];
  console.log(
    `|  | load | median ms, ${columns.join(" | ")} | 95th of 100, ${columns.join(" | ")} |`,
  );
  console.log(`| --- | --- |${" ---: |".repeat(2 * columns.length)}`);
  for (const [what, measure] of Object.entries(tableOf(here)))
    print(what, "6,000 deliveries a second", await compare(measure, "sockets"));
  print(
    "a broadcast of 2 KB",
    "saves of 10 MB without a pause",
    await compare(() => broadcasts(here), "saves"),
  );
} finally {
  await here.stop();
  await elsewhere.stop();
  rmSync(folder, { recursive: true, force: true });
}
