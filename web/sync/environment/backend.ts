/**
 * The port to the backend: one row and one channel. Two drivers: `supabase.ts` over the client
 * library, and `testing/network/backend.ts` in memory for the simulation.
 */

import type { BoardLink, HostActions } from "./board-link.ts";
import type { Signal } from "./signal.ts";

/** The place of the backend, from /config.json. */
export interface BackendConfig {
  readonly supabaseUrl: string;
  readonly supabaseAnonKey: string;
  /** Fetches the configuration again when the key was refused: a server with another secret has another one. */
  readonly current?: () => Promise<Pick<BackendConfig, "supabaseAnonKey">>;
  /** Messages per second that the backend grants to all clients of the board together; 100 where it is not given. */
  readonly liveBudget?: number;
  /** The backend sends summaries of presence in a crowd to pages that ask for them. */
  readonly presenceSummary?: boolean;
  /** The link that this browser keeps. */
  readonly link?: BoardLink | undefined;
}

/** The state of the row that a client last saw: the guard of its next save. */
export interface RowVersion {
  readonly id: string;
  /** The server's own spelling of the time. */
  readonly updatedAt: string;
  /** Counted by the database at each change of the drawing; null where the table has no such column. */
  readonly version: number | null;
}

/** A drawing that a save replaced. */
export interface HistoryEntry {
  readonly id: string;
  /** When it was saved: an ISO timestamp. */
  readonly savedAt: string;
  /** When another drawing took its place: an ISO timestamp, where the backend says it. */
  readonly replacedAt?: string;
  readonly bytes: number;
  readonly objects: number;
}

export interface Row extends RowVersion {
  /** The content of the column, which is from outside and has not been checked. */
  readonly json: unknown;
}

/**
 * The reason for which a call failed. `network`: it did not reach the backend, or no response came back. `size`: the
 * table's size check. `duplicate`: another client inserted the row first. `locked`: the board is locked. `limited`: this
 * page adds more than the board takes in a minute, or a host has paused it. `missing`: the project does not have the
 * table. `refused`: anything else.
 */
export interface Fault {
  readonly kind: "network" | "size" | "duplicate" | "locked" | "limited" | "missing" | "refused";
  readonly message: string;
}

export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: Fault };

/** A drawing, serialized: the concatenated pieces are its JSON text. */
export interface DrawingText {
  readonly pieces: readonly string[];
  /** Length in UTF-8 bytes. */
  readonly bytes: number;
}

/** The channel's presence state: each key's entries as they were tracked. One key has an entry for each of its sockets. */
export type PresenceState = ReadonlyMap<string, readonly unknown[]>;

/**
 * `joined`: after every successful join. `lost`: the driver tries to join again by itself. `closed`:
 * the driver gave this channel up.
 */
export type ChannelStatus = "joined" | "lost" | "closed";

/**
 * A report of the backend about the row. `live`: it reports each change from now on; `silent`: it reports none.
 * `changed`: the row is of this version now; null when it was removed, or when the backend does not say of which.
 */
export type RowEvent =
  | { readonly kind: "live" | "silent" }
  | { readonly kind: "changed"; readonly version: RowVersion | null };

/** Called by the driver. None of them is called after `Channel.close`. */
export interface ChannelEvents {
  status(status: ChannelStatus): void;
  presence(state: PresenceState): void;
  /** In a crowd, in place of `presence`, until that is called again. `summary` is of any shape. */
  readonly summary?: ((summary: unknown) => void) | undefined;
  /** `payload` is of any shape, and of any size that the backend lets pass. */
  broadcast(event: string, payload: unknown): void;
  /** Not called at all where the backend has no row events. */
  readonly row?: ((event: RowEvent) => void) | undefined;
}

export interface Channel {
  /** Returns false, and sends nothing, while the channel is not joined. Never falls back to HTTP. */
  readonly send: (event: string, payload: object) => boolean;
  readonly track: (meta: object) => void;
  readonly close: () => void;
}

/** The drawings that saves have replaced. */
export interface HistoryReads {
  /** All of them, the newest first; null where the backend keeps none. */
  readonly list: () => Promise<Result<readonly HistoryEntry[] | null>>;
  /** One of them: text, or whatever the column contains. Null when the history does not contain it any more. */
  readonly load: (id: string) => Promise<Result<unknown>>;
}

/** Calls never reject. */
export interface Backend {
  /** The newest row with its drawing; null when there is none. */
  readonly load: () => Promise<Result<Row | null>>;
  /** The newest row's version; null when there is none. */
  readonly peek: () => Promise<Result<RowVersion | null>>;
  /** The id of a row; null when there is none. */
  readonly findId: () => Promise<Result<string | null>>;
  /**
   * Writes if the row is still of this version, or, with `force`, whatever its version is. Returns the new
   * version; null when no row was touched.
   */
  readonly update: (
    version: RowVersion,
    text: DrawingText,
    updatedAt: string,
    force?: boolean,
  ) => Promise<Result<RowVersion | null>>;
  /** Returns the version; null when the answer has none, so that nothing may be known as written. */
  readonly insert: (text: DrawingText) => Promise<Result<RowVersion | null>>;
  readonly history: HistoryReads;
  /** The drawing of this version of the row, which a later save replaced; null when the history does not contain it. */
  readonly loadReplaced: (version: number) => Promise<Result<unknown>>;
  /** The page is unloading: starts, before it returns, a save that outlives the page. Its result is lost. */
  readonly saveOnUnload: (version: RowVersion | null, text: DrawingText, updatedAt: string) => void;
  /** The largest drawing in bytes that `saveOnUnload` can send now. */
  readonly unloadLimit: number;
  /** Whether a host has locked the board; null where the backend has no such setting. */
  readLock(): Promise<Result<boolean | null>>;
  /** True when this page has a link that the backend has not found void. */
  readonly mayDraw: Signal<boolean>;
  /** The calls of a host; null for a page without a host link. */
  readonly host: HostActions | null;
  /** `key` is this page's presence key. At most one channel at a time. */
  readonly openChannel: (key: string, events: ChannelEvents) => Channel;
  readonly close: () => Promise<void>;
}

export type OpenBackend = (config: BackendConfig) => Backend;
