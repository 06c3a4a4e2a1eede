/** Saves what peers broadcast, or had in the row, and will not save: one client does it for all. */

import type { Environment } from "../environment/environment.ts";
import type { Signal } from "../environment/signal.ts";
import { createTimer } from "../environment/timing.ts";
import type { Presence } from "../presence/peers.ts";
import type { Saver } from "./saver.ts";

/** Milliseconds. Clients that stay save what a peer left behind, but not all at the same moment. */
const ORPHAN_DELAY = 2_000;
/** Milliseconds before what an unguarded writer took out of the row is saved again. */
const STALE_DELAY = 2_000;

export interface PeerSaves {
  /** Saves soon what clients that have left broadcast, if there is anything. */
  readonly scheduleOrphans: () => void;
  /** Saves the objects that the row lacks, for whatever reason: the more clients are online, the later, so that their saves do not add up. */
  readonly schedule: () => void;
  readonly stop: () => void;
}

export interface PeerSavesDependencies {
  readonly saver: Saver;
  readonly presence: Signal<Presence>;
  readonly env: Pick<Environment, "clock" | "random">;
  /** Whether a peer that has left broadcast changes that the row may not contain. */
  readonly hasOrphans: () => boolean;
  /** Whether there is anything that the row may not contain. */
  readonly needsSave: () => boolean;
}

/** Saves nothing by itself. */
export function createPeerSaves(dependencies: PeerSavesDependencies): PeerSaves {
  const { saver, presence, env, hasOrphans, needsSave } = dependencies;
  const orphanTimer = createTimer(env.clock);
  const staleTimer = createTimer(env.clock);
  return {
    scheduleOrphans() {
      if (!hasOrphans() || orphanTimer.isSet) return;
      orphanTimer.set(ORPHAN_DELAY * (1 + 2 * env.random()), () => {
        if (hasOrphans()) saver.saveForPeers();
      });
    },
    schedule() {
      if (staleTimer.isSet) return;
      staleTimer.set(STALE_DELAY * (1 + presence.get().online * env.random()), () => {
        if (needsSave()) saver.saveForPeers();
      });
    },
    stop() {
      orphanTimer.clear();
      staleTimer.clear();
    },
  };
}
