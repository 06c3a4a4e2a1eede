/**
 * The sync client: the board in this browser and everything that connects it with its peers and with the row. What it
 * consists of, `wiring.ts` builds; what follows from each event of it stands here.
 */

import { TEXTS } from "../../board/constants.ts";
import { backgroundOf, digest, stackedObjects } from "../../board/board.ts";
import { type DigestMessage, EVENTS } from "../../board/messages.ts";
import type { ObjectId } from "../../board/drawing.ts";
import { isPerson } from "../../board/author-names.ts";
import { cleanName } from "../../board/presence.ts";
import { browserEnvironment } from "./browser-environment.ts";
import type { BackendConfig } from "./environment/backend.ts";
import type { Clock, Environment, PageEvent } from "./environment/environment.ts";
import { createEmitter, type Emitter } from "./environment/signal.ts";
import { followLock, receiveBroadcasts } from "./locked-board.ts";
import { createClear, followLosses, lazyTakeBack } from "./offers.ts";
import type { SyncClient, Versions } from "./port.ts";
import { followFailures, followReads, followRowWatch, followSaves } from "./row-followers.ts";
import { ALONE, isComplete, type Presence, readPresence } from "./presence/peers.ts";
import { wire } from "./wiring.ts";

/** Loads what panels ask for: a visitor who opens one waits for it. */
const loadHistory = () => import("./history.ts");

/**
 * Opens nothing yet: `start` does. `given` takes the place of what a browser has (clock, storage,
 * sockets ...), so that clients run in Node.js and in a simulation.
 */
export function createSyncClient(
  config: BackendConfig,
  given: Partial<Environment> = {},
): SyncClient {
  const env = browserEnvironment(given);
  const onFault = (fault: unknown): void => env.log.error(fault);
  // Before the client library listens: it closes its socket when the page unloads.
  const page = createEmitter<PageEvent>(onFault);
  const stopPage = env.page.listen(page.emit);
  const wired = wire(config, env, onFault);
  const { clientId, replica, plainClients, journal, backend, channel, presence } = wired;
  const { crowd, rate, outbox, peers, player, sender, newcomers, reached, connected } = wired;
  const { row, rowWatch, rota, saver, peerSaves, resync, saveState, receiver } = wired;
  const { antiEntropy, deviceCopy, notices, lock, announces, stoppable } = wired;
  let disposed = false;

  followRowWatch({ rowWatch, replica, outbox, saver, antiEntropy, clientId, channel }, page);
  channel.joined.subscribe(rowWatch.rejoined);
  const sendLast = createSendLast({ outbox, row, lock });
  followPage({ replica, reached, outbox, saver, resync, deviceCopy }, page, sendLast);
  const edited = { replica, journal, outbox, saver, rota, antiEntropy, saveState };
  const stopEdits = followEdits(edited);
  followChanges({ replica, plainClients, notices });
  followReads({ row, deviceCopy, outbox, journal, saveState, peerSaves, lock });
  followSaves({ row, clientId, channel, rota, resync, rowWatch });
  followUpdates({ receiver, replica, crowd, rate, player, antiEntropy, peerSaves });
  followDigests({ receiver, clientId, replica, row, rowWatch, rota, outbox }, env.clock);
  followDifferences({ antiEntropy, replica, clientId, channel, crowd, peerSaves, saver });
  followFailures({ saver, notices });
  const locked = { ...followLock(wired), ...lazyTakeBack(wired, env) };
  const seePresence = (now: Presence): void =>
    onPresence({ presence, player, newcomers, peerSaves, notices }, now);

  return {
    ...{ clientId, presence, saveState, connected },
    ...locked,
    editor: replica.editor,
    live: sender.sink,
    history: replica.history,
    objects: () => stackedObjects(replica.board),
    background: () => backgroundOf(replica.board),
    async start() {
      channel.open({
        joined: () => onJoined({ replica, outbox, antiEntropy, resync, lock }),
        presence: (state) => seePresence(readPresence(state, clientId)),
        summary: (summary) => seePresence(crowd.read(summary)),
        broadcast: receiveBroadcasts({ lock, announces, receiver }),
        row: rowWatch.event,
      });
      journal.takeOver().then((ids) => !disposed && onTakenOver(edited, ids), onFault);
      await resync.run();
      if (disposed) return;
      // What the first read takes away was never shown here.
      followLosses({ replica, notices, presence, crowd, saver, receiver, clientId });
      void locked.takeBack?.().catch(onFault);
      antiEntropy.changed();
      const copied = deviceCopy.start();
      if (!row.known.get()) await copied;
    },
    onChanges: (listener) => replica.onChanges(({ changes, origin }) => listener(changes, origin)),
    onPeers: peers.listen,
    onNotice: notices.listen,
    rename: createRename({ channel, replica }),
    setTabs: channel.setTabs,
    authorNames: () => replica.board.names,
    undo: replica.undo,
    redo: replica.redo,
    versions: lazyVersions({ backend, replica, row, saver, notices, lock }, env),
    authorShares: async () => (await loadHistory()).readAuthorShares(replica.board, env),
    clear: createClear({ row, replica, notices, saver }),
    async dispose() {
      if (disposed) return;
      disposed = true;
      sendLast();
      for (const stop of [stopPage, stopEdits]) stop();
      for (const part of stoppable) part.stop();
      channel.close();
      await journal.close();
      await backend.close();
    },
  };
}

