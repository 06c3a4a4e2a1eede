/** The host's link, taken out of the page's address and stored on this device. */

import type { BoardLink } from "../../sync/environment/board-link.ts";
import { prefer, preference } from "../kit/preferences.ts";

type Kind = BoardLink["kind"];

const FRAGMENT = /^#(host|draw)=([\w-]{20,100})$/;

/**
 * Takes a link out of the address immediately, so that nobody reads it there and no copy of the address contains it. One
 * that is opened later in an existing page restarts it.
 */
export function followBoardLinks(): void {
  const [, kind, secret = ""] = FRAGMENT.exec(location.hash) ?? [];
  if (kind) {
    // Anybody may post a link: it takes the place of a known one only when the backend knows it (`keep`).
    prefer(kind as Kind, secret, !preference(kind as Kind));
    history.replaceState(history.state, "", location.pathname + location.search);
  }
  addEventListener("hashchange", () => {
    if (FRAGMENT.test(location.hash)) location.reload();
  });
}

/** The link of this page, a host's in preference to a drawing link; undefined without one. */
export function boardLink(): BoardLink | undefined {
  const kind = preference("host") ? "host" : "draw";
  const secret = preference(kind);
  return secret ? { kind, secret, keep: () => prefer(kind, preference(kind)) } : undefined;
}
