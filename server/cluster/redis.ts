/**
 * Several processes as one, through Redis's publish and subscribe. Nothing is stored in Redis. Each process listens
 * to a channel of its own and to one that all share, over which it announces its topics and sends a heartbeat every 2
 * s; a broadcast or presence goes only to the processes that have its topic. The presences of a process that dies or
 * is cut off are removed after three missed heartbeats.
 */

import { randomBytes } from "node:crypto";
import type { Redis } from "ioredis";
import type { Logger } from "../process/log.ts";
import {
  channelOfAll,
  connectRedis,
  isRefusal,
  reconnect,
  revive,
  type Connections,
  type RedisClusterOptions,
} from "./connection.ts";
import {
  PROCESS_ID_LENGTH,
  decodeMessage,
  encodeMessage,
  type ClusterMessage,
  type Received,
} from "./messages.ts";
import { Outage } from "./outage.ts";
import { OwnPresences } from "./own-presences.ts";
import { Peers, type TopicChange } from "./peers.ts";
import type {
  Cluster,
  ClusterBroadcast,
  ClusterEvents,
  PresenceChange,
  PresenceMetas,
} from "./port.ts";
import { publish } from "./publisher.ts";
import { freshStats } from "./stats.ts";

const HEARTBEAT_MS = 2_000;
const MISSED = 3;
/** The step between versions of a topic that was left and joined again, so that it never gets an earlier one. */
const VERSION_STEP = 1_000_000;

/** Opens the cluster. @throws StartFault that names REDIS_URL when no server responds there, or it refuses what is needed. */
export async function openRedisCluster(options: RedisClusterOptions): Promise<Cluster> {
  return new RedisCluster(await connectRedis(options), options);
}

class RedisCluster implements Cluster {
  readonly stats = freshStats();
  readonly #id = randomBytes((PROCESS_ID_LENGTH * 3) / 4).toString("base64url");
  readonly #publisher: Redis;
  readonly #subscriber: Redis;
  readonly #log: Logger;
  readonly #outage: Outage;
  readonly #heartbeat: number;
  /** The channel of all processes, and the prefix of the channel of each process. */
  readonly #all: string;
  readonly #own: string;
  readonly #peers = new Peers();
  /** The topics of this process, with its own presences. */
  readonly #topics = new Map<string, OwnPresences>();
  #versions = 0;
  /** The number of changes of the list of topics. */
  #listVersion = 0;
  #events: ClusterEvents | null = null;
  #timer: NodeJS.Timeout | null = null;
  /** The number of the last heartbeat, the time when it was due, and the time when one last returned (or the connections were made). */
  #beat = 0;
  #beatAt = performance.now();
  #echoAt = performance.now();
  /** The heartbeat that ends a pause: messages that arrive before it does were sent during the pause. */
  #outdatedUntil = 0;
  #closed = false;

