/** What follows from reads and saves of the row, and how pages tell each other of them. */

import { digest } from "../../board/board.ts";
import { type DigestMessage, EVENTS, MAX_LACKING } from "../../board/messages.ts";
import type { PageEvent } from "./environment/environment.ts";
import type { Emitter } from "./environment/signal.ts";
import { announcementOf } from "./saving/row-watch.ts";
import type { wire } from "./wiring.ts";

type Wired<Name extends keyof ReturnType<typeof wire>> = Pick<ReturnType<typeof wire>, Name>;

export function followReads(
  given: Wired<"row" | "deviceCopy" | "outbox" | "journal" | "saveState" | "peerSaves" | "lock">,
): void {
  const { row, deviceCopy, outbox, journal, saveState, peerSaves, lock } = given;
  row.onRead(deviceCopy.confirm);
  // What only this device's copy knows may have been removed since.
  for (const signal of [deviceCopy.shown, lock.blocked])
    signal.subscribe(() => outbox.setPaused(deviceCopy.shown.get() || lock.blocked.get()));
  row.onStale((ids) => {
    if (ids.length > 0) journal.write(ids);
    saveState.update();
    peerSaves.schedule();
  });
}

/** What this page read because the backend reported it, its peers need not read. */
export function followRowWatch(
  given: Wired<
    "rowWatch" | "replica" | "outbox" | "saver" | "antiEntropy" | "clientId" | "channel"
  >,
  page: Emitter<PageEvent>,
): void {
  const { rowWatch, replica, outbox, saver, antiEntropy, clientId, channel } = given;
  page.listen((event) => {
    if (event === "visible" || event === "hidden") rowWatch.visible(event === "visible");
  });
  rowWatch.onFound(({ version, ids, lacking }) => {
    if (ids.size > 0) antiEntropy.changed();
    // Pages that do not read say "Saved" meanwhile.
    if (lacking) saver.saveForPeers();
    if (!outbox.addFromRow(ids) || version === null) return;
    const lacks = [...replica.pending.unsavedPeers()];
    if (lacks.length > MAX_LACKING) return;
    const read = { ...announcementOf(version), ...(lacks.length === 0 ? {} : { lacks }) };
    const message: DigestMessage = { clientId, digest: digest(replica.board), read };
    channel.send(EVENTS.digest, message);
  });
}

export function followSaves(
  given: Wired<"row" | "clientId" | "channel" | "rota" | "resync" | "rowWatch">,
): void {
  const { row, clientId, channel, rota, resync, rowWatch } = given;
  row.onSaved(({ digest: saved, context, at, version, n }) => {
    const counted = version === null ? {} : { version };
    const message: DigestMessage = {
      ...{ clientId, digest: saved },
      saved: { at, seen: context, n, ...counted },
    };
    channel.send(EVENTS.digest, message);
    rota.saved(clientId);
    if (!rowWatch.live.get()) resync.watch();
  });
}

export function followFailures({ saver, notices }: Wired<"saver" | "notices">): void {
  saver.onFailed(({ text, invalid }) =>
    notices.emit({ kind: "error", text, ...(invalid ? { offer: "authors" } : {}) }),
  );
}
