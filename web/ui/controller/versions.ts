/** The versions of the drawing that the backend stores: the list of them, the preview of one, and the return to one. */

import type { Drawing } from "../../../board/drawing.ts";
import type { HistoryEntry } from "../../sync/environment/backend.ts";
import type { Signal, SyncClient } from "../../sync/port.ts";
import { createSignal } from "../../sync/environment/signal.ts";
import type { BoardView } from "../board/view.ts";
import { editWithUndo, type DoneTexts, type ShowDone } from "../board/undoable-edit.ts";
import { createVersionLoader, type LoadOptions } from "./version-loader.ts";

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

export interface BoardVersionsDependencies {
  /** The sync client; null while the board is not open. */
  readonly client: () => SyncClient | null;
  /** The view of the board; null while there is no canvas. */
  readonly view: () => BoardView | null;
  readonly showDone: ShowDone;
  readonly log: (what: string, reason: unknown) => void;
}

/** True while the canvas does not show the board, and the visitor cannot edit it. */
export function isPreviewing({ state }: Preview): boolean {
  return state === "loading" || state === "shown";
}

/** Makes the versions; the canvas shows the board at first. */
export function createBoardVersions(dependencies: BoardVersionsDependencies): BoardVersions {
  const preview = createSignal<Preview>({ state: "none" });
  const open = (): SyncClient => {
    const client = dependencies.client();
    if (!client) throw new Error("The board is not open");
    return client;
  };
  const loader = createVersionLoader(async (id) => open().versions.load(id));
  let loading = new AbortController();
  let showing = Promise.resolve();

  const end = (next: Preview): void => {
    loading.abort();
    dependencies.view()?.endPreview();
    preview.set(next);
  };
  const back = (): void => {
    if (preview.get().state !== "none") end({ state: "none" });
  };

  const display = async (shown: Previewed, loaded: Drawing | undefined): Promise<void> => {
    const view = dependencies.view();
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
      if (!drawing) return end({ state: "failed", reason: "gone", ...shown });
      view.preview(drawing);
      preview.set({ state: "shown", drawing, ...shown });
      await view.settled();
    } catch (reason) {
      dependencies.log("a version could not be loaded", reason);
      if (!signal.aborted) end({ state: "failed", reason: "unreachable", ...shown });
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
    back,
    restore(onlyMissing, texts) {
      const shown = preview.get();
      const client = dependencies.client();
      if (shown.state !== "shown" || !client) return;
      const edit = () => client.versions.restore(shown.drawing, onlyMissing);
      editWithUndo(client, edit, dependencies.showDone, texts(shown.time));
      back();
    },
  };
}
