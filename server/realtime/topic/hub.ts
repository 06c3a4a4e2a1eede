/** All topics of this process, and their connection to the other processes. */

import type { Cluster, ClusterBroadcast, PresenceMeta, PresenceMetas } from "../../cluster/port.ts";
import type { Member } from "../wire/member.ts";
import type { FanoutCounts } from "./fanout.ts";
import { BroadcastOut, type BroadcastContent, type EncodeCounts } from "../wire/outgoing.ts";
import type { WaitingBytes } from "./large-broadcasts.ts";
import type { PresenceCounts } from "./presence-out.ts";
import type { RealtimeSettings } from "../settings/settings.ts";
import { Topic } from "./topic.ts";

export interface HubCounts extends FanoutCounts, EncodeCounts, PresenceCounts {
  /** The number of broadcasts from clients, over HTTP and from other processes. */
  broadcasts: number;
}

interface HubOptions {
  readonly settings: RealtimeSettings;
  readonly cluster: Cluster;
}

interface Observer {
  /** A topic key. */
  readonly topic: string;
  readonly receive: (message: ClusterBroadcast) => void;
}

const PUBLIC = "public:";
const PRIVATE = "private:";

function clusterBroadcast(
  topic: string,
  { event, encoding, payload }: BroadcastContent,
): ClusterBroadcast {
  return { topic, event, encoding, payload };
}

/** Returns the key of a topic: public and private channels of one name are two topics. `name` has `realtime:` in front. */
export function topicKey(name: string, isPrivate: boolean): string {
  return (isPrivate ? PRIVATE : PUBLIC) + name;
}

const nameOf = (key: string): string => key.slice(key.indexOf(":") + 1);

export class Hub {
  readonly counts: HubCounts = {
    broadcasts: 0,
    encodes: 0,
    writes: 0,
    dropped: 0,
    presenceBytes: 0,
    presenceEncodes: 0,
  };
  #observed: string | null = null;
  readonly #topics = new Map<string, Topic>();
  readonly #options: HubOptions;
  readonly #largeBytes: WaitingBytes = { waiting: 0 };

  constructor(options: HubOptions) {
    this.#options = options;
  }

  /**
   * Listens to the other processes; call it once.
   * @param observer gets what they broadcast on one topic, whether it has members here or not
   */
  async start(observer: Observer | null = null): Promise<void> {
    const { cluster } = this.#options;
    this.#observed = observer?.topic ?? null;
    await cluster.start({
      broadcast: (message) => {
        if (message.topic === observer?.topic) observer.receive(message);
        const topic = this.#topics.get(message.topic);
        if (topic !== undefined) this.#pass(topic, { ...message, checked: false }, null);
      },
      presence: (key, change) => this.#topics.get(key)?.applyPresence(change),
    });
    if (observer !== null) cluster.join(observer.topic);
  }

  /** The number of topics with a member here. */
  get topics(): number {
    return this.#topics.size;
  }

  /** Returns the number of members of a topic here; 0 for an unknown one. */
  size(key: string): number {
    return this.#topics.get(key)?.fanout.size ?? 0;
  }

  enter(key: string, member: Member): Topic {
    const topic = this.#topics.get(key) ?? this.#open(key);
    topic.fanout.add(member);
    return topic;
  }

  /** Removes a member from a topic. `presence` is what the member tracked: its key and meta. */
  leave(topic: Topic, member: Member, presence: readonly [string, PresenceMeta] | null): void {
    topic.fanout.remove(member);
    if (presence !== null) this.presence(topic, presence[0], presence[1], null);
    if (topic.fanout.size > 0) return;
    topic.dispose();
    this.#topics.delete(topic.key);
    if (topic.key !== this.#observed) this.#options.cluster.leave(topic.key);
  }

  #open(key: string): Topic {
    const { settings, cluster } = this.#options;
    const { limits } = settings;
    const { counts } = this;
    const now = (): number => performance.now();
    const topic = new Topic(key, nameOf(key), {
      fanout: {
        liveQueueBytes: limits.liveQueueBytes,
        queueBytes: limits.queueBytes,
        isShared: () => cluster.isShared(key),
        onDelivery: () => this.#publish(topic),
        counts,
        now,
      },
      presence: {
        presenceRate: { perSecond: limits.presenceOutPerSecond, burst: limits.presenceOutBurst },
        summaryKeys: limits.presenceSummaryKeys,
        counts,
        now,
      },
      largeBytes: this.#largeBytes,
    });
    this.#topics.set(key, topic);
    if (key !== this.#observed) cluster.join(key);
    topic.applyPresence({ joins: cluster.remotePresence(key), leaves: new Map() });
    return topic;
  }

  /** Broadcasts a message of a member of a topic here. Returns false when too many large ones wait. */
  broadcast(topic: Topic, content: BroadcastContent, sender: Member): boolean {
    return this.#pass(topic, content, sender, clusterBroadcast(topic.key, content));
  }

  /** Broadcasts a message of a client that has joined no topic, over HTTP. Returns false when too many large ones wait. */
  post(key: string, content: BroadcastContent): boolean {
    const topic = this.#topics.get(key);
    const message = clusterBroadcast(key, content);
    if (topic !== undefined) return this.#pass(topic, content, null, message);
    this.#options.cluster.broadcast(key, [message]);
    return true;
  }

  /** Sends a message of this server to the members of a topic here. */
  announce(key: string, content: BroadcastContent): void {
    const topic = this.#topics.get(key);
    if (topic !== undefined) this.#pass(topic, content, null);
  }

  /**
   * Passes a broadcast on.
   * @param message The message for the other processes; none for one that was received from them.
   */
  #pass(
    topic: Topic,
    content: BroadcastContent,
    sender: Member | null,
    message: ClusterBroadcast | null = null,
  ): boolean {
    return topic.large.pass({
      bytes: content.payload.length,
      event: content.event,
      sender,
      send: () => {
        if (message !== null) topic.unpublished.push(message);
        this.#send(topic, content, sender);
      },
    });
  }

  #send(topic: Topic, content: BroadcastContent, sender: Member | null): void {
    this.counts.broadcasts++;
    const droppable = this.#options.settings.droppableEvents.has(content.event);
    topic.fanout.send(
      new BroadcastOut({ topic: topic.name, counts: this.counts }, content, sender, droppable),
    );
  }

  /**
   * Sends the other processes the messages that are delivered together here, and does so before, since they receive
   * them meanwhile.
   */
  #publish(topic: Topic): void {
    if (topic.unpublished.length === 0) return;
    this.#options.cluster.broadcast(topic.key, topic.unpublished);
    topic.unpublished = [];
  }

  /**
   * Reports that a presence of this process arrived, changed or left: the members and the other processes are sent
   * the change.
   */
  presence(
    topic: Topic,
    key: string,
    previous: PresenceMeta | null,
    next: PresenceMeta | null,
  ): void {
    topic.replacePresence(key, previous, next);
    const metas = (meta: PresenceMeta | null): PresenceMetas =>
      new Map(meta === null ? [] : [[key, [meta]]]);
    this.#options.cluster.presence(topic.key, { joins: metas(next), leaves: metas(previous) });
  }

  /** Sends the waiting messages of all topics. */
  flush(): void {
    for (const topic of this.#topics.values()) topic.fanout.flush();
  }
}
