/** What one topic sends about presences: when, to whom, and how many bytes at most. */

import { debt, fullBucket, spend, type Bucket, type Rate } from "../limits/token-bucket.ts";
import type { Fanout } from "./fanout.ts";
import { TextOut, type OutgoingTopic } from "./outgoing.ts";
import { diffJson, metasJson, type Presences } from "./presence.ts";

/**
 * Presence changes that come within this time are sent as one, the first at once: five hundred clients
 * that come back together would otherwise cost a quarter of a million messages.
 */
const PRESENCE_WINDOW_MS = 50;
/** In a crowd the time grows: each change costs a write for each channel. Milliseconds for each channel, and at most. */
const CROWD_WINDOW_MS = 1;
const LONGEST_WINDOW_MS = 1_000;

export interface PresenceCounts {
  /** Bytes of `presence_state` and `presence_diff`, each copy counted. */
  presenceBytes: number;
  /** How often a `presence_state` was made; one is shared by all that join before the next change. */
  presenceEncodes: number;
}

export interface PresenceOutOptions {
  /** Bytes to all members of the topic; states and diffs are counted apart, so that neither delays the other. */
  readonly presenceRate: Rate;
  /** Monotonic, in milliseconds. */
  readonly now: () => number;
  readonly counts: PresenceCounts;
}

/** A channel that joined and was not sent the presences yet. */
export interface StateReceiver {
  /** Milliseconds until its connection may be sent a state. */
  stateWait(): number;
  /** `payload` is JSON in UTF-8, shared by all receivers. */
  sendState(payload: Buffer): void;
}

interface Source {
  readonly topic: OutgoingTopic;
  readonly fanout: Fanout;
  readonly presences: Presences;
}

/**
 * A topic that has sent its bytes goes into debt and waits until that is paid: the changes of that time are gathered,
 * so that each presence is sent once, as it is then, and the channels that joined get one state, the newest.
 */
export class PresenceOut {
  readonly #source: Source;
  readonly #options: PresenceOutOptions;
  readonly #diffs: Bucket;
  readonly #states: Bucket;
  readonly #waiting = new Set<StateReceiver>();
  #state: Buffer | null = null;
  #changed = false;
  #announcedAt = -Infinity;
  #timer: NodeJS.Timeout | null = null;
  /** When the timer ends; `Infinity` while none runs. */
  #timerAt = Infinity;

  constructor(source: Source, options: PresenceOutOptions) {
    this.#source = source;
    this.#options = options;
    this.#diffs = fullBucket(options.presenceRate, options.now());
    this.#states = fullBucket(options.presenceRate, options.now());
  }

  /** The presences changed. */
  announce(): void {
    this.#changed = true;
    this.#run();
  }

  /** A channel joined and wants the presences: it gets them now, or when its connection and the topic may send again. */
  welcome(receiver: StateReceiver): void {
    this.#waiting.add(receiver);
    this.#run();
  }

  /** A channel left; it may wait no more. */
  forget(receiver: StateReceiver): void {
    this.#waiting.delete(receiver);
  }

  dispose(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#changed = false;
    this.#waiting.clear();
  }

  /** Sends what may be sent now, and comes back for the rest. */
  #run(): void {
    const wait = Math.min(this.#announceDue(), this.#sendStates());
    const at = this.#options.now() + wait;
    if (wait === Infinity || at >= this.#timerAt) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timerAt = at;
    this.#timer = setTimeout(() => {
      this.#timerAt = Infinity;
      this.#run();
    }, wait);
  }

  /** Returns the milliseconds until the changes may be sent; `Infinity` when there are none. */
  #announceDue(): number {
    if (!this.#changed) return Infinity;
    const { now, presenceRate, counts } = this.#options;
    const crowd = this.#source.fanout.size * CROWD_WINDOW_MS;
    const window = Math.min(Math.max(PRESENCE_WINDOW_MS, crowd), LONGEST_WINDOW_MS);
    const wait = Math.max(
      window - (now() - this.#announcedAt),
      debt(this.#diffs, presenceRate, now()),
    );
    if (wait > 0) return wait;
    this.#changed = false;
    const change = this.#source.presences.takeDiff();
    if (change === null) return Infinity;
    this.#announcedAt = now();
    this.#state = null;
    const { topic, fanout } = this.#source;
    const message = new TextOut(topic, "presence_diff", diffJson(change));
    const bytes = message.size * fanout.size;
    spend(this.#diffs, presenceRate, now(), bytes);
    counts.presenceBytes += bytes;
    fanout.send(message);
    return Infinity;
  }

  /** Returns the milliseconds until the next state may be sent; `Infinity` when nobody waits. */
  #sendStates(): number {
    const { now, presenceRate, counts } = this.#options;
    let next = Infinity;
    for (const receiver of this.#waiting) {
      const wait = Math.max(debt(this.#states, presenceRate, now()), receiver.stateWait());
      next = Math.min(next, wait);
      if (wait > 0) continue;
      const payload = this.#statePayload();
      this.#waiting.delete(receiver);
      spend(this.#states, presenceRate, now(), payload.length);
      counts.presenceBytes += payload.length;
      receiver.sendState(payload);
    }
    return this.#waiting.size === 0 ? Infinity : Math.max(next, PRESENCE_WINDOW_MS);
  }

  /** What was announced to the members, made once until it changes. */
  #statePayload(): Buffer {
    if (this.#state === null) {
      this.#options.counts.presenceEncodes++;
      this.#state = Buffer.from(metasJson(this.#source.presences.announced()));
    }
    return this.#state;
  }
}
