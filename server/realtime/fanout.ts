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
 * In a room of more than `SMALL_ROOM` members, messages that arrive within `WINDOW_MS` share one write
 * for each receiver; the first goes at once.
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
/**
 * Rooms with at most so many members do not wait: waking up once more costs more than the few writes
 * that are saved (measured, see bench/fanout).
 */
const SMALL_ROOM = 16;
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
    const wait = this.#members.length > SMALL_ROOM ? WINDOW_MS - (now - this.#sentAt) : 0;
    if (this.#batch.length === 0 && wait <= 0) {
      this.#sentAt = now;
      this.#deliver([message]);
      return;
    }
    this.#batch.push(message);
    this.#batchBytes += message.size;
    if (this.#batchBytes > BATCH_BYTES) this.flush();
    else if (!this.#armed) {
      this.#armed = true;
      setTimeout(this.#onTimer, wait);
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
      const joined = shared.joined(version, live);
      if (joined.bytes.length === 0) continue;
      if (member.stamp !== stamp) socket.write(joined.bytes);
      else if (!writeOthers(member, joined)) continue;
      counts.writes++;
    }
    for (const member of slow ?? []) member.receiver.giveUp();
  }
}

/** The frames of a batch, one after the other; `ends[i]` is where the frame of `messages[i]` ends. */
interface Joined {
  readonly bytes: Buffer;
  readonly messages: readonly Outgoing[];
  readonly ends: readonly number[];
}

/** The bytes of one batch: made once for each version, when the first receiver needs them. */
class Shared {
  readonly #batch: readonly Outgoing[];
  readonly #made: Joined[] = [];
  readonly droppable: number;

  constructor(batch: readonly Outgoing[]) {
    this.#batch = batch;
    let droppable = 0;
    for (const message of batch) if (message.droppable) droppable++;
    this.droppable = droppable;
  }

  joined(version: Version, live: boolean): Joined {
    const all = live || this.droppable === 0;
    const place = all ? version : version + 2;
    return (this.#made[place] ??= join(
      all ? this.#batch : this.#batch.filter((message) => !message.droppable),
      version,
    ));
  }
}

const NOTHING = Buffer.alloc(0);

function join(messages: readonly Outgoing[], version: Version): Joined {
  const frames = messages.map((message) => message.frame(version) ?? NOTHING);
  let end = 0;
  const ends = frames.map((frame) => (end += frame.length));
  return { bytes: frames.length === 1 ? frames[0]! : Buffer.concat(frames, end), messages, ends };
}

/** Somebody who sent a part of the batch gets the pieces around it, still without a copy. False where nothing is left. */
function writeOthers(member: Member, { bytes, messages, ends }: Joined): boolean {
  if (messages.every(({ sender }) => sender === member)) return false;
  const { socket } = member.receiver;
  socket.cork();
  let from = 0;
  let end = 0;
  for (let place = 0; place < messages.length; place++) {
    if (messages[place]!.sender === member) {
      if (end > from) socket.write(bytes.subarray(from, end));
      from = ends[place]!;
    }
    end = ends[place]!;
  }
  if (end > from) socket.write(bytes.subarray(from, end));
  socket.uncork();
  return true;
}
