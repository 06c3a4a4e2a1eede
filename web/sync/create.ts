/** The room: the board of this browser, and everything that connects it with the others, wired together. */

import { makeAuthor } from "../../board/author.ts";
import { backgroundOf, stackedObjects } from "../../board/board.ts";
import type { BoardChanges } from "../../board/drawing.ts";
import type { PeerView } from "../../board/live.ts";
import { TEXTS } from "../../board/spec.ts";
import type { Presences } from "./backend.ts";
import { browserWorld } from "./browser-world.ts";
import { createDiary } from "./diary.ts";
import { createLink } from "./link.ts";
import { createOthers } from "./others.ts";
import { createOutbox } from "./outbox.ts";
import type { Notice, Origin, Room, SaveState } from "./port.ts";
import { ALONE, readCompany, type Company } from "./presence.ts";
import { createReplica, type Edit } from "./replica.ts";
import { createResync } from "./resync.ts";
import { createSharedRow } from "./row.ts";
import { sameSaveState, saveStateOf } from "./save-state.ts";
import { createSaver } from "./saver.ts";
import { createEmitter, createStore } from "./store.ts";
import { createTimers } from "./timers.ts";
import { DIGEST, UPDATE } from "./wire.ts";
import type { PageEvent, RoomConfig, World } from "./world.ts";

export type { RoomConfig, World } from "./world.ts";

/** Supabase's own limit for a project, where the configuration says nothing. */
const DEFAULT_BUDGET = 100;
const DAY_MS = 24 * 60 * 60 * 1000;
const FIRST_DAY = Date.UTC(2020, 0, 1);
const LAST_DAY = 36 ** 3 - 1;
/** The journal is asked first; one that does not answer must not keep the board from being shown. */
const JOURNAL_PATIENCE = 3_000;
/** Those who stay save what somebody left behind, but not all at the same moment. */
const ORPHAN_DELAY = 2_000;
const NEWCOMER_DELAY = 500;

/**
 * Opens nothing yet: `start` does. `given` takes the place of what a browser has (clock, storage,
 * sockets ...), so that rooms run in Node and in a simulation.
 */
