/** Sends a topic's presences: decides when, to whom, and how many bytes at most. */

import { debt, fullBucket, spend, type Bucket, type Rate } from "../../limits/token-bucket.ts";
import { SUMMARY_EVENT } from "../../../board/presence-summary.ts";
import { Crowd } from "./crowd.ts";
import type { Member } from "../wire/member.ts";
import type { Fanout } from "./fanout.ts";
import { TextOut } from "../wire/outgoing.ts";
import { diffJson, metasJson, type Presences } from "./presence.ts";

/**
 * Milliseconds within which presence changes are sent as one, the first immediately: five hundred clients that return
 * together would otherwise cost a quarter of a million messages.
 */
const PRESENCE_WINDOW_MS = 50;
/**
 * Milliseconds by which that time grows for each channel in a crowd, since each change costs a look at each channel,
 * and mostly a write; and the greatest time.
 */
const CROWD_WINDOW_MS = 1;
const LONGEST_WINDOW_MS = 1_000;

export interface PresenceCounts {
  /** Bytes of `presence_state`, `presence_diff` and `presence_summary`, each copy counted. */
  presenceBytes: number;
  /** The number of `presence_state` payloads that were made; one is shared by all that join before the next change. */
  presenceEncodes: number;
}

export interface PresenceOutOptions {
  /** The rate of bytes to all members of the topic; states and diffs are counted apart, so that neither delays the other. */
  readonly presenceRate: Rate;
  /** The number of presence keys above which clients that ask for it get summaries. */
  readonly summaryKeys: number;
  /** A monotonic time in milliseconds. */
  readonly now: () => number;
  readonly counts: PresenceCounts;
}

/** A channel that has joined and was not sent the presences yet. */
export interface StateReceiver extends Member {
  /** Whether it gets summaries in place of states and diffs in a crowd. */
  readonly wantsSummary: boolean;
  /** Returns the milliseconds until its connection may be sent a state or a whole summary. */
  stateWait(): number;
  /** Sends a state. `payload` is JSON in UTF-8, shared by all receivers. */
  sendState(payload: Buffer): void;
  sendSummary(payload: Buffer): void;
}

interface Source {
  readonly topic: string;
  readonly fanout: Fanout;
  readonly presences: Presences;
}

/**
 * The presences that a topic sends. A topic that has used up its bytes goes into debt and waits until that is paid.
 * The changes of that time are collected, so that each presence is sent once, in its state then, and the channels
 * that joined get one state, the newest.
 */
export class PresenceOut {
  readonly #source: Source;
  readonly #options: PresenceOutOptions;
  readonly #diffs: Bucket;
  readonly #states: Bucket;
  readonly #waiting = new Set<StateReceiver>();
  readonly #crowd: Crowd;
  /**
   * Members that ask for summaries, and those of them that get no diffs, since they get summaries or wait for a state
   * after them.
   */
  readonly #audience = new Set<StateReceiver>();
  readonly #summarized = new Set<Member>();
  #state: Buffer | null = null;
  #changed = false;
  #announcedAt = -Infinity;
  #timer: NodeJS.Timeout | null = null;
  /** The time when the timer ends; `Infinity` while none runs. */
  #timerAt = Infinity;

  constructor(source: Source, options: PresenceOutOptions) {
    this.#source = source;
    this.#options = options;
    this.#diffs = fullBucket(options.presenceRate, options.now());
    this.#states = fullBucket(options.presenceRate, options.now());
    this.#crowd = new Crowd(source.presences.present, options.summaryKeys);
  }

  /** Notes that the presences changed. */
  announce(): void {
    this.#changed = true;
    if (this.#crowd.changed()) this.#changeForm();
    this.#run();
  }

  /**
   * Changes the form of the messages: a crowd began, and its audience gets summaries; or it ended, and they get the
   * presences.
   */
  #changeForm(): void {
    for (const receiver of this.#audience)
      if (this.#crowd.isCrowd) this.#summarized.add(receiver);
      else this.#waiting.add(receiver);
  }

  /**
   * Notes that a channel joined and wants the presences: it gets them now, or when its connection and the topic may
   * send again.
   */
  welcome(receiver: StateReceiver): void {
    this.#waiting.add(receiver);
    if (receiver.wantsSummary) {
      this.#audience.add(receiver);
      if (this.#crowd.isCrowd) this.#summarized.add(receiver);
    }
    this.#run();
  }

  /** Notes that a channel left and no longer waits. */
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

  /** Sends what may be sent now, and runs again for the rest. */
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
    const { fanout } = this.#source;
    if (this.#summarized.size === 0) fanout.send(message);
    else
      fanout.sendTo(
        message,
        fanout.members.filter((member) => !this.#summarized.has(member)),
      );
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
    this.#source.fanout.sendTo(message, this.#summarized);
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

  /** Returns the presences that were announced to the members, encoded once until they change. */
  #statePayload(): Buffer {
    if (this.#state === null) {
      this.#options.counts.presenceEncodes++;
      this.#state = Buffer.from(metasJson(this.#source.presences.announced()));
    }
    return this.#state;
  }
}
