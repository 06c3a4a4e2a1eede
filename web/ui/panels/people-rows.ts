/** The people who are online, as the page lists them. */

import { colorOf, labelOf, nameOf } from "../../../board/peer-label.ts";
import type { Peers, Tabs } from "../../sync/presence/peers.ts";
import { plural, t, type Text } from "../language/text.ts";

/** One person in the list. */
export interface PersonRow {
  /** The clientId under which the person is known here: the first of their pages. */
  readonly clientId: string;
  /** The clientIds of all their pages. */
  readonly clientIds: readonly string[];
  readonly name: string;
  /** The colour, #rrggbb. */
  readonly color: string;
}

/** Returns the pages of each client's browser that are online: those of which both say so. */
export function mutualTabs(claimed: Tabs = new Map()): Tabs {
  const tabs = new Map<string, readonly string[]>();
  for (const [key, named] of claimed) {
    const mutual = named.filter((tab) => tab !== key && claimed.get(tab)?.includes(key));
    if (mutual.length > 0) tabs.set(key, mutual);
  }
  return tabs;
}

/** Compares names in the order of the browser's language, in which "Visitor 2" precedes "Visitor 10". */
const names = new Intl.Collator(undefined, { numeric: true });

/**
 * Returns the peers by name, then by clientId; pages of one browser (`tabs`) are one person, with the name that one
 * of them has.
 */
export function personRows(peers: Peers, tabs: Tabs = new Map()): PersonRow[] {
  const listed = new Set<string>();
  const rows: PersonRow[] = [];
  for (const clientId of [...peers.keys()].sort(compare)) {
    if (listed.has(clientId)) continue;
    const siblings = (tabs.get(clientId) ?? []).filter((tab) => peers.has(tab) && !listed.has(tab));
    const clientIds = [clientId, ...siblings];
    for (const tab of clientIds) listed.add(tab);
    const name = clientIds.map((tab) => peers.get(tab)).find(Boolean);
    rows.push({
      ...{ clientId, clientIds },
      name: nameOf({ clientId, name }),
      color: colorOf(clientId),
    });
  }
  return rows.sort((a, b) => names.compare(a.name, b.name) || compare(a.clientId, b.clientId));
}

/** The notes about pages of one browser, of which the first two are empty. */
const TABS = [
  "",
  "",
  "in two tabs",
  "in three tabs",
  "in four tabs",
  "in five tabs",
  "in six tabs",
  "in seven tabs",
  "in eight tabs",
  "in nine tabs",
] as const satisfies readonly (Text | "")[];

/** Returns the note beside a name: "in two tabs" where so many pages of one browser are online, otherwise nothing. */
export function tabsNote(tabs: number): string {
  if (tabs < 2) return "";
  const text = TABS[tabs];
  return text ? t(text) : plural(tabs, "in {count} tabs", "in {count} tabs");
}

/** Returns the row of this page as others see it without a name. */
export function ownRow(clientId: string): PersonRow {
  return { clientId, clientIds: [clientId], name: labelOf(clientId), color: colorOf(clientId) };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
