/** For operators: is the server alive, can it work, what does it do. */

import type { FastifyInstance } from "fastify";
import type { Registry } from "prom-client";
import type { Drain } from "../drain.ts";
import type { Readiness } from "../readiness.ts";

interface Probes {
  /** Whether the server can work; what is asked often must cost little. */
  readonly readiness: () => Promise<Readiness>;
  readonly drain: Pick<Drain, "begun">;
}

export function registerOperations(
  app: FastifyInstance,
  metrics: Registry,
  { readiness, drain }: Probes,
): void {
  app.get("/healthz", async (_request, reply) => {
    reply.header("cache-control", "no-store");
    return { status: "ok" };
  });
  app.get("/readyz", async (request, reply) => {
    reply.header("cache-control", "no-store");
    // A balancer that left out every process for want of a database would take page and live drawing away as well.
    const forTraffic = (request.query as { for?: unknown }).for === "traffic";
    const status = drain.begun ? "stopping" : forTraffic ? "ready" : await readiness();
    return reply.code(status === "ready" ? 200 : 503).send({ status });
  });
  app.get("/metrics", async (_request, reply) =>
    reply
      .header("content-type", metrics.contentType)
      .header("cache-control", "no-store")
      .send(await metrics.metrics()),
  );
}
