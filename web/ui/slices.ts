/** A great change, shown in slices: the page stays usable, and nothing that is newer is painted over. */

import type { BoardChanges, BoardObject, ObjectId } from "../../board/drawing.ts";

/** Objects that are shown at once, without a pause between them. */
export const SLICE = 100;

export interface Slices {
  /** Shows what changed: at once, or in slices when it brings more than SLICE objects. */
  show(changes: BoardChanges): void;
  /** Resolves when nothing waits to be shown. */
  settled(): Promise<void>;
  /** Forgets what waits. */
  drop(): void;
}

/** `apply` shows changes at once; `pause` lets other work of the page run before it resolves. */
export function createSlices(
  apply: (changes: BoardChanges) => void,
  pause: () => Promise<void>,
): Slices {
  /** What is not shown yet, as it is by now, bottom first. */
  const waiting = new Map<ObjectId, BoardObject>();
  let draining: Promise<void> | null = null;

  async function drain(): Promise<void> {
    while (waiting.size > 0) {
      const slice: BoardObject[] = [];
      for (const [id, object] of waiting) {
        if (slice.length === SLICE) break;
        slice.push(object);
        waiting.delete(id);
      }
      apply({ added: slice, changed: [], removed: [] });
      await pause();
    }
    draining = null;
  }

  /** The part of a change that concerns what is on the screen already; the rest joins what waits. */
  function overtake(changes: BoardChanges): BoardChanges {
    for (const object of changes.removed) waiting.delete(object.id);
    for (const object of changes.added) waiting.delete(object.id);
    const changed = changes.changed.filter((object) => {
      if (!waiting.has(object.id)) return true;
      waiting.set(object.id, object);
      return false;
    });
    return { ...changes, changed };
  }

  return {
    show(changes) {
      const now = waiting.size > 0 ? overtake(changes) : changes;
      if (now.added.length <= SLICE) return apply(now);
      const { added, ...rest } = now;
      if (rest.changed.length + rest.removed.length > 0 || rest.background !== undefined)
        apply({ added: [], ...rest });
      for (const object of added) waiting.set(object.id, object);
      draining ??= drain();
    },
    async settled() {
      await draining;
    },
    drop: () => waiting.clear(),
  };
}
