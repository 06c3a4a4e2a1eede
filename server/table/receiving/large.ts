/** How much of large bodies and answers may be on its way at once: what bounds the memory that they take. */

import type { ServerResponse } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { createConcurrencyLimit } from "../../limits/concurrency.ts";
import { faults } from "../schema/faults.ts";

/** `from` in bytes; a body of unannounced size counts as large. One slow client must not take them all. */
const LARGE = { from: 1024 * 1024, perClient: 4, inAll: 64 } as const;

/** Bytes of smaller bodies, which wait in the queue for the database. */
const SMALL = { perClient: 64 * 1024 * 1024, inAll: 256 * 1024 * 1024 } as const;

/** Bytes of answers that their clients have not read yet. */
const UNREAD = { perClient: 128 * 1024 * 1024, inAll: 512 * 1024 * 1024 } as const;

export interface LargeGate {
  /**
   * Counts a request with a body until its connection is done with it.
   * @param client the key of the request's client
   * @throws TableFault when there are too many
   */
  enter(client: string, request: FastifyRequest, reply: FastifyReply): void;
  /**
   * Counts an answer of `bytes` until its client has read it, or nothing of it for `timeout` milliseconds: then the
   * connection ends.
   * @throws TableFault when the client, or all together, have too much unread
   */
  answer(client: string, response: ServerResponse, bytes: number, timeout: number): void;
}

export function createLargeGate(): LargeGate {
  const bodies = createConcurrencyLimit({ inAll: LARGE.inAll, perKey: LARGE.perClient });
  const smaller = createConcurrencyLimit({ inAll: SMALL.inAll, perKey: SMALL.perClient });
  const unread = createConcurrencyLimit({ inAll: UNREAD.inAll, perKey: UNREAD.perClient });
  return {
    enter: (client, request, reply) => {
      const announced = Number(request.headers["content-length"] ?? 0);
      const chunked = request.headers["transfer-encoding"] !== undefined;
      const isLarge = chunked || announced >= LARGE.from;
      const [limit, amount] = isLarge ? [bodies, 1] : [smaller, announced];
      if (amount === 0) return;
      if (!limit.enter(client, amount)) throw faults.busy();
      reply.raw.once("close", () => limit.leave(client, amount));
    },
    answer: (client, response, bytes, timeout) => {
      if (!unread.enter(client, bytes)) throw faults.busy();
      response.once("close", () => unread.leave(client, bytes));
      response.setTimeout(timeout, () => response.destroy());
    },
  };
}
