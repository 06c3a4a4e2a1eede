/**
 * PUBLISH without replies. Redis answers each PUBLISH with a number that nobody reads and that wakes the process once
 * more for each broadcast; `CLIENT REPLY OFF` ends that. The library expects a reply to each command, so these are
 * written past it, all copies of a message as one write. That they arrive is what the own heartbeat shows.
 */

import type { Redis } from "ioredis";

const REPLY_OFF = "*3\r\n$6\r\nCLIENT\r\n$5\r\nREPLY\r\n$3\r\nOFF\r\n";
const LINE_END = "\r\n";

/** Streams whose replies were ended. */
const silent = new WeakSet<object>();

/** Publishes the same bytes to each channel, of ASCII names. From then on the connection answers nothing, so use it for nothing else. */
export function publish({ stream }: Redis, channels: readonly string[], message: Buffer): void {
  if (!stream.writable) return;
  if (!silent.has(stream)) {
    silent.add(stream);
    stream.write(REPLY_OFF);
  }
  stream.write(encodePublish(channels, message));
}

function encodePublish(channels: readonly string[], message: Buffer): Buffer {
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
