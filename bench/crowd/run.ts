/**
 * Measures the cost of an arrival of many pages for the server: 1,000 sockets that join and track as the page does
 * within 10 s, and five clients of the real library that must have every presence key at the end. On one process, and
 * on three over PostgreSQL and Redis. Bytes over loopback in both directions, WebSocket headers and handshakes
 * included; CPU time of each process from the first arrival until every page has the right count; beside it that of a
 * bare server of `ws`, which gets as many requests, handshakes and messages and replies to each, and sends nothing
 * else. The pages arrive and leave several times at the same processes: the first finds them just started, with code
 * that is not compiled yet.
 *
 *   npx tsx bench/crowd/run.ts [--pages=1000] [--seconds=10] [--arrivals=3] [--plain]
 *
 * --plain: the pages ask for no summaries. Needs a built product (npm run build), for three processes HAProxy,
 * PostgreSQL's programs and a Redis.
 */

import { fork } from "node:child_process";
import { once } from "node:events";
import type { Socket } from "node:net";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createClient } from "@supabase/supabase-js";
import { WebSocket } from "ws";
import { openInstallation } from "../../lab/installation/open.ts";
import { startProduct } from "../../lab/measuring/product.ts";
import type { Undo } from "../../lab/installation/tools.ts";

const { values: options } = parseArgs({
  options: {
    pages: { type: "string", default: "1000" },
    seconds: { type: "string", default: "10" },
    arrivals: { type: "string", default: "3" },
    plain: { type: "boolean", default: false },
  },
});
const PAGES = Number(options.pages);
const SECONDS = Number(options.seconds);
const ARRIVALS = Number(options.arrivals);
const LIBRARIES = 5;
const TOPIC = "realtime:canvas-room";
const TIMEOUT_MS = 60_000;
/** Milliseconds between two arrivals: everybody has left. */
const PAUSE_MS = 3_000;
/** The environment, without limits: all clients have one address. */
const ENV = {
  REALTIME_CONNECTIONS_PER_ADDRESS: "10000",
  REALTIME_CONNECTS_BURST: "10000",
  OFFLINE: "off",
};

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The fields of the presence events that are read. */
interface Presence {
  online?: number;
  joins?: Readonly<Record<string, unknown>>;
  leaves?: Readonly<Record<string, unknown>>;
}

/** Returns the bytes in both directions, by the TCP socket below, to which `ws` gives no access. */
function bytesOf(socket: WebSocket): number {
  const { _socket: raw } = socket as unknown as { _socket: Socket | null };
  return (raw?.bytesRead ?? 0) + (raw?.bytesWritten ?? 0);
}

/** A page's part of the channel: opens the socket, joins, tracks, and follows how many are online. */
class Page {
  count = 0;
  #keys = new Set<string>();
  #socket: WebSocket;

  constructor(url: string, key: string, n: number) {
    const address = `${url.replace("http", "ws")}/realtime/v1/websocket?apikey=${key}&vsn=2.0.0`;
    const clientId = `page${String(n).padStart(8, "0")}`;
    const presence = { key: clientId, enabled: true, ...(options.plain ? {} : { summary: true }) };
    const config = {
      broadcast: { ack: false, self: false },
      presence,
      postgres_changes: [],
      private: false,
    };
    const payload = {
      online_at: new Date().toISOString(),
      partial: true,
      name: `Visitor number ${n}`,
    };
    this.#socket = new WebSocket(address, { perMessageDeflate: false });
    this.#socket.on("open", () =>
      this.#send(["1", "1", TOPIC, "phx_join", { config, access_token: key }]),
    );
    this.#socket.on("message", (data) => {
      const [, ref, , event, content] = JSON.parse((data as Buffer).toString("utf8"));
      if (event === "phx_reply" && ref === "1")
        this.#send(["1", "2", TOPIC, "presence", { type: "presence", event: "track", payload }]);
      else this.#follow(event, content);
    });
  }

  #send(message: unknown) {
    this.#socket.send(JSON.stringify(message));
  }

  #follow(event: string, content: Presence) {
    if (event === "presence_summary") {
      this.count = content.online ?? 0;
      return;
    }
    if (event === "presence_state") this.#keys = new Set(Object.keys(content));
    else if (event === "presence_diff") {
      for (const key of Object.keys(content.joins ?? {})) this.#keys.add(key);
      for (const key of Object.keys(content.leaves ?? {})) this.#keys.delete(key);
    } else return;
    this.count = this.#keys.size;
  }

  get bytes() {
    return bytesOf(this.#socket);
  }

  close() {
    this.#socket.terminate();
  }
}

