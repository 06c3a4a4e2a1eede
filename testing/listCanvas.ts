/** A canvas that paints nothing and keeps a list of what it would show: for tests of what drives a canvas. */

import type { BoardChanges, BoardObject, ObjectId } from "../board/drawing.ts";
import type { BoardCanvas, CanvasOptions } from "../web/canvas/port.ts";

export interface ListCanvas extends BoardCanvas {
  readonly options: CanvasOptions;
  /** The calls that came, in order, with what they carried. */
  readonly calls: string[];
  /** The ids of what is shown. */
  shown(): readonly ObjectId[];
  /** Ends the load that is running. */
  finishLoad(): void;
  readonly disposed: boolean;
}

/** `autoLoad`: a load ends by itself. */
export function createListCanvas(options: CanvasOptions, autoLoad = true): ListCanvas {
  const objects = new Map<ObjectId, BoardObject>();
  const calls: string[] = [];
  let finishLoad = (): void => undefined;
  let disposed = false;

  return {
    options,
    calls,
    editingText: false,
    setTool: (tool) => void calls.push(`tool ${tool}`),
    setColor: (color) => void calls.push(`color ${color}`),
    addSticker: (emoji) => void calls.push(`sticker ${emoji}`),
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
    showPeers: (peers) => void calls.push(`peers ${peers.length}`),
    resize: (width, height) => void calls.push(`resize ${width} ${height}`),
    removeSelection: () => 0,
    selectAll: () => void calls.push("select all"),
    clearSelection: () => void calls.push("clear selection"),
    nudge: (dx, dy) => void calls.push(`nudge ${dx} ${dy}`),
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
