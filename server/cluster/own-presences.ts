/** The presences of this process in one topic. Changes within a short time are sent to the other processes as one. */

import { apply, difference, lists, type Entries } from "./entries.ts";
import type { PresenceChange, PresenceMetas } from "./port.ts";

/**
 * Milliseconds for which changes are collected. The first one is sent immediately; those after it are one message,
 * since each wakes every process.
 */
const GATHER_MS = 250;

export interface SentChange {
  readonly version: number;
  readonly change: PresenceChange;
}

export class OwnPresences {
  /** The number of changes that were sent. */
  #version: number;
  readonly #entries: Entries = new Map();
  /** The presences that the other processes know when every message arrived. */
  readonly #sent: Entries = new Map();
  readonly #send: (sent: SentChange) => void;
  #sentAt = -Infinity;
  #timer: NodeJS.Timeout | null = null;

  constructor(version: number, send: (sent: SentChange) => void) {
    this.#version = version;
    this.#send = send;
  }

  /** Notes that presences of this process were added or removed. */
  change(change: PresenceChange): void {
    apply(this.#entries, change);
    if (this.#timer !== null) return;
    const wait = this.#sentAt + GATHER_MS - performance.now();
    if (wait <= 0) this.#sendNow();
    else this.#timer = setTimeout(() => this.#sendNow(), wait).unref();
  }

  /** Returns what was sent, as one state. */
  snapshot(): { readonly version: number; readonly metas: PresenceMetas } {
    return { version: this.#version, metas: lists(this.#sent) };
  }

  /** Ends the sending. */
  dispose(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  #sendNow(): void {
    this.#timer = null;
    const change = difference(this.#sent, this.#entries);
    if (change === null) return;
    apply(this.#sent, change);
    this.#sentAt = performance.now();
    this.#send({ version: ++this.#version, change });
  }
}
