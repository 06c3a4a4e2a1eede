/** What is known of the other processes. Pure: messages and times in, presence changes out. */

import { apply, difference, lists } from "./entries.ts";
import type { Entries } from "./entries.ts";
import type { PresenceChange, PresenceMeta, PresenceMetas } from "./port.ts";

interface PeerTopic {
  version: number;
  /** A change did not follow on what was known; until the snapshot comes, further ones do not ask again. */
  lost: boolean;
  entries: Entries;
}

interface Peer {
  heardAt: number;
  readonly topics: Map<string, PeerTopic>;
}

export interface TopicChange {
  readonly topic: string;
  readonly change: PresenceChange;
}

export class Peers {
  readonly #peers = new Map<string, Peer>();

  /** A process gave a sign of life; `now` in milliseconds. */
  heard(process: string, now: number): void {
    const peer = this.#peers.get(process);
    if (peer === undefined) this.#peers.set(process, { heardAt: now, topics: new Map() });
    else peer.heardAt = now;
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

  /** "ask" where the change does not follow on what is known; null where that was said already. */
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

  /** Compares with what a process says that it has, for the topics of `joined`. */
  compare(
    process: string,
    says: ReadonlyMap<string, number>,
    joined: Iterable<string>,
  ): { readonly gone: readonly TopicChange[]; readonly ask: readonly string[] } {
    const gone: TopicChange[] = [];
    const ask: string[] = [];
    for (const topic of joined) {
      const known = this.#peers.get(process)?.topics.get(topic);
      const version = says.get(topic);
      if (version !== undefined && version !== (known?.version ?? 0)) ask.push(topic);
      if (version !== undefined || known === undefined) continue;
      gone.push(...departure(topic, known.entries));
      this.#peers.get(process)?.topics.delete(topic);
    }
    return { gone, ask };
  }

  /** Forgets a process; what its presences leave behind. */
  remove(process: string): readonly TopicChange[] {
    const peer = this.#peers.get(process);
    this.#peers.delete(process);
    return [...(peer?.topics ?? [])].flatMap(([topic, { entries }]) => departure(topic, entries));
  }

  /** Processes that have given no sign of life since `before`. */
  silent(before: number): readonly string[] {
    return [...this.#peers].filter(([, peer]) => peer.heardAt < before).map(([process]) => process);
  }

  /** This process has left the topic: what the others have there is no longer followed. */
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
