/**
 * A fast path for broadcasts as text: a client writes the same bytes before the payload each time, so a frame that
 * begins like the last one need not be parsed again. Only its payload is checked.
 */

import { isJson } from "../payloads/json-scan.ts";
import { findTail } from "./frame-tail.ts";
import type { Message } from "./wire.ts";

export interface KnownHead {
  /** The bytes from the frame's first one to the one before the payload. */
  readonly bytes: Buffer;
  readonly topic: string;
  /** The broadcast's event. */
  readonly event: string;
}

/**
 * Greatest number of bytes of a head, which each connection keeps: a topic and an event of the greatest lengths fit.
 * In front of the payload a frame may have any other members.
 */
const HEAD_BYTES = 1_024;

/** Returns the head of a frame that was decoded to `message`, or null where it is long or its tail has another form. */
export function learnHead(frame: Buffer, { topic, broadcast }: Message): KnownHead | null {
  if (broadcast === null || broadcast.payload.buffer !== frame.buffer) return null;
  const { event, payload } = broadcast;
  const length = payload.byteOffset - frame.byteOffset;
  if (length > HEAD_BYTES) return null;
  if (findTail(frame, length)?.at !== length + payload.length) return null;
  return { bytes: Buffer.from(frame.subarray(0, length)), topic, event };
}

/**
 * Returns the message of a frame that begins with the head, or null when it must be decoded as a whole. Head and tail
 * were JSON around one value; with one JSON value between them they are again, and the names in the head mean the
 * same as before.
 */
export function decodeWithHead(frame: Buffer, head: KnownHead): Message | null {
  const { length } = head.bytes;
  if (frame.length <= length || head.bytes.compare(frame, 0, length) !== 0) return null;
  const tail = findTail(frame, length);
  if (tail === null) return null;
  const payload = frame.subarray(length, tail.at);
  if (!isJson(payload)) return null;
  return {
    joinRef: tail.match[2] ?? null,
    ref: tail.match[1] ?? null,
    topic: head.topic,
    event: "broadcast",
    payload: undefined,
    broadcast: { event: head.event, payload },
  };
}
