/** Lists who drew what on the board, and removes everything that one author drew. */

import type { Author, WrittenName } from "../../../board/drawing.ts";
import { createSignal } from "../../sync/environment/signal.ts";
import type { Signal, SyncClient, TakeBack } from "../../sync/port.ts";
import type { AuthorRow } from "./author-rows.ts";
import { editWithUndo, type DoneTexts, type ShowDone } from "../board/undoable-edit.ts";

export interface BoardAuthors {
  /** Lists the objects of each author on the board now, the greatest share first; empty while the board is not open. */
  readonly list: () => Promise<readonly AuthorRow[]>;
  /** The drawing's names of its authors. */
  readonly names: () => ReadonlyMap<Author, WrittenName>;
  /** The key of the row whose objects the canvas highlights; null for none. */
  readonly marked: Signal<string | null>;
  readonly mark: (key: string | null) => void;
  /** Calls `listener` whenever the board changed. Returns the function that ends it. */
  readonly watch: (listener: () => void) => () => void;
  /** Removes everything of this row's author that is on the board now, as one change. */
  readonly removeAll: (row: AuthorRow) => Promise<void>;
  /**
   * Returns the actions by which a host takes back a visitor. @throws Error for everybody else, and while their code
   * cannot be fetched.
   */
  readonly takeBack: () => Promise<TakeBack>;
  /** Runs a large edit, and offers to undo it; see `editWithUndo`. */
  readonly edit: (edit: () => Promise<boolean>, texts: DoneTexts) => void;
  /** Removes the objects that nobody can see, as one change. */
  readonly tidyUp: () => Promise<void>;
}

export interface BoardAuthorsDependencies {
  /** The sync client; null while the board is not open. */
  readonly client: () => SyncClient | null;
  readonly watch: BoardAuthors["watch"];
  readonly showDone: ShowDone;
}

/** Makes the list, which computes nothing by itself. */
export function createBoardAuthors(dependencies: BoardAuthorsDependencies): BoardAuthors {
  const { client, watch, showDone } = dependencies;
  // The code of the panel, which has arrived by the time anybody can ask.
  const actions = () => import("./author-actions.ts");
  const marked = createSignal<string | null>(null);
  return {
    list: async () => (await actions()).listAuthors(client()),
    marked,
    mark: marked.set,
    names: () => client()?.authorNames() ?? new Map(),
    watch,
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
