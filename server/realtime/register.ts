/** The realtime channel: `ws` at /realtime/v1/websocket, broadcasts over HTTP, and how both end with the server. */

import { randomBytes, randomUUID } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { EVENTS } from "../../board/messages.ts";
import type { Newcomers } from "../access/port.ts";
import type { ServerEnvironment } from "../port.ts";
import type { ReadMetric } from "../process/metrics.ts";
import { ChangeFeed } from "./changes/feed.ts";
import type { PaceClock } from "./changes/pace.ts";
import { makeRates, type Environment } from "./connection/environment.ts";
import { registerBroadcastRoutes } from "./http.ts";
import type { ReasonCounts } from "./payloads/faults.ts";
import { BOARD_TOPIC, settingsContent } from "./topic/drawing-guard.ts";
import { measureDrawing } from "./topic/drawing-size.ts";
import { Hub, type HubCounts } from "./topic/hub.ts";
import type { RealtimeSettings } from "./settings/settings.ts";
import { Sockets } from "./connection/sockets.ts";

/** The statistics of the realtime channel. The counts grow from the start of the process. */
interface RealtimeStats extends HubCounts, ReasonCounts {
  /** The number of open sockets. */
  readonly connections: number;
  /** The number of topics with a member. */
  readonly topics: number;
}

declare module "fastify" {
  interface FastifyInstance {
    realtimeStats(): RealtimeStats;
  }
}

/** Registers the realtime channel. */
export async function registerRealtime(
  app: FastifyInstance,
  deps: ServerEnvironment,
  settings: RealtimeSettings,
): Promise<void> {
  const { limits } = settings;
  const { keys, access, newcomers, log, clock, cluster, database } = deps;
  const { trustProxy } = deps.settings;
  const hub = new Hub({ settings, cluster });
  await hub.start(observerOf(newcomers));
  const environment: Environment = {
    hub,
    changes: new ChangeFeed({ database, log, clock: TIMERS }),
    keys,
    drawers: { access, newcomers },
    limits,
    rates: makeRates(limits),
    log,
    reasons: { refusals: {}, closes: {} },
    clock,
    names: { ref: makeUniqueRef(), uuid: randomUUID },
  };
  const sockets = new Sockets(environment, deps.settings);
  access.pauses.findWith((page) => sockets.of(page));
  sockets.attach(app.server);
  deps.drain.onBegin((ms) => sockets.drain(ms));
  app.addHook("preClose", () => sockets.close());
  // Each process notifies its own members, and all processes follow the database.
  access.onLock((locked) => {
    hub.announce(BOARD_TOPIC, settingsContent(locked));
    environment.changes.lockChanged(locked);
  });
  app.decorate("realtimeStats", () => ({
    ...hub.counts,
    ...environment.reasons,
    connections: sockets.connections,
    topics: hub.topics,
  }));
  await app.register(async (scope) =>
    registerBroadcastRoutes(scope, {
      ...{ hub, keys, access, newcomers, limits, clock, trustProxy },
    }),
  );
}

/**
 * Returns the observer of broadcasts that other processes let pass. They count here as well, since they are saved
 * through any process.
 */
function observerOf(newcomers: Newcomers | null): Parameters<Hub["start"]>[0] {
  if (newcomers === null) return null;
  return {
    topic: BOARD_TOPIC,
    receive: ({ event, payload }) => {
      if (event === EVENTS.update) newcomers.observe(measureDrawing(payload));
    },
  };
}

/** Registers the metrics of the realtime channel. */
export function realtimeMetrics(stats: () => RealtimeStats): readonly ReadMetric[] {
  return [
    {
      kind: "gauge",
      name: "inkpool_realtime_connections",
      help: "Open realtime sockets.",
      read: () => stats().connections,
    },
    {
      kind: "gauge",
      name: "inkpool_realtime_topics",
      help: "Realtime topics with at least one member on this process.",
      read: () => stats().topics,
    },
    {
      kind: "counter",
      name: "inkpool_realtime_broadcasts_total",
      help: "Broadcasts from clients, over HTTP and from other processes.",
      read: () => stats().broadcasts,
    },
    {
      kind: "counter",
      name: "inkpool_realtime_encodes_total",
      help: "Frames made for broadcasts: one for each protocol version that is needed.",
      read: () => stats().encodes,
    },
    {
      kind: "counter",
      name: "inkpool_realtime_writes_total",
      help: "Writes of broadcasts to sockets; one write may contain several broadcasts.",
      read: () => stats().writes,
    },
    {
      kind: "counter",
      name: "inkpool_realtime_dropped_total",
      help: "Droppable messages that were left out for a slow receiver.",
      read: () => stats().dropped,
    },
    {
      kind: "counter",
      name: "inkpool_realtime_presence_bytes_total",
      help: "Bytes of presence to clients, each copy counted.",
      read: () => stats().presenceBytes,
    },
    {
      kind: "counter",
      name: "inkpool_realtime_refusals_total",
      help: "Handshakes, joins and messages that were refused, and channels that were stopped, by reason.",
      label: "reason",
      read: () => ({ ...stats().refusals }),
    },
    {
      kind: "counter",
      name: "inkpool_realtime_closes_total",
      help: "Connections that the server has closed, by reason.",
      label: "reason",
      read: () => ({ ...stats().closes }),
    },
  ];
}

const TIMERS: PaceClock = {
  now: () => performance.now(),
  after: (milliseconds, run) => {
    const timer = setTimeout(run, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** Returns a function that makes references: random for the process, counted within it. */
function makeUniqueRef(): () => string {
  const prefix = randomBytes(9).toString("base64url");
  let count = 0;
  return () => `${prefix}${(count++).toString(36)}`;
}
