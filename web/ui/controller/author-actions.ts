/** The requests and actions of the list of authors. This code arrives with the first request. */

import { TEXTS } from "../../../board/constants.ts";
import { isUnseen } from "../../../board/unseen.ts";
import type { SyncClient } from "../../sync/port.ts";
import { editWithUndo, type ShowDone } from "../board/undoable-edit.ts";
import { ownPerson } from "./own-pages.ts";
import { plural, t } from "../language/text.ts";
import { authorRows, ownAuthors, type AuthorRow } from "./author-rows.ts";

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
export async function removeAuthor(
  open: SyncClient,
  { key, name }: AuthorRow,
  showDone: ShowDone,
): Promise<void> {
  const rows = await listAuthors(open);
  const ids = rows.find((row) => row.key === key)?.ids ?? [];
  const remove = (): void => {
    if (!open.blocked.get()) open.editor.remove(ids);
  };
  editWithUndo(open, remove, showDone, {
    text: plural(ids.length, "Removed 1 object by {name}", "Removed {count} objects by {name}", {
      name,
    }),
    unchanged: open.blocked.get()
      ? t(TEXTS.locked)
      : t("There is nothing left by {name}", { name }),
  });
}

/** Removes the objects that nobody can see, as one change. */
export function tidyUp(open: SyncClient, showDone: ShowDone): void {
  const ids = open
    .objects()
    .filter(isUnseen)
    .map(({ id }) => id);
  editWithUndo(open, () => open.editor.remove(ids), showDone, {
    text: plural(
      ids.length,
      "Removed 1 object that nobody can see",
      "Removed {count} objects that nobody can see",
    ),
    unchanged: t("There is nothing that nobody can see"),
  });
}
