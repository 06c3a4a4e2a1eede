/** The known state of the other processes. Pure: messages and times go in, presence changes come out. */

import { apply, difference, lists, type Entries } from "./entries.ts";
import type { PresenceChange, PresenceMeta, PresenceMetas } from "./port.ts";

interface PeerTopic {
  version: number;
  /** Whether a change did not follow the known ones; until the snapshot arrives, a further one does not ask again. */
  lost: boolean;
  entries: Entries;
}

interface Peer {
  receivedAt: number;
  /** The version of its list of topics; -1 before the first. */
  version: number;
  /** The process's topics. Presences are followed in those that this process has as well. */
  readonly topics: Map<string, PeerTopic>;
}

export interface TopicChange {
  readonly topic: string;
  readonly change: PresenceChange;
}

const NOTHING: readonly TopicChange[] = [];

export class Peers {
  readonly #peers = new Map<string, Peer>();

  /** The number of other processes. */
  get size(): number {
    return this.#peers.size;
  }

  /**
   * A message of a process was received; `now` in milliseconds. A process counts once it has written to this one
   * alone (`direct`): only a process that listens itself knows where to write.
   * @returns whether the process counts
   */
  received(process: string, now: number, direct: boolean): boolean {
    const peer = this.#peers.get(process);
    if (peer !== undefined) peer.receivedAt = now;
    else if (direct) this.#peers.set(process, { receivedAt: now, version: -1, topics: new Map() });
    return direct || peer !== undefined;
  }

  /** Whether the process's list of topics is known in this version. */
  isCurrent(process: string, version: number): boolean {
    return this.#peers.get(process)?.version === version;
  }

  /** Takes over all topics of a process. Returns the departures in those that it no longer has. */
  topics(process: string, version: number, topics: readonly string[]): readonly TopicChange[] {
    const peer = this.#peers.get(process);
    if (peer === undefined) return NOTHING;
    const now = new Set(topics);
    const left = [...peer.topics.keys()].filter((topic) => !now.has(topic));
    peer.version = version;
    return move(peer, topics, left);
  }

  /**
   * Takes over the topics that a process joined and left. Returns the departures, or "who" when the earlier list is
   * not known.
   */
  moved(
    process: string,
    step: { version: number; joined: readonly string[]; left: readonly string[] },
  ): readonly TopicChange[] | "who" {
    const peer = this.#peers.get(process);
    if (peer === undefined || peer.version !== step.version - 1) return "who";
    peer.version = step.version;
    return move(peer, step.joined, step.left);
  }

  /** Returns the processes that have a topic. */
  having(topic: string): readonly string[] {
    const result: string[] = [];
    for (const [process, peer] of this.#peers) if (peer.topics.has(topic)) result.push(process);
    return result;
  }

  /** Takes over all presences of a process in a topic. */
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

  /** Takes over a change. Returns "ask" when it does not follow the known ones, and null when that was returned already. */
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
      known = fresh();
      peer.topics.set(topic, known);
    }
    return known;
  }

  /** Notes that nothing could be received before `now`, so no process counts as silent yet. */
  refresh(now: number): void {
    for (const peer of this.#peers.values()) peer.receivedAt = now;
  }

  /** Forgets a process; returns the departures of its presences. */
  remove(process: string): readonly TopicChange[] {
    const peer = this.#peers.get(process);
    this.#peers.delete(process);
    return peer === undefined ? NOTHING : move(peer, [], [...peer.topics.keys()]);
  }

  /** Returns the processes from which nothing was received since `before`. */
  silent(before: number): readonly string[] {
    return [...this.#peers]
      .filter(([, peer]) => peer.receivedAt < before)
      .map(([process]) => process);
  }

  /** Forgets a topic that this process has left: presences of other processes there are no longer followed. */
  forget(topic: string): void {
    for (const peer of this.#peers.values())
      if (peer.topics.has(topic)) peer.topics.set(topic, fresh());
  }

  presence(topic: string): PresenceMetas {
    const all = new Map<string, PresenceMeta[]>();
    for (const peer of this.#peers.values())
      for (const [key, metas] of peer.topics.get(topic)?.entries ?? [])
        all.set(key, [...(all.get(key) ?? []), ...metas.values()]);
    return all;
  }
}

const fresh = (): PeerTopic => ({ version: 0, lost: false, entries: new Map() });

function move(
  peer: Peer,
  joined: readonly string[],
  left: readonly string[],
): readonly TopicChange[] {
  const gone: TopicChange[] = [];
  for (const topic of left) {
    const entries = peer.topics.get(topic)?.entries;
    peer.topics.delete(topic);
    if (entries !== undefined && entries.size > 0)
      gone.push({ topic, change: { joins: new Map(), leaves: lists(entries) } });
  }
  for (const topic of joined) if (!peer.topics.has(topic)) peer.topics.set(topic, fresh());
  return gone;
}
