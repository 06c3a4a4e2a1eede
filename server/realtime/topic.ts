/** One topic in this process: its channels, its fan-out and its presences. */

import type { PresenceChange, PresenceMeta } from "../cluster/port.ts";
import { Fanout, type FanoutOptions } from "./fanout.ts";
import { TextOut, outgoingTopic, type OutgoingTopic } from "./outgoing.ts";
import { Presences, diffJson } from "./presence.ts";

/**
 * Presence changes that come within this time are sent as one, the first at once: five hundred clients
 * that come back together would otherwise cost a quarter of a million messages.
 */
const PRESENCE_WINDOW_MS = 50;

export class Topic {
  /** As `topicKey` makes it. */
  readonly key: string;
  readonly outgoing: OutgoingTopic;
  readonly fanout: Fanout;
  readonly presences = new Presences();
  readonly #now: () => number;
  #announcedAt = -Infinity;
  #timer: NodeJS.Timeout | null = null;

  /** @param name with `realtime:` in front */
  constructor(key: string, name: string, options: FanoutOptions) {
    this.key = key;
    this.outgoing = outgoingTopic(name);
    this.fanout = new Fanout(options);
    this.#now = options.now;
  }

  /** With `realtime:` in front. */
  get name(): string {
    return this.outgoing.name;
  }

  /** Replaces the presence `previous` (or none) by `next` (or none). */
  replacePresence(key: string, previous: PresenceMeta | null, next: PresenceMeta | null): void {
    if (next !== null) this.presences.add(key, next);
    if (previous !== null) this.presences.drop(key, previous.ref);
    this.#announce();
  }

  /** A change in another process. */
  applyPresence(change: PresenceChange): void {
    this.presences.apply(change);
    this.#announce();
  }

  #announce(): void {
    const wait = PRESENCE_WINDOW_MS - (this.#now() - this.#announcedAt);
    if (wait <= 0) this.#announceNow();
    else this.#timer ??= setTimeout(() => this.#announceNow(), wait);
  }

  #announceNow(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const change = this.presences.takeDiff();
    if (change === null) return;
    this.#announcedAt = this.#now();
    this.fanout.send(new TextOut(this.outgoing, "presence_diff", diffJson(change)));
  }

  /** Sends what is waiting; the topic is not used afterwards. */
  dispose(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.fanout.flush();
  }
}
