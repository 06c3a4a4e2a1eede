/** What the channel's messages do to this page. */

import { adoptForeign } from "../../board/adopt.ts";
import { digest } from "../../board/board.ts";
import { parseLive } from "../../board/live-wire.ts";
import type { Agreement } from "./agreement.ts";
import { createInbox, type InboxParts } from "./inbox.ts";
import type { LivePlayer } from "./live-play.ts";
import type { Outbox } from "./outbox.ts";
import type { Pace } from "./pace.ts";
import type { Notice } from "./port.ts";
import { idsOfChanges, type Replica } from "./replica.ts";
import type { SharedRow } from "./row.ts";
import { DIGEST, LIVE, UPDATE, type DigestMessage } from "./wire.ts";
import { readDigest, readUpdate } from "./wire-door.ts";
import type { Log } from "./world.ts";

export interface Hearing {
  /** A message from outside: of any shape, and of any size that the backend lets pass. */
  broadcast(event: string, payload: unknown): void;
  /** The row has been read: updates that waited for that are taken in. */
  drain(): void;
  stop(): void;
}

export interface HearingParts {
  readonly clientId: string;
  readonly replica: Replica;
  readonly row: SharedRow;
  readonly outbox: Outbox;
  readonly player: LivePlayer;
  readonly agreement: Agreement;
  readonly pace: Pace;
  readonly notify: (notice: Notice) => void;
  readonly log: Log;
}

export function createHearing(parts: HearingParts): Hearing {
  const { clientId, replica, row, outbox, player, agreement, pace, log } = parts;
  const { board, unsaved } = replica;
  let stopped = false;

  const apply: InboxParts["apply"] = (update, { drawing, foreign }) => {
    const changes = replica.receive(drawing, foreign ? adoptForeign : null);
    const ids = idsOfChanges(changes);
    unsaved.heard(update.clientId, update.n, ids);
    player.arrived(ids);
    if (ids.size > 0) agreement.changed();
    if (update.digest !== undefined) agreement.heard(update.digest);
    const { removed } = changes;
    if (update.cleared && removed.length > 0) {
      parts.notify({ kind: "cleared-by-other", restore: () => replica.restore(removed) });
    }
  };
  const inbox = createInbox({
    mayApply: () => !row.reading && !stopped,
    apply,
    onFault: (reason) => log.warn(`An update was left out, in part or whole: ${reason}`),
  });
  const heardDigest = async ({
    clientId: from,
    digest: theirs,
    saved,
  }: DigestMessage): Promise<void> => {
    agreement.heard(theirs);
    if (saved) {
      unsaved.savedBy(from, saved.n);
      await row.heardSave({ digest: theirs, seen: saved.seen, at: saved.at });
    } else if (theirs !== digest(board)) {
      // Perhaps they missed what this page drew and nobody has saved yet.
      outbox.add(unsaved.own());
    }
  };
  const dispatch = (event: string, payload: unknown): void => {
    if (event === UPDATE) {
      const update = readUpdate(payload);
      if (!update || update.clientId === clientId) return;
      pace.heard(update.clientId);
      inbox.put(update);
    } else if (event === LIVE) {
      const live = parseLive(payload);
      if (live.ok && live.value.clientId !== clientId) player.heard(live.value);
    } else if (event === DIGEST) {
      const message = readDigest(payload);
      if (message && message.clientId !== clientId) {
        heardDigest(message).catch((fault: unknown) => log.error(fault));
      }
    }
  };

  return {
    broadcast(event, payload) {
      if (stopped) return;
      try {
        dispatch(event, payload);
      } catch (fault) {
        // A message that breaks something here must not break the client library's own work as well.
        log.error(fault);
      }
    },
    drain: () => inbox.drain(),
    stop() {
      stopped = true;
    },
  };
}
