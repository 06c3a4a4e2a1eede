import type { Logger } from "../log.ts";
import type { Settings } from "../settings.ts";
import type { Cluster } from "./port.ts";

/** One process: nobody to tell. */
export async function openCluster(_settings: Settings, _log: Logger): Promise<Cluster> {
  return {
    start: async () => {},
    join: () => {},
    leave: () => {},
    broadcast: () => {},
    presence: () => {},
    remotePresence: () => new Map(),
    close: async () => {},
  };
}
