/**
 * Restarts three processes one after the other behind HAProxy (docs/examples/haproxy.cfg, without retries) while
 * requests and sockets go on, and counts what visitors notice. Needs haproxy, PostgreSQL's programs and a Redis.
 *
 *   node scripts/rolling-restart.mjs [DRAIN_SECONDS]
 */

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WebSocket } from "ws";
import { ROOT } from "./root.mjs";

const DRAIN = Number(process.argv[2] ?? 6);
const SOCKETS = 100;
const WORKERS = 4;
const MAIN = join(ROOT, "dist/server/server/main.js");
const folder = mkdtempSync(join(tmpdir(), "inkpool-rolling-"));
/** @type {(() => unknown)[]} */
const undo = [() => rmSync(folder, { recursive: true, force: true })];

/** @param {number} ms */
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  server.close();
  await once(server, "close");
  return port;
}

/** @param {string} command @param {string[]} args */
function run(command, args) {
  const isRoot = process.getuid?.() === 0;
  const full = isRoot ? ["runuser", "-u", "postgres", "--", command, ...args] : [command, ...args];
  const { status, stderr } = spawnSync(full[0] ?? "", full.slice(1), {
    encoding: "utf8",
    cwd: "/",
  });
  if (status !== 0) throw new Error(`${command}: ${stderr}`);
}

async function startPostgres() {
  const versions = readdirSync("/usr/lib/postgresql").toSorted((a, b) => Number(b) - Number(a));
  const bin = join("/usr/lib/postgresql", versions[0] ?? "", "bin");
  const port = await freePort();
  const home = join(folder, "postgres");
  spawnSync("mkdir", [home]);
  chmodSync(folder, 0o755);
  if (process.getuid?.() === 0) spawnSync("chown", ["postgres", home]);
  const data = join(home, "data");
  run(join(bin, "initdb"), ["-D", data, "-A", "trust", "-U", "postgres", "--no-sync"]);
  const options = `-p ${port} -k ${home} -c listen_addresses=127.0.0.1 -c fsync=off`;
  run(join(bin, "pg_ctl"), ["-D", data, "-w", "-l", join(home, "log"), "-o", options, "start"]);
  undo.push(() => run(join(bin, "pg_ctl"), ["-D", data, "-m", "immediate", "stop"]));
  return `postgres://postgres@127.0.0.1:${port}/postgres`;
}

async function startRedis() {
  const port = await freePort();
  const args = ["--port", String(port), "--bind", "127.0.0.1", "--save", ""];
  const child = spawn("redis-server", args, { stdio: "ignore" });
  undo.push(() => child.kill("SIGKILL"));
  await sleep(500);
  return `redis://127.0.0.1:${port}`;
}

/** @param {number} port @param {Record<string, string>} env */
async function startServer(port, env) {
  const child = spawn(process.execPath, [MAIN], {
    env: { ...process.env, ...env, PORT: String(port), DATA_DIR: join(folder, String(port)) },
    stdio: ["ignore", "pipe", "ignore"],
  });
  undo.push(() => child.kill("SIGKILL"));
  await once(child.stdout, "data");
  return child;
}

/** @param {readonly number[]} ports @param {number} front */
function startBalancer(ports, front) {
  let at = 0;
  const config = readFileSync(join(ROOT, "docs/examples/haproxy.cfg"), "utf8")
    .replace("127.0.0.1:8080", `127.0.0.1:${front}`)
    .replace(/127\.0\.0\.1:808[123]/g, () => `127.0.0.1:${ports[at++]}`);
  const path = join(folder, "haproxy.cfg");
  writeFileSync(path, config);
  const child = spawn("haproxy", ["-f", path, "-db"], { stdio: "ignore" });
  undo.push(() => child.kill("SIGKILL"));
}

const counts = { requests: 0, errors: 0, handshakes: 0, refused: 0, closes: 0, broadcasts: 0 };
/** @type {Map<string, number>} */
const problems = new Map();
let isOver = false;

/** @param {string} what */
const note = (what) => problems.set(what, (problems.get(what) ?? 0) + 1);

/** @param {string} origin @param {string} key */
async function requests(origin, key) {
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

/** A client that comes back 1 s after its socket was closed, as the library does. @param {string} url */
async function socketOf(url) {
  const topic = "realtime:rolling";
  while (!isOver) {
    counts.handshakes++;
    const socket = new WebSocket(url);
    const closed = new Promise((resolve) => {
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
    note(`socket: ${code}`);
    await sleep(1_000);
  }
}

async function untilOver() {
  while (!isOver) await sleep(200);
}

/** @param {string} url @param {boolean} up */
async function waitFor(url, up) {
  for (let tries = 0; tries < 300; tries++) {
    const ok = await fetch(url).then(
      (answer) => answer.ok,
      () => false,
    );
    if (ok === up) return;
    await sleep(100);
  }
  throw new Error(`${url} did not ${up ? "come" : "go"}`);
}

async function main() {
  const env = {
    DATABASE_URL: await startPostgres(),
    REDIS_URL: await startRedis(),
    DRAIN_SECONDS: String(DRAIN),
    TABLE_RATE_LIMIT: "0",
    TRUST_PROXY: "1",
    LOG_LEVEL: "error",
  };
  const ports = [await freePort(), await freePort(), await freePort()];
  const front = await freePort();
  const servers = [];
  for (const port of ports) servers.push(await startServer(port, env));
  startBalancer(ports, front);
  const origin = `http://127.0.0.1:${front}`;
  await waitFor(`${origin}/healthz`, true);
  await sleep(3_000);
  const { supabaseAnonKey: key } = /** @type {{ supabaseAnonKey: string }} */ (
    await (await fetch(`${origin}/config.json`)).json()
  );
  const row = { apikey: key, "content-type": "application/json" };
  await fetch(`${origin}/rest/v1/canvas_state`, {
    method: "POST",
    headers: row,
    body: '{"canvas_json":{"objects":[]}}',
  });
  const url = `${origin.replace("http", "ws")}/realtime/v1/websocket?apikey=${key}&vsn=2.0.0`;
  const load = [
    ...Array.from({ length: WORKERS }, () => requests(origin, key)),
    ...Array.from({ length: SOCKETS }, () => socketOf(url)),
  ];
  await sleep(3_000);
  for (const [n, port] of ports.entries()) {
    const server = servers[n];
    if (server === undefined) continue;
    const begin = Date.now();
    server.kill("SIGTERM");
    const [code] = await once(server, "exit");
    console.log(`process ${n + 1}: exit code ${code} after ${Date.now() - begin} ms`);
    servers[n] = await startServer(port, env);
    await waitFor(`http://127.0.0.1:${port}/readyz`, true);
    await sleep(3_000);
  }
  await sleep(2_000);
  isOver = true;
  await Promise.all(load);
  console.log(`DRAIN_SECONDS=${DRAIN}`, counts, Object.fromEntries(problems));
}

let exitCode = 0;
try {
  await main();
} catch (error) {
  console.error(error);
  exitCode = 1;
}
for (const one of undo.toReversed()) one();
process.exit(exitCode);
