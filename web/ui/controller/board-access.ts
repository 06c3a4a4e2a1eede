import type { Drawing } from "../../../board/drawing.ts";
import { createSignal, type WritableSignal } from "../../sync/environment/signal.ts";
import type { SyncClient } from "../../sync/port.ts";
import type { PageEnvironment, ShowDone } from "../board/environment.ts";
import type { BoardState } from "../board/open-board.ts";
import type { BoardView } from "../board/view.ts";

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

/** The content of the canvas in place of the board. */
export type Preview =
  | { readonly state: "none"; readonly drawing?: undefined }
  /** `drawing`: the version that the canvas shows meanwhile. */
  | ({ readonly state: "loading"; readonly drawing?: Drawing | undefined } & Previewed)
  | ({ readonly state: "shown"; readonly drawing: Drawing } & Previewed)
  /** The canvas shows the board. `gone`: the backend no longer has the version, or it cannot be read. */
  | ({
      readonly state: "failed";
      readonly reason: "gone" | "unreachable";
      readonly drawing?: undefined;
    } & Previewed);

export interface Previewed {
  readonly id: string;
  /** The time when the version was saved, as the page names it. */
  readonly time: string;
}

/** The preview while the canvas shows the board and no version was chosen. */
const NO_PREVIEW: Preview = { state: "none" };

/** True while the canvas does not show the board, and the visitor cannot edit it. */
export function isPreviewing({ state }: Preview): boolean {
  return state === "loading" || state === "shown";
}
