/** A room in memory, without a way to anybody: for tests of what stands in front of a room. */

import type { BoardChanges, BoardObject, ObjectId } from "../board/drawing.ts";
import { BACKGROUND, TEXTS } from "../board/spec.ts";
import type { Notice, Origin, Room, SaveState, Store } from "../web/sync/port.ts";
import { createEmitter, createStore } from "../web/sync/store.ts";

export interface MemoryRoom extends Room {
  /** What another person did; the room holds it before it tells. */
  receive(changes: Partial<BoardChanges>): void;
  tell(notice: Notice): void;
  setOnline(count: number): void;
  setSaveState(state: SaveState): void;
  /** Lets `start` resolve. */
  finishStart(): void;
  /** Listeners of all kinds that are still there. */
  listeners(): number;
  readonly calls: string[];
  readonly disposed: boolean;
}

export function createMemoryRoom(): MemoryRoom {
  const objects = new Map<ObjectId, BoardObject>();
  const changes = createEmitter<{ readonly changes: BoardChanges; readonly origin: Origin }>();
  const notices = createEmitter<Notice>();
  const online = createStore(0);
  const saveState = createStore<SaveState>({ state: "loading" });
  const calls: string[] = [];
  let stores = 0;
  let sequence = 0;
  let disposed = false;
  let finishStart = (): void => undefined;
  const started = new Promise<void>((resolve) => {
    finishStart = resolve;
  });

  function hold(change: BoardChanges, origin: Origin): void {
    for (const object of [...change.added, ...change.changed]) objects.set(object.id, object);
    for (const object of change.removed) objects.delete(object.id);
    changes.emit({ changes: change, origin });
  }

  /** Counts who watches, so that a test sees what was left behind. */
  function counted<T>(store: Store<T>) {
    return {
      get: store.get,
      subscribe(listener: () => void) {
        const stop = store.subscribe(listener);
        stores += 1;
        return () => {
          stores -= 1;
          stop();
        };
      },
    };
  }

  return {
    clientId: "memory",
    calls,
    editor: {
      add(made) {
        const added = made.map(
          (object) =>
            ({ ...object, id: `me-${sequence++}` as ObjectId, z: sequence }) as BoardObject,
        );
        hold({ added, changed: [], removed: [] }, "local");
        return added;
      },
      change(list) {
        const changed = list.flatMap(({ id, props }) => {
          const object = objects.get(id);
          return object ? [{ ...object, ...props } as BoardObject] : [];
        });
        hold({ added: [], changed, removed: [] }, "local");
      },
      remove(ids) {
        const removed = ids.flatMap((id) => objects.get(id) ?? []);
        hold({ added: [], changed: [], removed }, "local");
      },
    },
    live: {
      pointer: () => undefined,
      inkStart: () => undefined,
      inkPoints: () => undefined,
      inkEnd: () => undefined,
      drag: () => undefined,
    },
    online: counted(online),
    saveState: counted(saveState),
    history: counted(createStore({ canUndo: false, canRedo: false })),
    objects: () => [...objects.values()],
    background: () => BACKGROUND,
    start: () => started,
    onChanges: (listener) =>
      changes.listen(({ changes: change, origin }) => listener(change, origin)),
    onPeers: () => {
      stores += 1;
      return () => {
        stores -= 1;
      };
    },
    onNotice: (listener) => notices.listen(listener),
    undo: () => void calls.push("undo"),
    redo: () => void calls.push("redo"),
    clear: () => {
      calls.push("clear");
      const removed = [...objects.values()];
      hold({ added: [], changed: [], removed }, "local");
      notices.emit({
        kind: "cleared",
        text: TEXTS.cleared,
        undo: () => hold({ added: removed, changed: [], removed: [] }, "history"),
      });
    },
    dispose: async () => {
      disposed = true;
      calls.push("dispose");
    },
    receive: (change) => hold({ added: [], changed: [], removed: [], ...change }, "remote"),
    tell: (notice) => notices.emit(notice),
    setOnline: (count) => online.set(count),
    setSaveState: (state) => saveState.set(state),
    finishStart: () => finishStart(),
    listeners: () => stores + changes.size + notices.size,
    get disposed() {
      return disposed;
    },
  };
}
