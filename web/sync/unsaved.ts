/** What the row does not hold yet, as far as this page knows: its own edits, and what it heard from others. */

import type { ObjectId } from "../../board/drawing.ts";

export interface Unsaved {
  /** This page's edits that are not in the row. */
  readonly changes: number;
  /** A point in time: a save that began at this moment holds everything noted so far. */
  readonly moment: number;
  /** One edit of this page, and the objects that it touched; it is known by the moment after it. */
  edited(ids: Iterable<ObjectId>): void;
  /** Whether the edit that was noted at this moment is still not in the row. */
  isPending(moment: number): boolean;
  /** Objects that somebody else changed, in their n-th update. */
  heard(from: string, n: number, ids: Iterable<ObjectId>): void;
  /** The objects that this page's unsaved edits touched. */
  own(): ReadonlySet<ObjectId>;
  /** Those, and what was heard from others and may not be in the row. */
  all(): ReadonlySet<ObjectId>;
  /** Whether somebody who is not here any more left changes that the row may not hold. */
  orphaned(isHere: (clientId: string) => boolean): boolean;
  /** The row holds everything that was noted up to this moment. */
  savedUpTo(moment: number): void;
  /** The row holds what this other page had sent up to its n-th update. */
  savedBy(from: string, n: number): void;
  /** Forgets the objects that the row is known to hold as they are now. */
  settle(isInRow: (id: ObjectId) => boolean): void;
}

interface Heard {
  readonly from: string;
  readonly n: number;
  readonly moment: number;
}

export function createUnsaved(): Unsaved {
  let moment = 0;
  const touched = new Map<ObjectId, number>();
  const edits = new Map<number, ReadonlySet<ObjectId>>();
  const others = new Map<ObjectId, Heard>();
  let own: ReadonlySet<ObjectId> | undefined;

  const forgetOthers = (isDone: (heard: Heard, id: ObjectId) => boolean): void => {
    for (const [id, heard] of others) if (isDone(heard, id)) others.delete(id);
  };

  return {
    get changes() {
      return edits.size;
    },
    get moment() {
      return moment;
    },
    edited(ids) {
      const all = new Set(ids);
      moment += 1;
      edits.set(moment, all);
      for (const id of all) touched.set(id, moment);
      own = undefined;
    },
    isPending: (edit) => edits.has(edit),
    heard(from, n, ids) {
      moment += 1;
      for (const id of ids) others.set(id, { from, n, moment });
    },
    own: () => (own ??= new Set(touched.keys())),
    all: () => new Set([...touched.keys(), ...others.keys()]),
    orphaned(isHere) {
      for (const heard of others.values()) if (!isHere(heard.from)) return true;
      return false;
    },
    savedUpTo(until) {
      for (const edit of edits.keys()) if (edit <= until) edits.delete(edit);
      for (const [id, last] of touched) if (last <= until) touched.delete(id);
      forgetOthers((heard) => heard.moment <= until);
      own = undefined;
    },
    savedBy(from, n) {
      forgetOthers((heard) => heard.from === from && heard.n <= n);
    },
    settle(isInRow) {
      for (const id of touched.keys()) if (isInRow(id)) touched.delete(id);
      for (const [edit, ids] of edits)
        if (![...ids].some((id) => touched.has(id))) edits.delete(edit);
      forgetOthers((_, id) => isInRow(id));
      own = undefined;
    },
  };
}
