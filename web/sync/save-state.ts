/** What the header tells of saving: the truth, as far as this page can know it. */

import type { SaveState } from "./port.ts";

export interface SaveFacts {
  /** The row was read. */
  readonly known: boolean;
  readonly saving: boolean;
  /** The backend answered when it was last asked. */
  readonly reached: boolean;
  /** This page's edits that are not in the row. */
  readonly changes: number;
  /** This device keeps them. */
  readonly kept: boolean;
}

export function saveStateOf({ known, saving, reached, changes, kept }: SaveFacts): SaveState {
  if (changes > 0) {
    if (saving) return { state: "saving" };
    // "Kept on this device" is said only where it is true.
    return reached || !kept ? { state: "unsaved", changes } : { state: "offline", changes };
  }
  if (known) return { state: "saved" };
  return reached || !kept ? { state: "loading" } : { state: "offline", changes };
}

export function sameSaveState(a: SaveState, b: SaveState): boolean {
  if (a.state !== b.state) return false;
  return "changes" in a && "changes" in b ? a.changes === b.changes : true;
}
