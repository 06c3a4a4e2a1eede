/**
 * A whole installation on this machine: processes of the product behind HAProxy (docs/examples/haproxy.cfg, without
 * retries), on a PostgreSQL and a Redis of their own, each reached through a relay of each process.
 */

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setUp } from "../../scripts/build/setup.mjs";
import { ROOT } from "../../scripts/root.mjs";
import { openPostgres } from "./postgres.mjs";
import { openRedis } from "./redis.mjs";
import { openRelay } from "./relay.mjs";
import { createServerProcess } from "./server.mjs";
import { endChild, freePort, isOk, until } from "./tools.mjs";

/** The balancer's response header that names the process that answered. */
export const PROCESS_HEADER = "x-process";

/** The example names three. */
const PROCESSES = 3;

/**
 * @typedef {object} Installation
 * @property {string} origin The balancer's.
 * @property {string} key The public key.
 * @property {readonly import("./server.mjs").Server[]} servers
 * @property {import("./postgres.mjs").Backend} postgres
 * @property {import("./postgres.mjs").Backend} redis
 * @property {readonly { postgres: import("./relay.mjs").Relay, redis: import("./relay.mjs").Relay }[]} relays One pair
 *   for each process.
 * @property {import("./server.mjs").LogLine[]} log Of all processes, in order.
 */

/**
 * Builds the product where it is stale, and starts everything.
 *
 * @param {import("./tools.mjs").Undo[]} undo Gets what ends and removes it again.
 * @param {Readonly<Record<string, string>>} env Settings of the processes.
 * @param {{ hasInspector?: boolean }} [options] Whether the first process has an inspector.
 * @returns {Promise<Installation>}
 */
export async function openInstallation(undo, env, { hasInspector = false } = {}) {
  await setUp((line) => console.log(line));
  const folder = mkdtempSync(join(tmpdir(), "inkpool-installation-"));
  undo.push(() => rmSync(folder, { recursive: true, force: true }));
  const postgres = await openPostgres(folder);
  undo.push(() => postgres.kill());
  const redis = await openRedis();
  undo.push(() => redis.kill());
  /** @type {import("./server.mjs").LogLine[]} */
  const log = [];
  /** @type {import("./server.mjs").Server[]} */
  const servers = [];
  const relays = [];
  for (let n = 1; n <= PROCESSES; n++) {
    const relay = { postgres: await openRelay(postgres.port), redis: await openRelay(redis.port) };
    const server = createServerProcess({
      name: `process ${n}`,
      port: await freePort(),
      env: {
        DATABASE_URL: `postgres://postgres@127.0.0.1:${relay.postgres.port}/postgres`,
        REDIS_URL: `redis://127.0.0.1:${relay.redis.port}`,
        DATA_DIR: join(folder, `process-${n}`),
        TRUST_PROXY: "1",
        TABLE_RATE_LIMIT: "0",
        ...env,
      },
      log: (line) => void log.push(line),
      hasInspector: hasInspector && n === 1,
    });
    undo.push(
      () => relay.postgres.close(),
      () => relay.redis.close(),
      () => server.kill(),
    );
    await server.start();
    servers.push(server);
    relays.push(relay);
  }
  const origin = await startBalancer(undo, folder, servers);
  const config = /** @type {{ supabaseAnonKey: string }} */ (
    await (await fetch(`${origin}/config.json`)).json()
  );
  await until(
    async () => (await Promise.all(servers.map(({ url }) => isOk(`${url}/readyz`)))).every(Boolean),
    "all processes are ready",
  );
  return { origin, key: config.supabaseAnonKey, servers, postgres, redis, relays, log };
}

/**
 * @param {import("./tools.mjs").Undo[]} undo @param {string} folder
 * @param {readonly import("./server.mjs").Server[]} servers
 */
async function startBalancer(undo, folder, servers) {
  const front = await freePort();
  let at = 0;
  const config = readFileSync(join(ROOT, "docs/examples/haproxy.cfg"), "utf8")
    .replace("127.0.0.1:8080", `127.0.0.1:${front}`)
    .replace(/127\.0\.0\.1:808[123]/g, () => new URL(servers[at++]?.url ?? "").host)
    .replace("backend inkpool\n", `$&  http-response set-header ${PROCESS_HEADER} %s\n`);
  const path = join(folder, "haproxy.cfg");
  writeFileSync(path, config);
  const child = spawn("haproxy", ["-f", path, "-db"], { stdio: "ignore", detached: true });
  undo.push(() => endChild(child, "SIGKILL"));
  const origin = `http://127.0.0.1:${front}`;
  // Each process is taken in after two checks.
  await until(() => isOk(`${origin}/healthz`), "the balancer answers");
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  return origin;
}
