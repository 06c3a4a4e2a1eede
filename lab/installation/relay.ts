/** A TCP proxy that can swallow, like a connection that a firewall forgot, or whose host lost power. */

import { once } from "node:events";
import { connect, createServer, type Socket, type AddressInfo } from "node:net";

export interface Relay {
  port: number;
  /** Keeps the open connections, and new ones, open and silent for ever: nothing passes either way, not even an end. */
  swallow: () => void;
  /** Lets new connections pass again; silent ones stay so until their client closes them. */
  pass: () => void;
  /** Returns the number of silent connections that are still open. */
  silent: () => number;
  close: () => Promise<void>;
}

/**
 * Opens a relay.
 * @param target A port of the loopback.
 */
export async function openRelay(target: number): Promise<Relay> {
  let isSwallowing = false;
  const pairs = new Set<{ client: Socket; server: Socket | null }>();
  const cut = (pair: { client: Socket; server: Socket | null }) => {
    const { client, server } = pair;
    pair.server = null;
    server?.destroy();
    client.unpipe();
    client.removeAllListeners("data");
    client.resume();
  };
  const relay = createServer({ allowHalfOpen: true }, (client) => {
    const server = isSwallowing
      ? null
      : connect({ port: target, host: "127.0.0.1", allowHalfOpen: true });
    const pair = { client, server };
    pairs.add(pair);
    client.setNoDelay(true);
    client.on("error", () => client.destroy());
    client.on("end", () => (pair.server === null ? client.destroy() : undefined));
    client.on("close", () => {
      pairs.delete(pair);
      pair.server?.destroy();
    });
    if (server === null) return void client.resume();
    server.setNoDelay(true);
    server.on("error", () => (pair.server === null ? undefined : client.destroy()));
    server.on("close", () => (pair.server === null ? undefined : client.destroy()));
    client.pipe(server);
    server.pipe(client);
  });
  relay.listen(0, "127.0.0.1");
  await once(relay, "listening");
  const { port } = relay.address() as AddressInfo;
  return {
    port,
    swallow() {
      isSwallowing = true;
      for (const pair of pairs) cut(pair);
    },
    pass: () => void (isSwallowing = false),
    silent: () => [...pairs].filter(({ server }) => server === null).length,
    async close() {
      for (const { client, server } of pairs) {
        client.destroy();
        server?.destroy();
      }
      relay.close();
      await once(relay, "close");
    },
  };
}
