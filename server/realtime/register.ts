/** The realtime channel: `ws` at /realtime/v1/websocket, broadcasts over HTTP, and their end with the server. */

import { randomBytes, randomUUID } from "node:crypto";
import type { FastifyInstance } from "fastify";
import type { ServerDeps } from "../deps.ts";
import { makeRates } from "./connection.ts";
import type { ConnectionWorld } from "./connection.ts";
import { registerBroadcastRoutes } from "./http.ts";
import { Hub } from "./hub.ts";
import type { HubCounts } from "./hub.ts";
import { parseRealtimeSettings } from "./settings.ts";
import { Sockets } from "./sockets.ts";

/** What operators may want to know; grows from the start of the process. */
interface RealtimeStats extends HubCounts {
  readonly connections: number;
  readonly rooms: number;
}

declare module "fastify" {
  interface FastifyInstance {
    realtimeStats(): RealtimeStats;
  }
}

/** @throws Error that names the variable when a `REALTIME_` setting is wrong. */
export async function registerRealtime(app: FastifyInstance, deps: ServerDeps): Promise<void> {
  const parsed = parseRealtimeSettings(deps.settings.env);
  if (!parsed.ok) throw new Error(parsed.problems.join("\n"));
  const { limits } = parsed.settings;
  const { keys, log, clock, cluster } = deps;
  const hub = new Hub({ settings: parsed.settings, cluster });
  await hub.start();
  const world: ConnectionWorld = {
    hub,
    keys,
    limits,
    rates: makeRates(limits),
    log,
    clock,
    uniqueRef: makeUniqueRef(),
    uuid: randomUUID,
  };
  const sockets = new Sockets(world, deps.settings.trustProxy);
  sockets.attach(app.server);
  app.addHook("preClose", () => sockets.close());
  app.decorate("realtimeStats", () => ({
    ...hub.counts,
    connections: sockets.connections,
    rooms: hub.rooms,
  }));
  await app.register(async (scope) => registerBroadcastRoutes(scope, { hub, keys, limits, clock }));
}

/** Random for the process, counted within it. */
function makeUniqueRef(): () => string {
  const prefix = randomBytes(9).toString("base64url");
  let count = 0;
  return () => `${prefix}${(count++).toString(36)}`;
}
