/** For those who run the server: is it alive, can it work, what does it do. */

import type { FastifyInstance } from "fastify";
import type { Metrics } from "../metrics.ts";
import type { Database } from "../storage/port.ts";

/** The database must answer within this many milliseconds to be called ready. */
const READY_WITHIN = 2000;

/** @param database null when this server opens none (SUPABASE_URL) */
export function registerOperations(
  app: FastifyInstance,
  metrics: Metrics,
  database: Database | null,
): void {
  app.get("/healthz", async (_request, reply) => {
    reply.header("cache-control", "no-store");
    return { status: "ok" };
  });
  app.get("/readyz", async (_request, reply) => {
    reply.header("cache-control", "no-store");
    const ready = database === null || (await answers(database));
    return reply.code(ready ? 200 : 503).send({ status: ready ? "ready" : "database unavailable" });
  });
  app.get("/metrics", async (_request, reply) =>
    reply
      .header("content-type", "text/plain; version=0.0.4; charset=utf-8")
      .header("cache-control", "no-store")
      .send(metrics.render()),
  );
}

async function answers(database: Database): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), READY_WITHIN);
  });
  const asked = database.query("select 1 as one").then(
    () => true,
    () => false,
  );
  const ready = await Promise.race([asked, late]);
  clearTimeout(timer);
  return ready;
}
