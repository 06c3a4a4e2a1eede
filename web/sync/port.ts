/** What the rest of the page knows of the room: the shared board and its way to the others. */

import type { BoardChanges, BoardEditor, BoardObject } from "../../board/drawing.ts";
import type { LiveSink, PeerView } from "../../board/live.ts";

/** A value that can be watched; fits React's useSyncExternalStore. */
export interface Store<T> {
  readonly get: () => T;
  readonly subscribe: (listener: () => void) => () => void;
}

/** How a change came to the board. */
export type Origin = "local" | "remote" | "history";

export type SaveState =
  | { readonly state: "loading" }
  | { readonly state: "saved" }
  | { readonly state: "saving" }
  | { readonly state: "unsaved"; readonly changes: number }
  | { readonly state: "offline"; readonly changes: number };

/** What a person must be told. `text` is exact (board/spec.ts). */
export type Notice =
  | { readonly kind: "error"; readonly text: string }
  | { readonly kind: "cleared"; readonly text: string; readonly undo: () => void }
  | { readonly kind: "cleared-by-other"; readonly restore: () => void };

export interface Room {
  /** Random, made at each page load. */
  readonly clientId: string;
  readonly editor: BoardEditor;
  readonly live: LiveSink;
  readonly online: Store<number>;
  readonly saveState: Store<SaveState>;
  readonly history: Store<{ readonly canUndo: boolean; readonly canRedo: boolean }>;
  /** The objects in the order of the stack, bottom first. */
  objects(): readonly BoardObject[];
  background(): string;
  /** Joins the channel, loads the row, merges the journal. Never rejects: failures are logged and tried again. */
  start(): Promise<void>;
  onChanges(listener: (changes: BoardChanges, origin: Origin) => void): () => void;
  onPeers(listener: (peers: readonly PeerView[]) => void): () => void;
  onNotice(listener: (notice: Notice) => void): () => void;
  undo(): void;
  redo(): void;
  /** Removes what this person sees, saves, and gives the notice. */
  clear(): void;
  dispose(): Promise<void>;
}
