import Fastify, { type FastifyError, type FastifyInstance } from "fastify";
import { Counter, Histogram, type Registry } from "prom-client";
import { errorFields } from "../process/error-fields.ts";
import { trustHops } from "../limits/client-key.ts";
import type { Logger } from "../process/log.ts";
import type { Settings } from "../settings/settings.ts";
import { DatabaseUnavailable, RETRY_AFTER } from "../storage/faults.ts";
import { withoutBasePath } from "./base-path.ts";
import { registerCors } from "./cors.ts";
import { endIdleBodies } from "./idle-bodies.ts";
import { discardRefusedBodies } from "./refused-bodies.ts";
import { withReadablePath } from "./page.ts";
import { HttpRequest } from "./request.ts";
import { COMMON_HEADERS } from "./security.ts";

/** The limits of HTTP: sizes in bytes, times in milliseconds. */
export const HTTP_LIMITS = {
  /** The size of a body, where a route allows no other one. */
  body: 1024 * 1024,
  /** The size of all headers together, the request line included. */
  headers: 32 * 1024,
  /** The time from the connection's first byte to the end of the headers. */
  headersTime: 15_000,
  /** The time after which a body is ended of which next to nothing arrives. */
  bodyPause: 5_000,
  /** The time until the whole request has arrived: a 10 MB save over a slow line. */
  requestTime: 120_000,
  /** The time for which an idle connection is kept. */
  keepAlive: 65_000,
} as const;

/** Stands for the compilers of schemas, which no route has: Fastify's own are two hundred modules to read at a start. */
function refuseSchema(): never {
  throw new Error("A route has a schema, which this server does not compile");
}

/** Creates a server without routes: with limits, headers and the form of errors that no route handles. */
export function createHttp(
  settings: Pick<Settings, "trustProxy" | "basePath">,
  log: Logger,
  metrics: Registry,
): FastifyInstance {
  const app = Fastify({
    logger: false,
    bodyLimit: HTTP_LIMITS.body,
    requestTimeout: HTTP_LIMITS.requestTime,
    keepAliveTimeout: HTTP_LIMITS.keepAlive,
    forceCloseConnections: "idle",
    trustProxy: trustHops(settings.trustProxy),
    http: {
      maxHeaderSize: HTTP_LIMITS.headers,
      headersTimeout: HTTP_LIMITS.headersTime,
      IncomingMessage: HttpRequest,
    },
    routerOptions: { maxParamLength: 500 },
    schemaController: {
      compilersFactory: { buildValidator: refuseSchema, buildSerializer: refuseSchema },
    },
    exposeHeadRoutes: true,
    rewriteUrl: ({ url }) => withReadablePath(withoutBasePath(url, settings.basePath)),
  });
  endIdleBodies(app, HTTP_LIMITS.bodyPause);
  discardRefusedBodies(app);
  const requests = new Counter({
    name: "inkpool_http_requests_total",
    help: "HTTP responses by the class of their status.",
    labelNames: ["status"],
    registers: [metrics],
  });
  app.addHook("onRequest", async (_request, reply) => {
    reply.headers(COMMON_HEADERS);
  });
  const seconds = new Histogram({
    name: "inkpool_http_request_duration_seconds",
    help: "Seconds from a request's headers to the end of its response, by the route's pattern.",
    labelNames: ["route"],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 60],
    registers: [metrics],
  });
  app.addHook("onResponse", async (request, reply) => {
    requests.inc({ status: `${Math.floor(reply.statusCode / 100)}xx` });
    // The label is the pattern and never the path: texts that visitors invent must not become labels.
    const route = request.is404 ? "none" : (request.routeOptions.url ?? "none");
    seconds.observe({ route }, reply.elapsedTime / 1000);
  });
  // A response during the stop is the last one of its connection, which nothing else would end before its time.
  let closing = false;
  app.addHook("preClose", async () => {
    closing = true;
  });
  app.addHook("onSend", async (_request, reply) => {
    if (closing) reply.header("connection", "close");
  });
  registerCors(app);
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const status = error.statusCode ?? 500;
    if (status < 500) return reply.code(status).send({ code: error.code, message: error.message });
    if (error instanceof DatabaseUnavailable)
      return reply
        .code(503)
        .header("retry-after", RETRY_AFTER)
        .send({ code: "unavailable", message: "The database is unavailable, try again later" });
    log.error("a request failed", {
      method: request.method,
      route: request.routeOptions.url,
      ...errorFields(error),
    });
    return reply.code(500).send({ code: "internal_error", message: "Internal server error" });
  });
  return app;
}
