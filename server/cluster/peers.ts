/** What is known of the other processes. Pure: messages and times in, presence changes out. */

import { apply, difference, lists, type Entries } from "./entries.ts";
import type { PresenceChange, PresenceMeta, PresenceMetas } from "./port.ts";

interface PeerTopic {
  version: number;
  /** A change did not follow on what was known; until the snapshot comes, a further one does not ask again. */
  lost: boolean;
  entries: Entries;
}

interface Peer {
  receivedAt: number;
  readonly topics: Map<string, PeerTopic>;
}

export interface TopicChange {
  readonly topic: string;
  readonly change: PresenceChange;
}

export class Peers {
  readonly #peers = new Map<string, Peer>();

  /** A message of a process was received; `now` in milliseconds. */
  received(process: string, now: number): void {
    const peer = this.#peers.get(process);
    if (peer === undefined) this.#peers.set(process, { receivedAt: now, topics: new Map() });
    else peer.receivedAt = now;
  }

  /** All presences that a process has in a topic. */
  snapshot(
    process: string,
    topic: string,
    state: { version: number; metas: PresenceMetas },
  ): PresenceChange | null {
    const known = this.#topic(process, topic);
    if (known === undefined) return null;
    const entries: Entries = new Map();
    apply(entries, { joins: state.metas, leaves: new Map() });
    const change = difference(known.entries, entries);
    known.version = state.version;
    known.lost = false;
    known.entries = entries;
    return change;
  }

  /** Returns "ask" when the change does not follow on what is known, and null when that was returned already. */
  change(
    process: string,
    topic: string,
    step: { version: number; change: PresenceChange },
  ): PresenceChange | "ask" | null {
    const known = this.#topic(process, topic);
    if (known === undefined) return null;
    if (step.version !== known.version + 1) {
      if (known.lost) return null;
      known.lost = true;
      return "ask";
    }
    known.version = step.version;
    apply(known.entries, step.change);
    return step.change;
  }

  #topic(process: string, topic: string): PeerTopic | undefined {
    const peer = this.#peers.get(process);
    if (peer === undefined) return undefined;
    let known = peer.topics.get(topic);
    if (known === undefined) {
      known = { version: 0, lost: false, entries: new Map() };
      peer.topics.set(topic, known);
    }
    return known;
  }

  /** Compares what is known of a process with its heartbeat, for the topics of `joined`. */
  compare(
    process: string,
    versions: ReadonlyMap<string, number>,
    joined: Iterable<string>,
  ): { readonly gone: readonly TopicChange[]; readonly ask: readonly string[] } {
    const gone: TopicChange[] = [];
    const ask: string[] = [];
    for (const topic of joined) {
      const known = this.#peers.get(process)?.topics.get(topic);
      const version = versions.get(topic);
      if (version !== undefined && version !== (known?.version ?? 0)) ask.push(topic);
      if (version !== undefined || known === undefined) continue;
      gone.push(...departure(topic, known.entries));
      this.#peers.get(process)?.topics.delete(topic);
    }
    return { gone, ask };
  }

  /** Forgets a process; returns the departures of its presences. */
  remove(process: string): readonly TopicChange[] {
    const peer = this.#peers.get(process);
    this.#peers.delete(process);
    return [...(peer?.topics ?? [])].flatMap(([topic, { entries }]) => departure(topic, entries));
  }

  /** Processes of which nothing was received since `before`. */
  silent(before: number): readonly string[] {
    return [...this.#peers]
      .filter(([, peer]) => peer.receivedAt < before)
      .map(([process]) => process);
  }

  /** This process has left the topic: the presences of other processes there are no longer followed. */
  forget(topic: string): void {
    for (const peer of this.#peers.values()) peer.topics.delete(topic);
  }

  presence(topic: string): PresenceMetas {
    const all = new Map<string, PresenceMeta[]>();
    for (const peer of this.#peers.values())
      for (const [key, metas] of peer.topics.get(topic)?.entries ?? [])
        all.set(key, [...(all.get(key) ?? []), ...metas.values()]);
    return all;
  }
}

function departure(topic: string, entries: Entries): readonly TopicChange[] {
  return entries.size === 0
    ? []
    : [{ topic, change: { joins: new Map(), leaves: lists(entries) } }];
}
