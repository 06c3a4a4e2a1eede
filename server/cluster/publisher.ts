/**
 * Publishes without replies. Redis answers each PUBLISH with a number that nobody reads and that wakes the process
 * once more for each broadcast; `CLIENT REPLY OFF` ends that. The library expects a reply to each command, so these
 * commands bypass it, all copies of all messages in one write. The process's own heartbeat shows whether they arrive.
 */

import type { Redis } from "ioredis";

const REPLY_OFF = "*3\r\n$6\r\nCLIENT\r\n$5\r\nREPLY\r\n$3\r\nOFF\r\n";
const LINE_END = Buffer.from("\r\n");

/** Streams whose replies were ended. */
const silent = new WeakSet<object>();

/**
 * Publishes the same messages to each channel, whose names are ASCII. Use the connection for nothing else: from then
 * on it gets no replies.
 */
export function publish(
  { stream }: Redis,
  channels: readonly string[],
  messages: readonly Buffer[],
): void {
  if (!stream.writable) return;
  if (!silent.has(stream)) {
    silent.add(stream);
    stream.write(REPLY_OFF);
  }
  stream.write(encodePublish(channels, messages));
}

function encodePublish(channels: readonly string[], messages: readonly Buffer[]): Buffer {
  const starts = channels.map(
    (channel) => `*3\r\n$7\r\nPUBLISH\r\n$${channel.length}\r\n${channel}\r\n$`,
  );
  const pieces: Buffer[] = [];
  for (const message of messages)
    for (const start of starts)
      pieces.push(Buffer.from(`${start}${message.length}\r\n`, "latin1"), message, LINE_END);
  return Buffer.concat(pieces);
}