export function createRoom(config: RoomConfig, given: Partial<World> = {}): Room {
  const world = browserWorld(given);
  const { clock, log } = world;
  const budget = config.liveBudget ?? DEFAULT_BUDGET;
  const clientId = world
    .randomId()
    .replace(/[^A-Za-z0-9]/g, "")
    .slice(0, 12);
  const day = Math.floor((clock.now() - FIRST_DAY) / DAY_MS);
  const onFault = (fault: unknown): void => log.error(fault);
  const timers = createTimers(clock);

  // The page is listened to before the client library does: it closes its socket when the page leaves.
  const stopListening = world.page.listen((event) => onPage(event));
  const author = makeAuthor(Math.min(LAST_DAY, Math.max(0, day)), clientId);
  const replica = createReplica(author, world);
  const { board, unsaved } = replica;
  const journal = world.openJournal(config, log);
  const backend = world.openBackend(config);
  const diary = createDiary({ journal, page: clientId, replica, log });

  const notices = createEmitter<Notice>(onFault);
  const peers = createEmitter<readonly PeerView[]>(onFault);
  const online = createStore(ALONE.online);
  const saveState = createStore<SaveState>({ state: "loading" }, sameSaveState);
  let company: Company = ALONE;
  let reached = true;
  let disposed = false;
  let journaled: () => void = () => undefined;

  const isHere = (id: string): boolean => id === clientId || company.others.has(id);
  const needsSave = (): boolean => unsaved.changes > 0 || unsaved.orphaned(isHere);
  const tellState = (): void => {
    if (disposed) return;
    const { changes } = unsaved;
    saveState.set(
      saveStateOf({
        known: row.known,
        saving: saver.saving,
        reached,
        changes,
        kept: journal.working,
      }),
    );
  };
  const onHeld = (): void => {
    diary.sweep();
    tellState();
  };
  const reach = (now: boolean): void => {
    reached = now;
    tellState();
  };

  const row = createSharedRow({
    backend,
    replica,
    world,
    needsSave,
    sent: () => outbox.sent,
    ready: new Promise<void>((resolve) => (journaled = resolve)),
    onRead: () => others.drain(),
    onHeld,
  });
  const saver = createSaver({
    row,
    world,
    needsSave,
    onFailure: (text) => notices.emit({ kind: "error", text }),
    onSaved: ({ digest: saved, seen, at, n }) =>
      void link.send(DIGEST, { clientId, digest: saved, saved: { at, seen, n } }),
    onReach: reach,
    onChange: tellState,
  });
  const link = createLink(backend, world, clientId, {
    joined() {
      outbox.add(unsaved.own());
      outbox.poke();
      others.changed();
      void resync.run();
    },
    lost: () => undefined,
    presences: (present) => onPresences(present),
    broadcast: (event, payload) => others.broadcast(event, payload),
  });
  const outbox = createOutbox({
    clock,
    replica,
    clientId,
    company: () => company,
    interval: () => others.interval(),
    send: (update) => link.send(UPDATE, update),
  });
  const resync = createResync({ row, world, onReach: reach });
  const others = createOthers({
    clientId,
    world,
    replica,
    row,
    link,
    outbox,
    resync,
    budget,
    company: () => company,
    notify: (notice) => notices.emit(notice),
    onPeers: (views) => peers.emit(views),
  });

  const stopEdits = replica.onEdit(({ ids, clear }: Edit) => {
    diary.write(ids);
    if (clear) outbox.addCleared(ids);
    else outbox.add(ids);
    if (clear) saver.hurry();
    else saver.changed();
    others.changed();
    tellState();
  });

  function onPresences(present: Presences): void {
    const before = company;
    company = readCompany(present, clientId);
    online.set(company.online);
    const newcomers = [...company.others].some((id) => !before.others.has(id));
    others.present(isHere, newcomers);
    if (newcomers && unsaved.changes > 0) {
      timers.later(NEWCOMER_DELAY * world.random(), () => outbox.add(unsaved.own()));
    }
    if (unsaved.orphaned(isHere))
      timers.later(ORPHAN_DELAY * (1 + 2 * world.random()), saveOrphans);
  }
  function saveOrphans(): void {
    if (unsaved.orphaned(isHere)) saver.hurry();
  }

  function onPage(event: PageEvent): void {
    if (disposed) return;
    switch (event) {
      case "offline":
        return reach(false);
      case "online":
        reach(true);
        if (unsaved.changes > 0) saver.hurry();
        return void resync.run();
      case "visible":
        return void resync.run();
      case "hidden":
        outbox.flush();
        if (unsaved.changes > 0) saver.hurry();
        return;
      case "leaving":
        outbox.flush();
        return row.lastWords();
    }
  }

  function clear(): void {
    const removed = replica.clear();
    notices.emit({ kind: "cleared", text: TEXTS.cleared, undo: () => replica.restore(removed) });
  }

  async function start(): Promise<void> {
    link.open();
    const taken = diary.takeOver().then((ids) => {
      journaled();
      if (ids.size === 0 || disposed) return;
      outbox.add(ids);
      saver.changed();
      tellState();
    }, onFault);
    const waited = timers.later(JOURNAL_PATIENCE, () => journaled());
    void taken.then(() => timers.cancel(waited));
    await resync.run();
    void replica.past.fetch();
    tellState();
  }

  async function dispose(): Promise<void> {
    if (disposed) return;
    outbox.flush();
    row.lastWords();
    disposed = true;
    stopListening();
    stopEdits();
    for (const part of [saver, outbox, others, resync, replica.past, timers]) part.stop();
    link.close();
    journaled();
    await journal.close();
    await backend.close();
  }

  return {
    clientId,
    editor: replica.editor,
    live: others.live,
    online,
    saveState,
    history: replica.past.can,
    objects: () => stackedObjects(board),
    background: () => backgroundOf(board),
    start,
    onChanges: (listener: (changes: BoardChanges, origin: Origin) => void) =>
      replica.onChanges(({ changes, origin }) => listener(changes, origin)),
    onPeers: peers.listen,
    onNotice: notices.listen,
    undo: () => replica.undo(),
    redo: () => replica.redo(),
    clear,
    dispose,
  };
}
