/** What a sync client needs only after its first read of the row, or not at all: one chunk of the page. */

import { digest } from "../../board/board.ts";
import { createAntiEntropy } from "./channel/anti-entropy.ts";
import { keepDrawing } from "./device/device-copy.ts";
import type { Parts } from "./wiring.ts";
import { takeTurns } from "./saving/rota.ts";

export { readCrowd } from "./channel/crowd.ts";
export { createPanelReads } from "./history.ts";
export { createHistoryReads } from "./supabase/history.ts";

/** Takes part until the client is disposed of. Resolves when the board shows this device's copy, or needs none. */
export function joinLater(parts: Parts, board: string): Promise<void> {
  takeTurns(parts);
  compareBoards(parts);
  reportLosses(parts);
  return keepDrawing(parts, board);
}

function reportLosses({ replica, notices, presence, isOnline }: Parts): void {
  replica.onLosses(({ losses, cleared, by }) =>
    notices.emit({
      kind: "losses",
      count: losses.lost.size,
      cleared,
      by: by !== null && isOnline(by) ? { clientId: by, name: presence.get().peers.get(by) } : null,
      restore: () => replica.restoreLosses(losses),
    }),
  );
}

function compareBoards(parts: Parts): void {
  const { env, replica, presence, resync, outbox, isOnline, saveForAll, sendDigest } = parts;
  const { pending } = replica;
  const antiEntropy = createAntiEntropy({
    clock: env.clock,
    random: env.random,
    digest: () => digest(replica.board),
    hasPeers: () => presence.get().peers.size > 0,
    updateInterval: outbox.rate.interval,
    resync: resync.run,
    saveForPeers() {
      pending.orphanAll();
      if (pending.hasOrphans(isOnline)) saveForAll();
    },
    sendDigest,
  });
  Object.assign(parts.antiEntropy, antiEntropy);
  antiEntropy.changed();
}
