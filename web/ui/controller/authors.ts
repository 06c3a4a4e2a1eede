/** Who drew what on the board, and removing everything that one author drew. */

import type { Author, WrittenName } from "../../../board/drawing.ts";
import { createSignal } from "../../sync/environment/signal.ts";
import type { Signal, SyncClient, TakeBack } from "../../sync/port.ts";
import type { AuthorRow } from "./author-rows.ts";
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
  // The code of the panel, which is there as soon as anybody can ask.
  const actions = () => import("./author-actions.ts");
  const marked = createSignal<string | null>(null);
  return {
    list: async () => (await actions()).listAuthors(client()),
    marked,
    mark: marked.set,
    names: () => client()?.authorNames() ?? new Map(),
    watch: (listener) => client()?.onChanges(listener) ?? (() => undefined),
    async removeAll(row) {
      const { removeAuthor } = await actions();
      const open = client();
      if (open) await removeAuthor(open, row, showDone);
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
      const { tidyUp } = await actions();
      const open = client();
      if (open) tidyUp(open, showDone);
    },
  };
}
