/** The people who are online, as the page lists them. */

import { colorOf, labelOf, nameOf } from "../../../board/peer-label.ts";
import type { Peers } from "../../sync/presence/peers.ts";

/** One peer in the list. */
export interface PersonRow {
  readonly clientId: string;
  readonly name: string;
  /** #rrggbb. */
  readonly color: string;
}

/** In the order of the browser's language; "Visitor 2" stands before "Visitor 10". */
const names = new Intl.Collator(undefined, { numeric: true });

/** The peers by name, then by clientId. */
export function personRows(peers: Peers): PersonRow[] {
  return [...peers]
    .map(([clientId, name]) => ({
      clientId,
      name: nameOf({ clientId, name }),
      color: colorOf(clientId),
    }))
    .sort((a, b) => names.compare(a.name, b.name) || compare(a.clientId, b.clientId));
}

const TABS = ["", "", "two", "three", "four", "five", "six", "seven", "eight", "nine"];

/** What stands beside one's own name: "you", or "you, in two tabs" where so many pages of this browser are online. */
export function ownNote(tabs: number): string {
  return tabs < 2 ? "you" : `you, in ${TABS[tabs] ?? tabs} tabs`;
}

/** How this page is shown to the others without a name. */
export function ownRow(clientId: string): PersonRow {
  return { clientId, name: labelOf(clientId), color: colorOf(clientId) };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
