/**
 * Carries a serialised drawing past the client library. supabase-js turns a body into JSON with
 * JSON.stringify and a replacer, which holds the page up for about a second at 10 MB, and ours is
 * text already: so the library gets a stand-in string, and the drawing takes its place on the way out.
 */

import { LIMITS } from "../../board/spec.ts";
import { utf8Length } from "../../board/validate.ts";
import type { DrawingText } from "./backend.ts";
import type { Outliving } from "./outliving.ts";

export interface Courier {
  /** Runs `send` with a stand-in for the drawing; the body that it sends carries the drawing. */
  carry<T>(text: DrawingText, send: (stand: string) => Promise<T>): Promise<T>;
  /** For the library. */
  readonly fetch: typeof fetch;
  /** The same for requests that outlive the page; the answer of one that is handed over is empty. */
  readonly lastFetch: typeof fetch;
  /** The largest drawing in bytes that `lastFetch` can carry now. */
  readonly lastLimit: number;
}

/** Above this a body goes as a Blob, whose pieces need not be joined first. */
const BLOB_BYTES = 256 * 1024;

/** A browser lets a leaving page send 64 KB in all; the rest is for the envelope. */
const KEEPALIVE_BYTES = 60_000;

export function createCourier(send: typeof fetch, outliving?: Outliving): Courier {
  const parcels = new Map<string, DrawingText>();
  let count = 0;

  const unpack = (body: string, whole: boolean): BodyInit => {
    for (const [stand, text] of parcels) {
      const [before, after] = body.split(JSON.stringify(stand));
      if (before === undefined || after === undefined) continue;
      const parts = [before, ...text.pieces, after];
      return whole || text.bytes <= BLOB_BYTES ? parts.join("") : new Blob(parts);
    }
    return body;
  };
  const withBody = (init: RequestInit | undefined, whole = false): RequestInit => {
    return typeof init?.body === "string"
      ? { ...init, body: unpack(init.body, whole) }
      : { ...init };
  };

  return {
    async carry(text, run) {
      count += 1;
      const stand = `drawing ${count}`;
      parcels.set(stand, text);
      try {
        return await run(stand);
      } finally {
        parcels.delete(stand);
      }
    },
    fetch: (input, init) => send(input, withBody(init)),
    lastFetch(input, init) {
      const request = withBody(init, true);
      const { body } = request;
      if (typeof body !== "string" || utf8Length(body) <= KEEPALIVE_BYTES || !outliving?.ready) {
        return send(input, { ...request, keepalive: true });
      }
      const { method = "GET" } = request;
      outliving.send({
        url: addressOf(input),
        method,
        headers: [...new Headers(request.headers)],
        body,
      });
      return Promise.resolve(new Response(null, { status: 204 }));
    },
    get lastLimit() {
      return outliving?.ready ? LIMITS.canvasBytes : KEEPALIVE_BYTES;
    },
  };
}

function addressOf(input: RequestInfo | URL): string {
  if (typeof input === "string") return input;
  return input instanceof URL ? input.href : input.url;
}