/** Sends and saves what is left when a page leaves. */
function createSendLast({ outbox, row, lock }: Wired<"outbox" | "row" | "lock">): () => void {
  return () => {
    outbox.flush();
    if (!lock.blocked.get()) row.saveOnUnload();
  };
}

/** The name goes into the presence, and, where the browser says who this is, into the drawing. */
function createRename({ channel, replica }: Wired<"channel" | "replica">): SyncClient["rename"] {
  return (name, person) => {
    channel.rename(cleanName(name));
    if (isPerson(person)) replica.setName(person, cleanName(name));
  };
}

/** Fetches the code of the versions with the first call. A locked board is not made another one. */
function lazyVersions(
  given: Wired<"backend" | "replica" | "row" | "saver" | "notices" | "lock">,
  env: Environment,
): Versions {
  const versions = async () => (await loadHistory()).createVersions({ ...given, env });
  return {
    list: async () => (await versions()).list(),
    load: async (id) => (await versions()).load(id),
    async restore(drawing, onlyMissing) {
      if (!given.lock.blocked.get()) return (await versions()).restore(drawing, onlyMissing);
      given.notices.emit({ kind: "error", text: TEXTS.locked });
      return false;
    },
  };
}

/** Members of the client by their names: each function below is given seven at most. */
type Wired<Name extends keyof ReturnType<typeof wire>> = Pick<ReturnType<typeof wire>, Name>;

type EditFollowers = "journal" | "outbox" | "saver" | "rota" | "antiEntropy" | "saveState";

/** An edit of this page is in the journal before it is painted. */
function followEdits(given: Wired<"replica" | EditFollowers>): () => void {
  const { replica, journal, outbox, saver, rota, antiEntropy, saveState } = given;
  return replica.onEdit(({ ids, clear: isClear }) => {
    let isSent = false;
    try {
      // What is sent next is written as sent: the journal would have to write it a second time.
      isSent = outbox.add(ids, isClear);
    } finally {
      journal.write(ids, isSent);
    }
    if (isClear) saver.saveNow();
    else saver.changed();
    rota.edited();
    antiEntropy.changed();
    saveState.update();
  });
}

/** The entries of earlier pages are edits of this page from now on. One may contain no objects: the background was changed. */
function onTakenOver(
  { replica, outbox, saver, rota, saveState }: Wired<"replica" | EditFollowers>,
  ids: ReadonlySet<ObjectId>,
): void {
  if (replica.pending.count === 0) return;
  outbox.add(ids);
  saver.changed();
  rota.edited();
  saveState.update();
}

