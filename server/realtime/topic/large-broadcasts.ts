/** Limits broadcasts so large that every open page needs long to read one: few pass, and the newest waits for its time. */

import type { Member } from "../wire/member.ts";

/** Bytes of a payload up to which nothing waits. The page sends less, but plain clients send whole drawings. */
const LARGE = 3_000 * 1_024;
/** Milliseconds between two large broadcasts in one topic. */
const PAUSE_MS = 10_000;
/** Greatest number of waiting bytes in all topics together. */
const MAX_WAITING = 64 * 1_048_576;

/** The number of waiting bytes, in all topics that share it. */
export interface WaitingBytes {
  waiting: number;
}

export interface LargeBroadcast {
  readonly bytes: number;
  readonly event: string;
  /** The sender; null for a broadcast over HTTP or from another process. */
  readonly sender: Member | null;
  readonly send: () => void;
}

export class LargeBroadcasts {
  readonly #now: () => number;
  readonly #all: WaitingBytes;
  #waiting: LargeBroadcast | null = null;
  #passedAt = -Infinity;
  #timer: NodeJS.Timeout | null = null;

  /**
   * Makes the queue of a topic.
   * @param now A monotonic time in milliseconds.
   */
  constructor(now: () => number, all: WaitingBytes) {
    this.#now = now;
    this.#all = all;
  }

  /**
   * Sends the broadcast now, or a large one when it is due and has not been replaced. A broadcast replaces a waiting
   * one of the same known sender and event, so that its older drawing never follows a newer one.
   * @returns False when too much waits already
   */
  pass(broadcast: LargeBroadcast): boolean {
    const { bytes, event, sender, send } = broadcast;
    const isOlder = this.#waiting?.sender === sender && this.#waiting.event === event;
    if (sender !== null && isOlder) this.#drop();
    if (bytes <= LARGE) {
      send();
      return true;
    }
    const wait = this.#passedAt + PAUSE_MS - this.#now();
    if (wait <= 0) {
      this.#drop();
      this.#passedAt = this.#now();
      send();
      return true;
    }
    if (this.#all.waiting - (this.#waiting?.bytes ?? 0) + bytes > MAX_WAITING) return false;
    this.#drop();
    this.#waiting = broadcast;
    this.#all.waiting += bytes;
    this.#timer ??= setTimeout(() => this.#onTimer(), wait);
    return true;
  }

  #onTimer(): void {
    this.#timer = null;
    const broadcast = this.#waiting;
    this.#drop();
    if (broadcast === null) return;
    this.#passedAt = this.#now();
    broadcast.send();
  }

  #drop(): void {
    this.#all.waiting -= this.#waiting?.bytes ?? 0;
    this.#waiting = null;
  }

  dispose(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#drop();
  }
}
