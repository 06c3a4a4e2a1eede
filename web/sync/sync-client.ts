/**
 * The sync client: the board in this browser, connected with its peers and with the row. `wiring.ts` builds its
 * components. They report facts (events of emitters), and this file alone listens to them: it says what follows from
 * each. Signals are states, which any component may watch.
 */

import { backgroundOf, digest, stackedObjects } from "../../board/board.ts";
import { isPerson } from "../../board/author-names.ts";
import { EVENTS } from "../../board/messages.ts";
import { cleanName } from "../../board/presence.ts";
import { browserEnvironment } from "./browser-environment.ts";
import type { BackendConfig } from "./environment/backend.ts";
import type { Environment } from "./environment/environment.ts";
import { loadHistory } from "./on-demand.ts";
import type { SyncClient } from "./port.ts";
import { newcomersOf, readPresence } from "./presence/peers.ts";
import { wire, type Wired } from "./wiring.ts";

/** The network disappears and returns, and the visitor leaves the page and returns to it. */
function followPage(
  given: Wired<"page" | "replica" | "reached" | "outbox" | "saver" | "resync" | "deviceCopy">,
): void {
  const { page, replica, reached, outbox, saver, resync, deviceCopy } = given;
  page.listen((event) => {
    switch (event) {
      case "offline":
        return reached.set(false);
      case "online":
        reached.set(true);
        if (replica.pending.count > 0) saver.saveNow();
        return void resync.run();
      case "visible":
        return void resync.run();
      case "hidden":
        outbox.flush();
        if (replica.pending.count > 0) saver.saveNow();
        return deviceCopy.write();
      case "leaving":
        outbox.flush();
        saver.saveOnUnload();
        return deviceCopy.writeNow();
    }
  });
}

type EditFollowers = "journal" | "outbox" | "saver" | "rota" | "antiEntropy" | "saveState";

/** An edit of this page is in the journal before it is painted. */
function followEdits(given: Wired<"replica" | EditFollowers>): () => void {
  const { replica, journal, outbox, saver, rota, antiEntropy, saveState } = given;
  return replica.onEdit(({ ids, clear: isClear }) => {
    let isSent = false;
    try {
      // An edit that is sent next is written as sent: the journal would have to write it a second time.
      isSent = outbox.add(ids, isClear);
    } finally {
      void journal.write(ids, isSent).then(saveState.update);
    }
    if (isClear) saver.saveNow();
    else saver.changed();
    rota.edited();
    antiEntropy.changed();
    saveState.update();
  });
}

/** The entries of earlier pages are edits of this page from now on. One may contain no objects: the background was changed. */
function onTakenOver(given: Wired<"replica" | EditFollowers>): void {
  const { replica, outbox, saver, rota, saveState } = given;
  if (replica.pending.count === 0) return;
  outbox.addPending();
  saver.changed();
  rota.edited();
  saveState.update();
}

function followPending(given: Wired<"replica" | "crowd" | "journal" | "saveState">): void {
  const { replica, crowd, journal, saveState } = given;
  replica.pending.onSaved(() => {
    crowd.saved();
    journal.saved();
    saveState.update();
  });
  replica.pending.onSent(journal.sent);
}

function followChanges(
  given: Wired<"replica" | "plainClients" | "rowWatch" | "deviceCopy" | "clearing" | "notices">,
): void {
  const { replica, plainClients, rowWatch, deviceCopy, clearing, notices } = given;
  replica.onChanges(({ changes, origin }) => {
    if (origin === "remote") rowWatch.merged(changes);
    else plainClients.changed(changes, null);
    deviceCopy.changed();
    clearing.settle();
  });
  replica.onFull(() => notices.emit({ kind: "full" }));
}

function followUpdates(
  given: Wired<"receiver" | "replica" | "crowd" | "rate" | "player" | "antiEntropy" | "peerSaves">,
): void {
  const { receiver, replica, crowd, rate, player, antiEntropy, peerSaves } = given;
  receiver.onDigest((message) => antiEntropy.peerDigest(message.digest));
  receiver.onLive(player.receive);
  receiver.onUpdate(rate.peerSent);
  receiver.onMerged(({ clientId, ids, digest: theirs, fromRow }) => {
    if (!fromRow) replica.pending.addPeerUpdate(clientId, ids);
    if (!fromRow && ids.size > 0 && !crowd.isOnline(clientId)) peerSaves.schedule();
    player.arrived(ids);
    if (ids.size > 0) antiEntropy.changed();
    if (theirs !== undefined) antiEntropy.peerDigest(theirs);
  });
}

