/**
 * Carries a serialised drawing past the client library. supabase-js turns a body into JSON with
 * JSON.stringify and a replacer, which holds the page up for about a second at 10 MB, and ours is
 * text already: so the library gets a stand-in string, and the drawing takes its place on the way out.
 */

import type { DrawingText } from "./backend.ts";

export interface Courier {
  /** Runs `send` with a stand-in for the drawing; the body that it sends carries the drawing. */
  carry<T>(text: DrawingText, send: (stand: string) => Promise<T>): Promise<T>;
  /** For the library. */
  readonly fetch: typeof fetch;
  /** The same for requests that outlive the page; the browser allows 64 KB of them at a time. */
  readonly lastFetch: typeof fetch;
}

/** Above this a body goes as a Blob, whose pieces need not be joined first. */
const BLOB_BYTES = 256 * 1024;

export function createCourier(send: typeof fetch): Courier {
  const parcels = new Map<string, DrawingText>();
  let count = 0;

  const unpack = (body: string): BodyInit => {
    for (const [stand, text] of parcels) {
      const [before, after] = body.split(JSON.stringify(stand));
      if (before === undefined || after === undefined) continue;
      const parts = [before, ...text.pieces, after];
      return text.bytes > BLOB_BYTES ? new Blob(parts) : parts.join("");
    }
    return body;
  };
  const withBody = (init: RequestInit | undefined): RequestInit => {
    return typeof init?.body === "string" ? { ...init, body: unpack(init.body) } : { ...init };
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
    lastFetch: (input, init) => send(input, { ...withBody(init), keepalive: true }),
  };
}
