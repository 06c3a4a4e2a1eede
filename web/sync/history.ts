/** The part of the client that the panels of history and authors use. This code arrives when a visitor opens one of them. */

import { authorShares, type AuthorShare } from "../../board/authorship.ts";
import type { Board } from "../../board/board.ts";
import { carriedOf } from "../../board/compare.ts";
import { TEXTS } from "../../board/constants.ts";
import type { Drawing, Json } from "../../board/drawing.ts";
import { changesTo, refuseChangesTo } from "../../board/version.ts";
import type { BoardLock } from "./board-lock.ts";
import type { Backend, Fault } from "./environment/backend.ts";
import type { Environment } from "./environment/environment.ts";
import type { Emitter } from "./environment/signal.ts";
import type { Notice, Versions } from "./port.ts";
import { runToEnd, readDrawing } from "./replica/drawing-text.ts";
import type { Replica } from "./replica/replica.ts";
import type { SharedRow } from "./saving/row.ts";
import type { Saver } from "./saving/saver.ts";

const UNREACHABLE = "The server cannot be reached";
/** Objects of a restored drawing between two pauses. */
const RESTORED_PER_SLICE = 100;

export interface VersionsDependencies {
  readonly backend: Backend;
  readonly replica: Replica;
  readonly row: SharedRow;
  readonly saver: Saver;
  readonly notices: Emitter<Notice>;
  readonly lock: Pick<BoardLock, "blocked">;
}

/** The objects of loaded versions that this page cannot read. */
const unreadableOf = new WeakMap<Drawing, readonly Json[]>();

/** Reads nothing by itself. */
export function createVersions(dependencies: VersionsDependencies, env: Environment): Versions {
  const { backend, replica, row, saver, notices, lock } = dependencies;
  return {
    async list() {
      const listed = await backend.history.list();
      if (!listed.ok) throw new Error(messageOf(listed.fault));
      return listed.value;
    },
    async load(id) {
      const loaded = await backend.history.load(id);
      if (!loaded.ok) throw new Error(messageOf(loaded.fault));
      const parsed = loaded.value === null ? null : await readDrawing(loaded.value, env);
      if (!parsed) return null;
      unreadableOf.set(parsed.drawing, parsed.unreadable);
      return parsed.drawing;
    },
    async restore(drawing, onlyMissing) {
      if (lock.blocked.get()) {
        notices.emit({ kind: "error", text: TEXTS.locked });
        return false;
      }
      const refused = await runToEnd(refuseChangesTo(replica.board, drawing, onlyMissing), env);
      if (refused !== null) {
        notices.emit(
          "full" in refused
            ? { kind: "full" }
            : {
                ...{ kind: "error", text: refused.tooLarge },
                ...(onlyMissing && { offer: "authors" }),
              },
        );
        return false;
      }
      row.replaceUnreadable();
      const restore = replica.editInSlices((board, author) =>
        changesTo(board, author, drawing, { onlyMissing, size: RESTORED_PER_SLICE }),
      );
      await runToEnd(restore, env);
      if (!onlyMissing) {
        // It needs a save also where the board is as it was.
        replica.pending.addEdit([]);
        row.carry(carriedOf(unreadableOf.get(drawing) ?? [], replica.board));
      }
      saver.saveNow();
      return true;
    },
  };
}

/** Returns what each author has on the board. */
export function readAuthorShares(board: Board, env: Environment): Promise<readonly AuthorShare[]> {
  return runToEnd(authorShares(board), env);
}

function messageOf({ kind, message }: Fault): string {
  return kind === "network" ? UNREACHABLE : message;
}
