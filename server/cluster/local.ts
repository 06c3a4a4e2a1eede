import type { Cluster } from "./port.ts";

const NONE = new Map<never, never>();

/** One process: there are no others to send to or to receive from. */
export function createLocalCluster(): Cluster {
  return {
    start: async () => {},
    join: () => {},
    leave: () => {},
    broadcast: () => {},
    presence: () => {},
    remotePresence: () => NONE,
    close: async () => {},
  };
}
