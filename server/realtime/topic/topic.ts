/** A topic in this process: its channels, its fan-out and its presences. */

import type { ClusterBroadcast, PresenceChange, PresenceMeta } from "../../cluster/port.ts";
import { Fanout, type FanoutOptions } from "./fanout.ts";
import { LargeBroadcasts, type WaitingBytes } from "./large-broadcasts.ts";
import { PresenceOut, type PresenceOutOptions } from "./presence-out.ts";
import { Presences } from "./presence.ts";

export interface TopicOptions {
  readonly fanout: FanoutOptions;
  readonly presence: PresenceOutOptions;
  /** Large broadcasts that wait in any topic of this process. */
  readonly largeBytes: WaitingBytes;
}

export class Topic {
  /** The key that `topicKey` makes. */
  readonly key: string;
  /** With `realtime:` in front. */
  readonly name: string;
  readonly fanout: Fanout;
  readonly presences = new Presences();
  readonly presenceOut: PresenceOut;
  readonly large: LargeBroadcasts;
  /** Broadcasts of this process's clients that the other processes were not sent yet. */
  unpublished: ClusterBroadcast[] = [];

  /**
   * Makes a topic without members.
   * @param name with `realtime:` in front
   */
  constructor(key: string, name: string, options: TopicOptions) {
    this.key = key;
    this.name = name;
    this.fanout = new Fanout(options.fanout);
    const { fanout, presences } = this;
    this.presenceOut = new PresenceOut({ topic: name, fanout, presences }, options.presence);
    this.large = new LargeBroadcasts(options.fanout.now, options.largeBytes);
  }

  /** Replaces the presence `previous` (or none) by `next` (or none). */
  replacePresence(key: string, previous: PresenceMeta | null, next: PresenceMeta | null): void {
    if (next !== null) this.presences.add(key, next);
    if (previous !== null) this.presences.drop(key, previous.ref);
    this.presenceOut.announce();
  }

  /** Applies a change of another process. */
  applyPresence(change: PresenceChange): void {
    this.presences.apply(change);
    this.presenceOut.announce();
  }

  /** Sends the waiting messages; the topic is not used afterwards. */
  dispose(): void {
    this.presenceOut.dispose();
    this.large.dispose();
    this.fanout.flush();
  }
}
