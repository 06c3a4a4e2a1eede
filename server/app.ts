/** The composition: which rooms the server has, and on what they stand. */

import { fileURLToPath } from "node:url";
import type { FastifyInstance } from "fastify";
import { registerAuth } from "./auth/register.ts";
import type { ServerDeps } from "./deps.ts";
import { registerConfig } from "./http/config.ts";
import { createHttp } from "./http/create.ts";
import { registerOperations } from "./http/operations.ts";
import { registerPage } from "./http/page.ts";
import type { Logger } from "./log.ts";
import { createMetrics, registerProcessMetrics } from "./metrics.ts";
import type { Metrics } from "./metrics.ts";
import { registerRealtime } from "./realtime/register.ts";
import { PROJECT_ROOT } from "./root.ts";
import type { Settings } from "./settings.ts";
import { registerTable } from "./table/register.ts";

/** Where the built page lies. */
const WEB_DIR = fileURLToPath(new URL("dist/web", PROJECT_ROOT));

/** The page and the three APIs on one origin. */
export async function createBackendApp(deps: ServerDeps): Promise<FastifyInstance> {
  const { settings, log, keys, database } = deps;
  const metrics = createMetrics();
  const app = createOperations(settings, log, metrics);
  registerOperations(app, metrics, database);
  registerConfig(app, settings, keys.anonKey);
  await registerRealtime(app, deps);
  exposeRealtime(app, metrics);
  await registerAuth(app, deps);
  await registerTable(app, deps);
  servePage(app, settings, log);
  return app;
}

/** The page alone: the browser talks to the Supabase project of SUPABASE_URL. */
export function createPageApp(settings: Settings, log: Logger): FastifyInstance {
  const metrics = createMetrics();
  const app = createOperations(settings, log, metrics);
  registerOperations(app, metrics, null);
  registerConfig(app, settings, "");
  servePage(app, settings, log);
  return app;
}

function createOperations(settings: Settings, log: Logger, metrics: Metrics): FastifyInstance {
  registerProcessMetrics(metrics);
  return createHttp(settings, log, metrics);
}

function servePage(app: FastifyInstance, settings: Settings, log: Logger): void {
  const page = registerPage(app, settings, WEB_DIR);
  if (!page.built) log.warn("the page is not built", { folder: WEB_DIR });
  app.setNotFoundHandler((request, reply) => page.notFound(request, reply));
}

const REALTIME_HELP: Readonly<Record<string, string>> = {
  connections: "Open realtime sockets.",
  rooms: "Realtime topics with somebody in them.",
};

function exposeRealtime(app: FastifyInstance, metrics: Metrics): void {
  if (!app.hasDecorator("realtimeStats")) return;
  const read = (name: string): number => Number(Reflect.get(app.realtimeStats(), name)) || 0;
  for (const name of Object.keys(app.realtimeStats())) {
    const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const help = REALTIME_HELP[name] ?? `Realtime: ${name}, since the start.`;
    metrics.gauge(`inkpool_realtime_${snake}`, help, () => read(name));
  }
}
