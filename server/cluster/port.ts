/** Several processes as one. With one process it does nothing; with REDIS_URL it connects the processes. */

/** One process's presences of one topic: presence key to metas. */
export type PresenceMetas = ReadonlyMap<string, readonly PresenceMeta[]>;

export interface PresenceMeta {
  /** Unique for the tracking socket and channel. */
  readonly ref: string;
  /** The tracked payload with its phx_ref (and phx_ref_prev), as JSON text. */
  readonly json: string;
}

export interface PresenceChange {
  readonly joins: PresenceMetas;
  readonly leaves: PresenceMetas;
}

/** What a process sends to the others about a broadcast. Payload bytes are passed through untouched. */
export interface ClusterBroadcast {
  readonly topic: string;
  readonly event: string;
  /** 1: JSON text in UTF-8; 0: binary. */
  readonly encoding: 0 | 1;
  readonly payload: Uint8Array;
}

export interface ClusterEvents {
  /** A broadcast from another process (never from this one). */
  readonly broadcast: (message: ClusterBroadcast) => void;
  /** Presences of other processes came or went (a process that died included). */
  readonly presence: (topic: string, change: PresenceChange) => void;
}

/** The counts grow from the start of the process. */
export interface ClusterStats {
  /** 1 while the other processes can be reached, 0 while Redis is away. */
  readonly up: number;
  /** Other processes, now. */
  readonly peers: number;
  /** Messages to other processes, each copy counted, and from them. */
  readonly published: number;
  readonly received: number;
  /** Messages that no process of this version writes. */
  readonly unreadable: number;
  /** Broadcasts that were dropped since they came from a time in which this process stood still. */
  readonly outdated: number;
}

export interface Cluster {
  readonly stats: ClusterStats;
  /** Starts to receive from the other processes; call once. */
  start(events: ClusterEvents): Promise<void>;
  /** This process has its first, or no longer any, channel of a topic. */
  join(topic: string): void;
  leave(topic: string): void;
  /** Sends messages of one topic together. */
  broadcast(topic: string, messages: readonly ClusterBroadcast[]): void;
  /** Whether another process has the topic, as far as known now. */
  isShared(topic: string): boolean;
  /** Presences of this process came or went. */
  presence(topic: string, change: PresenceChange): void;
  /** The presences of a topic in the other processes, as far as known now. */
  remotePresence(topic: string): PresenceMetas;
  close(): Promise<void>;
}
