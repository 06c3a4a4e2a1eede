/**
 * Decoding of frames, in place of the client library's: the library parses each broadcast in one piece. Here the
 * payload of a large update stays the JSON text that it is, which the receiver parses in slices.
 */

import { EVENTS } from "../../../board/messages.ts";

/** A message as the library takes it. */
interface Frame {
  readonly join_ref?: string | null;
  readonly ref?: string | null;
  readonly topic: string;
  readonly event: string;
  readonly payload: unknown;
}

/** A longer payload is not parsed here. */
const LARGE_BYTES = 64 * 1024;
/** The kind of a binary frame with a broadcast from the server, behind which come four lengths. */
const KIND_BROADCAST = 4;
const HEADER_LENGTH = 5;
const JSON_ENCODING = 1;
const UTF8 = new TextDecoder();

/**
 * Decodes a frame of version 2.0.0 of the protocol. Of an event that is never large, a large payload is null.
 * @throws Error for a frame that is malformed
 */
export function decodeFrame<T>(raw: ArrayBuffer | string, take: (message: never) => T): T {
  return take((typeof raw === "string" ? decodeText(raw) : decodeBinary(raw)) as never);
}

function decodeText(text: string): Frame {
  const [join_ref, ref, topic, event, payload] = JSON.parse(text) as [
    string | null,
    string | null,
    string,
    string,
    unknown,
  ];
  return { join_ref, ref, topic, event, payload };
}

function decodeBinary(buffer: ArrayBuffer): Frame {
  const [kind, topicLength = 0, eventLength = 0, metaLength = 0, encoding] = new Uint8Array(
    buffer,
    0,
    Math.min(HEADER_LENGTH, buffer.byteLength),
  );
  if (kind !== KIND_BROADCAST) throw new TypeError("An unknown binary frame");
  let at = HEADER_LENGTH;
  const read = (length: number): string => {
    at += length;
    return UTF8.decode(new Uint8Array(buffer, at - length, length));
  };
  const topic = read(topicLength);
  const event = read(eventLength);
  read(metaLength);
  const bytes = buffer.byteLength - at;
  const payload = encoding === JSON_ENCODING ? decodePayload(event, bytes, read) : buffer.slice(at);
  return {
    join_ref: null,
    ref: null,
    topic,
    event: "broadcast",
    payload: { type: "broadcast", event, payload },
  };
}

function decodePayload(event: string, bytes: number, read: (length: number) => string): unknown {
  if (bytes <= LARGE_BYTES) return JSON.parse(read(bytes)) as unknown;
  return event === EVENTS.update ? read(bytes) : null;
}
