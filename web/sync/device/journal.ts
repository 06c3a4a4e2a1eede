/**
 * The journal: this page's pending edits, kept on this device, so that a killed tab or a closed laptop
 * loses nothing. Each edit is written when it is made and removed when the row contains it.
 */

import { isObjectId } from "../../../board/author.ts";
import { idsOf } from "../../../board/compare.ts";
import type { ObjectId } from "../../../board/drawing.ts";
import { toPartial } from "../../../board/encode.ts";
import { parseDrawing } from "../../../board/parse.ts";
import type { Environment } from "../environment/environment.ts";
import type { JournalKey, JournalStore } from "../environment/device-stores.ts";
import type { Replica } from "../replica/replica.ts";
import { createTimer } from "../environment/timing.ts";

export interface Journal {
  /** False while this device cannot keep what is written. */
  readonly working: boolean;
  /**
   * Resolves when the entries of earlier pages are on the board, and what another page of this device has sent of this
   * page's edits counts as sent. A device that does not respond within 3 s must not keep the board from being shown:
   * that happens later then.
   */
  readonly ready: () => Promise<void>;
  /**
   * Writes an edit of this page that was just made and noted as pending. `isSent`: it is about to be sent and is written
   * as sent now, since a message that is never sent is no worse than one that is lost on its way.
   */
  readonly write: (ids: Iterable<ObjectId>, isSent?: boolean) => Promise<void>;
  /** Removes the entries whose edits are no longer pending: the row contains more. */
  readonly saved: () => void;
  /** Writes entries again as sent: there are fewer unsent objects. */
  readonly sent: () => void;
  /** Merges the entries of earlier pages; from now on they count as this page's edits. */
  readonly takeOver: () => Promise<void>;
  /** Resolves when everything is written. */
  readonly close: () => Promise<void>;
}

export interface JournalDependencies {
  readonly store: JournalStore;
  /** This page's clientId. */
  readonly page: string;
  readonly replica: Replica;
  readonly env: Environment;
}

const READ_LIMIT = 3_000;

/** The journal of one page. */
export function createJournal({ store, page, replica, env }: JournalDependencies): Journal {
  const { board, pending } = replica;
  /** The revision of each entry's edit. */
  const entries = new Map<JournalKey, number>();
  /** The entries whose text names unsent objects, with the drawing that is written when these are sent. */
  const unsentEntries = new Map<JournalKey, { unsent: readonly ObjectId[]; drawing: object }>();
  const limit = createTimer(env.clock);
  let number = 0;
  let takenOver = Promise.resolve();

  const note = (key: JournalKey, unsent: readonly ObjectId[], drawing: object): void => {
    entries.set(key, pending.revision);
    if (unsent.length > 0) unsentEntries.set(key, { unsent, drawing });
  };
  const mergeEntries = async (): Promise<void> => {
    for (const { key, text } of await store.read()) {
      if (key[0] === page) continue;
      const parsed = parseDrawing(text);
      if (!parsed.ok || !parsed.partial) {
        // The entry is kept: another version of this page may be able to read it.
        env.log.warn("An unsaved change of this device cannot be read");
        continue;
      }
      replica.takeOver(parsed.drawing);
      const { unsent, drawing } = unsentOf(text);
      pending.addEdit(idsOf(parsed.drawing), unsent);
      note(key, unsent, drawing);
    }
  };
  /** A page that took entries over writes them as sent when it sends them, and removes them when they are saved. */
  const noteSent = async (): Promise<void> => {
    const ids = [...unsentEntries.values()].flatMap((entry) => entry.unsent);
    if (ids.length === 0 || !store.working) return;
    const unsent = new Set((await store.read()).flatMap(({ text }) => unsentOf(text).unsent));
    if (store.working) pending.markSent(ids.filter((id) => !unsent.has(id)));
  };

  return {
    get working() {
      return store.working;
    },
    ready() {
      const expired = new Promise<void>((resolve) => limit.set(READ_LIMIT, resolve));
      return Promise.race([takenOver.then(noteSent), expired]).then(limit.clear, limit.clear);
    },
    write(ids, isSent = false) {
      const key: JournalKey = [page, ++number];
      const drawing = toPartial(board, ids);
      const unsent = isSent ? [] : [...ids].filter((id) => pending.unsentIds().has(id));
      note(key, unsent, drawing);
      return store.write({ key, text: JSON.stringify({ ...drawing, unsent }) });
    },
    saved() {
      const saved = [...entries]
        .filter(([, revision]) => !pending.isPending(revision))
        .map(([key]) => key);
      for (const key of saved) {
        entries.delete(key);
        unsentEntries.delete(key);
      }
      store.remove(saved);
    },
    sent() {
      for (const [key, { unsent, drawing }] of unsentEntries) {
        if (unsent.some((id) => pending.unsentIds().has(id))) continue;
        unsentEntries.delete(key);
        void store.write({ key, text: JSON.stringify(drawing) });
      }
    },
    takeOver: () => (takenOver = mergeEntries()),
    close() {
      limit.clear();
      return store.close();
    },
  };
}

/**
 * Returns the objects of an entry that its page made and did not send, which have a field of their own, and the
 * drawing. Both are empty where the text is of another version and cannot be read.
 */
function unsentOf(text: string): { unsent: readonly ObjectId[]; drawing: object } {
  let entry: unknown = null;
  try {
    entry = JSON.parse(text);
  } catch {
    // The entry is kept as it is.
  }
  const { unsent, ...drawing } = (entry ?? {}) as { readonly unsent?: unknown };
  return { unsent: Array.isArray(unsent) ? unsent.filter(isObjectId) : [], drawing };
}
