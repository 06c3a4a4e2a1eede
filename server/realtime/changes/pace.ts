/** Limits the messages in a second; of those that arrive faster only the last one is sent, when there is time for it. */

export const CHANGES_PER_SECOND = 10;
const WINDOW_MS = 1000;

/** Timers and the time, in milliseconds. */
export interface PaceClock {
  readonly now: () => number;
  /** Starts a timer; returns the function that cancels it. */
  readonly after: (milliseconds: number, run: () => void) => () => void;
}

export class Pace<Message> {
  readonly #send: (message: Message) => void;
  readonly #clock: PaceClock;
  #sentAt: number[] = [];
  #waiting: { message: Message; readonly cancel: () => void } | null = null;

  constructor(clock: PaceClock, send: (message: Message) => void) {
    this.#clock = clock;
    this.#send = send;
  }

  offer(message: Message): void {
    if (this.#waiting !== null) {
      this.#waiting.message = message;
      return;
    }
    const now = this.#clock.now();
    this.#sentAt = this.#sentAt.filter((at) => now - at < WINDOW_MS);
    if (this.#sentAt.length < CHANGES_PER_SECOND) {
      this.#sentAt.push(now);
      this.#send(message);
      return;
    }
    const wait = WINDOW_MS - (now - (this.#sentAt[0] ?? now));
    const cancel = this.#clock.after(wait, () => {
      const last = this.#waiting;
      this.#waiting = null;
      if (last !== null) this.offer(last.message);
    });
    this.#waiting = { message, cancel };
  }

  dispose(): void {
    this.#waiting?.cancel();
    this.#waiting = null;
  }
}
