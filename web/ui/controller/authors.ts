/** Who drew what on the board, and removing everything that one author drew. */

import { TEXTS } from "../../../board/constants.ts";
import type { Author, WrittenName } from "../../../board/drawing.ts";
import { createSignal } from "../../sync/environment/signal.ts";
import type { Signal, SyncClient, TakeBack } from "../../sync/port.ts";
import type { AuthorRow } from "./author-rows.ts";
import { ownAuthors, ownPerson } from "../kit/own-pages.ts";
import { editWithUndo, type ShowDone } from "../board/undoable-edit.ts";

export interface BoardAuthors {
  /** What each author has on the board now, the greatest share first. None while the board is not open. */
  readonly list: () => Promise<readonly AuthorRow[]>;
  /** What the drawing says of who the authors are. */
  readonly names: () => ReadonlyMap<Author, WrittenName>;
  /** The key of the row whose objects the canvas points out; null for none. */
  readonly marked: Signal<string | null>;
  readonly mark: (key: string | null) => void;
  /** Calls `listener` whenever the board changed. Returns the function that ends it. */
  readonly watch: (listener: () => void) => () => void;
  /** Removes everything that the author of this row has on the board by now, as one change. */
  readonly removeAll: (row: AuthorRow) => Promise<void>;
  /** What a host takes back. @throws Error for everybody else, and while the code of it cannot be fetched. */
  readonly takeBack: () => Promise<TakeBack>;
  /** Runs a great edit, and offers to undo it; see `editWithUndo`. */
  readonly edit: (
    edit: () => Promise<boolean>,
    texts: { readonly text: string; readonly unchanged: string },
  ) => void;
  /** Removes what nobody can see, as one change. */
  readonly tidyUp: () => Promise<void>;
}

export interface BoardAuthorsDependencies {
  /** Null while the board is not open. */
  readonly client: () => SyncClient | null;
  readonly showDone: ShowDone;
}

/** Computes nothing by itself. */
export function createBoardAuthors({ client, showDone }: BoardAuthorsDependencies): BoardAuthors {
  const list = async (): Promise<readonly AuthorRow[]> => {
    // The panel's code, which is there as soon as anybody can ask.
    const { authorRows } = await import("./author-rows.ts");
    const open = client();
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
  };
  const marked = createSignal<string | null>(null);
  return {
    list,
    marked,
    mark: marked.set,
    names: () => client()?.authorNames() ?? new Map(),
    watch: (listener) => client()?.onChanges(listener) ?? (() => undefined),
    async removeAll({ key, name }) {
      const { objectsLabel } = await import("../kit/version-labels.ts");
      const rows = await list();
      const open = client();
      const ids = rows.find((row) => row.key === key)?.ids ?? [];
      if (!open) return;
      const remove = (): void => {
        if (!open.blocked.get()) open.editor.remove(ids);
      };
      editWithUndo(open, remove, showDone, {
        text: `Removed ${objectsLabel(ids.length)} by ${name}`,
        unchanged: open.blocked.get() ? TEXTS.locked : `There is nothing left by ${name}`,
      });
    },
    takeBack: async () => {
      const code = await client()?.takeBack?.();
      if (!code) throw new Error("Only a host takes back what others did");
      return code;
    },
    edit(edit, texts) {
      const open = client();
      if (open) editWithUndo(open, edit, showDone, texts);
    },
    async tidyUp() {
      const [{ objectsLabel }, { isUnseen }] = await Promise.all([
        import("../kit/version-labels.ts"),
        import("../../../board/unseen.ts"),
      ]);
      const open = client();
      if (!open) return;
      const ids = open
        .objects()
        .filter(isUnseen)
        .map(({ id }) => id);
      editWithUndo(open, () => open.editor.remove(ids), showDone, {
        text: `Removed ${objectsLabel(ids.length)} that nobody can see`,
        unchanged: "There is nothing that nobody can see",
      });
    },
  };
}
