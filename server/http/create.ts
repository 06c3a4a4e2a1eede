import Fastify from "fastify";
import type { FastifyError, FastifyInstance } from "fastify";
import type { Logger } from "../log.ts";
import type { Metrics } from "../metrics.ts";
import type { Settings } from "../settings.ts";
import { registerCors } from "./cors.ts";
import { COMMON_HEADERS } from "./security.ts";

/** Sizes in bytes, times in milliseconds. */
export const HTTP_LIMITS = {
  /** Of a body, where a route allows no other size. */
  body: 1024 * 1024,
  /** Of all headers together, the request line included. */
  headers: 32 * 1024,
  /** From the connection's first byte to the end of the headers. */
  headersTime: 15_000,
  /** Until the whole request has arrived: a 10 MB save over a slow line. */
  requestTime: 120_000,
  /** An idle connection is kept this long. */
  keepAlive: 65_000,
} as const;

/** A server without routes: limits, headers and the shape of errors that no route handles. */
export function createHttp(
  settings: Pick<Settings, "trustProxy">,
  log: Logger,
  metrics: Metrics,
): FastifyInstance {
  const app = Fastify({
    logger: false,
    bodyLimit: HTTP_LIMITS.body,
    requestTimeout: HTTP_LIMITS.requestTime,
    keepAliveTimeout: HTTP_LIMITS.keepAlive,
    forceCloseConnections: "idle",
    // A hop counts from the socket: 0 is who connected to us.
    trustProxy: (_address: string, hop: number) => hop < settings.trustProxy,
    http: { maxHeaderSize: HTTP_LIMITS.headers, headersTimeout: HTTP_LIMITS.headersTime },
    routerOptions: { maxParamLength: 500 },
    exposeHeadRoutes: true,
  });
  const requests = metrics.counter("inkpool_http_requests_total", "Answers by status class.");
  app.addHook("onRequest", async (_request, reply) => {
    reply.headers(COMMON_HEADERS);
  });
  app.addHook("onResponse", async (_request, reply) => {
    requests.add(1, { status: `${Math.floor(reply.statusCode / 100)}xx` });
  });
  // An answer that is given during the stop is its connection's last: nothing else would end that before its time.
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
    log.error("a request failed", {
      method: request.method,
      route: request.routeOptions.url,
      error: error.message,
    });
    return reply.code(500).send({ code: "internal_error", message: "Internal server error" });
  });
  return app;
}
