/** Consequences of the lock: a page that it blocks sends nothing, and saves what is pending when the board opens again. */

import type { Wired } from "./wiring.ts";

export function followLock(
  given: Wired<"lock" | "backend" | "replica" | "saver" | "notices" | "deviceCopy" | "outbox">,
): void {
  const { lock, backend, replica, saver, notices, deviceCopy, outbox } = given;
  /** The number of edits that wait for the save after the lock's end. */
  let count = 0;
  backend.mayDraw.subscribe(() => notices.emit({ kind: "void-link" }));
  lock.blocked.subscribe(() => {
    count = lock.blocked.get() ? 0 : replica.pending.count;
    if (count > 0) saver.saveNow();
  });
  saver.saving.subscribe(() => {
    if (saver.saving.get()) return;
    // The backend refuses those of a visitor whom the host has paused, which has a notice of its own.
    if (count > replica.pending.count) notices.emit({ kind: "opened", count });
    count = 0;
  });
  // What only this device's copy knows may have been removed since.
  for (const signal of [deviceCopy.shown, lock.blocked])
    signal.subscribe(() => outbox.setPaused(deviceCopy.shown.get() || lock.blocked.get()));
}
