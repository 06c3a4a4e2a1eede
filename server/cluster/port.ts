/** The port that joins several processes into one. With one process it does nothing; with REDIS_URL it connects the processes. */

/** The presences of one process in one topic: metas by presence key. */
export type PresenceMetas = ReadonlyMap<string, readonly PresenceMeta[]>;

export interface PresenceMeta {
  /** The reference, unique for the tracking socket and channel. */
  readonly ref: string;
  /** The tracked payload with its phx_ref (and phx_ref_prev), as JSON text. */
  readonly json: string;
}

export interface PresenceChange {
  readonly joins: PresenceMetas;
  readonly leaves: PresenceMetas;
}

/** A broadcast as a process sends it to the others. The payload's bytes are passed through untouched. */
export interface ClusterBroadcast {
  readonly topic: string;
  readonly event: string;
  /** The encoding: 1 for JSON text in UTF-8, 0 for binary. */
  readonly encoding: 0 | 1;
  readonly payload: Uint8Array;
}

export interface ClusterEvents {
  /** Called with a broadcast from another process, never from this one. */
  readonly broadcast: (message: ClusterBroadcast) => void;
  /** Called when presences of other processes were added or removed, also those of a process that died. */
  readonly presence: (topic: string, change: PresenceChange) => void;
}

/** The statistics. The counts grow from the start of the process. */
export interface ClusterStats {
  /** 1 while the other processes can be reached, 0 while Redis is unavailable or refuses to pass messages on. */
  readonly up: number;
  /** The present number of other processes. */
  readonly peers: number;
  /** The number of messages to other processes, each copy counted, and from them. */
  readonly published: number;
  readonly received: number;
  /** The number of messages that no process of this version writes. */
  readonly unreadable: number;
  /** The number of broadcasts that were dropped since they are from a time in which this process stood still. */
  readonly outdated: number;
}

export interface Cluster {
  readonly stats: ClusterStats;
  /** Starts to receive from the other processes; call once. */
  start(events: ClusterEvents): Promise<void>;
  /** Notes that this process has its first channel of a topic, or no longer any. */
  join(topic: string): void;
  leave(topic: string): void;
  /** Sends several messages of one topic together. */
  broadcast(topic: string, messages: readonly ClusterBroadcast[]): void;
  /** Whether another process has the topic, as far as it is known. */
  isShared(topic: string): boolean;
  /** Notes that presences of this process were added or removed. */
  presence(topic: string, change: PresenceChange): void;
  /** Returns the presences of a topic in the other processes, as far as they are known. */
  remotePresence(topic: string): PresenceMetas;
  close(): Promise<void>;
}
