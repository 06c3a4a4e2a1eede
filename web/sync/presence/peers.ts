/** Peers: who is online, by the presence state of the channel. */

import { type PresenceMeta, parsePresence } from "../../../board/presence.ts";
import type { PresenceState } from "../environment/backend.ts";

export interface Presence {
  /** The number of presence keys, this client's own included; 1 before the first sync, since this client is online. */
  readonly online: number;
  /** The clientIds of the peers, each with the name that it gave itself; in a crowd those of the first ones. */
  readonly peers: Peers;
  /** Whether every peer understands partial drawings. */
  readonly allPartial: boolean;
}

/** Whether `peers` are all who are online; in a crowd they are the first ones. */
export const isComplete = ({ online, peers }: Presence): boolean => online <= peers.size + 1;

export type Peers = ReadonlyMap<string, string | undefined>;

/** No peer is online. */
export const ALONE: Presence = { online: 1, peers: new Map(), allPartial: true };

/** `own` is this client's key. An entry that cannot be read counts as one of a plain client. */
export function readPresence(state: PresenceState, own: string): Presence {
  const peers = new Map<string, string | undefined>();
  let allPartial = true;
  for (const [key, entries] of state) {
    if (key === own) continue;
    const metas = entries.map((entry) => parsePresence(entry));
    if (!metas.every((meta) => meta.ok && meta.value.partial)) allPartial = false;
    peers.set(key, metas.map((meta) => (meta.ok ? meta.value.name : undefined)).find(Boolean));
  }
  return { online: Math.max(1, state.size), peers, allPartial };
}

/** The presence that this client tracks. `since` in milliseconds since 1970. */
export function ownPresence(since: number, name?: string): PresenceMeta {
  return { online_at: new Date(since).toISOString(), partial: true, ...(name && { name }) };
}
