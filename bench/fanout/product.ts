/** Runs the product's realtime server alone, from the build in the given folder; with others, through the given Redis. */

import { pathToFileURL } from "node:url";
import type { AddressInfo } from "node:net";
import Fastify from "fastify";
import type { HostAccess } from "../../server/access/port.ts";
import type { KeyRing } from "../../server/keys/port.ts";
import type { ServerEnvironment } from "../../server/port.ts";
import { report } from "./report.ts";

const [, , folder = "", redis = "", prefix = ""] = process.argv;

/** Imports a module of the build, with the types of its source. */
const load = <Module>(path: string): Promise<Module> =>
  import(new URL(path, pathToFileURL(`${folder}/`)).href);

const [
  { registerRealtime },
  { openCluster },
  { createDrain },
  { keepFreedMemory },
  { readAllSettings },
] = await Promise.all([
  load<typeof import("../../server/realtime/register.ts")>("server/realtime/register.js"),
  load<typeof import("../../server/cluster/open.ts")>("server/cluster/open.js"),
  load<typeof import("../../server/process/drain.ts")>("server/process/drain.js"),
  load<typeof import("../../server/process/memory.ts")>("server/process/memory.js"),
  load<typeof import("../../server/all-settings.ts")>("server/all-settings.js"),
]);

/** Generous limits, since the load is what is measured. */
const env = {
  REALTIME_CONNECTIONS_PER_ADDRESS: "10000",
  REALTIME_CONNECTS_BURST: "10000",
  REALTIME_MESSAGES_PER_SECOND: "100000",
  REALTIME_MESSAGES_BURST: "100000",
  REALTIME_BYTES_PER_SECOND: "1000000000",
  REALTIME_BYTES_BURST: "1000000000",
  REALTIME_IDLE_SECONDS: "3600",
};
const read = await readAllSettings(env, "/");
if (!read.ok) throw new Error(read.problems.join(", "));
const { settings, realtime } = read.all;
keepFreedMemory();
const log = { debug() {}, info() {}, warn() {}, error() {} };
/** The keys; nothing here signs a token. */
const keys = { check: async () => ({ ok: true, claims: { role: "anon" } }) } as unknown as KeyRing;
const cluster = await openCluster(
  { ...settings, redisUrl: redis || null, redisPrefix: prefix },
  log,
  async () => "bench",
);
/** A board that is never locked. */
const access = {
  locked: false,
  locks: 0,
  mayDraw: () => true,
  isVoid: () => false,
  onLock: () => {},
  pauses: { isPaused: () => false, findWith: () => {} },
} as unknown as HostAccess;
const app = Fastify();
const deps: Omit<ServerEnvironment, "database"> = {
  settings,
  keys,
  access,
  newcomers: null,
  cluster,
  drain: createDrain(),
  log,
  clock: Date.now,
};
// The channel alone asks no database.
await registerRealtime(app, deps as ServerEnvironment, realtime);
await app.listen({ host: "127.0.0.1", port: 0 });
report((app.server.address() as AddressInfo).port, () => app.realtimeStats().writes);
