/** What the panels ask about the board: the versions that the history contains, and who drew what. Loaded when it is asked for. */

import { authorShares } from "../../board/authorship.ts";
import { changesTo, refuseChangesTo } from "../../board/version.ts";
import type { Fault } from "./environment/backend.ts";
import { finish, readDrawing } from "./replica/drawing-text.ts";
import type { Parts } from "./wiring.ts";
import type { SyncClient, Versions } from "./port.ts";

/** Objects of a restored drawing between two pauses. */
const SLICE = 100;

/** Reads nothing by itself. */
export function createPanelReads(parts: Parts): Pick<SyncClient, "versions" | "authorShares"> {
  return {
    versions: createVersions(parts),
    authorShares: () => finish(authorShares(parts.replica.board), parts.env),
  };
}

function createVersions({ backend, replica, row, saver, env, notices }: Parts): Versions {
  return {
    async list() {
      const listed = await backend.listHistory();
      if (!listed.ok) throw new Error(messageOf(listed.fault));
      return listed.value;
    },
    async load(id) {
      const loaded = await backend.loadHistory(id);
      if (!loaded.ok) throw new Error(messageOf(loaded.fault));
      const parsed = loaded.value === null ? null : await readDrawing(loaded.value, env);
      return parsed?.drawing ?? null;
    },
    async restore(drawing, onlyMissing) {
      const refused = await finish(refuseChangesTo(replica.board, drawing, onlyMissing), env);
      if (refused !== null) {
        notices.emit(
          "full" in refused
            ? { kind: "full" }
            : {
                ...{ kind: "error", text: refused.tooLarge },
                ...(onlyMissing ? { offer: "authors" } : {}),
              },
        );
        return false;
      }
      row.replaceUnreadable();
      if (!onlyMissing) row.dropUnreadable();
      const restore = replica.editInSlices((board, author) =>
        changesTo(board, author, drawing, { onlyMissing, size: SLICE }),
      );
      await finish(restore, env);
      saver.saveNow();
      return true;
    },
  };
}

function messageOf({ kind, message }: Fault): string {
  return kind === "network" ? "The server cannot be reached" : message;
}
