/** For operators: is the server alive, can it work, what does it do. */

import type { FastifyInstance } from "fastify";
import type { Registry } from "prom-client";
import type { Readiness } from "../readiness.ts";

/** @param readiness says whether the server can work; what is asked often must cost little */
export function registerOperations(
  app: FastifyInstance,
  metrics: Registry,
  readiness: () => Promise<Readiness>,
): void {
  app.get("/healthz", async (_request, reply) => {
    reply.header("cache-control", "no-store");
    return { status: "ok" };
  });
  app.get("/readyz", async (_request, reply) => {
    reply.header("cache-control", "no-store");
    const status = await readiness();
    return reply.code(status === "ready" ? 200 : 503).send({ status });
  });
  app.get("/metrics", async (_request, reply) =>
    reply
      .header("content-type", metrics.contentType)
      .header("cache-control", "no-store")
      .send(await metrics.metrics()),
  );
}
