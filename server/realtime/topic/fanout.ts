/**
 * The hot path: one broadcast to all members of a topic.
 *
 * A message becomes one complete WebSocket frame for each protocol version, and the same bytes are
 * written to every socket. The bytes go to the TCP socket directly, not through `WebSocket.send`,
 * which would make a header and two writes for each receiver. That is safe because
 * - compression is off and we send no fragments, so `ws` writes each frame of its own (close, ping,
 *   pong) at once and whole: our frames always fall between two of its;
 * - nothing is written after a close frame: `readyState` is checked before each write;
 * - a buffer that was handed to a socket is never changed afterwards.
 *
 * In a topic of more than `SMALL_TOPIC` members, messages that arrive within a window after the last write share one
 * write for each receiver; so do messages that arrived in one read of a socket. Otherwise a message is sent
 * immediately.
 */

import type { Writable } from "node:stream";
import type { Member, Outgoing } from "../wire/member.ts";
import type { Version } from "../wire/wire.ts";

export interface FanoutOptions {
  /** Queued bytes of a receiver above which droppable messages are left out. */
  readonly liveQueueBytes: number;
  /** Queued bytes of a receiver above which it is disconnected. */
  readonly queueBytes: number;
  /** A monotonic time in milliseconds. */
  readonly now: () => number;
  readonly counts: FanoutCounts;
  /** Whether other processes have the topic as well. */
  readonly isShared: () => boolean;
  /** Called before the batch is delivered. */
  readonly onDelivery: () => void;
}

export interface FanoutCounts {
  /** The number of writes to sockets. */
  writes: number;
  /** The number of messages that were left out for a receiver with a long queue. */
  dropped: number;
}

const WINDOW_MS = 4;
/**
 * The window of a topic that other processes have as well. There each message wakes up every process, whose part of the
 * members is small: with the short window it costs up to 1.5 times as much as in one process (measured, see bench/cluster).
 */
const SHARED_WINDOW_MS = 12;
/**
 * Members of a topic up to which nothing waits: waking up once more costs more than the few writes that it would save
 * (measured, see bench/fanout).
 */
const SMALL_TOPIC = 16;
/** Waiting bytes above which a batch is sent before the window ends. */
const BATCH_BYTES = 262_144;
const OPEN = 1;

export class Fanout {
  readonly #options: FanoutOptions;
  readonly #members: Member[] = [];
  #batch: Outgoing[] = [];
  #batchBytes = 0;
  #sentAt = -Infinity;
  /** Whether a timer is running. It may find nothing to send, or send a later batch early, which is cheaper than clearing it. */
  #armed = false;
  #stamp = 0;

  constructor(options: FanoutOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#members.length;
  }

  get members(): readonly Member[] {
    return this.#members;
  }

  /** Adds a member, to which nothing is sent of what was broadcast before. */
  add(member: Member): void {
    this.flush();
    member.index = this.#members.length;
    this.#members.push(member);
  }

  remove(member: Member): void {
    if (this.#members[member.index] !== member) return;
    const last = this.#members.pop()!;
    if (last === member) return;
    this.#members[member.index] = last;
    last.index = member.index;
  }

  send(message: Outgoing): void {
    if (this.#members.length === 0) return;
    this.#batch.push(message);
    this.#batchBytes += message.size;
    const isSmall = this.#members.length <= SMALL_TOPIC;
    if (isSmall || this.#batchBytes > BATCH_BYTES) this.flush();
    else if (!this.#armed) this.#arm();
  }

  #arm(): void {
    this.#armed = true;
    const window = this.#options.isShared() ? SHARED_WINDOW_MS : WINDOW_MS;
    const wait = window - (this.#options.now() - this.#sentAt);
    // The timer runs after this read, which may contain further messages.
    if (wait <= 0) process.nextTick(this.#onTimer);
    else setTimeout(this.#onTimer, wait);
  }

  /** Sends immediately, after earlier messages, to some of the members. The cost follows their number. */
  sendTo(message: Outgoing, members: Iterable<Member>): void {
    this.flush();
    const { queueBytes, counts } = this.#options;
    const slow: Member[] = [];
    for (const member of members) {
      const { socket, version, webSocket } = member.receiver;
      if (webSocket.readyState !== OPEN || this.#members[member.index] !== member) continue;
      if (socket.writableLength > queueBytes) slow.push(member);
      else write(socket, message.frame(version) ?? []);
      counts.writes++;
    }
    for (const member of slow) member.receiver.giveUp();
  }

  readonly #onTimer = (): void => {
    this.#armed = false;
    this.flush();
  };

  /** Sends the waiting messages. */
  flush(): void {
    if (this.#batch.length === 0) return;
    const batch = this.#batch;
    this.#batch = [];
    this.#batchBytes = 0;
    this.#deliver(batch);
  }

  #deliver(batch: readonly Outgoing[]): void {
    const { liveQueueBytes, queueBytes, counts } = this.#options;
    this.#options.onDelivery();
    const stamp = ++this.#stamp;
    for (const { sender } of batch) if (sender !== null && !sender.self) sender.stamp = stamp;
    const shared = new Shared(batch, this.#members.length > SMALL_TOPIC);
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
      const chunks =
        member.stamp === stamp
          ? frames(
              batch,
              version,
              (message) => message.sender !== member && (live || !message.droppable),
            )
          : shared.chunks(version, live);
      if (chunks.length === 0) continue;
      write(socket, chunks);
      counts.writes++;
    }
    // This is the time of the end, not of the start: with many members the writes take longer than the window, and
    // messages that arrive meanwhile are one batch.
    if (this.#members.length > SMALL_TOPIC) this.#sentAt = this.#options.now();
    for (const member of slow ?? []) member.receiver.giveUp();
  }
}

/** Writes all chunks with one system call. */
function write(socket: Writable, chunks: readonly Buffer[]): void {
  if (chunks.length === 1) {
    socket.write(chunks[0]);
    return;
  }
  socket.cork();
  for (const chunk of chunks) socket.write(chunk);
  socket.uncork();
}

/** The bytes of one batch for members that sent none of it; they are made once for each version, when first needed. */
class Shared {
  readonly #batch: readonly Outgoing[];
  readonly #joined: boolean;
  readonly #made: (readonly Buffer[])[] = [];
  readonly droppable: number;

  constructor(batch: readonly Outgoing[], joined: boolean) {
    this.#batch = batch;
    this.#joined = joined;
    let droppable = 0;
    for (const message of batch) if (message.droppable) droppable++;
    this.droppable = droppable;
  }

  chunks(version: Version, live: boolean): readonly Buffer[] {
    const all = live || this.droppable === 0;
    const index = all ? version : version + 2;
    return (this.#made[index] ??= this.#make(version, all));
  }

  #make(version: Version, all: boolean): readonly Buffer[] {
    const chunks = frames(this.#batch, version, (message) => all || !message.droppable);
    return this.#joined && chunks.length > 1 ? [Buffer.concat(chunks)] : chunks;
  }
}

function frames(
  batch: readonly Outgoing[],
  version: Version,
  wanted: (message: Outgoing) => boolean,
): readonly Buffer[] {
  if (batch.length === 1) return wanted(batch[0]!) ? (batch[0]!.frame(version) ?? []) : [];
  return batch.flatMap((message) => (wanted(message) ? (message.frame(version) ?? []) : []));
}
