/**
 * Opens a whole installation on this machine: processes of the product behind HAProxy (docs/examples/haproxy.cfg,
 * without retries), on a PostgreSQL and a Redis of their own, each reached through a relay of each process; or one
 * process on the embedded database.
 */

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../scripts/free-port.ts";
import { setUp } from "../../scripts/build/setup.mjs";
import { ROOT } from "../../scripts/root.mjs";
import { openPostgres, type Backend } from "./postgres.ts";
import { openRedis } from "./redis.ts";
import { openRelay, type Relay } from "./relay.ts";
import { createServerProcess, type LogLine, type Server } from "./server.ts";
import { endChild, isOk, until, type Undo } from "./tools.ts";

/** The balancer's response header that names the process that answered. */
export const PROCESS_HEADER = "x-process";

/** The number of processes; the example names three. */
const PROCESSES = 3;

export interface Processes {
  /** The origin of the balancer, or of the only process. */
  origin: string;
  /** The public key. */
  key: string;
  servers: readonly Server[];
  /** The log lines of all processes, in order. */
  log: LogLine[];
  /** The folder with all data. */
  folder: string;
}

export interface Installation extends Processes {
  postgres: Backend;
  redis: Backend;
  /** The relays, one pair for each process. */
  relays: readonly { postgres: Relay; redis: Relay }[];
}

/** The environment of processes in all installations. */
const ENV = { TRUST_PROXY: "1", TABLE_RATE_LIMIT: "0" };

function makeFolder(undo: Undo[]) {
  const folder = mkdtempSync(join(tmpdir(), "inkpool-installation-"));
  undo.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function publicKeyOf(origin: string): Promise<string> {
  const config = await (await fetch(`${origin}/config.json`)).json();
  return (config as { supabaseAnonKey: string }).supabaseAnonKey;
}

/**
 * Builds the product where it is stale, and starts one process on the embedded database, with an inspector.
 *
 * @param undo Gets the functions that end and remove it.
 * @param env Settings of the process.
 */
export async function openEmbedded(
  undo: Undo[],
  env: Readonly<Record<string, string>>,
): Promise<Processes> {
  await setUp((line) => console.log(line));
  const folder = makeFolder(undo);
  const log: LogLine[] = [];
  const server = createServerProcess({
    name: "process 1",
    port: await freePort(),
    env: { ...ENV, DATA_DIR: join(folder, "data"), ...env },
    log: (line) => void log.push(line),
    hasInspector: true,
  });
  undo.push(() => server.kill());
  await server.start();
  return { origin: server.url, key: await publicKeyOf(server.url), servers: [server], log, folder };
}

/**
 * Builds the product where it is stale, and starts everything.
 *
 * @param undo Gets the functions that end and remove it.
 * @param env Settings of the processes.
 * @param options Whether the first process has an inspector.
 */
export async function openInstallation(
  undo: Undo[],
  env: Readonly<Record<string, string>>,
  { hasInspector = false }: { hasInspector?: boolean } = {},
): Promise<Installation> {
  await setUp((line) => console.log(line));
  const folder = makeFolder(undo);
  const postgres = await openPostgres(folder);
  undo.push(() => postgres.kill());
  const redis = await openRedis();
  undo.push(() => redis.kill());
  const log: LogLine[] = [];
  const servers: Server[] = [];
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
        ...ENV,
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
  const key = await publicKeyOf(origin);
  await until(
    async () => (await Promise.all(servers.map(({ url }) => isOk(`${url}/readyz`)))).every(Boolean),
    "all processes are ready",
  );
  return { origin, key, servers, postgres, redis, relays, log, folder };
}

async function startBalancer(undo: Undo[], folder: string, servers: readonly Server[]) {
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
  // Each process is used after two checks.
  await until(() => isOk(`${origin}/healthz`), "the balancer answers");
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  return origin;
}
