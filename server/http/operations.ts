/** The routes for operators: whether the server is alive, whether it can work, and its metrics. */

import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";
import type { Registry } from "prom-client";
import type { Drain } from "../process/drain.ts";
import type { Settings } from "../settings/settings.ts";

/** Whether the server can do its work, or the reason why it cannot. */
export type Readiness = "ready" | "database unavailable" | "disk full";

interface Probes {
  /** Returns whether the server can work. It is asked often, and must cost little. */
  readonly readiness: () => Promise<Readiness>;
  /** Bytes of the embedded database's write-ahead log. */
  readonly logBytes?: (() => number) | undefined;
  readonly drain: Pick<Drain, "begun">;
  readonly settings: Pick<Settings, "metricsPort" | "metricsToken">;
}

declare module "fastify" {
  interface FastifyInstance {
    /** Sends the metrics, or 401 without the token. */
    sendMetrics(authorization: string | undefined, response: ServerResponse): Promise<void>;
  }
}

export function registerOperations(
  app: FastifyInstance,
  metrics: Registry,
  { readiness, logBytes, drain, settings }: Probes,
): void {
  app.get("/healthz", async (_request, reply) => {
    reply.header("cache-control", "no-store");
    return { status: "ok" };
  });
  app.get("/readyz", async (request, reply) => {
    reply.header("cache-control", "no-store");
    // If a balancer removed every process for lack of a database, it would remove page and live drawing as well.
    const forTraffic = (request.query as { for?: unknown }).for === "traffic";
    const short = drain.begun ? "stopping" : forTraffic ? "ready" : null;
    const status = short ?? (await readiness());
    const log = short === null && logBytes !== undefined ? { logBytes: logBytes() } : {};
    return reply.code(status === "ready" ? 200 : 503).send({ status, ...log });
  });
  app.decorate(
    "sendMetrics",
    async (authorization: string | undefined, response: ServerResponse) => {
      if (!mayRead(authorization, settings.metricsToken)) {
        response
          .writeHead(401, { "www-authenticate": "Bearer", "cache-control": "no-store" })
          .end();
        return;
      }
      const text = await metrics.metrics();
      response
        .writeHead(200, { "content-type": metrics.contentType, "cache-control": "no-store" })
        .end(text);
    },
  );
  if (settings.metricsPort !== null) return;
  app.get("/metrics", async (request, reply) => {
    reply.hijack();
    await app.sendMetrics(request.headers.authorization, reply.raw);
  });
}

/** Compares hashes, whose comparison takes equally long whatever was sent. */
function mayRead(authorization: string | undefined, token: string | null): boolean {
  if (token === null) return true;
  const hash = (text: string): Buffer => createHash("sha256").update(text).digest();
  const shown = /^bearer +(\S+) *$/i.exec(authorization ?? "")?.[1] ?? "";
  return timingSafeEqual(hash(shown), hash(token));
}

/** Creates the server of METRICS_PORT: the metrics and nothing else. */
export function createMetricsServer(app: FastifyInstance): Server {
  return createServer((request, response) => {
    const path = request.url?.split("?")[0];
    if (path !== "/metrics" || request.method !== "GET") {
      response.writeHead(404).end();
      return;
    }
    app.sendMetrics(request.headers.authorization, response).catch(() => response.destroy());
  });
}
