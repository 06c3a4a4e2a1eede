/** The host's link, taken out of the page's address and stored on this device. */

import type { BoardLink } from "../../sync/environment/board-link.ts";
import { prefer, preference } from "../kit/preferences.ts";

const FRAGMENT = /^#(host|draw)=([\w-]{20,100})$/;

/** Takes a link out of the address immediately, so that nobody reads it there and no copy of the address contains it. */
export function takeBoardLink(): void {
  const [, kind, secret = ""] = FRAGMENT.exec(location.hash) ?? [];
  if (kind === undefined) return;
  prefer(kind === "host" ? "host" : "draw", secret);
  history.replaceState(history.state, "", location.pathname + location.search);
}

/** Takes the link of the address, and those opened later in an existing page, which then restarts. */
export function followBoardLinks(): void {
  takeBoardLink();
  addEventListener("hashchange", () => {
    if (!FRAGMENT.test(location.hash)) return;
    takeBoardLink();
    location.reload();
  });
}

/** The link of this device, a host's in preference to a drawing link; undefined without one. */
export function boardLink(): BoardLink | undefined {
  for (const kind of ["host", "draw"] as const) {
    const secret = preference(kind, true);
    if (secret !== "") return { kind, secret };
  }
  return undefined;
}
