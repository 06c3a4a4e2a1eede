import type { Cluster } from "./port.ts";
import { freshStats } from "./stats.ts";

const NONE = new Map<never, never>();

/** Makes the cluster of one process, which has no others to send to or to receive from. */
export function createLocalCluster(): Cluster {
  return {
    stats: freshStats(),
    start: async () => {},
    join: () => {},
    leave: () => {},
    broadcast: () => {},
    isShared: () => false,
    presence: () => {},
    remotePresence: () => NONE,
    close: async () => {},
  };
}
