/** The save state, which the header shows. */

import type { Journal } from "./device/journal.ts";
import { createSignal, type Signal } from "./environment/signal.ts";
import type { PendingEdits } from "./replica/pending-edits.ts";
import type { Resync } from "./saving/resync.ts";
import type { RowWatch } from "./saving/row-watch.ts";
import type { SharedRow } from "./saving/row.ts";
import type { Saver } from "./saving/saver.ts";

/** `changes`: how many edits of this page the row is not known to contain. */
export type SaveState =
  | { readonly state: "loading" }
  /** The row was not read; reading it is tried again by itself. */
  | { readonly state: "not-loaded" }
  /** The row contains something that this page cannot read; nothing is written over it. */
  | { readonly state: "unreadable" }
  | { readonly state: "saved" }
  | { readonly state: "saving" }
  /** Nothing is wrong: a save only waits for its time. */
  | { readonly state: "waiting"; readonly changes: number }
  /** A save failed, or a change waits for longer than a save may. */
  | { readonly state: "unsaved"; readonly changes: number }
  | { readonly state: "offline"; readonly changes: number };

/** The facts that the save state follows from. */
interface SaveFacts {
  /** True when the row, or its absence, was seen. */
  readonly known: boolean;
  /** True when the row has changed since, and this page has not read it yet. */
  readonly behind: boolean;
  /** True when the changed row may lack objects of the board: it is about to be read. */
  readonly inDoubt: boolean;
  readonly saving: boolean;
  /** A save failed and none has succeeded since, or a change waits for longer than a save may. */
  readonly overdue: boolean;
  /** True when the row cannot be read. */
  readonly unreadable: boolean;
  /** True when the last read of the row failed. */
  readonly failed: boolean;
  /** True when the backend was reached by the last call. */
  readonly reached: boolean;
  /** The number of this page's pending edits. */
  readonly changes: number;
  /** True when this device stores them. */
  readonly onDevice: boolean;
}

/** Returns the save state that follows from these facts, as far as this client can know it. */
export function saveStateOf(facts: SaveFacts): SaveState {
  const { known, unreadable, failed, saving, overdue, reached, changes, onDevice } = facts;
  if (unreadable) return { state: "unreadable" };
  if (changes > 0) {
    if (saving) return { state: "saving" };
    // "Kept on this device" is said only where it is true.
    if (!reached) return { state: onDevice ? "offline" : "unsaved", changes };
    return { state: overdue || failed ? "unsaved" : "waiting", changes };
  }
  const isDoubted = reached && (facts.inDoubt || (facts.behind && failed));
  if (known && !isDoubted) return { state: "saved" };
  if (failed && reached) return { state: "not-loaded" };
  return reached || !onDevice ? { state: "loading" } : { state: "offline", changes };
}

interface SaveStateDependencies {
  readonly row: SharedRow;
  readonly rowWatch: Pick<RowWatch, "behind" | "inDoubt">;
  readonly saver: Saver;
  readonly resync: Resync;
  readonly reached: Signal<boolean>;
  readonly pending: PendingEdits;
  readonly journal: Journal;
}

/** The save state as it changes. `update`: there are more or fewer pending edits. */
export function createSaveState(
  dependencies: SaveStateDependencies,
): Signal<SaveState> & { readonly update: () => void } {
  const { row, rowWatch, saver, resync, reached, pending, journal } = dependencies;
  const state = createSignal<SaveState>({ state: "loading" }, isSame);
  const update = (): void =>
    state.set(
      saveStateOf({
        known: row.known.get(),
        behind: rowWatch.behind.get(),
        inDoubt: rowWatch.inDoubt.get(),
        unreadable: row.unreadable.get(),
        failed: resync.failed.get(),
        saving: saver.saving.get(),
        overdue: saver.overdue.get() || saver.held.get(),
        reached: reached.get(),
        changes: pending.count,
        onDevice: journal.working,
      }),
    );
  const { saving, overdue, held } = saver;
  const { known, unreadable } = row;
  const { behind, inDoubt } = rowWatch;
  const ofRow = [known, unreadable, behind, inDoubt, resync.failed];
  for (const signal of [...ofRow, saving, overdue, reached, held]) signal.subscribe(update);
  return { get: state.get, subscribe: state.subscribe, update };
}

function isSame(a: SaveState, b: SaveState): boolean {
  if (a.state !== b.state) return false;
  return "changes" in a && "changes" in b ? a.changes === b.changes : true;
}