/** A digest is a hint: what it says settles nothing. */
function followDigests(
  given: Wired<"receiver" | "clientId" | "replica" | "row" | "rowWatch" | "rota" | "outbox">,
): void {
  const { receiver, clientId: own, replica, row, rowWatch, rota, outbox } = given;
  receiver.onDigest(({ clientId, digest: theirs, saved, read }) => {
    if (saved) {
      row.expire();
      rowWatch.announced(saved);
      return rota.saved(clientId);
    }
    if (read) return rowWatch.announced(read, read.lacks?.includes(own) === true);
    // The peer may have missed what this page drew and nobody has saved yet.
    if (theirs !== digest(replica.board)) outbox.repeatPending();
  });
}

function followDifferences(
  given: Wired<"antiEntropy" | "replica" | "digests" | "crowd" | "peerSaves" | "saver">,
): void {
  const { antiEntropy, replica, digests, crowd, peerSaves, saver } = given;
  antiEntropy.onDue(digests.send);
  antiEntropy.onLasting(() => {
    replica.pending.orphanAll();
    if (replica.pending.hasOrphans(crowd.isOnline)) peerSaves.schedule();
  });
  crowd.onExpired(() => void (replica.pending.hasOrphans(crowd.isOnline) && saver.saveNow()));
}

function followReads(
  given: Wired<"row" | "rowWatch" | "deviceCopy" | "journal" | "saveState" | "peerSaves">,
): void {
  const { row, rowWatch, deviceCopy, journal, saveState, peerSaves } = given;
  row.onRead(deviceCopy.confirm);
  row.onStale((ids) => {
    rowWatch.stale();
    if (ids.length > 0) void journal.write(ids);
    saveState.update();
    peerSaves.schedule();
  });
}

/** Tells peers about rows that this page read after a report of the backend, so that they need not read them. */
function followRowWatch(
  given: Wired<"rowWatch" | "page" | "channel" | "outbox" | "saver" | "antiEntropy" | "digests">,
): void {
  const { rowWatch, page, channel, outbox, saver, antiEntropy, digests } = given;
  page.listen(rowWatch.pageEvent);
  channel.joined.subscribe(rowWatch.rejoined);
  rowWatch.onFound(({ version, ids, lacking }) => {
    if (ids.size > 0) antiEntropy.changed();
    // Pages that do not read say "Saved" meanwhile.
    if (lacking) saver.saveForPeers();
    if (outbox.addFromRow(ids) && version !== null) digests.read(version);
  });
}

function followSaves(
  given: Wired<"channel" | "row" | "digests" | "clientId" | "rota" | "resync" | "rowWatch">,
): void {
  const { channel, row, digests, clientId, rota, resync, rowWatch } = given;
  channel.joined.subscribe(row.expire);
  row.onSaved((state) => {
    digests.saved(state);
    rota.saved(clientId);
    if (!rowWatch.live.get()) resync.watch();
  });
}

function followFailures({ saver, notices }: Wired<"saver" | "notices">): void {
  saver.onFailed(({ text, invalid }) =>
    notices.emit({ kind: "error", text, ...(invalid && { offer: "authors" }) }),
  );
}

/** A page that is blocked by the lock sends nothing; what is pending when the board opens again is saved at once. */
function followLock(
  given: Wired<"lock" | "backend" | "replica" | "saver" | "notices" | "deviceCopy" | "outbox">,
): void {
  const { lock, backend, replica, saver, notices, deviceCopy, outbox } = given;
  let count = 0;
  backend.mayDraw.subscribe(() => notices.emit({ kind: "void-link" }));
  lock.blocked.subscribe(() => {
    count = lock.blocked.get() ? 0 : replica.pending.count;
    if (count > 0) saver.saveNow();
  });
  saver.saving.subscribe(() => {
    if (saver.saving.get()) return;
    // The backend refuses those of a visitor whom the host has paused, which has a notice of its own.
    if (count > replica.pending.count) notices.emit({ kind: "opened", count });
    count = 0;
  });
  // What only this device's copy knows may have been removed since.
  for (const signal of [deviceCopy.shown, lock.blocked])
    signal.subscribe(() => outbox.setPaused(deviceCopy.shown.get() || lock.blocked.get()));
}

/** The channel is joined, for the first time or again: what was broadcast meanwhile was missed. */
function onJoined(given: Wired<"lock" | "outbox" | "antiEntropy" | "resync">): void {
  const { lock, outbox, antiEntropy, resync } = given;
  lock.joined();
  outbox.addPending();
  outbox.schedule();
  antiEntropy.changed();
  void resync.run();
}

