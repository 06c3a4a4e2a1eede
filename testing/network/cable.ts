/** A TCP proxy on the loopback that can be cut, and that can swallow every byte, as a broken network does. */

import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

export interface Cable {
  readonly port: number;
  /** Ends all connections without notice to either side, and refuses new ones. */
  cut(): Promise<void>;
  /** Swallows every byte of the open connections from now on, without notice to either side; `fresh`: of new ones too. */
  swallow(fresh?: boolean): void;
  /** Returns the number of connections that were opened so far. */
  opened(): number;
  /** Lets new connections work again; those that were swallowed stay dead. */
  restore(): void;
}

interface Pair {
  dead: boolean;
}

/**
 * Makes a cable.
 * @param port Where the connections lead, on 127.0.0.1.
 */
export async function createCable(port: number): Promise<Cable> {
  const ends = new Set<Socket>();
  const pairs = new Set<Pair>();
  let swallowing = false;
  let opened = 0;
  const server = createServer((near) => {
    opened++;
    const far = connect(port, "127.0.0.1");
    const pair = { dead: swallowing };
    pairs.add(pair);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(from);
      from.on("error", () => {});
      from.on("data", (data) => void (pair.dead || to.write(data)));
      from.on("close", () => {
        ends.delete(from);
        pairs.delete(pair);
        if (!pair.dead) to.destroy();
      });
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    cut: async () => {
      const closed = once(server, "close");
      server.close();
      for (const end of ends) end.destroy();
      await closed;
    },
    opened: () => opened,
    swallow: (fresh = false) => {
      swallowing = fresh;
      for (const pair of pairs) pair.dead = true;
    },
    restore: () => void (swallowing = false),
  };
}
