/** Shows a great change in slices, so that the page stays usable; a newer change is never overwritten by an older one. */

import type { BoardChanges, BoardObject, ObjectId } from "../../../board/drawing.ts";

/** Objects that are shown at once, without a pause between them. */
export const SHOWN_PER_SLICE = 100;

/** An object that is to be added or changed on the canvas. */
interface Waiting {
  object: BoardObject;
  readonly to: "added" | "changed";
}

export interface ChangeQueue {
  /**
   * Shows what changed: in slices when it adds more than SHOWN_PER_SLICE objects, else at once. With `queueChanged`
   * the objects that it changes count as well, and the first slice waits too: a peer's change may be shown later.
   */
  readonly show: (changes: BoardChanges, queueChanged?: boolean) => void;
  /** Resolves when nothing waits to be shown. */
  readonly settled: () => Promise<void>;
  /** Forgets what waits. */
  readonly clear: () => void;
}

/**
 * Nothing waits. `apply` shows changes at once, with `hasMore` a slice of many, the last of which it is when that is
 * false; `pause` lets other work of the page run before it resolves.
 */
export function createChangeQueue(
  apply: (changes: BoardChanges, hasMore?: boolean) => void,
  pause: () => Promise<void>,
): ChangeQueue {
  /** What is not shown yet, as it is by now, bottom first. */
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
      apply(slice, waiting.size > 0);
      await pause();
    }
    showing = null;
  }

  /** Returns the part of a change whose objects are shown already; the rest is merged into what waits. */
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
      const now = waiting.size > 0 ? splitOff(changes) : changes;
      const changed = queueChanged ? now.changed : [];
      if (now.added.length + changed.length <= SHOWN_PER_SLICE) return apply(now);
      const soon = queueChanged ? [] : now.changed;
      if (soon.length + now.removed.length > 0 || now.background !== undefined)
        apply({ ...now, added: [], changed: soon });
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