function followPresence(
  given: Wired<"presence" | "player" | "newcomers" | "peerSaves" | "notices">,
): void {
  const { presence, player, newcomers, peerSaves, notices } = given;
  let before = presence.get();
  presence.subscribe(() => {
    const now = presence.get();
    player.keep(now);
    const { joined, some } = newcomersOf(before, now);
    before = now;
    for (const [clientId, name] of joined) notices.emit({ kind: "joined", by: { clientId, name } });
    if (some) newcomers.joined();
    peerSaves.scheduleOrphans();
  });
}

/** Opens nothing yet: `start` does. `given` takes the place of what a browser has, so that clients run in Node.js too. */
export function createSyncClient(
  config: BackendConfig,
  given: Partial<Environment> = {},
): SyncClient {
  const env = browserEnvironment(given);
  const onFault = (fault: unknown): void => env.log.error(fault);
  const wired = wire(config, env, onFault);
  const { page, clientId, replica, plainClients, journal, backend, channel, presence } = wired;
  const { crowd, rate, outbox, player, sender, newcomers, reached, connected } = wired;
  const { row, rowWatch, rota, saver, peerSaves, resync, saveState, receiver, lock } = wired;
  const { antiEntropy, digests, deviceCopy, notices, losses, clearing, takeBack } = wired;
  let disposed = false;

  followRowWatch({ rowWatch, page, channel, outbox, saver, antiEntropy, digests });
  followPage({ page, replica, reached, outbox, saver, resync, deviceCopy });
  const edited = { replica, journal, outbox, saver, rota, antiEntropy, saveState };
  const stopEdits = followEdits(edited);
  followPending({ replica, crowd, journal, saveState });
  followChanges({ replica, plainClients, rowWatch, deviceCopy, clearing, notices });
  followPresence({ presence, player, newcomers, peerSaves, notices });
  followUpdates({ receiver, replica, crowd, rate, player, antiEntropy, peerSaves });
  followDigests({ receiver, clientId, replica, row, rowWatch, rota, outbox });
  followDifferences({ antiEntropy, replica, digests, crowd, peerSaves, saver });
  followReads({ row, rowWatch, deviceCopy, journal, saveState, peerSaves });
  followSaves({ channel, row, digests, clientId, rota, resync, rowWatch });
  followFailures({ saver, notices });
  followLock({ lock, backend, replica, saver, notices, deviceCopy, outbox });

  return {
    ...{ clientId, presence, saveState, connected, takeBack, versions: wired.versions },
    ...{ locked: lock.locked, blocked: lock.blocked, checkLock: lock.check },
    get host() {
      return backend.mayDraw.get() ? backend.host : null;
    },
    ...{ editor: replica.editor, history: replica.history, undo: replica.undo, redo: replica.redo },
    ...{ live: sender.sink, onChanges: replica.onChanges, onPeers: player.onPeers },
    ...{ onNotice: notices.listen, setTabs: channel.setTabs, clear: clearing.clear },
    authorNames: () => replica.board.names,
    objects: () => stackedObjects(replica.board),
    background: () => backgroundOf(replica.board),
    async start() {
      channel.open({
        joined: () => onJoined({ lock, outbox, antiEntropy, resync }),
        presence: (state) => presence.set(readPresence(state, clientId)),
        summary: (summary) => presence.set(crowd.read(summary)),
        broadcast(event, payload) {
          if (event === EVENTS.settings) lock.check();
          else if (lock.admits(event)) receiver.receive(event, payload);
        },
        row: rowWatch.event,
      });
      journal.takeOver().then(() => !disposed && onTakenOver(edited), onFault);
      await resync.run();
      if (disposed) return;
      // What the first read takes away was never shown here.
      replica.onChanges(losses.settle);
      replica.onLosses(losses.offer);
      receiver.onTakenBack(losses.takenBack);
      void takeBack?.().catch(onFault);
      antiEntropy.changed();
      const copied = deviceCopy.start();
      if (!row.known.get()) await copied;
    },
    rename(name, person) {
      channel.rename(cleanName(name));
      if (isPerson(person)) replica.setName(person, cleanName(name));
    },
    authorShares: async () => (await loadHistory()).readAuthorShares(replica.board, env),
    async dispose() {
      if (disposed) return;
      disposed = true;
      outbox.flush();
      saver.saveOnUnload();
      stopEdits();
      wired.stop();
      await journal.close();
      await backend.close();
    },
  };
}
