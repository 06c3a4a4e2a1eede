/**
 * Restarts three processes one after the other behind HAProxy (docs/examples/haproxy.cfg, without retries) while
 * requests and sockets continue, and counts what visitors notice. Needs haproxy, PostgreSQL's programs and a Redis.
 *
 *   npx tsx lab/rolling-restart.ts [DRAIN_SECONDS]
 */

import { WebSocket } from "ws";
import { openInstallation } from "./installation/open.ts";
import { isOk, runOrderly, sleep, until, type Undo } from "./installation/tools.ts";

const DRAIN = Number(process.argv[2] ?? 6);
const SOCKETS = 100;
const WORKERS = 4;

const counts = { requests: 0, errors: 0, handshakes: 0, refused: 0, closes: 0, broadcasts: 0 };
const problems = new Map<string, number>();
let isOver = false;

const note = (what: string) => problems.set(what, (problems.get(what) ?? 0) + 1);

async function requests(origin: string, key: string) {
  const headers = { apikey: key, "content-type": "application/json" };
  const body = JSON.stringify({ canvas_json: { objects: ["x".repeat(20_000)] } });
  const calls = [
    () => fetch(`${origin}/`),
    () => fetch(`${origin}/rest/v1/canvas_state?select=id`, { headers }),
    () =>
      fetch(`${origin}/rest/v1/canvas_state?id=not.is.null`, { method: "PATCH", headers, body }),
  ];
  for (let n = 0; !isOver; n++) {
    counts.requests++;
    try {
      const answer = await (calls[n % calls.length] ?? calls[0])?.();
      await answer?.arrayBuffer();
      if (answer === undefined || answer.status >= 400) throw new Error(String(answer?.status));
    } catch (error) {
      counts.errors++;
      note(`request: ${String(error instanceof Error ? (error.cause ?? error.message) : error)}`);
    }
    await sleep(20);
  }
}

/** Opens a client that reconnects 1 s after its socket was closed, as the library does. */
async function socketOf(url: string) {
  const topic = "realtime:rolling";
  while (!isOver) {
    counts.handshakes++;
    const socket = new WebSocket(url);
    const closed = new Promise<number | "refused">((resolve) => {
      socket.once("close", (code) => resolve(code));
      socket.once("error", () => resolve("refused"));
    });
    socket.on("message", () => counts.broadcasts++);
    socket.once("open", () => socket.send(JSON.stringify(["1", "1", topic, "phx_join", {}])));
    const timer = setInterval(() => {
      if (socket.readyState === WebSocket.OPEN)
        socket.send(JSON.stringify([null, "2", "phoenix", "heartbeat", {}]));
    }, 5_000);
    const code = await Promise.race([closed, untilOver()]);
    clearInterval(timer);
    socket.terminate();
    if (isOver) return;
    if (code === "refused") counts.refused++;
    else counts.closes++;
    note(`socket: ${String(code)}`);
    await sleep(1_000);
  }
}

async function untilOver() {
  while (!isOver) await sleep(200);
}

async function main(undo: Undo[]) {
  const env = { DRAIN_SECONDS: String(DRAIN), LOG_LEVEL: "error" };
  const { origin, key, servers } = await openInstallation(undo, env);
  await fetch(`${origin}/rest/v1/canvas_state`, {
    method: "POST",
    headers: { apikey: key, "content-type": "application/json" },
    body: '{"canvas_json":{"objects":[]}}',
  });
  const url = `${origin.replace("http", "ws")}/realtime/v1/websocket?apikey=${key}&vsn=2.0.0`;
  const load = [
    ...Array.from({ length: WORKERS }, () => requests(origin, key)),
    ...Array.from({ length: SOCKETS }, () => socketOf(url)),
  ];
  await sleep(3_000);
  for (const server of servers) {
    const begin = Date.now();
    const code = await server.stop();
    console.log(`${server.name}: exit code ${code} after ${Date.now() - begin} ms`);
    await server.start();
    await until(() => isOk(`${server.url}/readyz`), `${server.name} is ready`);
    await sleep(3_000);
  }
  await sleep(2_000);
  isOver = true;
  await Promise.all(load);
  console.log(`DRAIN_SECONDS=${DRAIN}`, counts, Object.fromEntries(problems));
  return 0;
}

await runOrderly(main);