function followChanges(given: Wired<"replica" | "plainClients" | "notices">): void {
  const { replica, plainClients, notices } = given;
  replica.onChanges(({ changes, origin }) => {
    if (origin !== "remote") plainClients.changed(changes, null);
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

/** Milliseconds between two answers to digests: pending edits are sent again to peers that may have missed them. */
const RESEND_INTERVAL = 3_000;

/** A digest is a hint: what it says settles nothing. */
function followDigests(
  given: Wired<"receiver" | "clientId" | "replica" | "row" | "rowWatch" | "rota" | "outbox">,
  clock: Clock,
): void {
  const { receiver, clientId: own, row, rowWatch, rota, outbox } = given;
  const { board, pending } = given.replica;
  let resentAt = Number.NEGATIVE_INFINITY;
  receiver.onDigest(({ clientId, digest: theirs, saved, read }) => {
    if (saved) {
      row.peerSaved();
      rowWatch.announced(saved);
      return rota.saved(clientId);
    }
    if (read) return rowWatch.announced(read, read.lacks?.includes(own) === true);
    const now = clock.now();
    const isSoon = now - resentAt < RESEND_INTERVAL && now >= resentAt;
    if (isSoon || theirs === digest(board) || pending.count === 0) return;
    resentAt = now;
    // The peer may have missed what this page drew and nobody has saved yet.
    outbox.add(pending.ownIds());
  });
}

function followDifferences(
  given: Wired<
    "antiEntropy" | "replica" | "clientId" | "channel" | "crowd" | "peerSaves" | "saver"
  >,
): void {
  const { antiEntropy, replica, clientId, channel, crowd, peerSaves, saver } = given;
  const { board, pending } = replica;
  antiEntropy.onDue(() => {
    const message: DigestMessage = { clientId, digest: digest(board) };
    channel.send(EVENTS.digest, message);
  });
  antiEntropy.onLasting(() => {
    pending.orphanAll();
    if (pending.hasOrphans(crowd.isOnline)) peerSaves.schedule();
  });
  crowd.onExpired(() => {
    if (pending.hasOrphans(crowd.isOnline)) saver.saveNow();
  });
}

/** Joined, for the first time or again: what was broadcast meanwhile was missed. */
function onJoined(given: Wired<"replica" | "outbox" | "antiEntropy" | "resync" | "lock">): void {
  const { replica, outbox, antiEntropy, resync, lock } = given;
  lock.joined();
  outbox.add(replica.pending.ownIds());
  outbox.schedule();
  antiEntropy.changed();
  void resync.run();
}

function onPresence(
  given: Wired<"presence" | "player" | "newcomers" | "peerSaves" | "notices">,
  now: Presence,
): void {
  const { presence, player, newcomers, peerSaves, notices } = given;
  const before = presence.get();
  presence.set(now);
  player.keep(now);
  const joined = [...now.peers].filter(([id]) => !before.peers.has(id));
  // Whoever was online before this client has not joined, nor has one who is listed now and was not before.
  if (before !== ALONE && isComplete(before) && isComplete(now))
    for (const [peer, name] of joined)
      notices.emit({ kind: "joined", by: { clientId: peer, name } });
  if (joined.length > 0 || now.online > before.online) newcomers.joined();
  peerSaves.scheduleOrphans();
}

function followPage(
  given: Wired<"replica" | "reached" | "outbox" | "saver" | "resync" | "deviceCopy">,
  events: Emitter<PageEvent>,
  sendLast: () => void,
): void {
  const { reached, outbox, saver, resync, deviceCopy } = given;
  const { pending } = given.replica;
  events.listen((event) => {
    switch (event) {
      case "offline":
        return reached.set(false);
      case "online":
        reached.set(true);
        if (pending.count > 0) saver.saveNow();
        return void resync.run();
      case "visible":
        return void resync.run();
      case "hidden":
        outbox.flush();
        if (pending.count > 0) saver.saveNow();
        return deviceCopy.write();
      case "leaving":
        sendLast();
        return deviceCopy.writeNow();
    }
  });
}
