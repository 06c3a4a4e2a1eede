/**
 * Measures how long `/healthz` waits while the server receives one message of 10 or 16 MB, of every kind that costs a
 * careless server much, and how much memory that takes. Wall times over loopback; the messages are sent by a process
 * of its own.
 *
 *   npx tsx bench/messages/run.ts [--rounds=3]
 *
 * Needs a built product (npm run build).
 */

import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { Agent, get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { median, table } from "../../lab/measuring/figures.ts";
import { startProduct, type Product } from "../../lab/measuring/product.ts";
import { VALUE_NAMES, WAYS } from "./shapes.ts";

const { values: options } = parseArgs({ options: { rounds: { type: "string", default: "3" } } });
const ROUNDS = Number(options.rounds);
const SEND = fileURLToPath(new URL("send.ts", import.meta.url));
/** Milliseconds in which `/healthz` is asked without any message. */
const ALONE = 500;
const MB = 1_048_576;

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** Asks one time after the other until `isOver`; returns the slowest response, in ms. */
async function slowest(url: string, isOver: () => boolean): Promise<number> {
  let worst = 0;
  do {
    const begin = performance.now();
    await new Promise<void>((resolve, reject) => {
      const asked = get(`${url}/healthz`, { agent }, (answer) => {
        answer.resume().once("end", resolve);
      });
      asked.once("error", reject);
    });
    worst = Math.max(worst, performance.now() - begin);
    await new Promise((resolve) => setTimeout(resolve, 1));
  } while (!isOver());
  return worst;
}

/** Returns the resident memory of a process, in MB. */
function residentOf(pid: number): number {
  const [, kilobytes = "0"] =
    /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1024;
}

interface Worst {
  value: string;
  ms: number;
  /** Memory that the message took, in multiples of its size. */
  memory: number;
}

/** Returns the worst result of all values, sent in one way. */
async function measure(product: Product, key: string, name: string): Promise<Worst> {
  const sender = fork(SEND, [name, product.url, key]);
  await once(sender, "message");
  const all: Worst[] = [];
  for (const value of VALUE_NAMES) {
    const times: number[] = [];
    let memory = 0;
    for (let round = 0; round < ROUNDS; round++) {
      sender.send(value);
      await once(sender, "message");
      const before = residentOf(product.pid);
      let peak = before;
      const timer = setInterval(() => (peak = Math.max(peak, residentOf(product.pid))), 5);
      let isDone = false;
      sender.once("message", () => (isDone = true));
      times.push(await slowest(product.url, () => isDone));
      clearInterval(timer);
      memory = Math.max(memory, ((peak - before) * MB) / (WAYS[name]?.bytes ?? MB));
    }
    all.push({ value, ms: median(times), memory });
  }
  const gone = once(sender, "exit");
  sender.disconnect();
  await gone;
  const [worst] = all.toSorted((a, b) => b.ms - a.ms);
  return {
    value: worst?.value ?? "",
    ms: worst?.ms ?? 0,
    memory: Math.max(...all.map((one) => one.memory)),
  };
}

const folder = mkdtempSync(join(tmpdir(), "inkpool-messages-"));
const rows: (string | number)[][] = [];
try {
  for (const [name, { bytes }] of Object.entries(WAYS)) {
    const product = await startProduct(join(folder, String(rows.length)), { LOG_LEVEL: "error" });
    const { supabaseAnonKey: key } = await (await fetch(`${product.url}/config.json`)).json();
    const end = performance.now() + ALONE;
    const alone = await slowest(product.url, () => performance.now() > end);
    const { value, ms, memory } = await measure(product, key, name);
    rows.push([name, bytes / MB, alone.toFixed(0), ms.toFixed(0), value, memory.toFixed(1)]);
    await product.stop();
  }
} finally {
  agent.destroy();
  rmSync(folder, { recursive: true, force: true });
}
console.log(
  table(
    ["message", "MB", "alone, ms", "slowest of any content, ms", "which", "memory, times its size"],
    rows,
  ),
);
