/** The sync client: the board in this browser and everything that connects it with its peers and with the row. */

import { backgroundOf, stackedObjects } from "../../board/board.ts";
import { TEXTS } from "../../board/constants.ts";
import { cleanName } from "../../board/presence.ts";
import type { BackendConfig } from "./environment/backend.ts";
import { browserEnvironment } from "./browser-environment.ts";
import type { Environment, PageEvent } from "./environment/environment.ts";
import { createParts, disposeParts, type Parts } from "./wiring.ts";
import { ALONE, isComplete, type Presence, readPresence } from "./presence/peers.ts";
import type { SyncClient } from "./port.ts";
import type { Edit } from "./replica/replica.ts";
import { createEmitter } from "./environment/signal.ts";

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
  const pageEvents = createEmitter<PageEvent>(onFault);
  const stopPage = env.page.listen(pageEvents.emit);
  const parts = createParts(config, env, onFault);
  const { replica, outbox, saver, saveState } = parts;
  let disposed = false;

  pageEvents.listen((event) => onPage(parts, event));
  const stopEdits = replica.onEdit((edit) => onEdit(parts, edit));
  watchReplica(parts);
  const panels = async () => (await loadMore()).createPanelReads(parts);

  return {
    clientId: parts.clientId,
    editor: replica.editor,
    live: parts.sender.sink,
    presence: parts.presence,
    saveState,
    history: replica.history,
    objects: () => stackedObjects(replica.board),
    background: () => backgroundOf(replica.board),
    async start() {
      parts.channel.open({
        joined: () => onJoined(parts),
        presence: (state) => onPresence(parts, readPresence(state, parts.clientId)),
        summary: (summary) => onSummary(parts, summary),
        broadcast: parts.receiver.receive,
      });
      parts.journal.takeOver().then((ids) => {
        // An entry may contain no objects: the background was changed.
        if (disposed || replica.pending.count === 0) return;
        outbox.add(ids);
        saver.changed();
        saveState.update();
      }, onFault);
      await parts.resync.run();
      // Where the code does not arrive, there is no copy, and this page saves for itself alone.
      const kept = loadMore().then(
        ({ joinLater }) => (disposed ? undefined : joinLater(parts, config.supabaseUrl)),
        () => undefined,
      );
      if (!parts.row.known.get()) await kept;
    },
    onChanges: (listener) => replica.onChanges(({ changes, origin }) => listener(changes, origin)),
    onPeers: parts.peers.listen,
    onNotice: parts.notices.listen,
    rename: (name) => parts.channel.rename(cleanName(name)),
    undo: replica.undo,
    redo: replica.redo,
    versions: {
      list: async () => (await panels()).versions.list(),
      load: async (id) => (await panels()).versions.load(id),
      restore: async (drawing, onlyMissing) =>
        (await panels()).versions.restore(drawing, onlyMissing),
    },
    authorShares: async () => (await panels()).authorShares(),
    clear() {
      parts.row.replaceUnreadable();
      parts.row.dropUnreadable();
      const removed = replica.clear();
      if (removed.length === 0) return;
      const undo = (): void => replica.restore(removed);
      parts.notices.emit({ kind: "cleared", text: TEXTS.cleared, undo });
    },
    async dispose() {
      if (disposed) return;
      disposed = true;
      outbox.flush();
      parts.row.saveOnUnload();
      stopPage();
      stopEdits();
      await disposeParts(parts);
    },
  };
}

const loadMore = () => import("./later.ts");

/** Milliseconds. Clients that stay save what a peer left behind, but not all at the same moment. */
const ORPHAN_DELAY = 2_000;
/** Milliseconds. Clients send their pending edits to a newcomer, but not all at the same moment. */
const NEWCOMER_DELAY = 500;

/** What the visitor has to know of the board's own events. */
function watchReplica({ replica, notices, plainClients }: Parts): void {
  replica.onChanges(({ changes, origin }) => {
    if (origin !== "remote") plainClients.changed(changes, null);
  });
  replica.onFull(() => notices.emit({ kind: "full" }));
}

function onJoined({ replica, outbox, antiEntropy, resync }: Parts): void {
  outbox.add(replica.pending.ownIds());
  outbox.schedule();
  antiEntropy.changed();
  void resync.run();
}

function onEdit({ journal, outbox, saver, antiEntropy, saveState }: Parts, edit: Edit): void {
  journal.write(edit.ids);
  outbox.add(edit.ids, edit.clear);
  if (edit.clear) saver.saveNow();
  else saver.changed();
  antiEntropy.changed();
  saveState.update();
}

function onPresence(parts: Parts, now: Presence): void {
  const { env, presence, isOnline, replica, outbox, saver } = parts;
  const { pending } = replica;
  const before = presence.get();
  presence.set(now);
  parts.player.keep(now);
  const newcomers = [...now.peers].filter(([id]) => !before.peers.has(id));
  // Whoever was online before this client has not joined, nor has one who is listed now and was not before.
  if (before !== ALONE && isComplete(before) && isComplete(now))
    for (const [peer, name] of newcomers)
      parts.notices.emit({ kind: "joined", by: { clientId: peer, name } });
  if (newcomers.length > 0 || now.online > before.online) {
    parts.sender.repeatStyles();
    if (!parts.newcomerTimer.isSet)
      parts.newcomerTimer.set(NEWCOMER_DELAY * env.random(), () => {
        outbox.add(pending.ownIds());
        parts.sender.repeatSelection();
      });
  }
  if (pending.hasOrphans(isOnline) && !parts.orphanTimer.isSet)
    parts.orphanTimer.set(ORPHAN_DELAY * (1 + 2 * env.random()), () => {
      if (pending.hasOrphans(isOnline)) saver.saveForPeers();
    });
}

/** In their order, which the code's first arrival would not keep. Where it does not arrive, the next summary tries again. */
function onSummary(parts: Parts, summary: unknown): void {
  parts.crowd.read = parts.crowd.read.then(loadMore).then(
    ({ readCrowd }) => parts.channel.isJoined && onPresence(parts, readCrowd(parts, summary)),
    () => undefined,
  );
}

function onPage({ replica, reached, outbox, row, saver, resync }: Parts, event: PageEvent): void {
  const { pending } = replica;
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
      return;
    case "leaving":
      outbox.flush();
      return row.saveOnUnload();
  }
}
