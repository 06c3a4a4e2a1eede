/** Ends requests whose bodies do not arrive: each holds a connection, and memory. */

import type { IncomingMessage } from "node:http";
import type { FastifyInstance } from "fastify";

/** Bytes below which a body makes no progress within the time. */
const MIN_BYTES = 1_024;

/**
 * Ends idle bodies.
 * @param pause Milliseconds in which a body that is being read has to make progress.
 */
export function endIdleBodies(app: FastifyInstance, pause: number): void {
  app.addHook("onRequest", async ({ raw }) => {
    const { headers } = raw;
    const hasBody =
      headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
    if (hasBody && !raw.complete) watch(raw, pause);
  });
}

function watch(raw: IncomingMessage, pause: number): void {
  let before = raw.socket.bytesRead;
  const check = (): void => {
    const { bytesRead } = raw.socket;
    if (raw.complete) clearInterval(timer);
    // Bytes that this process does not read cannot arrive.
    else if (raw.readableFlowing === true && bytesRead - before < MIN_BYTES) raw.destroy();
    before = bytesRead;
  };
  // It runs after sockets were read: a process that stood still finds bytes of that time.
  const timer = setInterval(() => setImmediate(check), pause).unref();
  raw.once("close", () => clearInterval(timer));
}
