/** Presence in a crowd: the server counts who is online and lists the first ones, instead of sending everybody. */

import { parseSummary } from "../../../board/presence-summary.ts";
import type { CrowdSlot, Parts } from "../wiring.ts";
import { isComplete, type Presence } from "../presence/peers.ts";

/**
 * Milliseconds. A client that draws saves 60 s after its first change at the latest: one that is not listed, and whose
 * changes are not saved for longer, counts as gone.
 */
const GONE_AFTER = 70_000;
/** Milliseconds, times a random part of the number online: one client that saves for it is enough. */
const SPREAD = 2_000;

const prepared = new WeakSet<CrowdSlot>();

/** What a summary says; what was known before, when it says nothing. */
export function readCrowd(parts: Parts, summary: unknown): Presence {
  if (!prepared.has(parts.crowd)) {
    prepared.add(parts.crowd);
    watchUnlisted(parts);
  }
  const before = parts.presence.get();
  const parsed = parseSummary(summary);
  if (!parsed.ok) return before;
  const { online, plain, people } = parsed.value;
  const peers = people
    ? new Map(people.flatMap(([id, name]) => (id === parts.clientId ? [] : [[id, name]])))
    : before.peers;
  return { online: Math.max(1, online), peers, allPartial: plain === 0 };
}

/** Nobody says when a client leaves that is not listed: its time runs from its first change that is not saved. */
function watchUnlisted({
  env,
  crowd,
  crowdTimer,
  presence,
  replica,
  saver,
  isOnline,
}: Parts): void {
  const { clock, random } = env;
  const { pending } = replica;
  const unsavedSince = new Map<string, number>();
  pending.onSaved(() => unsavedSince.clear());
  const check = (): void => {
    if (pending.hasOrphans(isOnline)) saver.saveNow();
  };
  crowd.isOnline = (clientId) => {
    const now = presence.get();
    if (isComplete(now)) return false;
    const since = unsavedSince.get(clientId) ?? clock.now();
    unsavedSince.set(clientId, since);
    if (!crowdTimer.isSet) crowdTimer.set(GONE_AFTER + SPREAD * now.online * random(), check);
    return clock.now() - since < GONE_AFTER;
  };
}
