/** What follows from the lock of the board. */

import { EVENTS } from "../../board/messages.ts";
import type { SyncClient } from "./port.ts";
import type { wire } from "./wiring.ts";

type Wired<Name extends keyof ReturnType<typeof wire>> = Pick<ReturnType<typeof wire>, Name>;

/** What is pending when a board opens again is saved at once; meanwhile the journal has it. Returns what the page sees. */
export function followLock(
  given: Wired<"lock" | "saver" | "replica" | "notices" | "backend">,
): Pick<SyncClient, "locked" | "blocked" | "host" | "checkLock"> {
  const { lock, saver, replica, notices, backend } = given;
  const { locked, blocked, check: checkLock } = lock;
  backend.mayDraw.subscribe(() => notices.emit({ kind: "void-link" }));
  blocked.subscribe(() => {
    const { count } = replica.pending;
    if (blocked.get() || count === 0) return;
    saver.saveNow();
    notices.emit({ kind: "opened", count });
  });
  return { locked, blocked, host: backend.host, checkLock };
}

/**
 * A backend that cannot guard its channel passes drawings of a locked board on: there the row alone counts, and no
 * peer says what of it need not be read.
 */
export function receiveBroadcasts({
  lock,
  announces,
  receiver,
}: Wired<"lock" | "announces" | "receiver">): (event: string, payload: unknown) => void {
  return (event, payload) => {
    if (event === EVENTS.settings) lock.check();
    // Only a backend that guards its channel lets nobody but hosts say that something was taken back.
    else if (announces || (event !== EVENTS.takenBack && !lock.locked.get()))
      receiver.receive(event, payload);
  };
}
