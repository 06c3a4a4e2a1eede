/** How many TCP connections one client may have open: they cost memory and files before they ask for anything. */

import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { addressKey } from "../limits/client-key.ts";
import { createConcurrencyLimit } from "../limits/concurrency.ts";

/** A browser opens up to 6, and keeps them for a minute: 800 people behind one address who come within it. */
const PER_CLIENT = 5_000;

export interface ConnectionLimit {
  /** Connections that were closed at once. It grows from the start of the process. */
  readonly refused: number;
  /** A socket of the realtime channel is counted there. */
  release(socket: Duplex): void;
}

/**
 * Closes each connection that its client has too many of. Behind a proxy nothing is counted: the peer of every
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
