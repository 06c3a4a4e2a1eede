/**
 * PUBLISH without replies. Redis answers each PUBLISH with a number that nobody reads, and that wakes the process once
 * more for each broadcast; `CLIENT REPLY OFF` ends that. The library expects a reply to each command, so that these
 * are written past it, all copies of a message as one write. That the connection works is what the own heartbeat says.
 */

import type { Redis } from "ioredis";

const REPLY_OFF = "*3\r\n$6\r\nCLIENT\r\n$5\r\nREPLY\r\n$3\r\nOFF\r\n";
const LINE_END = "\r\n";

/** Call when a connection is ready, and use it for nothing else from then on. */
export function endReplies(redis: Redis): void {
  redis.stream.write(REPLY_OFF);
}

/** Publishes the same bytes to each channel. The names are ASCII. */
export function publish(redis: Redis, channels: readonly string[], message: Buffer): void {
  redis.stream.write(encodePublish(channels, message));
}

export function encodePublish(channels: readonly string[], message: Buffer): Buffer {
  const heads = channels.map(
    (channel) =>
      `*3\r\n$7\r\nPUBLISH\r\n$${channel.length}\r\n${channel}\r\n$${message.length}\r\n`,
  );
  const each = message.length + LINE_END.length;
  const bytes = Buffer.allocUnsafe(heads.reduce((sum, head) => sum + head.length + each, 0));
  let at = 0;
  for (const head of heads) {
    at += bytes.write(head, at, "latin1");
    at += message.copy(bytes, at);
    at += bytes.write(LINE_END, at, "latin1");
  }
  return bytes;
}
