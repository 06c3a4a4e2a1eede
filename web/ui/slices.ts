/** A great change, shown in slices: the page stays usable, and nothing that is newer is painted over. */

import type { BoardChanges, BoardObject, ObjectId } from "../../board/drawing.ts";

/** Objects that are shown at once, without a pause between them. */
export const SLICE = 100;

/** An object that is to be shown, or to be shown otherwise than before. */
interface Waiting {
  object: BoardObject;
  readonly to: "added" | "changed";
}

export interface Slices {
  /** Shows what changed: at once, or in slices when it brings more than SLICE objects, or `patient`ly changes them. */
  show(changes: BoardChanges, patient?: boolean): void;
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
  const waiting = new Map<ObjectId, Waiting>();
  let draining: Promise<void> | null = null;

  async function drain(): Promise<void> {
    while (waiting.size > 0) {
      const slice = {
        added: [] as BoardObject[],
        changed: [] as BoardObject[],
        removed: [],
      };
      let room = SLICE;
      for (const [id, { object, to }] of waiting) {
        slice[to].push(object);
        waiting.delete(id);
        if (--room === 0) break;
      }
      apply(slice);
      await pause();
    }
    draining = null;
  }

  /** The part of a change that concerns what is on the screen already; the rest joins what waits. */
  function overtake(changes: BoardChanges): BoardChanges {
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
    show(changes, patient = false) {
      const now = waiting.size > 0 ? overtake(changes) : changes;
      const later = patient ? now.changed : [];
      if (now.added.length + later.length <= SLICE) return apply(now);
      const soon = patient ? [] : now.changed;
      if (soon.length + now.removed.length > 0 || now.background !== undefined)
        apply({ ...now, added: [], changed: soon });
      for (const object of later) waiting.set(object.id, { object, to: "changed" });
      for (const object of now.added) waiting.set(object.id, { object, to: "added" });
      draining ??= drain();
    },
    async settled() {
      await draining;
    },
    drop: () => waiting.clear(),
  };
}
