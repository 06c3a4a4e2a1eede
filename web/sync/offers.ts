/** What this client offers to take back: its own last Clear, and what changes of others took away. */

import { authorOf } from "../../board/author.ts";
import { getObject } from "../../board/board.ts";
import { TEXTS } from "../../board/constants.ts";
import type { BoardObject, ObjectId } from "../../board/drawing.ts";
import { canRestore, type Losses } from "../../board/losses.ts";
import { keyOf, keyOfAuthor } from "../../board/peer-key.ts";
import type { Environment } from "./environment/environment.ts";
import type { SyncClient, TakeBack } from "./port.ts";
import type { wire } from "./wiring.ts";

type Wired<Name extends keyof ReturnType<typeof wire>> = Pick<ReturnType<typeof wire>, Name>;

/**
 * The notice of losses ends when nothing of them is missing any more. What a host has taken back from this page is not
 * offered.
 */
export function followLosses(
  given: Wired<"replica" | "notices" | "presence" | "crowd" | "saver" | "receiver" | "clientId">,
): void {
  const { replica, notices, presence, crowd, saver, receiver, clientId } = given;
  const { board } = replica;
  let offered: Losses | null = null;
  const takenBack = new Set<ObjectId>();
  const settle = (): void => {
    if (!offered || canRestore(board, offered)) return;
    offered = null;
    notices.emit({ kind: "settled", offer: "losses" });
  };
  const without = ({ lost, ...rest }: Losses): Losses => ({
    ...rest,
    lost: new Map([...lost].filter(([id]) => !takenBack.has(id))),
  });
  replica.onChanges(settle);
  receiver.onTakenBack((message) => {
    const keys = (message as { readonly keys?: unknown } | null)?.keys;
    if (!Array.isArray(keys) || !keys.includes(keyOf(clientId))) return;
    for (const id of [...board.objects.keys(), ...(offered?.lost.keys() ?? [])])
      if (keys.includes(keyOfAuthor(authorOf(id)))) takenBack.add(id);
    if (offered) offered = without(offered);
    settle();
  });
  replica.onLosses(({ losses: all, cleared, by }) => {
    const losses = without(all);
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

/** Fetches the code of taking back with the first call, from which a host's page looks, and again where that failed. */
export function lazyTakeBack(
  wired: ReturnType<typeof wire>,
  env: Environment,
): Pick<SyncClient, "takeBack"> {
  let made: Promise<TakeBack> | null = null;
  const make = (): Promise<TakeBack> =>
    (made ??= import("./take-back.ts").then(
      (code) => code.createTakeBack(wired, env),
      (reason: unknown) => {
        made = null;
        throw reason;
      },
    ));
  return { takeBack: wired.backend.host && make };
}
