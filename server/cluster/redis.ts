/**
 * Several processes as one, through Redis's publish and subscribe. Nothing is stored in Redis: each
 * process sends its own presences, asks for those of the others when it needs them, and sends a heartbeat
 * every 2 s. The presences of a process that dies or is cut off go after three missed heartbeats.
 */

import { randomBytes } from "node:crypto";
import { Redis } from "ioredis";
import type { Logger } from "../log.ts";
import { StartFault } from "../start-fault.ts";
import { apply, lists, type Entries } from "./entries.ts";
import {
  PROCESS_ID_LENGTH,
  decodeMessage,
  encodeMessage,
  type ClusterMessage,
  type Received,
} from "./messages.ts";
import { Peers, type TopicChange } from "./peers.ts";
import type {
  Cluster,
  ClusterBroadcast,
  ClusterEvents,
  PresenceChange,
  PresenceMetas,
} from "./port.ts";

interface RedisClusterOptions {
  readonly url: string;
  readonly log: Logger;
  /** Milliseconds between two heartbeats. */
  readonly heartbeat?: number;
}

const HEARTBEAT_MS = 2_000;
const MISSED = 3;
const CONNECT_TIMEOUT_MS = 5_000;
/** Of silence, until TCP asks whether the other side is still there. */
const KEEP_ALIVE_MS = 10_000;
const MAX_RETRY_MS = 2_000;
/** A topic that was left and joined again must not get a version that it had before. */
const VERSION_STEP = 1_000_000;
const PROCESSES = "inkpool:processes";
const TOPIC = "inkpool:topic:";

/** @throws StartFault that names REDIS_URL when no server responds there. */
export async function openRedisCluster(options: RedisClusterOptions): Promise<Cluster> {
  const publisher = connection(options.url);
  const subscriber = connection(options.url);
  try {
    await Promise.all([firstReady(publisher), firstReady(subscriber)]);
  } catch (error) {
    publisher.disconnect();
    subscriber.disconnect();
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartFault(
      `REDIS_URL cannot be used (${reason}); expected a Redis or Valkey that responds`,
    );
  }
  return new RedisCluster(publisher, subscriber, options);
}

/** Messages are at most once: while Redis is away they are dropped, not queued. */
function connection(url: string): Redis {
  return new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    autoResubscribe: false,
    autoResendUnfulfilledCommands: false,
    keepAlive: KEEP_ALIVE_MS,
    connectTimeout: CONNECT_TIMEOUT_MS,
    maxRetriesPerRequest: null,
    retryStrategy: (times) => Math.min(times * 100, MAX_RETRY_MS),
  });
}

function firstReady(redis: Redis): Promise<void> {
  return new Promise((resolve, reject) => {
    redis.once("error", reject);
    redis.connect().then(() => {
      redis.off("error", reject);
      resolve();
    }, reject);
  });
}

class RedisCluster implements Cluster {
  readonly #id = randomBytes((PROCESS_ID_LENGTH * 3) / 4).toString("base64url");
  readonly #publisher: Redis;
  readonly #subscriber: Redis;
  readonly #log: Logger;
  readonly #heartbeat: number;
  readonly #peers = new Peers();
  /** The topics of this process, with its own presences. */
  readonly #topics = new Map<string, { version: number; readonly entries: Entries }>();
  #versions = 0;
  #events: ClusterEvents | null = null;
  #timer: NodeJS.Timeout | null = null;
  #away = false;
  /** When the own heartbeat last came back, or the connections were made. */
  #echoAt = performance.now();
  #beatAt = performance.now();
  #closed = false;

