/** What follows from the lock of the board. */

import { EVENTS } from "../../board/messages.ts";
import type { wire } from "./wiring.ts";

/** What is pending when a board opens again is saved at once; meanwhile the journal has it. */
export function followLock(
  wired: Pick<ReturnType<typeof wire>, "lock" | "saver" | "replica" | "notices" | "backend">,
): void {
  const { lock, saver, replica, notices, backend } = wired;
  const { pending } = replica;
  backend.mayDraw.subscribe(() => notices.emit({ kind: "void-link" }));
  lock.blocked.subscribe(() => {
    if (lock.blocked.get()) return;
    const { count } = pending;
    if (count === 0) return;
    saver.saveNow();
    notices.emit({ kind: "opened", count });
  });
}

/** A backend that cannot guard its channel passes drawings of a locked board on: there the row alone counts, and no peer says what of it need not be read. */
export function receiveBroadcast(
  { lock, announces, receiver }: Pick<ReturnType<typeof wire>, "lock" | "announces" | "receiver">,
  event: string,
  payload: unknown,
): void {
  if (event === EVENTS.settings) return lock.check();
  if (lock.locked.get() && !announces) return;
  receiver.receive(event, payload);
}
