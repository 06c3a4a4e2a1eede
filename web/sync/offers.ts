/** What this client offers to take back: its own last Clear, and what changes of others took away. */

import { getObject } from "../../board/board.ts";
import { TEXTS } from "../../board/constants.ts";
import type { BoardObject } from "../../board/drawing.ts";
import { canRestore, type Losses } from "../../board/losses.ts";
import type { wire } from "./wiring.ts";

type Wired<Name extends keyof ReturnType<typeof wire>> = Pick<ReturnType<typeof wire>, Name>;

/** The notice of losses ends when nothing of them is missing any more. */
export function followLosses(
  given: Wired<"replica" | "notices" | "presence" | "crowd" | "saver">,
): void {
  const { replica, notices, presence, crowd, saver } = given;
  const { board } = replica;
  let offered: Losses | null = null;
  replica.onChanges(() => {
    if (!offered || canRestore(board, offered)) return;
    offered = null;
    notices.emit({ kind: "settled", offer: "losses" });
  });
  replica.onLosses(({ losses, cleared, by }) => {
    offered = losses;
    notices.emit({
      kind: "losses",
      count: losses.lost.size,
      cleared,
      by:
        by !== null && crowd.isOnline(by)
          ? { clientId: by, name: presence.get().peers.get(by) }
          : null,
      restore() {
        replica.restoreLosses(losses);
        saver.saveNow();
      },
    });
  });
}

/** The notice of a clear is about the last one: it ends when all that was cleared is back. */
export function createClear(given: Wired<"row" | "replica" | "notices" | "saver">): () => void {
  const { row, replica, notices, saver } = given;
  let removed: readonly BoardObject[] = [];
  replica.onChanges(() => {
    if (removed.length === 0 || removed.some(({ id }) => !getObject(replica.board, id))) return;
    removed = [];
    notices.emit({ kind: "settled", offer: "cleared" });
  });
  return () => {
    row.replaceUnreadable();
    row.dropUnreadable();
    const cleared = replica.clear();
    if (cleared.length === 0) return;
    removed = cleared;
    const undo = (): void => {
      replica.restore(cleared);
      saver.saveNow();
    };
    notices.emit({ kind: "cleared", text: TEXTS.cleared, undo });
  };
}