  constructor(publisher: Redis, subscriber: Redis, options: RedisClusterOptions) {
    this.#publisher = publisher;
    this.#subscriber = subscriber;
    this.#log = options.log;
    this.#heartbeat = options.heartbeat ?? HEARTBEAT_MS;
    for (const redis of [publisher, subscriber]) {
      redis.on("error", (error) => this.#lost(error.message));
      redis.on("close", () => this.#lost("connection closed"));
      redis.on("ready", () => void this.#exchange());
    }
    subscriber.on("messageBuffer", (channel: Buffer, bytes: Buffer) =>
      this.#receive(channel.toString(), bytes),
    );
  }

  async start(events: ClusterEvents): Promise<void> {
    this.#events = events;
    this.#timer = setInterval(() => this.#sendHeartbeat(), this.#heartbeat);
    this.#timer.unref();
    await this.#exchange();
  }

  join(topic: string): void {
    if (this.#topics.has(topic)) return;
    this.#topics.set(topic, { version: (this.#versions += VERSION_STEP), entries: new Map() });
    this.#sendSnapshot(topic);
    void this.#subscribe([TOPIC + topic]).then(() => this.#publish(TOPIC + topic, { kind: "ask" }));
  }

  leave(topic: string): void {
    if (!this.#topics.delete(topic)) return;
    this.#peers.forget(topic);
    if (this.#subscriber.status === "ready")
      this.#subscriber.unsubscribe(TOPIC + topic).catch(ignore);
  }

  broadcast({ topic, ...content }: ClusterBroadcast): void {
    this.#publish(TOPIC + topic, { kind: "broadcast", content });
  }

  presence(topic: string, change: PresenceChange): void {
    const own = this.#topics.get(topic);
    if (own === undefined) return;
    own.version++;
    apply(own.entries, change);
    this.#publish(TOPIC + topic, { kind: "change", version: own.version, change });
  }

  remotePresence(topic: string): PresenceMetas {
    return this.#peers.presence(topic);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    if (this.#timer !== null) clearInterval(this.#timer);
    const bye = encodeMessage(this.#id, { kind: "bye" });
    if (this.#publisher.status === "ready")
      await this.#publisher.publish(PROCESSES, bye).catch(ignore);
    this.#publisher.disconnect();
    this.#subscriber.disconnect();
  }

  /** Subscribes to all topics, sends and asks for all snapshots: at the start, and when Redis is back. */
  async #exchange(): Promise<void> {
    if (this.#closed || this.#events === null) return;
    if (this.#publisher.status !== "ready" || this.#subscriber.status !== "ready") return;
    if (this.#away) this.#log.info("cluster: Redis is back");
    this.#away = false;
    this.#echoAt = performance.now();
    const topics = [...this.#topics.keys()];
    await this.#subscribe([PROCESSES, ...topics.map((topic) => TOPIC + topic)]);
    this.#sendHeartbeat();
    for (const topic of topics) {
      this.#sendSnapshot(topic);
      this.#publish(TOPIC + topic, { kind: "ask" });
    }
  }

  async #subscribe(channels: readonly string[]): Promise<void> {
    if (this.#subscriber.status === "ready")
      await this.#subscriber.subscribe(...channels).catch(ignore);
  }

  #publish(channel: string, message: ClusterMessage): void {
    if (this.#closed || this.#publisher.status !== "ready") return;
    this.#publisher.publish(channel, encodeMessage(this.#id, message)).catch(ignore);
  }

  #sendSnapshot(topic: string): void {
    const own = this.#topics.get(topic);
    if (own === undefined) return;
    const metas = lists(own.entries);
    this.#publish(TOPIC + topic, { kind: "snapshot", version: own.version, metas });
  }

  /** Also notices a connection that is open here and dead on its way: the own heartbeat does not come back. */
  #sendHeartbeat(): void {
    const now = performance.now();
    const missed = MISSED * this.#heartbeat;
    // After a pause of this process the others' heartbeats are waiting to be read.
    if (now - this.#beatAt > missed) this.#echoAt = now;
    else if (!this.#away && now - this.#echoAt > missed) this.#reconnect();
    const topics = new Map<string, number>();
    for (const [topic, { version }] of this.#topics) topics.set(topic, version);
    this.#publish(PROCESSES, { kind: "alive", topics });
    if (now - this.#beatAt <= missed)
      for (const process of this.#peers.silent(now - missed))
        this.#report(this.#peers.remove(process));
    this.#beatAt = now;
  }

  #receive(channel: string, bytes: Buffer): void {
    const received = decodeMessage(bytes);
    if (received === null) return this.#log.warn("cluster: dropped a message that cannot be read");
    if (this.#closed) return;
    if (received.sender === this.#id) {
      if (received.message.kind === "alive") this.#echoAt = performance.now();
      return;
    }
    if (received.message.kind === "bye") return this.#report(this.#peers.remove(received.sender));
    this.#peers.received(received.sender, performance.now());
    const topic = channel.startsWith(TOPIC) ? channel.slice(TOPIC.length) : null;
    if (topic === null) this.#receiveHeartbeat(received);
    else if (this.#topics.has(topic)) this.#receiveOnTopic(topic, received);
  }

  #receiveHeartbeat({ sender, message }: Received): void {
    if (message.kind !== "alive") return;
    const { gone, ask } = this.#peers.compare(sender, message.topics, this.#topics.keys());
    this.#report(gone);
    for (const topic of ask) this.#publish(TOPIC + topic, { kind: "ask" });
  }

  #receiveOnTopic(topic: string, { sender, message }: Received): void {
    switch (message.kind) {
      case "broadcast":
        return this.#events?.broadcast({ topic, ...message.content });
      case "snapshot":
        return this.#report(changes(topic, this.#peers.snapshot(sender, topic, message)));
      case "change": {
        const change = this.#peers.change(sender, topic, message);
        if (change === "ask") return this.#publish(TOPIC + topic, { kind: "ask" });
        return this.#report(changes(topic, change));
      }
      case "ask":
        return this.#sendSnapshot(topic);
      case "alive":
      case "bye":
        return;
    }
  }

  #report(list: readonly TopicChange[]): void {
    for (const { topic, change } of list) this.#events?.presence(topic, change);
  }

  /** `disconnect` would wait for the other side, which may be gone. */
  #reconnect(): void {
    this.#lost("no heartbeat of its own came back");
    this.#echoAt = performance.now();
    for (const redis of [this.#publisher, this.#subscriber]) {
      redis.disconnect(true);
      redis.stream?.destroy();
    }
  }

  /** Each outage is logged once, however often the connection is tried again. */
  #lost(reason: string): void {
    if (this.#away || this.#closed) return;
    this.#away = true;
    this.#log.warn("cluster: Redis is away, clients on other processes are not reached", {
      reason,
    });
  }
}

function changes(topic: string, change: PresenceChange | null): readonly TopicChange[] {
  return change === null ? [] : [{ topic, change }];
}

function ignore(): void {}
