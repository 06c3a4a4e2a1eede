/** The peers that are online, by the presence state of the channel. */

import { MAX_TABS, type PresenceMeta, parsePresence } from "../../../board/presence.ts";
import type { PresenceState } from "../environment/backend.ts";

export interface Presence {
  /** The number of presence keys, this client's own included; 1 before the first sync, since this client is online. */
  readonly online: number;
  /** The clientIds of the peers, each with the name that it gave itself; in a crowd those of the first ones. */
  readonly peers: Peers;
  /** Whether every peer understands partial drawings. */
  readonly allPartial: boolean;
  /**
   * The pages that a client, this one included, says are or were of its browser, by clientId: whoever claims it alone
   * may be anybody. Absent where nobody says it.
   */
  readonly tabs?: Tabs;
}

export type Tabs = ReadonlyMap<string, readonly string[]>;

/** Whether `peers` are all who are online; in a crowd they are the first ones. */
export const isComplete = ({ online, peers }: Presence): boolean => online <= peers.size + 1;

export type Peers = ReadonlyMap<string, string | undefined>;

/** No peer is online. */
export const ALONE: Presence = { online: 1, peers: new Map(), allPartial: true };

/**
 * Whether anybody is online who was not (`some`), and the peers of whom that is certain (`joined`): whoever was online
 * before this client has not joined, nor, in a crowd, has one who is listed now and was not before.
 */
export function newcomersOf(before: Presence, now: Presence) {
  const listed = [...now.peers].filter(([id]) => !before.peers.has(id));
  const isCertain = before !== ALONE && isComplete(before) && isComplete(now);
  return {
    joined: isCertain ? listed : [],
    some: listed.length > 0 || now.online > before.online,
  };
}

/** `own` is this client's key. An entry that cannot be read counts as one of a plain client. */
export function readPresence(state: PresenceState, own: string): Presence {
  const peers = new Map<string, string | undefined>();
  const tabs = new Map<string, readonly string[]>();
  let allPartial = true;
  for (const [key, entries] of state) {
    const metas = entries.map((entry) => parsePresence(entry));
    const [first = [], ...rest] = metas.map((meta) => (meta.ok && meta.value.tabs) || []);
    // Anybody can come under the key of another client: only what all of them say is said by that client.
    const named = first.filter((tab) => rest.every((said) => said.includes(tab)));
    if (named.length > 0) tabs.set(key, named);
    if (key === own) continue;
    if (!metas.every((meta) => meta.ok && meta.value.partial)) allPartial = false;
    peers.set(key, metas.map((meta) => (meta.ok ? meta.value.name : undefined)).find(Boolean));
  }
  return { online: Math.max(1, state.size), peers, allPartial, ...(tabs.size > 0 && { tabs }) };
}

/** The presence that this client tracks. `since` in milliseconds since 1970. */
export function ownPresence(
  since: number,
  name?: string,
  tabs: readonly string[] = [],
): PresenceMeta {
  return {
    online_at: new Date(since).toISOString(),
    partial: true,
    ...(name && { name }),
    ...(tabs.length > 0 && { tabs: tabs.slice(0, MAX_TABS) }),
  };
}
