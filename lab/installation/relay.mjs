/** A TCP proxy that can swallow: what a connection looks like that a firewall forgot, or whose host lost power. */

import { once } from "node:events";
import { connect, createServer } from "node:net";

/**
 * @typedef {object} Relay
 * @property {number} port
 * @property {() => void} swallow From now on the open connections, and new ones, stay open and silent for ever: nothing
 *   passes either way, not even an end.
 * @property {() => void} pass New connections pass again; those that were silent stay so until their client closes them.
 * @property {() => number} silent How many silent connections are still open.
 * @property {() => Promise<void>} close
 */

/** @param {number} target A port of the loopback. @returns {Promise<Relay>} */
export async function openRelay(target) {
  let isSwallowing = false;
  /** @type {Set<{ client: import("node:net").Socket, server: import("node:net").Socket | null }>} */
  const pairs = new Set();
  /** @param {{ client: import("node:net").Socket, server: import("node:net").Socket | null }} pair */
  const cut = (pair) => {
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
  const { port } = /** @type {import("node:net").AddressInfo} */ (relay.address());
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
