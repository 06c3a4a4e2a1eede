/** One topic in this process: its channels, its fan-out and its presences. */

import type { PresenceChange, PresenceMeta } from "../cluster/port.ts";
import { Fanout } from "./fanout.ts";
import type { FanoutOptions, Member } from "./fanout.ts";
import { TextOut, outgoingTopic } from "./outgoing.ts";
import type { OutgoingTopic } from "./outgoing.ts";
import { Presences, diffJson } from "./presence.ts";

/**
 * Presence changes that come within this time are told as one, the first at once: five hundred people
 * who come back together would otherwise cost a quarter of a million messages.
 */
const PRESENCE_WINDOW_MS = 50;

export class Room {
  readonly key: string;
  readonly topic: OutgoingTopic;
  readonly fanout: Fanout;
  readonly presences = new Presences();
  readonly #now: () => number;
  #toldAt = -Infinity;
  #timer: NodeJS.Timeout | null = null;

  constructor(key: string, topic: string, options: FanoutOptions) {
    this.key = key;
    this.topic = outgoingTopic(topic);
    this.fanout = new Fanout(options);
    this.#now = options.now;
  }

  add(member: Member): void {
    this.fanout.add(member);
  }

  remove(member: Member): void {
    this.fanout.remove(member);
  }

  /** Replaces the presence `previous` (or none) by `next` (or none). */
  replacePresence(key: string, previous: PresenceMeta | null, next: PresenceMeta | null): void {
    if (next !== null) this.presences.add(key, next);
    if (previous !== null) this.presences.drop(key, previous.ref);
    this.#tell();
  }

  /** A change in another process. */
  applyPresence(change: PresenceChange): void {
    this.presences.apply(change);
    this.#tell();
  }

  #tell(): void {
    const wait = PRESENCE_WINDOW_MS - (this.#now() - this.#toldAt);
    if (wait <= 0) this.#tellNow();
    else this.#timer ??= setTimeout(() => this.#tellNow(), wait);
  }

  #tellNow(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const change = this.presences.takeDiff();
    if (change === null) return;
    this.#toldAt = this.#now();
    this.fanout.send(new TextOut(this.topic, "presence_diff", diffJson(change)));
  }

  dispose(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.fanout.flush();
  }
}
