/** Discards the rest of bodies that are refused while they still arrive. */

import type { FastifyInstance } from "fastify";

/** Milliseconds for which the rest of a body is read. */
const DISCARD_TIME = 10_000;

/**
 * Reads and discards the rest of refused bodies. A connection that is closed while the client is writing loses the
 * response, so that the client would see a broken connection instead of the refusal.
 */
export function discardRefusedBodies(app: FastifyInstance): void {
  app.addHook("onSend", async ({ raw }, reply) => {
    if (reply.statusCode < 400 || raw.complete) return;
    reply.removeHeader("connection");
    raw.resume();
    const timer = setTimeout(() => raw.destroy(), DISCARD_TIME).unref();
    raw.once("close", () => clearTimeout(timer));
  });
}
