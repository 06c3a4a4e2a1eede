/** The versions of the drawing that the backend stores: the list of them, the preview of one, and the return to one. */

import type { Drawing } from "../../../board/drawing.ts";
import type { HistoryEntry } from "../../sync/environment/backend.ts";
import type { Signal, SyncClient } from "../../sync/port.ts";
import { editWithUndo, type DoneTexts } from "../controller/undoable-edit.ts";
import {
  isPreviewing,
  type BoardAccess,
  type Preview,
  type Previewed,
} from "../controller/board-access.ts";
import { createVersionLoader, type LoadOptions } from "./version-loader.ts";

export interface BoardVersions {
  readonly preview: Signal<Preview>;
  /**
   * Lists the versions, the newest first; null where the backend stores no history. @throws Error when the backend
   * cannot be reached.
   */
  readonly list: () => Promise<readonly HistoryEntry[] | null>;
  /** Loads a version as soon as no other one is being loaded; see `VersionLoader.run`. */
  readonly load: <T>(
    id: string,
    use: (drawing: Drawing | null) => T | Promise<T>,
    options: LoadOptions,
  ) => Promise<T | undefined>;
  /**
   * Shows a version in place of the board; nothing happens while there is no canvas. `loaded`: its drawing, where it
   * has been loaded already.
   */
  readonly show: (version: Previewed, loaded?: Drawing) => void;
  /** Resolves when the version to show is painted, or cannot be shown. */
  readonly settled: () => Promise<void>;
  /** Shows the board again. */
  readonly back: () => void;
  /**
   * Makes the board equal to the shown version, or adds what is missing of it, and shows the board. `texts` returns
   * those of the notice, for the time of the version.
   */
  readonly restore: (onlyMissing: boolean, texts: (time: string) => DoneTexts) => void;
}

/** Makes the versions of the open board. */
export function createBoardVersions(board: BoardAccess): BoardVersions {
  const { preview, endPreview } = board;
  const open = (): SyncClient => {
    const client = board.client();
    if (!client) throw new Error("The board is not open");
    return client;
  };
  const loader = createVersionLoader(async (id) => open().versions.load(id));
  let loading = new AbortController();
  let showing = Promise.resolve();
  // Others end the preview as well: the panel that closes, and the board.
  preview.subscribe(() => {
    if (!isPreviewing(preview.get())) loading.abort();
  });

  const fail = (reason: "gone" | "unreachable", shown: Previewed): void => {
    endPreview();
    preview.set({ state: "failed", reason, ...shown });
  };

  const display = async (shown: Previewed, loaded: Drawing | undefined): Promise<void> => {
    const view = board.view();
    if (!view) return;
    loading.abort();
    loading = new AbortController();
    const { signal } = loading;
    view.beginPreview();
    if (!loaded) preview.set({ state: "loading", drawing: preview.get().drawing, ...shown });
    try {
      const load = () => loader.run(shown.id, (drawing) => drawing, { urgent: true, signal });
      const drawing = loaded ?? (await load());
      if (signal.aborted) return;
      if (!drawing) return fail("gone", shown);
      view.preview(drawing);
      preview.set({ state: "shown", drawing, ...shown });
      await view.settled();
    } catch (reason) {
      board.log("a version could not be loaded", reason);
      if (!signal.aborted) fail("unreachable", shown);
    }
  };

  return {
    preview,
    list: async () => open().versions.list(),
    load: loader.run,
    show(version, loaded) {
      showing = display(version, loaded);
    },
    settled: () => showing,
    back: endPreview,
    restore(onlyMissing, texts) {
      const shown = preview.get();
      if (shown.state !== "shown") return;
      const { drawing, time } = shown;
      editWithUndo(board, ({ versions }) => versions.restore(drawing, onlyMissing), texts(time));
      endPreview();
    },
  };
}

const made = new WeakMap<BoardAccess, BoardVersions>();

/** Returns the versions of a board: the same ones each time, so that one version is loaded at a time. */
export function versionsOf(board: BoardAccess): BoardVersions {
  const versions = made.get(board) ?? createBoardVersions(board);
  made.set(board, versions);
  return versions;
}
