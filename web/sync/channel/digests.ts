/** The messages `canvas-digest`, by which this page describes its board in a few characters. */

import { digest } from "../../../board/board.ts";
import { type DigestMessage, EVENTS, MAX_LACKING } from "../../../board/messages.ts";
import type { RowVersion } from "../environment/backend.ts";
import type { Replica } from "../replica/replica.ts";
import { announcementOf } from "../saving/row-watch.ts";
import type { SavedState } from "../saving/row.ts";
import type { ReconnectingChannel } from "./reconnecting-channel.ts";

export interface Digests {
  /** Sends the digest alone, so that a peer that missed something notices it. */
  readonly send: () => void;
  /** Announces a save of this page: peers need not save, and the row contains the board of this digest. */
  readonly saved: (state: SavedState) => void;
  /**
   * Announces a read of this page: peers need not read the row, apart from those whose edits it lacks. Where these are
   * too many to be named, nothing is sent.
   */
  readonly read: (version: RowVersion) => void;
}

export interface DigestsDependencies {
  readonly clientId: string;
  readonly replica: Pick<Replica, "board" | "pending">;
  readonly channel: Pick<ReconnectingChannel, "send">;
}

/** Sends nothing by itself. */
export function createDigests({ clientId, replica, channel }: DigestsDependencies): Digests {
  const { board, pending } = replica;
  const send = (more: Partial<DigestMessage>): void => {
    const message: DigestMessage = { clientId, digest: digest(board), ...more };
    channel.send(EVENTS.digest, message);
  };
  return {
    send: () => send({}),
    // The board may have changed since: the digest is that of the saved drawing.
    saved: ({ digest: saved, context, row, n }) =>
      send({ digest: saved, saved: { seen: context, n, ...announcementOf(row) } }),
    read(version) {
      const lacks = [...pending.unsavedPeers()];
      if (lacks.length <= MAX_LACKING)
        send({ read: { ...announcementOf(version), ...(lacks.length > 0 && { lacks }) } });
    },
  };
}
