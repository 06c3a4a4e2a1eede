import type { Cluster } from "./port.ts";

const NOBODY = new Map<never, never>();

/** One process: nobody to tell, and nobody to hear from. */
export function createLocalCluster(): Cluster {
  return {
    start: async () => {},
    join: () => {},
    leave: () => {},
    broadcast: () => {},
    presence: () => {},
    remotePresence: () => NOBODY,
    close: async () => {},
  };
}
