/** The requests and actions of the list of authors. */

import { TEXTS } from "../../../board/constants.ts";
import { isUnseen } from "../../../board/unseen.ts";
import type { SyncClient, TakeBack } from "../../sync/port.ts";
import { editWithUndo } from "./undoable-edit.ts";
import { authorRows, ownAuthors, type AuthorRow } from "./author-rows.ts";
import type { BoardAccess } from "./board-access.ts";
import { ownPerson } from "./own-pages.ts";
import { plural, t } from "../language/text.ts";

/** Lists the objects of each author on the board now, the greatest share first; empty while the board is not open. */
export async function listAuthors(open: SyncClient | null): Promise<readonly AuthorRow[]> {
  if (!open) return [];
  const known = {
    clientId: open.clientId,
    peers: open.presence.get().peers,
    names: open.authorNames(),
    person: ownPerson(),
    isOwnPage: ownAuthors(),
  };
  const actors = await open.takeBack?.().then(
    (code) => code.actors(),
    () => undefined,
  );
  return authorRows(await open.authorShares(), known, actors);
}

/** Removes everything of this row's author that is on the board now, as one change. */
export async function removeAuthor(board: BoardAccess, { key, name }: AuthorRow): Promise<void> {
  const open = board.client();
  const rows = await listAuthors(open);
  const ids = rows.find((row) => row.key === key)?.ids ?? [];
  const isBlocked = open?.blocked.get();
  const remove = ({ editor }: SyncClient): void => {
    if (!isBlocked) editor.remove(ids);
  };
  editWithUndo(board, remove, {
    text: plural(ids.length, "Removed 1 object by {name}", "Removed {count} objects by {name}", {
      name,
    }),
    unchanged: isBlocked ? t(TEXTS.locked) : t("There is nothing left by {name}", { name }),
  });
}

/** Removes the objects that nobody can see, as one change. */
export function tidyUp(board: BoardAccess): void {
  const unseen = board.client()?.objects().filter(isUnseen) ?? [];
  const ids = unseen.map(({ id }) => id);
  editWithUndo(board, ({ editor }) => editor.remove(ids), {
    text: plural(
      ids.length,
      "Removed 1 object that nobody can see",
      "Removed {count} objects that nobody can see",
    ),
    unchanged: t("There is nothing that nobody can see"),
  });
}

/**
 * Returns the actions by which a host takes back a visitor. @throws Error for everybody else, and while their code
 * cannot be fetched.
 */
export async function takeBackOf({ client }: BoardAccess): Promise<TakeBack> {
  const code = await client()?.takeBack?.();
  if (!code) throw new Error("Only a host takes back what others did");
  return code;
}
