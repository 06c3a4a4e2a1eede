/** All rooms of this process, and their way to the other processes. */

import type { Cluster, PresenceMeta, PresenceMetas } from "../cluster/port.ts";
import type { FanoutCounts, Member } from "./fanout.ts";
import { BroadcastOut } from "./outgoing.ts";
import type { BroadcastContent, EncodeCounts } from "./outgoing.ts";
import { Room } from "./room.ts";
import type { RealtimeSettings } from "./settings.ts";

export interface HubCounts extends FanoutCounts, EncodeCounts {
  /** Broadcasts that came from clients, over HTTP and from other processes. */
  broadcasts: number;
}

interface HubOptions {
  readonly settings: RealtimeSettings;
  readonly cluster: Cluster;
}

const PUBLIC = "public:";
const PRIVATE = "private:";

/** Public and private channels of one name are two rooms. `topic` has `realtime:` in front. */
export function roomKey(topic: string, isPrivate: boolean): string {
  return (isPrivate ? PRIVATE : PUBLIC) + topic;
}

const topicOf = (key: string): string => key.slice(key.indexOf(":") + 1);

export class Hub {
  readonly counts: HubCounts = { broadcasts: 0, encodes: 0, writes: 0, dropped: 0 };
  readonly #rooms = new Map<string, Room>();
  readonly #options: HubOptions;

  constructor(options: HubOptions) {
    this.#options = options;
  }

  /** Listens to the other processes; call once. */
  async start(): Promise<void> {
    await this.#options.cluster.start({
      broadcast: (message) => {
        const room = this.#rooms.get(message.topic);
        if (room !== undefined) this.#send(room, { ...message, checked: false }, null);
      },
      presence: (key, change) => this.#rooms.get(key)?.applyPresence(change),
    });
  }

  get rooms(): number {
    return this.#rooms.size;
  }

  /** Members of a room here; 0 where there is none. */
  size(key: string): number {
    return this.#rooms.get(key)?.fanout.size ?? 0;
  }

  enter(key: string, member: Member): Room {
    const room = this.#rooms.get(key) ?? this.#open(key);
    room.add(member);
    return room;
  }

  /** `presence` is what the member tracked: its key and meta. */
  leave(room: Room, member: Member, presence: readonly [string, PresenceMeta] | null): void {
    room.remove(member);
    if (presence !== null) this.presence(room, presence[0], presence[1], null);
    if (room.fanout.size > 0) return;
    room.dispose();
    this.#rooms.delete(room.key);
    this.#options.cluster.leave(room.key);
  }

  #open(key: string): Room {
    const { settings, cluster } = this.#options;
    const room = new Room(key, topicOf(key), {
      liveQueueBytes: settings.limits.liveQueueBytes,
      queueBytes: settings.limits.queueBytes,
      now: () => performance.now(),
      counts: this.counts,
    });
    this.#rooms.set(key, room);
    cluster.join(key);
    room.applyPresence({ joins: cluster.remotePresence(key), leaves: new Map() });
    return room;
  }

  /** From a member of a room here. */
  broadcast(room: Room, content: BroadcastContent, sender: Member): void {
    this.#send(room, content, sender);
    this.#publish(room.key, content);
  }

  /** From somebody who is in no room: over HTTP. */
  post(key: string, content: BroadcastContent): void {
    const room = this.#rooms.get(key);
    if (room !== undefined) this.#send(room, content, null);
    this.#publish(key, content);
  }

  #send(room: Room, content: BroadcastContent, sender: Member | null): void {
    this.counts.broadcasts++;
    const droppable = this.#options.settings.droppableEvents.has(content.event);
    room.fanout.send(
      new BroadcastOut({ topic: room.topic, counts: this.counts }, content, sender, droppable),
    );
  }

  #publish(key: string, { event, encoding, payload }: BroadcastContent): void {
    this.#options.cluster.broadcast({ topic: key, event, encoding, payload });
  }

  /** A presence of this process came, changed or went; the others are told. */
  presence(
    room: Room,
    key: string,
    previous: PresenceMeta | null,
    next: PresenceMeta | null,
  ): void {
    room.replacePresence(key, previous, next);
    const metas = (meta: PresenceMeta | null): PresenceMetas =>
      new Map(meta === null ? [] : [[key, [meta]]]);
    this.#options.cluster.presence(room.key, { joins: metas(next), leaves: metas(previous) });
  }

  /** Sends what is waiting everywhere. */
  flush(): void {
    for (const room of this.#rooms.values()) room.fanout.flush();
  }
}
