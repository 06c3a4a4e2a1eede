/** For operators: is the server alive, can it work, what does it do. */

import type { FastifyInstance } from "fastify";
import type { Registry } from "prom-client";
import type { Database } from "../storage/port.ts";

/** The database must respond within this many milliseconds to be called ready. */
const READY_WITHIN = 2000;

/** @param database null when this server opens none (SUPABASE_URL) */
export function registerOperations(
  app: FastifyInstance,
  metrics: Registry,
  database: Database | null,
): void {
  app.get("/healthz", async (_request, reply) => {
    reply.header("cache-control", "no-store");
    return { status: "ok" };
  });
  app.get("/readyz", async (_request, reply) => {
    reply.header("cache-control", "no-store");
    const ready = database === null || (await responds(database));
    return reply.code(ready ? 200 : 503).send({ status: ready ? "ready" : "database unavailable" });
  });
  app.get("/metrics", async (_request, reply) =>
    reply
      .header("content-type", metrics.contentType)
      .header("cache-control", "no-store")
      .send(await metrics.metrics()),
  );
}

/** False when the database fails or takes longer than `READY_WITHIN`. */
async function responds(database: Database): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), READY_WITHIN);
  });
  const query = database.query("select 1 as one").then(
    () => true,
    () => false,
  );
  const ready = await Promise.race([query, timeout]);
  clearTimeout(timer);
  return ready;
}
