/** Limits the TCP connections of one client, which cost memory and files before they ask for anything. */

import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { addressKey } from "../limits/client-key.ts";
import { createConcurrencyLimit } from "../limits/concurrency.ts";

/**
 * Greatest number of connections of one client. A browser opens up to 6, and keeps them for a minute: these are 800
 * people behind one address who arrive within it.
 */
const PER_CLIENT = 5_000;

export interface ConnectionLimit {
  /** The number of connections that were closed immediately, from the start of the process. */
  readonly refused: number;
  /** Releases a socket that the realtime channel counts itself. */
  release(socket: Duplex): void;
}

/**
 * Closes each connection that exceeds its client's limit. Behind a proxy nothing is counted, since the peer of every
 * connection is the proxy.
 * @param proxies how many reverse proxies stand in front (TRUST_PROXY)
 */
export function limitConnections(
  server: Server,
  proxies: number,
  perClient = PER_CLIENT,
): ConnectionLimit {
  const open = createConcurrencyLimit({ inAll: Number.MAX_SAFE_INTEGER, perKey: perClient });
  const counted = new Map<Duplex, string>();
  let refused = 0;
  const release = (socket: Duplex): void => {
    const client = counted.get(socket);
    if (client !== undefined && counted.delete(socket)) open.leave(client);
  };
  if (proxies === 0)
    server.on("connection", (socket: Socket) => {
      const client = addressKey(socket.remoteAddress ?? "");
      if (!open.enter(client)) {
        refused++;
        socket.destroy();
        return;
      }
      counted.set(socket, client);
      socket.once("close", () => release(socket));
    });
  return {
    get refused() {
      return refused;
    },
    release,
  };
}
