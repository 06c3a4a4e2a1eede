/** Limits large bodies and answers that are on their way at the same time, and thereby the memory that they take. */

import type { ServerResponse } from "node:http";
import type { FastifyReply } from "fastify";
import { createConcurrencyLimit } from "../../limits/concurrency.ts";
import { createReceptions, type Reception } from "../../limits/receptions.ts";
import { faults } from "../schema/faults.ts";

/** The limit of large bodies, `from` in bytes. One client must not use up all of it. */
const LARGE = { from: 1024 * 1024, perClient: 4, inAll: 64 } as const;

/** The limit of smaller bodies, in bytes, which wait in the queue for the database. */
const SMALL = { perClient: 64 * 1024 * 1024, inAll: 256 * 1024 * 1024 } as const;

/** The limit of answers that their clients have not read yet, in bytes. */
const UNREAD = { perClient: 128 * 1024 * 1024, inAll: 512 * 1024 * 1024 } as const;

export interface LargeGate {
  /**
   * Counts a body by its received bytes, until its connection is done with it.
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
