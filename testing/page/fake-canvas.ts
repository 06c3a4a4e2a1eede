/** A canvas that paints nothing and lists what it would show, for tests of the page. */

import type { BoardChanges, BoardObject, ObjectId } from "../../board/drawing.ts";
import type { BoardCanvas, CanvasOptions } from "../../web/canvas/port.ts";

export interface FakeCanvas extends BoardCanvas {
  readonly options: CanvasOptions;
  /** The calls in order, with their arguments. */
  readonly calls: string[];
  /** Returns the ids of the shown objects. */
  shown(): readonly ObjectId[];
  /** Ends the load under way. */
  finishLoad(): void;
  readonly disposed: boolean;
}

/** Makes a canvas. With `autoLoad` a load ends by itself; otherwise `finishLoad` ends it. */
export function createFakeCanvas(options: CanvasOptions, autoLoad = true): FakeCanvas {
  const objects = new Map<ObjectId, BoardObject>();
  const calls: string[] = [];
  let finishLoad = (): void => undefined;
  let disposed = false;

  return {
    options,
    calls,
    tools: {
      choose: (tool) => void calls.push(`tool ${tool}`),
      setColor: (color) => void calls.push(`color ${color}`),
      setPenWidth: () => undefined,
      addObjects: (objects) => void calls.push(`objects ${objects.length}`),
      addText: () => void calls.push("text"),
      addAt: (what) => void calls.push(`add ${what}`),
      addSticker: (emoji) => void calls.push(`sticker ${emoji}`),
      selectAll: () => void calls.push("select all"),
      selectNone: () => void calls.push("select none"),
      setReadOnly: (readOnly) => void calls.push(readOnly ? "read only" : "editable"),
    },
    view: {
      pointer: null,
      middle: { x: 0, y: 0 },
      pointOf: ({ clientX: x, clientY: y }) => ({ x, y }),
      resize: (width, height) => void calls.push(`resize ${width} ${height}`),
      move: ({ kind }, covered) => void calls.push(`view ${kind} ${covered}`),
      setFingerPans: (pans) => void calls.push(`finger ${pans ? "pans" : "draws"}`),
      mark: (ids) => void calls.push(`mark ${ids?.length ?? "none"}`),
    },
    selection: {
      ids: [],
      editingText: false,
      select: (ids) => void calls.push(`select ${ids.length}`),
      edit: (edit) => void calls.push(`edit selection ${JSON.stringify(edit)}`),
      remove: () => 0,
      nudge: (dx, dy) => void calls.push(`nudge ${dx} ${dy}`),
      resize: (dx, dy) => void calls.push(`resize selection ${dx} ${dy}`),
      rotate: (degrees) => void calls.push(`turn ${degrees}`),
    },
    menu: undefined,
    prepare: async () => undefined,
    async load(loaded) {
      const list = [...loaded];
      calls.push(`load ${list.length}`);
      objects.clear();
      for (const object of list) objects.set(object.id, object);
      if (!autoLoad) await new Promise<void>((resolve) => (finishLoad = resolve));
    },
    apply(changes: BoardChanges) {
      calls.push(
        `apply ${changes.added.length} ${changes.changed.length} ${changes.removed.length}`,
      );
      for (const object of [...changes.added, ...changes.changed]) objects.set(object.id, object);
      for (const object of changes.removed) objects.delete(object.id);
    },
    pause: async () => undefined,
    showPeers: (peers) => void calls.push(`peers ${peers.length}`),
    dispose: async () => {
      disposed = true;
    },
    shown: () => [...objects.keys()],
    finishLoad: () => finishLoad(),
    get disposed() {
      return disposed;
    },
  };
}