  constructor({ publisher, subscriber }: Connections, options: RedisClusterOptions) {
    this.#publisher = publisher;
    this.#subscriber = subscriber;
    this.#log = options.log;
    this.#outage = new Outage(options.log, this.stats);
    this.#heartbeat = options.heartbeat ?? HEARTBEAT_MS;
    this.#all = channelOfAll(options.prefix);
    this.#own = `${options.prefix}process:`;
    for (const redis of [publisher, subscriber]) {
      redis.on("error", (error) => this.#lost(error.message));
      redis.on("close", () => this.#lost("connection closed"));
      redis.on("ready", () => void this.#exchange());
    }
    subscriber.on("messageBuffer", (channel: Buffer, bytes: Buffer) =>
      this.#receive(channel.toString() === this.#own + this.#id, bytes),
    );
  }

  async start(events: ClusterEvents): Promise<void> {
    this.#events = events;
    this.#timer = setInterval(() => this.#onBeat(), this.#heartbeat);
    this.#timer.unref();
    await this.#exchange();
  }

  /** Notifies the other processes of a topic; those that have presences there send them. */
  join(topic: string): void {
    if (this.#topics.has(topic)) return;
    const presences = new OwnPresences((this.#versions += VERSION_STEP), (sent) =>
      this.#publishTo(this.#peers.having(topic), { kind: "change", topic, ...sent }),
    );
    this.#topics.set(topic, presences);
    this.#move([topic], []);
  }

  leave(topic: string): void {
    this.#topics.get(topic)?.dispose();
    if (!this.#topics.delete(topic)) return;
    this.#peers.forget(topic);
    this.#move([], [topic]);
  }

  #move(joined: readonly string[], left: readonly string[]): void {
    const version = ++this.#listVersion;
    this.#publish(this.#all, { kind: "moved", version, joined, left });
  }

  broadcast(topic: string, contents: readonly ClusterBroadcast[]): void {
    const messages = contents.map((content) => ({ kind: "broadcast", content }) as const);
    this.#publishTo(this.#peers.having(topic), ...messages);
  }

  isShared(topic: string): boolean {
    return this.#peers.having(topic).length > 0;
  }

  presence(topic: string, change: PresenceChange): void {
    this.#topics.get(topic)?.change(change);
  }

  remotePresence(topic: string): PresenceMetas {
    return this.#peers.presence(topic);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#publish(this.#all, { kind: "bye" });
    this.#closed = true;
    for (const presences of this.#topics.values()) presences.dispose();
    this.#publisher.disconnect();
    this.#subscriber.disconnect();
  }

  /** Listens, and exchanges topics and presences with all others: at the start, and when Redis returns. */
  async #exchange(): Promise<void> {
    if (this.#closed || this.#events === null) return;
    if (this.#publisher.status !== "ready" || this.#subscriber.status !== "ready") return;
    this.#echoAt = performance.now();
    await this.#subscriber
      .subscribe(this.#all, this.#own + this.#id)
      .catch((error: Error) => this.#lost(error.message, isRefusal(error) ? "refused" : "lost"));
    this.#sendHeartbeat();
    this.#publish(this.#all, this.#topicList());
    this.#publish(this.#all, { kind: "who" });
  }

  #topicList(): ClusterMessage {
    return { kind: "topics", version: this.#listVersion, topics: [...this.#topics.keys()] };
  }

  #publish(channel: string, message: ClusterMessage): void {
    this.#write([channel], [message]);
  }

  /** Publishes messages to processes by their ids. */
  #publishTo(processes: readonly string[], ...messages: readonly ClusterMessage[]): void {
    const channels = processes.map((process) => this.#own + process);
    if (channels.length > 0) this.#write(channels, messages);
  }

  #write(channels: readonly string[], messages: readonly ClusterMessage[]): void {
    if (this.#closed || this.#publisher.status !== "ready") return;
    this.stats.published += channels.length * messages.length;
    publish(
      this.#publisher,
      channels,
      messages.map((one) => encodeMessage(this.#id, one)),
    );
  }

  /** Sends snapshots. @param always Also when there is no presence: the receiver may know old ones. */
  #sendSnapshots(to: string, topics: Iterable<string>, always: boolean): void {
    for (const topic of topics) {
      const snapshot = this.#topics.get(topic)?.snapshot();
      if (snapshot === undefined || (snapshot.metas.size === 0 && !always)) continue;
      this.#publishTo([to], { kind: "snapshot", topic, ...snapshot });
    }
  }

  #sendHeartbeat(): void {
    this.#beat++;
    this.#publish(this.#all, { kind: "alive", beat: this.#beat, version: this.#listVersion });
  }

  /** Handles a heartbeat. It also notices connections that are open here and dead on the way: the own heartbeat does not return. */
  #onBeat(): void {
    this.#noticePause();
    const now = performance.now();
    const missed = MISSED * this.#heartbeat;
    if (now - this.#echoAt > missed) {
      this.#lost("no heartbeat of its own came back");
      this.#echoAt = now;
      for (const redis of [this.#publisher, this.#subscriber]) reconnect(redis);
    }
    for (const redis of [this.#publisher, this.#subscriber]) revive(redis);
    this.#beatAt = now;
    this.#sendHeartbeat();
    for (const process of this.#peers.silent(now - missed))
      this.#report(this.#peers.remove(process));
    this.stats.peers = this.#peers.size;
  }

  /**
   * Notices that this process stood still, whether stopped or busy for long. The waiting messages of that time are
   * old, and arrive before the heartbeat that is sent now. Until then nobody counts as silent either, since their
   * heartbeats may be waiting.
   */
  #noticePause(): void {
    const now = performance.now();
    if (now - this.#beatAt <= MISSED * this.#heartbeat) return;
    this.#beatAt = now;
    this.#echoAt = now;
    this.#peers.refresh(now);
    this.#sendHeartbeat();
    this.#outdatedUntil = this.#beat;
  }

  #receive(direct: boolean, bytes: Buffer): void {
    if (this.#closed || this.#events === null) return;
    this.#noticePause();
    const received = decodeMessage(bytes);
    if (received === null) return this.#unreadable();
    const { sender, message } = received;
    if (sender === this.#id) return this.#receiveOwn(message);
    this.stats.received++;
    if (message.kind === "bye") return this.#report(this.#peers.remove(sender));
    // A process that counted as dead may still know this one: it sends its presences to a list of topics alone.
    if (!this.#peers.received(sender, performance.now(), direct))
      return this.#publishTo([sender], { kind: "who" }, this.#topicList());
    if (message.kind !== "broadcast") return this.#receiveFrom(received);
    if (this.#outdatedUntil > 0) this.stats.outdated++;
    else if (this.#topics.has(message.content.topic)) this.#events?.broadcast(message.content);
  }

  /** Counts an unreadable message, and logs only the first: a program that writes into these channels may write much. */
  #unreadable(): void {
    if (this.stats.unreadable++ === 0)
      this.#log.warn("cluster: dropped a message that cannot be read; further ones are counted");
  }

  #receiveOwn(message: ClusterMessage): void {
    if (message.kind !== "alive") return;
    this.#echoAt = performance.now();
    this.#outage.returned(message.beat);
    if (message.beat >= this.#outdatedUntil) this.#outdatedUntil = 0;
  }

  #receiveFrom({ sender, message }: Received): void {
    switch (message.kind) {
      case "alive":
        if (!this.#peers.isCurrent(sender, message.version))
          this.#publishTo([sender], { kind: "who" });
        return;
      case "who":
        return this.#publishTo([sender], this.#topicList());
      case "topics":
        this.#report(this.#peers.topics(sender, message.version, message.topics));
        return this.#sendSnapshots(sender, message.topics, true);
      case "moved": {
        const gone = this.#peers.moved(sender, message);
        if (gone === "who") return this.#publishTo([sender], { kind: "who" });
        this.#report(gone);
        return this.#sendSnapshots(sender, message.joined, false);
      }
      case "ask":
        return this.#sendSnapshots(sender, [message.topic], true);
      case "snapshot":
      case "change":
        return this.#receivePresence(sender, message);
      case "broadcast":
      case "bye":
        return;
    }
  }

  #receivePresence(
    sender: string,
    message: Extract<ClusterMessage, { kind: "snapshot" | "change" }>,
  ): void {
    const { topic } = message;
    if (!this.#topics.has(topic)) return;
    const change =
      message.kind === "snapshot"
        ? this.#peers.snapshot(sender, topic, message)
        : this.#peers.change(sender, topic, message);
    if (change === "ask") this.#publishTo([sender], { kind: "ask", topic });
    else if (change !== null) this.#report([{ topic, change }]);
  }

  #report(list: readonly TopicChange[]): void {
    this.stats.peers = this.#peers.size;
    for (const { topic, change } of list)
      if (this.#topics.has(topic)) this.#events?.presence(topic, change);
  }

  #lost(reason: string, away: "lost" | "refused" = "lost"): void {
    if (!this.#closed) this.#outage.begin(away, reason, this.#beat);
  }
}
