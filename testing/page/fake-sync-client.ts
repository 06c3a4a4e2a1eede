/** A sync client in memory, without a connection to any peer, for tests of the page. */

import { BACKGROUND, TEXTS } from "../../board/constants.ts";
import type { AuthorShare } from "../../board/authorship.ts";
import { authorOf } from "../../board/author.ts";
import type {
  Author,
  BoardChanges,
  BoardEditor,
  BoardObject,
  Drawing,
  ObjectId,
} from "../../board/drawing.ts";
import type { LiveSink } from "../../board/live.ts";
import type {
  Notice,
  Origin,
  SaveState,
  Signal,
  SyncClient,
  Versions,
} from "../../web/sync/port.ts";
import { ALONE } from "../../web/sync/presence/peers.ts";
import { createEmitter, createSignal } from "../../web/sync/environment/signal.ts";

/** A version that the fake backend stores. */
export interface FakeVersion {
  readonly id: string;
  /** The time when it was saved: an ISO timestamp. */
  readonly savedAt: string;
  readonly objects: readonly BoardObject[];
}

export interface FakeSyncClient extends SyncClient {
  /** The versions that the backend stores, the newest first; null for a backend without history. Reading them may be delayed. */
  readonly savedVersions: { versions: readonly FakeVersion[] | null; delay: Promise<void> };
  /** Emits a notice. */
  readonly notify: (notice: Notice) => void;
  /** Receives a change by a peer, which is on the board before the listeners are called. */
  readonly receive: (changes: Partial<BoardChanges>) => void;
  readonly setSaveState: (state: SaveState) => void;
  /** Lets `start` resolve. */
  readonly finishStart: () => void;
  /** Returns the number of listeners of all kinds. */
  readonly listeners: () => number;
  /** The names of the methods that were called. */
  readonly calls: string[];
  readonly disposed: boolean;
}

/** Makes an empty board whose `start` waits for `finishStart`. */
export function createFakeSyncClient(): FakeSyncClient {
  const objects = new Map<ObjectId, BoardObject>();
  const changes = createEmitter<{ readonly changes: BoardChanges; readonly origin: Origin }>();
  const notices = createEmitter<Notice>();
  const watchers = { count: 0 };
  const savedVersions: FakeSyncClient["savedVersions"] = { versions: [], delay: Promise.resolve() };
  const calls: string[] = [];
  const saveState = createSignal<SaveState>({ state: "loading" });
  let disposed = false;
  let finishStart = (): void => undefined;
  const started = new Promise<void>((resolve) => {
    finishStart = resolve;
  });

  const apply: Apply = (part, origin) => {
    const change: BoardChanges = { added: [], changed: [], removed: [], ...part };
    for (const object of [...change.added, ...change.changed]) objects.set(object.id, object);
    for (const object of change.removed) objects.delete(object.id);
    changes.emit({ changes: change, origin });
  };

  return {
    clientId: "fake",
    calls,
    savedVersions,
    notify: notices.emit,
    versions: createVersions(savedVersions, objects, apply),
    authorShares: async () => sharesOf(objects.values()),
    editor: createEditor(objects, apply),
    live: SILENT,
    presence: counted(createSignal(ALONE), watchers),
    authorNames: () => new Map(),
    setTabs: (tabs) => void calls.push(`tabs ${tabs.join(" ")}`),
    rename: (name) => void calls.push(`rename ${name}`),
    saveState: counted(saveState, watchers),
    setSaveState: saveState.set,
    connected: counted(createSignal(true), watchers),
    locked: counted(createSignal(false), watchers),
    blocked: counted(createSignal(false), watchers),
    host: null,
    takeBack: null,
    checkLock: () => void calls.push("checkLock"),
    history: counted(createSignal({ canUndo: false, canRedo: false }), watchers),
    objects: () => [...objects.values()],
    background: () => BACKGROUND,
    start: () => started,
    onChanges: changes.listen,
    onPeers: () => {
      watchers.count += 1;
      return () => void (watchers.count -= 1);
    },
    onNotice: (listener) => notices.listen(listener),
    undo: () => void calls.push("undo"),
    redo: () => void calls.push("redo"),
    clear: () => {
      calls.push("clear");
      const removed = [...objects.values()];
      apply({ removed }, "local");
      const undo = (): void => apply({ added: removed }, "undo");
      notices.emit({ kind: "cleared", text: TEXTS.cleared, undo });
    },
    dispose: async () => {
      disposed = true;
      calls.push("dispose");
    },
    receive: (change) => apply(change, "remote"),
    finishStart: () => finishStart(),
    listeners: () => watchers.count + changes.size + notices.size,
    get disposed() {
      return disposed;
    },
  };
}

