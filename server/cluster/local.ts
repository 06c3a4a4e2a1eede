import type { Cluster } from "./port.ts";

const NONE = new Map<never, never>();

/** One process: there are no others to send to or to receive from. */
export function createLocalCluster(): Cluster {
  return {
    stats: { up: 1, peers: 0, published: 0, received: 0, unreadable: 0, outdated: 0 },
    start: async () => {},
    join: () => {},
    leave: () => {},
    broadcast: () => {},
    presence: () => {},
    remotePresence: () => NONE,
    close: async () => {},
  };
}
