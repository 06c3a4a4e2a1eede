import { createSignal, type WritableSignal } from "../../sync/environment/signal.ts";
import type { SyncClient } from "../../sync/port.ts";
import type { PageEnvironment, ShowDone } from "../board/environment.ts";
import type { BoardState } from "../board/open-board.ts";
import type { BoardView } from "../board/view.ts";
import { NO_PREVIEW, type Preview } from "./preview.ts";

/** The board, for the panels, whose code arrives when they are opened. */
export interface BoardAccess {
  /** The sync client; null while the board is not open. */
  readonly client: () => SyncClient | null;
  /** The view of the board; null while there is no canvas. */
  readonly view: () => BoardView | null;
  /** The preview of an earlier version, which the panel History sets. Meanwhile the board cannot be edited. */
  readonly preview: WritableSignal<Preview>;
  /** Shows the board again. */
  readonly endPreview: () => void;
  /** Calls `listener` whenever the board changed. Returns the function that ends it. */
  readonly watch: (listener: () => void) => () => void;
  readonly showDone: ShowDone;
  readonly log: (what: string, reason: unknown) => void;
}

export function createBoardAccess(board: BoardState, env: PageEnvironment): BoardAccess {
  const preview = createSignal(NO_PREVIEW);
  const view = () => board.view;
  return {
    client: () => board.client,
    view,
    preview,
    endPreview() {
      view()?.endPreview();
      preview.set(NO_PREVIEW);
    },
    watch: board.changes.listen,
    showDone: env.notices.showDone,
    log: env.log,
  };
}
