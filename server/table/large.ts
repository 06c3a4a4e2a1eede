/** How many large bodies may be on their way at once: what bounds the memory that they take. */

import type { FastifyReply, FastifyRequest } from "fastify";
import { addressKey } from "../http/rate-limit.ts";
import { faults } from "./faults.ts";

/** `from` in bytes; a body of unannounced size counts as large. A slow sender must not take every place. */
const LARGE = { from: 1024 * 1024, perAddress: 4, atOnce: 64 } as const;

export interface LargeGate {
  /** Counts a request with a large body until it is answered. @throws TableFault when there are too many */
  enter(request: FastifyRequest, reply: FastifyReply): void;
}

export function createLargeGate(): LargeGate {
  const byAddress = new Map<string, number>();
  let all = 0;
  return {
    enter: (request, reply) => {
      const announced = Number(request.headers["content-length"] ?? 0);
      const chunked = request.headers["transfer-encoding"] !== undefined;
      if (!chunked && announced < LARGE.from) return;
      const address = addressKey(request.ip);
      const here = byAddress.get(address) ?? 0;
      if (all >= LARGE.atOnce || here >= LARGE.perAddress) throw faults.busy();
      all++;
      byAddress.set(address, here + 1);
      reply.raw.once("close", () => {
        all--;
        const left = (byAddress.get(address) ?? 1) - 1;
        if (left === 0) byAddress.delete(address);
        else byAddress.set(address, left);
      });
    },
  };
}
