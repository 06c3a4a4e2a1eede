/** What one topic sends about presences: when, to whom, and how many bytes at most. */

import { debt, fullBucket, spend, type Bucket, type Rate } from "../../limits/token-bucket.ts";
import { SUMMARY_EVENT } from "../../../board/presence-summary.ts";
import { Crowd } from "./crowd.ts";
import type { Member } from "../wire/member.ts";
import type { Fanout } from "./fanout.ts";
import { TextOut } from "../wire/outgoing.ts";
import { diffJson, metasJson, type Presences } from "./presence.ts";

/**
 * Presence changes that come within this time are sent as one, the first at once: five hundred clients
 * that come back together would otherwise cost a quarter of a million messages.
 */
const PRESENCE_WINDOW_MS = 50;
/** In a crowd the time grows: each change costs a look at each channel, and mostly a write. Milliseconds for each channel, and at most. */
const CROWD_WINDOW_MS = 1;
const LONGEST_WINDOW_MS = 1_000;

export interface PresenceCounts {
  /** Bytes of `presence_state`, `presence_diff` and `presence_summary`, each copy counted. */
  presenceBytes: number;
  /** How often a `presence_state` was made; one is shared by all that join before the next change. */
  presenceEncodes: number;
}

export interface PresenceOutOptions {
  /** Bytes to all members of the topic; states and diffs are counted apart, so that neither delays the other. */
  readonly presenceRate: Rate;
  /** With more presence keys, those who ask for it get summaries. */
  readonly summaryKeys: number;
  /** Monotonic, in milliseconds. */
  readonly now: () => number;
  readonly counts: PresenceCounts;
}

/** A channel that joined and was not sent the presences yet. */
export interface StateReceiver extends Member {
  /** In a crowd it gets summaries in place of states and diffs. */
  readonly wantsSummary: boolean;
  /** Milliseconds until its connection may be sent a state or a whole summary. */
  stateWait(): number;
  /** `payload` is JSON in UTF-8, shared by all receivers. */
  sendState(payload: Buffer): void;
  sendSummary(payload: Buffer): void;
}

interface Source {
  readonly topic: string;
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
  readonly #crowd: Crowd;
  /** Members who ask for summaries, and those of them who get no diffs, since they get summaries or wait for a state after them. */
  readonly #audience = new Set<StateReceiver>();
  readonly #summarized = new Set<Member>();
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
    this.#crowd = new Crowd(source.presences.present, options.summaryKeys);
  }

  /** The presences changed. */
  announce(): void {
    this.#changed = true;
    if (this.#crowd.changed()) this.#changeForm();
    this.#run();
  }

  /** A crowd came to be, and its audience gets summaries; or it ended, and they get the presences as they are. */
  #changeForm(): void {
    for (const receiver of this.#audience)
      if (this.#crowd.isCrowd) this.#summarized.add(receiver);
      else this.#waiting.add(receiver);
  }

  /** A channel joined and wants the presences: it gets them now, or when its connection and the topic may send again. */
  welcome(receiver: StateReceiver): void {
    this.#waiting.add(receiver);
    if (receiver.wantsSummary) {
      this.#audience.add(receiver);
      if (this.#crowd.isCrowd) this.#summarized.add(receiver);
    }
    this.#run();
  }

  /** A channel left; it may wait no more. */
  forget(receiver: StateReceiver): void {
    this.#waiting.delete(receiver);
    this.#audience.delete(receiver);
    this.#summarized.delete(receiver);
  }

  dispose(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#changed = false;
    this.#waiting.clear();
  }

  /** Sends what may be sent now, and comes back for the rest. */
  #run(): void {
    const wait = Math.min(this.#announceDue(), this.#summarizeDue(), this.#sendStates());
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
    const { now, presenceRate } = this.#options;
    const channels = this.#source.fanout.size;
    const receivers = channels - this.#summarized.size;
    const window = Math.min(
      Math.max(PRESENCE_WINDOW_MS, channels * CROWD_WINDOW_MS),
      LONGEST_WINDOW_MS,
    );
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
    if (receivers === 0) return Infinity;
    const message = new TextOut(this.#source.topic, "presence_diff", diffJson(change));
    this.#count(message, receivers);
    if (this.#summarized.size === 0) this.#source.fanout.send(message);
    else this.#source.fanout.sendTo(message, (member) => !this.#summarized.has(member));
    return Infinity;
  }

  /** Returns the milliseconds until the next summary may be sent; `Infinity` when there is none. */
  #summarizeDue(): number {
    const { now, presenceRate } = this.#options;
    const debts = debt(this.#diffs, presenceRate, now());
    if (debts > 0) return this.#crowd.isCrowd ? debts : Infinity;
    const { payload, wait } = this.#crowd.due(now());
    if (payload === null || this.#summarized.size === 0) return wait;
    const message = new TextOut(this.#source.topic, SUMMARY_EVENT, payload);
    this.#count(message, this.#summarized.size);
    this.#source.fanout.sendTo(message, (member) => this.#summarized.has(member));
    return wait;
  }

  #count({ size }: TextOut, copies: number): void {
    const { now, presenceRate, counts } = this.#options;
    spend(this.#diffs, presenceRate, now(), size * copies);
    counts.presenceBytes += size * copies;
  }

  /** Returns the milliseconds until the next state may be sent; `Infinity` when nobody waits. */
  #sendStates(): number {
    const { now, presenceRate, counts } = this.#options;
    let next = Infinity;
    for (const receiver of this.#waiting) {
      const wait = Math.max(debt(this.#states, presenceRate, now()), receiver.stateWait());
      next = Math.min(next, wait);
      if (wait > 0) continue;
      this.#waiting.delete(receiver);
      const summarized = this.#crowd.isCrowd && receiver.wantsSummary;
      const payload = summarized ? this.#crowd.whole() : this.#statePayload();
      spend(this.#states, presenceRate, now(), payload.length);
      counts.presenceBytes += payload.length;
      if (summarized) {
        receiver.sendSummary(payload);
        continue;
      }
      this.#summarized.delete(receiver);
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
