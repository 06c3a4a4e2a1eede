/** The receivers of a broadcast, as messages and the fan-out see them. */

import type { Writable } from "node:stream";
import type { Version } from "./wire.ts";

/** A connection, as the fan-out needs it. */
export interface Receiver {
  readonly version: Version;
  /** The TCP socket under the WebSocket. */
  readonly socket: Writable;
  readonly webSocket: { readonly readyState: number };
  /** Disconnects it, since it reads too slowly. */
  giveUp(): void;
}

/** A channel of a connection in one topic. `index` and `stamp` belong to the fan-out. */
export interface Member {
  readonly receiver: Receiver;
  /** Whether it receives its own broadcasts. */
  readonly self: boolean;
  index: number;
  stamp: number;
}

export interface Outgoing {
  /** The sender, which is left out unless it wants its own broadcasts; null when the message goes to all members. */
  readonly sender: Member | null;
  readonly droppable: boolean;
  /** The approximate number of bytes of a frame. */
  readonly size: number;
  /** Returns the whole frame, in pieces; the same buffers at each call. Null where this version cannot express the message. */
  frame(version: Version): readonly Buffer[] | null;
}
