/** Finds the page with which a person returns whose page has left: a reload, or another tab of theirs. */

import type { Controller } from "../controller/controller.ts";

type Presence = ReturnType<Controller["presence"]["get"]>;

/**
 * Returns the client of the person whose page `left`: one that names that page as one of its browser, or else one that
 * was not online `before` and has the name that the person chose. Both are claims. Undefined: nobody has returned yet.
 */
export function returnedAs(left: string, before: Presence, now: Presence): string | undefined {
  const name = before.peers.get(left);
  const ids = [...now.peers.keys()];
  return (
    ids.find((id) => now.tabs?.get(id)?.includes(left)) ??
    ids.find((id) => name && now.peers.get(id) === name && !before.peers.has(id))
  );
}
