/** The product's realtime server alone, from the build in the folder that is given; with others, through the Redis that is given. */

import { pathToFileURL } from "node:url";
import Fastify from "fastify";
import { report } from "./report.mjs";

const [, , folder, redis, prefix] = process.argv;
const load = (path) => import(new URL(path, pathToFileURL(`${folder}/`)).href);

const [
  { registerRealtime },
  { openCluster },
  { createDrain },
  { keepFreedMemory },
  { parseSettings },
] = await Promise.all([
  load("server/realtime/register.js"),
  load("server/cluster/open.js"),
  load("server/process/drain.js"),
  load("server/process/memory.js"),
  load("server/settings/settings.js"),
]);

/** Generous limits: the load is what is measured, not the limits. */
const env = {
  REALTIME_CONNECTIONS_PER_ADDRESS: "10000",
  REALTIME_CONNECTS_BURST: "10000",
  REALTIME_MESSAGES_PER_SECOND: "100000",
  REALTIME_MESSAGES_BURST: "100000",
  REALTIME_BYTES_PER_SECOND: "1000000000",
  REALTIME_BYTES_BURST: "1000000000",
  REALTIME_IDLE_SECONDS: "3600",
};
const { settings } = parseSettings(env, "/");
keepFreedMemory();
const log = { debug() {}, info() {}, warn() {}, error() {} };
const keys = { check: async () => ({ ok: true, claims: { role: "anon" } }) };
const cluster = await openCluster(
  { redisUrl: redis || null, redisPrefix: prefix },
  log,
  async () => "bench",
);
const app = Fastify();
await registerRealtime(app, {
  settings,
  keys,
  cluster,
  drain: createDrain(),
  log,
  clock: Date.now,
});
await app.listen({ host: "127.0.0.1", port: 0 });
report(app.server.address().port, () => app.realtimeStats().writes);
