/** The receivers of a broadcast, as what is sent and what sends it see them. */

import type { Writable } from "node:stream";
import type { Version } from "./wire.ts";

/** A connection, as the fan-out needs it. */
export interface Receiver {
  readonly version: Version;
  /** The TCP socket under the WebSocket. */
  readonly socket: Writable;
  readonly webSocket: { readonly readyState: number };
  /** It reads so slowly that it must go. */
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
  /** Left out for this member, unless it wants its own; null when it goes to all members. */
  readonly sender: Member | null;
  readonly droppable: boolean;
  /** About how many bytes a frame has. */
  readonly size: number;
  /** The whole frame, in pieces; the same buffers at each call. Null where this version cannot show the message. */
  frame(version: Version): readonly Buffer[] | null;
}
