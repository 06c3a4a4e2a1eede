/** The binary frames of vsn 2.0.0: a client's broadcast (kind 3) and the server's (kind 4). */

import { isEventName } from "../payloads/broadcast.ts";

/**
 * A broadcast as it was received. `payload` is a view of the received frame, which no longer changes; a small one is
 * copied into the outgoing frames, so that it does not keep the received frame in memory.
 */
interface Push {
  readonly joinRef: string;
  readonly ref: string;
  readonly topic: string;
  readonly event: string;
  /** 1: JSON text in UTF-8, not checked; 0: binary. */
  readonly encoding: 0 | 1;
  readonly payload: Buffer;
}

const KIND_PUSH = 3;
export const KIND_BROADCAST = 4;
const PUSH_HEADER = 7;

const REPLACEMENT = "\ufffd";

/**
 * Reads a name. The official client writes one byte for each UTF-16 unit, so that names beyond ASCII arrive as
 * Latin-1; names in UTF-8, which the protocol requires, are tried first.
 */
function name(frame: Buffer, from: number, to: number): string {
  const text = frame.toString("utf8", from, to);
  return text.includes(REPLACEMENT) ? frame.toString("latin1", from, to) : text;
}

/** Decodes a frame; returns a short reason for one of another kind, or one that is shorter than its lengths say. */
export function decodePush(frame: Buffer): Push | string {
  if (frame.length < PUSH_HEADER) return "a binary frame without a header";
  if (frame[0] !== KIND_PUSH) return "a binary frame of an unknown kind";
  const encoding = frame[6];
  if (encoding !== 0 && encoding !== 1) return "a binary frame with an unknown encoding";
  const ref = PUSH_HEADER + frame[1]!;
  const topic = ref + frame[2]!;
  const event = topic + frame[3]!;
  const meta = event + frame[4]!;
  const payload = meta + frame[5]!;
  if (payload > frame.length) return "a binary frame that is too short";
  const eventName = name(frame, event, meta);
  // Latin-1 becomes longer in UTF-8: the length of a longer event would not fit into the server's frame.
  if (!isEventName(eventName)) return "a broadcast without an event of 1 to 255 bytes";
  return {
    joinRef: name(frame, PUSH_HEADER, ref),
    ref: name(frame, ref, topic),
    topic: name(frame, topic, event),
    event: eventName,
    encoding,
    payload: frame.subarray(payload),
  };
}
