/**
 * The save rota: a save costs as much as the board is large, and contains what everybody drew. On a large board with
 * many who draw the pages save in rotation: one saves, and the others find their edits in the row. A peer that says
 * that it saved postpones the others' saves, at most until their own edits have waited for SAVE_CEILING.
 */

import { LIMITS } from "../../../board/constants.ts";
import type { Clock } from "../environment/environment.ts";
import type { UpdateRate } from "../presence/update-rate.ts";
import type { PendingEdits } from "../replica/pending-edits.ts";
import type { SharedRow } from "./row.ts";
import { SAVE_CEILING, type Wait } from "./schedule.ts";

/** The pages save in rotation on a drawing of so many bytes, while so many people draw. */
const LARGE = 1_000_000;
const MANY = 4;
/** Bytes per second that the saves of all pages together write. */
const BYTES_PER_SECOND = 350_000;
/** The next page begins this part of the interval later when the one before it did not save, and so many milliseconds at least. */
const STAGGER = { part: 1 / 4, min: 2_000 };
/** Milliseconds between the reads of the pages that look whether a save contains their edits. */
const READ_GAP = 500;
/** Milliseconds: a save grows the drawing and so the interval, as a page finds that reads the row when its own save is due. */
const SLACK = 1_000;
/** A page looks at the row at most once in so many milliseconds because peers say that they saved. */
const LOOK_INTERVAL = 3_000;

/** The save rota: it says which of many clients that draw on a large board saves for all, and when. */
export interface SaveRota {
  /** Notes an edit of this page, made here or taken over from an earlier page. */
  edited(): void;
  /** Returns the time at which a save that is due may begin. */
  dueOf(wait: Wait): number;
  /** After a read, which showed that something still waits for a save: whether this page may write it now. `lost`: another client saved just now. */
  mayWrite(wait: Wait, lost: boolean): boolean;
  /** Returns the time since which the oldest unsaved edit waits. */
  sinceOf(wait: Wait): number;
  /** A client saved: this one, or a peer, as it says. */
  saved(clientId: string): void;
}

export interface SaveRotaDependencies {
  readonly clientId: string;
  readonly pending: PendingEdits;
  readonly row: Pick<SharedRow, "bytes">;
  readonly rate: UpdateRate;
  readonly clock: Clock;
  readonly isOnline: (clientId: string) => boolean;
}

type NotedEdit = readonly [revision: number, at: number];

function forgetSaved(edits: NotedEdit[], pending: PendingEdits): void {
  for (let [first] = edits; first && !pending.isPending(first[0]); [first] = edits) edits.shift();
}

/** Nobody has saved yet. */
export function createSaveRota(dependencies: SaveRotaDependencies): SaveRota {
  const { clientId, pending, row, rate, isOnline } = dependencies;
  const { now } = dependencies.clock;
  /** When each edit was made that may be unsaved, the oldest first. */
  const edits: NotedEdit[] = [];
  let changedAt = now();
  let savedAt = Number.NEGATIVE_INFINITY;
  let savedBy = "";
  /** When a peer first said that it saved, and can have saved this page's last edit, since this page last looked at the row. */
  let claimedAt: number | null = null;
  let lookedAt = Number.NEGATIVE_INFINITY;
  /** When each peer was last seen to draw, and when they were last many. */
  const drewAt = new Map<string, number>();
  let crowdedAt = Number.NEGATIVE_INFINITY;

  const sinceOf = ({ since }: Wait): number => {
    forgetSaved(edits, pending);
    return edits[0]?.[1] ?? since;
  };
  /**
   * This client and those who draw, in order; with those who did so in the last minute where they were many then. All
   * pages have the same rota, whichever of the peers stops first.
   */
  const drawingPages = (): string[] => {
    // Asking for the interval forgets who draws no more.
    rate.interval();
    for (const [id, at] of rate.senders) drewAt.set(id, at);
    for (const [id, at] of drewAt) if (now() - at >= SAVE_CEILING) drewAt.delete(id);
    const drawing = [...rate.senders.keys()].filter(isOnline);
    if (drawing.length + 1 >= MANY) crowdedAt = now();
    const isCrowded = now() - crowdedAt < SAVE_CEILING;
    return [clientId, ...(isCrowded ? [...drewAt.keys()].filter(isOnline) : drawing)].sort();
  };
  const rankIn = (pages: readonly string[]): number => rankOf(clientId, pages, savedBy);
  /** Whether a save of this time can contain this page's last edit: peers have been sent it. */
  const isAfterEdits = (at: number): boolean => at > changedAt + rate.interval();
  const dueOf = (wait: Wait): number => {
    const { due, atOnce } = wait;
    if (atOnce || row.bytes < LARGE) return due;
    const pages = drawingPages();
    if (pages.length < MANY) return due;
    const interval = Math.max(LIMITS.saveDebounce, (1000 * row.bytes) / BYTES_PER_SECOND);
    const rank = rankIn(pages);
    // Whoever has nothing to save lets nobody wait.
    const unsaved = pending.unsavedPeers();
    const unsavedRank = rankIn(pages.filter((id) => id === clientId || unsaved.has(id)));
    const latest = sinceOf(wait) + (SAVE_CEILING * (2 + rank / pages.length)) / 3;
    const next =
      claimedAt !== null && isAfterEdits(claimedAt)
        ? Math.max(claimedAt + rank * READ_GAP, changedAt + interval, lookedAt + LOOK_INTERVAL)
        : Math.max(savedAt + interval, due) +
          unsavedRank * Math.max(STAGGER.min, STAGGER.part * interval);
    return Math.min(latest, next);
  };

  return {
    edited() {
      changedAt = now();
      // Where few draw nobody asks since when they wait.
      forgetSaved(edits, pending);
      edits.push([pending.revision, changedAt]);
    },
    dueOf,
    sinceOf,
    mayWrite(wait, lost) {
      claimedAt = null;
      lookedAt = now();
      if (lost) savedAt = lookedAt;
      return dueOf(wait) - SLACK <= lookedAt;
    },
    saved(by) {
      savedAt = now();
      savedBy = by;
      if (by === clientId) claimedAt = null;
      else if (claimedAt === null || !isAfterEdits(claimedAt)) claimedAt = savedAt;
    },
  };
}

/**
 * Counts the pages that precede a client in the rota. The client that saved last need not read the row first: it
 * begins, or where it has left the next one.
 */
function rankOf(clientId: string, pages: readonly string[], savedBy: string): number {
  const next = pages.findIndex((id) => id >= savedBy);
  return (pages.indexOf(clientId) - Math.max(0, next) + pages.length) % pages.length;
}
