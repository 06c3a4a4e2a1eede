/** The backend as the room sees it: one row, one channel. One driver speaks to it with supabase-js, one lives in memory for the simulation. */

import type { RoomConfig } from "./world.ts";

/** A row as it was last seen: the guard of the next save. `updatedAt` is the server's own spelling of the time. */
export interface RowMark {
  readonly id: string;
  readonly updatedAt: string;
}

export interface Row extends RowMark {
  /** Whatever the column holds: it comes from outside and has not been checked. */
  readonly json: unknown;
}

/**
 * Why a call did not succeed: `network` never reached the backend or got no answer, `size` is the
 * table's size check, `duplicate` a row that somebody else made first, `refused` all the rest.
 */
export interface Fault {
  readonly kind: "network" | "size" | "duplicate" | "refused";
  readonly message: string;
}

export type Answer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: Fault };

/** A drawing, serialised: the pieces' concatenation is its JSON text. */
export interface DrawingText {
  readonly pieces: readonly string[];
  /** Length in UTF-8 bytes. */
  readonly bytes: number;
}

/** What a presence entry tells about its owner. One key may have several: one for each socket. */
export type Presences = ReadonlyMap<string, readonly unknown[]>;

export interface ChannelEvents {
  /** `joined` after every successful join; `lost` while the driver tries by itself; `closed` when it never will again. */
  status(status: "joined" | "lost" | "closed"): void;
  presences(present: Presences): void;
  broadcast(event: string, payload: unknown): void;
}

export interface Channel {
  /** False, and nothing sent, while the channel is not joined. Never falls back to another way. */
  send(event: string, payload: object): boolean;
  track(meta: object): void;
  close(): void;
}

/** Calls never reject. */
export interface Backend {
  /** The newest row with everything in it; null when there is none. */
  load(): Promise<Answer<Row | null>>;
  /** The newest row's mark; null when there is none. */
  peek(): Promise<Answer<RowMark | null>>;
  /** The id of a row; null when there is none. */
  findId(): Promise<Answer<string | null>>;
  /** Writes if the row is still as `mark` says; null when no row was touched. */
  update(mark: RowMark, text: DrawingText, updatedAt: string): Promise<Answer<RowMark | null>>;
  insert(text: DrawingText): Promise<Answer<RowMark>>;
  /** The page is going away: starts a save that outlives it, before it returns. Nobody hears how it ended. */
  lastWords(mark: RowMark | null, text: DrawingText, updatedAt: string): void;
  /** The largest drawing in bytes that `lastWords` can send now. */
  readonly lastWordsLimit: number;
  /** `key` is this page's presence key. At most one channel at a time. */
  openChannel(key: string, events: ChannelEvents): Channel;
  close(): Promise<void>;
}

export type OpenBackend = (config: RoomConfig) => Backend;
