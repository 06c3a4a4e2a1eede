/** The port of the sync client: the board in this browser, shared with its peers, as the rest of the page knows it. */

import type {
  Author,
  BoardEditor,
  BoardObject,
  Drawing,
  WrittenName,
} from "../../board/drawing.ts";
import type { Actor } from "../../board/change-log.ts";
import type { Culprits, Doubt } from "../../board/take-back.ts";
import type { AuthorShare } from "../../board/authorship.ts";
import type { LiveSink, PeerView } from "../../board/live.ts";
import type { Person } from "../../board/presence.ts";
import type { HistoryEntry } from "./environment/backend.ts";
import type { HostActions } from "./environment/board-link.ts";
import type { Signal } from "./environment/signal.ts";
import type { Presence } from "./presence/peers.ts";
import type { Origin, ReplicaChange } from "./replica/replica.ts";
import type { SaveState } from "./save-state.ts";

export type { Origin, ReplicaChange, SaveState, Signal };

/** A message for the visitor. `text` is exact (board/constants.ts). */
export type Notice =
  /** An error. `offer`: the drawing is too large, and the list of authors shows what could be removed. */
  | { readonly kind: "error"; readonly text: string; readonly offer?: "authors" }
  | { readonly kind: "cleared"; readonly text: string; readonly undo: () => void }
  /** Changes of others took away `count` objects within a few seconds; `cleared`: all of them. A later one replaces it. */
  | {
      readonly kind: "losses";
      readonly count: number;
      readonly cleared: boolean;
      /** The sender of these changes, if it was one client that is online. */
      readonly by: Person | null;
      readonly restore: () => void;
    }
  /** A notice of this kind has nothing to offer any more: all of it is back. */
  | { readonly kind: "settled"; readonly offer: "cleared" | "losses" }
  /** A peer came online while this client was. */
  | { readonly kind: "joined"; readonly by: Person }
  /** A locked board is open again, and `count` changes that this page kept are saved now. */
  | { readonly kind: "opened"; readonly count: number }
  /** The host has renewed the links: this page's own is void. */
  | { readonly kind: "void-link" }
  /** The board has as many objects as it can have. */
  | { readonly kind: "full" };

/** The versions of the drawing that the backend keeps. */
export interface Versions {
  /** Resolves to the versions, the newest first, or to null where the backend keeps no history. @throws Error when the backend cannot be reached. */
  readonly list: () => Promise<readonly HistoryEntry[] | null>;
  /** Resolves to the drawing of one version, or to null when it was deleted or cannot be read. @throws Error when the backend cannot be reached. */
  readonly load: (id: string) => Promise<Drawing | null>;
  /**
   * Makes the board what the drawing is, or, with `onlyMissing`, adds what is missing of it: one edit of this page,
   * which is merged, broadcast and can be undone. A row that cannot be read is replaced: the visitor asked for it.
   * Resolves to false, and changes nothing, when the board would be too large to be saved: a notice says why.
   */
  readonly restore: (drawing: Drawing, onlyMissing: boolean) => Promise<boolean>;
}

/** The effect that taking back would have. */
export interface TakeBackPlan {
  /** The numbers of objects that would disappear, and that would return or become again as they were. */
  readonly goes: number;
  readonly returns: number;
  /** The number of objects that were removed or changed, and of which no earlier state is known. */
  readonly lost: number;
  /** The numbers of objects that would also disappear or return if the host says so. */
  readonly doubts: Readonly<Record<Doubt, { readonly goes: number; readonly returns: number }>>;
  /** `none`: the backend keeps no versions. `away`: they could not be read. */
  readonly versions: "read" | "none" | "away";
  /** The time since which this page has seen who did what, in milliseconds since 1970. */
  readonly watchedSince: number;
  /**
   * Makes it one edit of this page. Resolves to the numbers of that moment; to null, and changes nothing, when the board
   * would be too large: a notice says why.
   */
  readonly run: (
    includes: ReadonlySet<Doubt>,
  ) => Promise<Pick<TakeBackPlan, "goes" | "returns" | "doubts"> | null>;
}

/** Taking back what visitors did: for a host. */
export interface TakeBack {
  /** The clients of whom this page has seen something, by their keys (see `keyOf`). */
  readonly actors: () => ReadonlySet<Actor>;
  /**
   * Reads what is known of the last `span` milliseconds, or of all of the time. `onProgress`: the part of it that is
   * done, from 0 to 1.
   */
  readonly plan: (
    culprits: Culprits,
    span: number | null,
    options: { readonly signal: AbortSignal; readonly onProgress: (part: number) => void },
  ) => Promise<TakeBackPlan>;
}

export interface SyncClient {
  /** Random, made at each page load. */
  readonly clientId: string;
  readonly editor: BoardEditor;
  readonly live: LiveSink;
  readonly presence: Signal<Presence>;
  readonly saveState: Signal<SaveState>;
  /** True while this client is on the channel; otherwise the number of peers may differ from the one known here. */
  readonly connected: Signal<boolean>;
  /** True when a host has locked the board. */
  readonly locked: Signal<boolean>;
  /** True when the board is locked and this page may not draw: its edits stay on the device until the board is open. */
  readonly blocked: Signal<boolean>;
  /** The calls of a host; null for everybody else, and after the link became void. */
  readonly host: HostActions | null;
  /** Null for all but hosts. */
  readonly takeBack: (() => Promise<TakeBack>) | null;
  /** Reads the lock now. */
  readonly checkLock: () => void;
  readonly history: Signal<{ readonly canUndo: boolean; readonly canRedo: boolean }>;
  /** The objects in the order of the stack, bottom first. */
  readonly objects: () => readonly BoardObject[];
  /** A CSS colour. */
  readonly background: () => string;
  /** Joins the channel, loads the row, merges the journal. Never rejects: failures are logged and tried again. */
  readonly start: () => Promise<void>;
  readonly onChanges: (listener: (change: ReplicaChange) => void) => () => void;
  readonly onPeers: (listener: (peers: readonly PeerView[]) => void) => () => void;
  readonly onNotice: (listener: (notice: Notice) => void) => () => void;
  /** Sets the visitor's name, once the text is cleaned; an empty one removes it. `person` is the same for all pages of one browser; without it the drawing does not say who this page is. */
  readonly rename: (name: string, person?: string) => void;
  /** Names the other pages of this browser that show the board, by their clientIds. */
  readonly setTabs: (tabs: readonly string[]) => void;
  /** Returns the people behind the authors, as far as the drawing names them: by base name. Do not change it. */
  readonly authorNames: () => ReadonlyMap<Author, WrittenName>;
  /** The versions that the backend's history contains. */
  readonly versions: Versions;
  /** Returns what each author has on the board. */
  readonly authorShares: () => Promise<readonly AuthorShare[]>;
  readonly undo: () => void;
  readonly redo: () => void;
  /** Removes what the visitor sees, and saves. Emits the notice unless there was nothing to remove. */
  readonly clear: () => void;
  readonly dispose: () => Promise<void>;
}
