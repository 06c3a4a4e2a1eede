/** The offers of this client to revert something: its own last Clear, and removals by others. */

import { authorOf } from "../../board/author.ts";
import { getObject } from "../../board/board.ts";
import { TEXTS } from "../../board/constants.ts";
import type { BoardObject, ObjectId } from "../../board/drawing.ts";
import { canRestore, type Losses } from "../../board/losses.ts";
import { keyOf, keyOfAuthor } from "../../board/peer-key.ts";
import type { Crowd } from "./channel/crowd.ts";
import type { Emitter, Signal } from "./environment/signal.ts";
import type { Notice } from "./port.ts";
import type { Presence } from "./presence/peers.ts";
import type { GreatLosses } from "./replica/loss-watch.ts";
import type { Replica } from "./replica/replica.ts";
import type { Saver } from "./saving/saver.ts";
import type { SharedRow } from "./saving/row.ts";

interface OfferDependencies {
  readonly replica: Replica;
  readonly saver: Pick<Saver, "saveNow">;
  readonly notices: Emitter<Notice>;
}

interface LossOfferDependencies extends OfferDependencies {
  readonly clientId: string;
  readonly presence: Signal<Presence>;
  readonly crowd: Pick<Crowd, "isOnline">;
}

interface ClearingDependencies extends OfferDependencies {
  readonly row: Pick<SharedRow, "replaceUnreadable" | "carry">;
}

/**
 * The notice of losses ends when nothing of them is missing any more (`settle`). What a host has taken back from this
 * page is not offered; another notice says that it was. Hosts repeat a message, with its number, to those who return.
 */
export function createLossOffer(dependencies: LossOfferDependencies) {
  const { clientId, replica, presence, crowd, saver, notices } = dependencies;
  const { board } = replica;
  let offered: Losses | null = null;
  const hidden = new Set<ObjectId>();
  const received = new Set<string>();
  const settle = (): void => {
    if (!offered || canRestore(board, offered)) return;
    offered = null;
    notices.emit({ kind: "settled", offer: "losses" });
  };
  const visible = ({ lost, ...rest }: Losses): Losses => ({
    ...rest,
    lost: new Map([...lost].filter(([id]) => !hidden.has(id))),
  });
  return {
    settle,
    takenBack: (message: unknown): void => {
      const { clientId: host, keys, n } = (message ?? {}) as Record<string, unknown>;
      const name = JSON.stringify([host, n]);
      if (!Array.isArray(keys) || !keys.includes(keyOf(clientId)) || received.has(name)) return;
      received.add(name);
      for (const id of [...board.objects.keys(), ...(offered?.lost.keys() ?? [])])
        if (keys.includes(keyOfAuthor(authorOf(id)))) hidden.add(id);
      if (offered) offered = visible(offered);
      settle();
      notices.emit({ kind: "error", text: TEXTS.takenBack });
    },
    offer: ({ losses: all, cleared, by }: GreatLosses): void => {
      const losses = visible(all);
      if (losses.lost.size === 0) return;
      offered = losses;
      notices.emit({
        kind: "losses",
        count: losses.lost.size,
        cleared,
        by:
          by !== null && crowd.isOnline(by)
            ? { clientId: by, name: presence.get().peers.get(by) }
            : null,
        // A notice that another one is just taking the place of offers the later losses too.
        restore() {
          if (offered) replica.restoreLosses(offered);
          saver.saveNow();
        },
      });
    },
  };
}

/** Clears the board. The notice is about the last time: it ends when all that was cleared is back (`settle`). */
export function createClearing({ row, replica, saver, notices }: ClearingDependencies) {
  let removed: readonly BoardObject[] = [];
  return {
    settle: (): void => {
      if (removed.length === 0 || removed.some(({ id }) => !getObject(replica.board, id))) return;
      removed = [];
      notices.emit({ kind: "settled", offer: "cleared" });
    },
    clear: (): void => {
      row.replaceUnreadable();
      row.carry([]);
      const cleared = replica.clear();
      if (cleared.length === 0) return;
      removed = cleared;
      const undo = (): void => {
        // A notice that is just disappearing must not undo what came before.
        if (removed.length === 0) return;
        replica.restore(cleared);
        saver.saveNow();
      };
      notices.emit({ kind: "cleared", text: TEXTS.cleared, undo });
    },
  };
}
