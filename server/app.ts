/** Composes the server from its parts, and gives each of them its dependencies. */

import { fileURLToPath } from "node:url";
import type { FastifyInstance } from "fastify";
import type { Registry } from "prom-client";
import { registerAccess } from "./access/register.ts";
import type { ApiSettings } from "./all-settings.ts";
import type { ServerEnvironment } from "./port.ts";
import { stripHandshakes } from "./http/base-path.ts";
import { registerConfig } from "./http/config.ts";
import { limitConnections, type ConnectionLimit } from "./http/connections.ts";
import { createHttp } from "./http/create.ts";
import { registerOperations } from "./http/operations.ts";
import { registerPage } from "./http/page.ts";
import { backendMetrics } from "./backend-metrics.ts";
import type { Logger } from "./process/log.ts";
import { createMetrics, registerProcessMetrics, registerRead } from "./process/metrics.ts";
import { createReadiness } from "./readiness.ts";
import { realtimeMetrics, registerRealtime } from "./realtime/register.ts";
import { PROJECT_ROOT } from "./process/root.ts";
import type { Settings } from "./settings/settings.ts";
import { registerTable } from "./table/register.ts";

/** The folder of the built page. */
const WEB_DIR = fileURLToPath(new URL("dist/web", PROJECT_ROOT));

/** Creates the server with the page and the three APIs on one origin. */
export async function createBackendApp(
  deps: ServerEnvironment,
  { realtime, auth }: ApiSettings,
): Promise<FastifyInstance> {
  const { settings, log, keys } = deps;
  const metrics = createMetrics();
  const { app, connections } = createOperations(deps, metrics);
  const now = (): number => performance.now();
  const readiness = createReadiness({ ...deps, dataDir: settings.dataDir, now });
  const { logBytes } = deps.database;
  registerOperations(app, metrics, { readiness, logBytes, drain: deps.drain, settings });
  registerConfig(app, settings, keys.anonKey);
  stripHandshakes(app.server, settings.basePath);
  await registerRealtime(app, deps, realtime);
  app.server.on("upgrade", (_request, socket) => connections.release(socket));
  for (const metric of realtimeMetrics(() => app.realtimeStats())) registerRead(metrics, metric);
  if (settings.auth) {
    // It is loaded only when it is wanted: its libraries take a fifth of the time of a start.
    const { registerAuth } = await import("./auth/register.ts");
    await registerAuth(app, deps, auth);
  }
  await registerTable(app, deps);
  registerAccess(app, deps);
  for (const metric of backendMetrics(deps, () => app.tableStats())) registerRead(metrics, metric);
  await servePage(app, settings, log);
  return app;
}

/** Creates the server for the page alone: the browser talks to the Supabase project of SUPABASE_URL. */
export async function createPageApp(
  deps: Pick<ServerEnvironment, "settings" | "log" | "drain">,
): Promise<FastifyInstance> {
  const { settings, log, drain } = deps;
  const metrics = createMetrics();
  const { app } = createOperations(deps, metrics);
  registerOperations(app, metrics, { readiness: async () => "ready", drain, settings });
  registerConfig(app, settings, "");
  await servePage(app, settings, log);
  return app;
}

function createOperations(
  deps: Pick<ServerEnvironment, "settings" | "log" | "drain">,
  metrics: Registry,
): { readonly app: FastifyInstance; readonly connections: ConnectionLimit } {
  registerProcessMetrics(metrics);
  const app = createHttp(deps.settings, deps.log, metrics);
  // A request on an existing connection during the drain is its last one: the balancer opens the next connection
  // elsewhere.
  app.addHook("onSend", async (_request, reply) => {
    if (deps.drain.begun) reply.header("connection", "close");
  });
  const connections = limitConnections(app.server, deps.settings.trustProxy);
  registerRead(metrics, {
    kind: "counter",
    name: "inkpool_http_connections_refused_total",
    help: "Connections that were closed at once, since their client had too many.",
    read: () => connections.refused,
  });
  return { app, connections };
}

async function servePage(app: FastifyInstance, settings: Settings, log: Logger): Promise<void> {
  const page = await registerPage(app, settings, WEB_DIR);
  if (!page.built) log.warn("the page is not built", { folder: WEB_DIR });
  app.setNotFoundHandler((request, reply) => page.notFound(request, reply));
}
