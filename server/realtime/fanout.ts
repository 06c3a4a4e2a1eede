/**
 * The hot path: one broadcast to everybody in a room.
 *
 * A message becomes one complete WebSocket frame for each protocol version, and the same bytes are
 * written to every socket. The bytes go to the TCP socket directly, not through `WebSocket.send`,
 * which would make a header and two writes for each receiver. That is safe because
 * - compression is off and we send no fragments, so `ws` writes each frame of its own (close, ping,
 *   pong) at once and whole: our frames always fall between two of its;
 * - nothing is written after a close frame: `readyState` is checked before each write;
 * - a buffer that was handed to a socket is never changed afterwards.
 *
 * Messages that arrive within `WINDOW_MS` share one write for each receiver; the first goes at once.
 */

import type { Writable } from "node:stream";
import type { Version } from "./wire.ts";

/** A connection, as the fan-out needs it. */
export interface Receiver {
  readonly version: Version;
  /** The TCP socket under the WebSocket. */
  readonly socket: Writable;
  readonly webSocket: { readonly readyState: number };
  /** It reads so slowly that it must go. */
  giveUp(): void;
}

/** A channel of a connection in one room. `slot` and `stamp` belong to the fan-out. */
export interface Member {
  readonly receiver: Receiver;
  /** Whether it receives its own broadcasts. */
  readonly self: boolean;
  slot: number;
  stamp: number;
}

export interface Outgoing {
  /** Left out for this member, unless it wants its own; null for everybody. */
  readonly sender: Member | null;
  readonly droppable: boolean;
  /** About how many bytes a frame has. */
  readonly size: number;
  /** The whole frame; the same buffer at each call. Null where this version cannot show the message. */
  frame(version: Version): Buffer | null;
}

export interface FanoutOptions {
  /** Queued bytes of a receiver above which droppable messages are left out. */
  readonly liveQueueBytes: number;
  /** Queued bytes of a receiver above which it is given up. */
  readonly queueBytes: number;
  /** Monotonic, in milliseconds. */
  readonly now: () => number;
  readonly counts: FanoutCounts;
}

export interface FanoutCounts {
  /** Writes to sockets. */
  writes: number;
  /** Messages that were left out for a receiver with a long queue. */
  dropped: number;
}

const WINDOW_MS = 4;
/** More than this is not held back for the rest of the window. */
const BATCH_BYTES = 262_144;
const OPEN = 1;

export class Fanout {
  readonly #options: FanoutOptions;
  readonly #members: Member[] = [];
  #batch: Outgoing[] = [];
  #batchBytes = 0;
  #sentAt = -Infinity;
  /** A timer is running. It may find nothing to send, or send a later batch early: cheaper than clearing it. */
  #armed = false;
  #stamp = 0;

  constructor(options: FanoutOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#members.length;
  }

  /** What was sent before is not for the newcomer. */
  add(member: Member): void {
    this.flush();
    member.slot = this.#members.length;
    this.#members.push(member);
  }

  remove(member: Member): void {
    if (this.#members[member.slot] !== member) return;
    const last = this.#members.pop()!;
    if (last === member) return;
    this.#members[member.slot] = last;
    last.slot = member.slot;
  }

  send(message: Outgoing): void {
    if (this.#members.length === 0) return;
    const now = this.#options.now();
    if (this.#batch.length === 0 && now - this.#sentAt >= WINDOW_MS) {
      this.#sentAt = now;
      this.#deliver([message]);
      return;
    }
    this.#batch.push(message);
    this.#batchBytes += message.size;
    if (this.#batchBytes > BATCH_BYTES) this.flush();
    else if (!this.#armed) {
      this.#armed = true;
      setTimeout(this.#onTimer, WINDOW_MS - (now - this.#sentAt));
    }
  }

  readonly #onTimer = (): void => {
    this.#armed = false;
    this.flush();
  };

  /** Sends what is waiting. */
  flush(): void {
    if (this.#batch.length === 0) return;
    const batch = this.#batch;
    this.#batch = [];
    this.#batchBytes = 0;
    this.#sentAt = this.#options.now();
    this.#deliver(batch);
  }

  #deliver(batch: readonly Outgoing[]): void {
    const { liveQueueBytes, queueBytes, counts } = this.#options;
    const stamp = ++this.#stamp;
    for (const { sender } of batch) if (sender !== null && !sender.self) sender.stamp = stamp;
    const shared = new Shared(batch);
    let slow: Member[] | null = null;
    for (const member of this.#members) {
      const { socket, version, webSocket } = member.receiver;
      if (webSocket.readyState !== OPEN) continue;
      const queued = socket.writableLength;
      if (queued > queueBytes) {
        (slow ??= []).push(member);
        continue;
      }
      const live = queued <= liveQueueBytes;
      if (!live) counts.dropped += shared.droppable;
      const bytes =
        member.stamp === stamp
          ? join(pick(batch, live, member), version)
          : shared.bytes(version, live);
      if (bytes === null) continue;
      counts.writes++;
      socket.write(bytes);
    }
    for (const member of slow ?? []) member.receiver.giveUp();
  }
}

/** The bytes of one batch for those who sent nothing of it: made once for each version, when the first needs them. */
class Shared {
  readonly #batch: readonly Outgoing[];
  readonly #made: (Buffer | null | undefined)[] = [];
  readonly droppable: number;

  constructor(batch: readonly Outgoing[]) {
    this.#batch = batch;
    let droppable = 0;
    for (const message of batch) if (message.droppable) droppable++;
    this.droppable = droppable;
  }

  bytes(version: Version, live: boolean): Buffer | null {
    const place = live || this.droppable === 0 ? version : version + 2;
    const made = this.#made[place];
    if (made !== undefined) return made;
    return (this.#made[place] = join(pick(this.#batch, live, null), version));
  }
}

function pick(batch: readonly Outgoing[], live: boolean, own: Member | null): readonly Outgoing[] {
  if (own === null && live) return batch;
  return batch.filter(
    (message) => (live || !message.droppable) && (own === null || message.sender !== own),
  );
}

function join(batch: readonly Outgoing[], version: Version): Buffer | null {
  if (batch.length === 1) return batch[0]!.frame(version);
  const frames: Buffer[] = [];
  for (const message of batch) {
    const frame = message.frame(version);
    if (frame !== null) frames.push(frame);
  }
  if (frames.length < 2) return frames[0] ?? null;
  return Buffer.concat(frames);
}