/** Returns the authors of the objects, in the order of their first objects. */
function sharesOf(objects: Iterable<BoardObject>): AuthorShare[] {
  const ids = new Map<Author, BoardObject[]>();
  for (const object of objects) {
    const author = authorOf(object.id);
    ids.set(author, [...(ids.get(author) ?? []), object]);
  }
  return [...ids].map(([author, own]) => ({
    author,
    ids: own.map(({ id }) => id),
    hidden: 0,
    chars: JSON.stringify(own).length,
    colors: [],
  }));
}

function createVersions(
  savedVersions: FakeSyncClient["savedVersions"],
  objects: ReadonlyMap<ObjectId, BoardObject>,
  apply: Apply,
): Versions {
  return {
    list: async () =>
      savedVersions.versions?.map(({ id, savedAt, objects: { length } }) => ({
        ...{ id, savedAt },
        bytes: 100 * length,
        objects: length,
      })) ?? null,
    async load(id) {
      await savedVersions.delay;
      const found = savedVersions.versions?.find((version) => version.id === id);
      if (!found) return null;
      const inkpool = { format: 1, seen: {} } as const;
      return { version: "7.4.0", objects: found.objects, background: BACKGROUND, inkpool };
    },
    async restore(drawing: Drawing, onlyMissing) {
      const wanted = new Set(drawing.objects.map(({ id }) => id));
      const added = drawing.objects.filter(({ id }) => !objects.has(id));
      const removed = onlyMissing ? [] : [...objects.values()].filter(({ id }) => !wanted.has(id));
      if (added.length + removed.length > 0) apply({ added, removed }, "local");
      return true;
    },
  };
}

type Apply = (change: Partial<BoardChanges>, origin: Origin) => void;

function createEditor(objects: ReadonlyMap<ObjectId, BoardObject>, apply: Apply): BoardEditor {
  let sequence = 0;
  return {
    accepts: () => true,
    add(made) {
      const added = made.map((object) => {
        const id = `me-${sequence++}` as ObjectId;
        return { ...object, id, z: sequence } as BoardObject;
      });
      apply({ added }, "local");
      return added;
    },
    addChanged(object, props) {
      const changed = { ...object, ...props, id: `me-${sequence++}`, z: sequence } as BoardObject;
      apply({ added: [changed] }, "local");
      return changed;
    },
    change(list) {
      const changed = list.flatMap(({ id, props }) => {
        const object = objects.get(id);
        return object ? [{ ...object, ...props } as BoardObject] : [];
      });
      apply({ changed }, "local");
    },
    remove(ids) {
      const removed = ids.flatMap((id) => objects.get(id) ?? []);
      if (removed.length > 0) apply({ removed }, "local");
    },
  };
}

const SILENT: LiveSink = {
  pointer: () => undefined,
  inkStart: () => undefined,
  inkPoints: () => undefined,
  inkEnd: () => undefined,
  drag: () => undefined,
  line: () => undefined,
  select: () => undefined,
};

/** Counts the subscriptions, so that a test notices those that were not ended. */
function counted<T>(store: Signal<T>, watchers: { count: number }): Signal<T> {
  return {
    get: store.get,
    subscribe(listener) {
      const stop = store.subscribe(listener);
      watchers.count += 1;
      return () => {
        watchers.count -= 1;
        stop();
      };
    },
  };
}