/** Opens a client of the library that tracks itself. Its bytes are counted by its socket. */
async function openLibrary(url: string, key: string, n: number) {
  const sockets: WebSocket[] = [];
  class Counted extends WebSocket {
    constructor(address: string | URL, protocols?: string | string[]) {
      super(address, protocols, { perMessageDeflate: false });
      sockets.push(this);
    }
  }
  const library = createClient(url, key, {
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { transport: Counted as never },
  });
  const channel = library.channel("canvas-room", { config: { presence: { key: `library${n}` } } });
  channel.on("presence", { event: "sync" }, () => undefined);
  await new Promise<void>((resolve) => {
    channel.subscribe((status) => status === "SUBSCRIBED" && resolve());
  });
  await channel.track({ online_at: new Date().toISOString() });
  return {
    keys: () => Object.keys(channel.presenceState()).length,
    bytes: () => sockets.reduce((sum, socket) => sum + bytesOf(socket), 0),
    close: () => library.removeAllChannels(),
  };
}

async function metrics(url: string) {
  const text = await (await fetch(`${url}/metrics`)).text();
  const read = (name: string) =>
    Number(new RegExp(`^${name}(?:\\{\\})? (\\S+)$`, "m").exec(text)?.[1]);
  return {
    cpu: read("process_cpu_seconds_total"),
    presence: read("inkpool_realtime_presence_bytes_total"),
  };
}

/** Opens the pages one after the other, evenly over the time. */
async function arrive(urls: readonly string[], key: string) {
  const pages: Page[] = [];
  const begin = performance.now();
  while (pages.length < PAGES) {
    const due = Math.min(PAGES, ((performance.now() - begin) / 1000 / SECONDS) * PAGES + 1);
    while (pages.length < due) {
      const n = pages.length;
      const url = urls[n % urls.length] ?? "";
      // The page reads its configuration first.
      void fetch(`${url}/config.json`).then((response) => response.text());
      pages.push(new Page(url, key, n));
    }
    await wait(5);
  }
  return pages;
}

async function measureFloor() {
  const child = fork(fileURLToPath(new URL("floor.ts", import.meta.url)));
  const [{ port }] = await once(child, "message");
  const url = `http://127.0.0.1:${port}`;
  for (let arrival = 1; arrival <= ARRIVALS; arrival++) {
    const before = await metrics(url);
    const pages = await arrive([url], "none");
    await wait(500);
    const after = await metrics(url);
    console.log(`| bare, 1 | ${arrival} | | | ${(after.cpu - before.cpu).toFixed(2)} | | | |`);
    for (const page of pages) page.close();
    await wait(PAUSE_MS);
  }
  child.disconnect();
}

async function measureAll(urls: readonly string[], key: string) {
  for (let arrival = 1; arrival <= ARRIVALS; arrival++) {
    await measure(urls, key, arrival);
    await wait(PAUSE_MS);
  }
}

async function measure(urls: readonly string[], key: string, arrival: number) {
  const libraries = await Promise.all(
    Array.from({ length: LIBRARIES }, (_, n) => openLibrary(urls[n % urls.length] ?? "", key, n)),
  );
  await wait(2_000);
  const before = await Promise.all(urls.map(metrics));
  const all = PAGES + LIBRARIES;
  const pages = await arrive(urls, key);
  const arrived = performance.now();
  const isRight = () =>
    pages.every(({ count }) => count === all) && libraries.every(({ keys }) => keys() === all);
  while (!isRight() && performance.now() - arrived < TIMEOUT_MS) await wait(10);
  const right = performance.now() - arrived;
  const wrong = pages.filter(({ count }) => count !== all).length;
  const keys = libraries.map((library) => library.keys());
  const after = await Promise.all(urls.map(metrics));
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const wire = sum(pages.map(({ bytes }) => bytes)) + sum(libraries.map(({ bytes }) => bytes()));
  const presence = sum(after.map((one, at) => one.presence - (before[at]?.presence ?? 0)));
  const cpu = after.map((one, at) => (one.cpu - (before[at]?.cpu ?? 0)).toFixed(2));
  const mb = (bytes: number) => (bytes / 1e6).toFixed(1);
  console.log(
    `| ${urls.length} | ${arrival} | ${mb(presence)} | ${mb(wire)} | ${cpu.join(", ")} | ${Math.round(right)} | ${PAGES - wrong} of ${PAGES} | ${Math.min(...keys)} of ${all} |`,
  );
  for (const page of pages) page.close();
  await Promise.all(libraries.map((library) => library.close()));
}

console.log(
  "| processes | arrival | presence, MB | on the wire in all, MB | CPU of each process, s | all counts right after the last arrival, ms | pages with the right count | keys of the client library |",
);
console.log("|---:|---:|---:|---:|---:|---:|---:|---:|");
await measureFloor();
const folder = mkdtempSync(join(tmpdir(), "inkpool-crowd-"));
const product = await startProduct(folder, ENV);
try {
  const { supabaseAnonKey } = await (await fetch(`${product.url}/config.json`)).json();
  await measureAll([product.url], supabaseAnonKey);
} finally {
  await product.stop();
  rmSync(folder, { recursive: true, force: true });
}
const undo: Undo[] = [];
try {
  const { servers, key } = await openInstallation(undo, ENV);
  await measureAll(
    servers.map(({ url }) => url),
    key,
  );
} finally {
  for (const one of undo.toReversed()) await one();
}
process.exit(0);
