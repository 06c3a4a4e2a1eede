/** How much of large bodies and answers may be on its way at once: what bounds the memory that they take. */

import type { ServerResponse } from "node:http";
import type { FastifyReply } from "fastify";
import { createConcurrencyLimit } from "../../limits/concurrency.ts";
import { createReceptions, type Reception } from "../../limits/receptions.ts";
import { faults } from "../schema/faults.ts";

/** `from` in bytes. One client must not take them all. */
const LARGE = { from: 1024 * 1024, perClient: 4, inAll: 64 } as const;

/** Bytes of smaller bodies, which wait in the queue for the database. */
const SMALL = { perClient: 64 * 1024 * 1024, inAll: 256 * 1024 * 1024 } as const;

/** Bytes of answers that their clients have not read yet. */
const UNREAD = { perClient: 128 * 1024 * 1024, inAll: 512 * 1024 * 1024 } as const;

export interface LargeGate {
  /**
   * Counts a body with what has arrived of it, until its connection is done with it.
   * @param client the key of the request's client
   * @param giveWay ends the body, whose permit another has got
   */
  receive(client: string, reply: FastifyReply, giveWay: () => void): Reception;
  /**
   * Counts an answer of `bytes` until its client has read it, or nothing of it for `timeout` milliseconds: then the
   * connection ends.
   * @throws TableFault when the client, or all together, have too much unread
   */
  answer(client: string, response: ServerResponse, bytes: number, timeout: number): void;
}

export function createLargeGate(): LargeGate {
  const bodies = createReceptions({ large: LARGE, small: SMALL, now: () => performance.now() });
  const unread = createConcurrencyLimit({ inAll: UNREAD.inAll, perKey: UNREAD.perClient });
  return {
    receive: (client, reply, giveWay) => {
      const reception = bodies.begin(client, giveWay);
      reply.raw.once("close", () => reception.end());
      return reception;
    },
    answer: (client, response, bytes, timeout) => {
      if (!unread.enter(client, bytes)) throw faults.busy();
      response.once("close", () => unread.leave(client, bytes));
      response.setTimeout(timeout, () => response.destroy());
    },
  };
}
