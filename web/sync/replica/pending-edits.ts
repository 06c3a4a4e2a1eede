/** Pending edits: what the row is not known to contain, of this page's own edits and of the changes that peers broadcast. */

import type { ObjectId } from "../../../board/drawing.ts";
import { createEmitter } from "../environment/signal.ts";

export interface PendingEdits {
  /** The number of this page's pending edits. */
  readonly count: number;
  /** Counts what was noted: a save that began at this revision contains everything noted so far. */
  readonly revision: number;
  /** One edit of this page: the objects that it touched, if any, and those of them that it made. It is known by the revision after it. */
  addEdit(ids: Iterable<ObjectId>, made?: Iterable<ObjectId>): void;
  /** Whether the edit of this revision is still pending. */
  isPending(revision: number): boolean;
  /** Objects that a peer changed; null: nobody who is there will save them. */
  addPeerUpdate(peer: string | null, ids: Iterable<ObjectId>): void;
  /** The objects that this page's pending edits touched. */
  ownIds(): ReadonlySet<ObjectId>;
  /** Objects that this page made and that no message and no save has contained yet: nobody else can have observed them. */
  unsentIds(): ReadonlySet<ObjectId>;
  /** A message or a save that contains these objects leaves this page, or a peer has shown that it has them. */
  markSent(ids: Iterable<ObjectId>): void;
  /** Called after there are fewer unsent objects. */
  onSent(listener: () => void): () => void;
  /** The objects that this page's pending edits touched, and those of peers' pending changes. */
  allIds(): ReadonlySet<ObjectId>;
  /** Counts all changes of peers as those of one that has left: whoever broadcast them may never save them. */
  orphanAll(): void;
  /** The peers that broadcast changes which the row may not contain. */
  unsavedPeers(): ReadonlySet<string>;
  /** Whether a peer that has left broadcast changes that the row may not contain. */
  hasOrphans(isOnline: (clientId: string) => boolean): boolean;
  /** The row contains everything that was noted up to this revision. */
  savedUpTo(revision: number): void;
  /** Forgets the objects that the row is known to contain as they are now. */
  settle(isInRow: (id: ObjectId) => boolean): void;
  /** Called after the row was found to contain more. */
  onSaved(listener: () => void): () => void;
}

interface PeerChange {
  readonly peer: string | null;
  readonly revision: number;
}

/** Nothing is pending. `onFault` gets what a listener throws. */
export function createPendingEdits(onFault?: (fault: unknown) => void): PendingEdits {
  let revision = 0;
  const touched = new Map<ObjectId, number>();
  const unsent = new Set<ObjectId>();
  const edits = new Map<number, ReadonlySet<ObjectId>>();
  const peerChanges = new Map<ObjectId, PeerChange>();
  const saved = createEmitter<void>(onFault);
  const sent = createEmitter<void>(onFault);
  let own: ReadonlySet<ObjectId> | undefined;

  const forgetPeerChanges = (isSaved: (change: PeerChange, id: ObjectId) => boolean): void => {
    for (const [id, change] of peerChanges) if (isSaved(change, id)) peerChanges.delete(id);
  };

  return {
    get count() {
      return edits.size;
    },
    get revision() {
      return revision;
    },
    addEdit(ids, made = []) {
      const all = new Set(ids);
      revision += 1;
      edits.set(revision, all);
      for (const id of all) touched.set(id, revision);
      for (const id of made) unsent.add(id);
      own = undefined;
    },
    isPending: (edit) => edits.has(edit),
    addPeerUpdate(peer, ids) {
      revision += 1;
      for (const id of ids) peerChanges.set(id, { peer, revision });
    },
    ownIds: () => (own ??= new Set(touched.keys())),
    unsentIds: () => unsent,
    markSent(ids) {
      const before = unsent.size;
      if (before === 0) return;
      for (const id of ids) unsent.delete(id);
      if (unsent.size < before) sent.emit();
    },
    allIds: () => new Set([...touched.keys(), ...peerChanges.keys()]),
    orphanAll() {
      for (const [id, change] of peerChanges) peerChanges.set(id, { ...change, peer: null });
    },
    unsavedPeers: () => new Set([...peerChanges.values()].flatMap(({ peer }) => peer ?? [])),
    hasOrphans(isOnline) {
      for (const { peer } of peerChanges.values())
        if (peer === null || !isOnline(peer)) return true;
      return false;
    },
    savedUpTo(until) {
      for (const edit of edits.keys()) if (edit <= until) edits.delete(edit);
      for (const [id, last] of touched) if (last <= until) touched.delete(id);
      forgetPeerChanges((change) => change.revision <= until);
      own = undefined;
      saved.emit();
    },
    settle(isInRow) {
      for (const id of touched.keys()) if (isInRow(id)) touched.delete(id);
      // One that touched no object (the background, a name) ends with a save alone.
      for (const [edit, ids] of edits)
        if (ids.size > 0 && ![...ids].some((id) => touched.has(id))) edits.delete(edit);
      forgetPeerChanges((_, id) => isInRow(id));
      own = undefined;
      saved.emit();
    },
    onSaved: saved.listen,
    onSent: sent.listen,
  };
}
