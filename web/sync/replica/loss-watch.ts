/** Notices when changes of others take away much of the board, and who sent them. */

import { type Board, countObjects } from "../../../board/board.ts";
import type { BoardChanges } from "../../../board/drawing.ts";
import {
  addLosses,
  areGreat,
  LOSS_WINDOW,
  NO_LOSSES,
  OFFER_TIME,
  type Losses,
} from "../../../board/losses.ts";

/** The sender of an update. */
export interface Sender {
  readonly clientId: string;
  /** It says that it cleared the board. */
  readonly cleared?: true;
  /** It knows nothing of merging. */
  readonly isPlain?: true;
}

export interface GreatLosses {
  readonly losses: Losses;
  readonly cleared: boolean;
  /** The clientId of whoever sent all of these changes; null when they came from several, or with the row. */
  readonly by: string | null;
}

export interface LossWatch {
  /** A change from elsewhere was applied to the board, which had `total` objects before; with the row without a sender. */
  add(changes: BoardChanges, total: number, sender: Sender | undefined): void;
  /** The losses so far were taken back. */
  forget(): void;
}

/**
 * Calls `emit` when losses are great or said to be a clear, and again while they go on, always with all of them: for
 * `OFFER_TIME` from the first one on, later losses, however few, do not take the place of those that are offered.
 */
export function createLossWatch(
  board: Board,
  now: () => number,
  emit: (losses: GreatLosses) => void,
): LossWatch {
  let losses = NO_LOSSES;
  let by: string | null = null;
  let offered = false;
  return {
    add(changes, total, sender) {
      const before = losses;
      losses = addLosses(before, changes, total, now(), offered ? OFFER_TIME : LOSS_WINDOW);
      const goesOn = losses.since === before.since;
      if (!goesOn) offered = false;
      if (losses.lost.size <= (goesOn ? before.lost.size : 0)) return;
      const clientId = sender?.clientId ?? null;
      by = goesOn && by !== clientId ? null : clientId;
      const cleared = sender?.cleared === true;
      if (!cleared && !areGreat(losses)) return;
      offered = true;
      emit({ losses, cleared: cleared || countObjects(board) === 0, by });
    },
    forget() {
      losses = NO_LOSSES;
      offered = false;
    },
  };
}
