/** Shows a large change in slices, so that the page stays usable. An older change never overwrites a newer one. */

import type { BoardChanges, BoardObject, ObjectId } from "../../../board/drawing.ts";
import type { BoardCanvas } from "../../canvas/port.ts";

/** Objects that are shown together, without a pause between them. */
export const SHOWN_PER_SLICE = 100;

/** An object that waits to be added or changed on the canvas. */
interface Waiting {
  object: BoardObject;
  readonly to: "added" | "changed";
}

export interface ChangeQueue {
  /**
   * Shows a change: in slices when it adds more than SHOWN_PER_SLICE objects, otherwise immediately. With
   * `queueChanged` the objects that it changes count as well, and the first slice waits too, since a peer's change
   * may be shown later.
   */
  readonly show: (changes: BoardChanges, queueChanged?: boolean) => void;
  /** Resolves when nothing waits to be shown. */
  readonly settled: () => Promise<void>;
  /** Forgets all waiting changes. */
  readonly clear: () => void;
}

/** Makes an empty queue. `pause` lets other work of the page run before it resolves. */
export function createChangeQueue(
  canvas: Pick<BoardCanvas, "apply">,
  pause: () => Promise<void>,
): ChangeQueue {
  /** The objects that are not shown yet, in their present state, bottom first. */
  const waiting = new Map<ObjectId, Waiting>();
  let showing: Promise<void> | null = null;

  async function showWaiting(isUrgent: boolean): Promise<void> {
    if (!isUrgent) await pause();
    while (waiting.size > 0) {
      const slice = {
        added: [] as BoardObject[],
        changed: [] as BoardObject[],
        removed: [],
      };
      let left = SHOWN_PER_SLICE;
      for (const [id, { object, to }] of waiting) {
        slice[to].push(object);
        waiting.delete(id);
        if (--left === 0) break;
      }
      canvas.apply(slice, waiting.size > 0);
      await pause();
    }
    showing = null;
  }

  /** Returns the part of a change whose objects are shown already; the rest is merged into the waiting objects. */
  function splitOff(changes: BoardChanges): BoardChanges {
    for (const object of changes.removed) waiting.delete(object.id);
    for (const object of changes.added) waiting.delete(object.id);
    const changed = changes.changed.filter((object) => {
      const before = waiting.get(object.id);
      if (before) before.object = object;
      return !before;
    });
    return { ...changes, changed };
  }

  return {
    show(changes, queueChanged = false) {
      const hadMore = waiting.size > 0;
      const now = hadMore ? splitOff(changes) : changes;
      const changed = queueChanged ? now.changed : [];
      if (now.added.length + changed.length <= SHOWN_PER_SLICE) {
        // A change that leaves nothing waiting is the last slice: the canvas may still expect one.
        return canvas.apply(now, hadMore && waiting.size === 0 ? false : undefined);
      }
      const soon = queueChanged ? [] : now.changed;
      if (soon.length + now.removed.length > 0 || now.background !== undefined)
        canvas.apply({ ...now, added: [], changed: soon });
      for (const object of changed) waiting.set(object.id, { object, to: "changed" });
      for (const object of now.added) waiting.set(object.id, { object, to: "added" });
      showing ??= showWaiting(!queueChanged);
    },
    async settled() {
      await showing;
    },
    clear: () => waiting.clear(),
  };
}
